#ifndef WB_COUNT_H
#define WB_COUNT_H

#include "buf.h"
#include "config.h"
#include "error.h"
#include "proc.h"
#include "sample.h"

#include <stdbool.h>

/*
 * Level I: instructions counted by running the bench under valgrind's
 * callgrind or in qemu, which count the same on a busy machine as on a quiet
 * one.
 *
 * A bench that knows about it (WB_COUNT=1 is set) marks each measured section
 * with callgrind's client requests, dumps it under the metric's name and
 * prints a sample line with "per", the operations in the section; the metric
 * is then instructions per operation. Of any other bench the whole run is
 * counted, its shell included, as one metric "instructions"; or, where a
 * function is named (wb-bench.NAME.toggle), what runs from its entry to its
 * return, all calls added up. Shares of named functions (inclusive.h) come from
 * the same files, of each section or of all that is counted.
 */

/*
 * What counts a bench: as wb-bench.NAME.counter wants it, by itself callgrind,
 * and qemu (count-qemu.h) where there is no valgrind. Counts of the two do not
 * compare. Of WB_COUNTER_NONE *why tells the reason, malloc'ed; else it is
 * NULL.
 */
enum wb_counter { WB_COUNTER_NONE, WB_COUNTER_CALLGRIND, WB_COUNTER_QEMU };
enum wb_counter wb_count_pick(const struct wb_bench_config *bench, char **why);

enum wb_count_mode {
	WB_COUNT_MARKED,	/* the sections that the bench marks */
	WB_COUNT_WHOLE,		/* all that the command does */
	WB_COUNT_FUNCTION,	/* one function and what it calls */
};

struct wb_count_how {
	enum wb_counter counter;
	enum wb_count_mode mode;
	const char *function;	/* of WB_COUNT_FUNCTION */
	const char *profile;	/* functions whose share is wanted, or NULL */
};

/*
 * Runs the bench once, as p says, under the counter, with its files in a folder
 * made in `room` and removed again. On success out holds values. An outcome
 * that gives no numbers (crash, timeout, a bench without marks in marked mode)
 * is a failure of kind WB_E_JUDGE; *unmarked tells the last of these apart.
 *
 * Which mode a bench wants is a property of the bench, to be found out once
 * for all builds: numbers of two modes are not comparable.
 */
int wb_count_run(const struct wb_proc *p, const struct wb_count_how *how,
		 const char *room, struct wb_reading *out, bool *unmarked,
		 struct wb_error *err);

/*
 * One callgrind output file: its trigger ("" when it was not dumped by a
 * client request; borrowed from text) and its total. Pure; false when the
 * text is none.
 */
bool wb_count_parse(const char *text, const char **trigger, size_t *len,
		    double *total);

#endif
