#ifndef WB_TOOLCHAIN_H
#define WB_TOOLCHAIN_H

#include "buf.h"

#include <stdbool.h>

/*
 * What builds: the version lines of the C and C++ compiler (CC, CXX, else cc,
 * c++), the assembler and the linker that PATH finds, and the environment
 * variables that builds read flags from. A tool that is not there is part of
 * the identity as such. With layouts also ld.lld, which shuffles sections. One
 * malloc'ed text.
 */
char *wb_toolchain(bool layouts);

/*
 * Adds what of other is not in mine: "cc: gcc 13.2.0 (here gcc 12.2.0)". Pure;
 * both as above. Nothing is added for equal ones.
 */
void wb_toolchain_differ(const char *mine, const char *other,
			 struct wb_buf *out);

#endif
