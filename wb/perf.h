#ifndef WB_PERF_H
#define WB_PERF_H

#include "error.h"
#include "inclusive.h"
#include "proc.h"

#include <stdbool.h>

/*
 * Sampled profiles: perf record on the CPU clock, in user space alone, which
 * is what perf_event_paranoid 2 allows without privilege and what needs no
 * counters. Stacks come from the program's unwind tables, which every build
 * has: by frame pointers a leaf function would hide its caller. Each sample
 * takes a copy of the top of the stack, some 4 MB a second in all.
 */

/* Whether it can be done here; *why is malloc'ed and says what is missing. */
bool wb_perf_available(char **why);

/*
 * Runs p's command once more, sampled, its files in a folder made in `room`
 * and removed again, and adds its stacks. An outcome without samples is
 * WB_E_JUDGE.
 */
int wb_perf_sample(const struct wb_proc *p, const char *room,
		   struct wb_inclusive *out, struct wb_error *err);

#endif
