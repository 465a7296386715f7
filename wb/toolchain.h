#ifndef WB_TOOLCHAIN_H
#define WB_TOOLCHAIN_H

/*
 * What builds: the version lines of the C and C++ compiler (CC, CXX, else cc,
 * c++), the assembler and the linker that PATH finds, and the environment
 * variables that builds read flags from. A tool that is not there is part of
 * the identity as such. One malloc'ed text.
 */
char *wb_toolchain(void);

#endif
