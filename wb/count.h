#ifndef WB_COUNT_H
#define WB_COUNT_H

#include "buf.h"
#include "error.h"
#include "proc.h"
#include "sample.h"

#include <stdbool.h>

/*
 * Level I: instructions counted by running the bench under valgrind's
 * callgrind, which counts the same on a busy machine as on a quiet one.
 *
 * A bench that knows about it (WB_COUNT=1 is set) marks each measured section
 * with callgrind's client requests, dumps it under the metric's name and
 * prints a sample line with "per", the operations in the section; the metric
 * is then instructions per operation. Of any other bench the whole run is
 * counted, its shell included, as one metric "instructions".
 */

/* Whether valgrind is there. */
bool wb_count_available(void);

/*
 * Runs the bench once, as p says, under callgrind. whole: count all of it;
 * otherwise only what the bench marks. On success out holds values. An
 * outcome that gives no numbers (crash, timeout, a bench without marks) is a
 * failure of kind WB_E_JUDGE; *unmarked tells the last of these apart.
 */
int wb_count_run(const struct wb_proc *p, bool whole,
		 const struct wb_bench_config *bench, struct wb_reading *out,
		 bool *unmarked, struct wb_error *err);

/*
 * One callgrind output file: its trigger ("" when it was not dumped by a
 * client request; borrowed from text) and its total. Pure; false when the
 * text is none.
 */
bool wb_count_parse(const char *text, const char **trigger, size_t *len,
		    double *total);

#endif
