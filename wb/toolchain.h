#ifndef WB_TOOLCHAIN_H
#define WB_TOOLCHAIN_H

#include <stdbool.h>

/*
 * What builds: the version lines of the C and C++ compiler (CC, CXX, else cc,
 * c++), the assembler and the linker that PATH finds, and the environment
 * variables that builds read flags from. A tool that is not there is part of
 * the identity as such. With layouts also ld.lld, which shuffles sections. One
 * malloc'ed text.
 */
char *wb_toolchain(bool layouts);

#endif
