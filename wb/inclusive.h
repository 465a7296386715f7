#ifndef WB_INCLUSIVE_H
#define WB_INCLUSIVE_H

#include "buf.h"
#include "sample.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The inclusive share of named functions: what part of the cost was spent in a
 * function or in what it called. Pure.
 *
 * It often moves clearly where the score of a bench does not, so it is a metric
 * of its own and never stands in for the score. The cost is instructions
 * (callgrind's output) or samples of the CPU clock (perf's stacks).
 *
 * A function without any cost was not called, or was inlined into its caller,
 * or was too rare for the samples: nobody can tell, so its share is not known.
 * Names match as they are, and with what the compiler puts behind a dot
 * (".constprop.0") or callgrind behind a "'" (a recursion's level).
 */
struct wb_inclusive {
	char **symbol;
	double *cost;		/* by symbol */
	size_t n, cap;
	bool all;		/* every function that has a cost */
	double total;
};

/*
 * symbols: names separated by blanks, or NULL for none, or wb_inclusive_all
 * itself for all that callgrind names.
 */
extern const char wb_inclusive_all[];
void wb_inclusive_init(struct wb_inclusive *p, const char *symbols);
void wb_inclusive_clear(struct wb_inclusive *p);

/*
 * Adds one callgrind output file: of each function its own instructions and
 * those of the calls it makes, but for calls of itself.
 */
void wb_inclusive_add_callgrind(struct wb_inclusive *p, const char *text);

/*
 * Adds the output of perf script -F ip,sym: lines "ADDRESS SYMBOL", a stack
 * ends with an empty line. A function counts once in a stack.
 */
void wb_inclusive_add_stacks(struct wb_inclusive *p, const char *text);

/*
 * Adds the shares in percent as "profile.SYMBOL" metrics, with ":" and section
 * behind it unless that is NULL, and a remark on those that are not known.
 */
void wb_inclusive_read(const struct wb_inclusive *p, const char *section,
		     enum wb_level level, struct wb_reading *out);

#endif
