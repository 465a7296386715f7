#ifndef WB_CPU_LIST_H
#define WB_CPU_LIST_H

#include <stdbool.h>

/*
 * The next range of a set of CPUs as the kernel writes it, "0-3,8": from and
 * to, both in it. false at the end, and at what is no number.
 */
bool wb_cpu_list_next(const char **list, long *from, long *to);

#endif
