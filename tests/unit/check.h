#ifndef CHECK_H
#define CHECK_H

/* What every unit test includes, in the order that cmocka wants. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#endif
