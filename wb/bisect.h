#ifndef WB_BISECT_H
#define WB_BISECT_H

#include "belief.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Finds the patches that moved a number, under noise. Pure: whatever is built
 * or run is asked of a runner, and the same answers give the same questions,
 * so that a recorded session can be played back.
 *
 * For a range of prefixes lo..hi:
 *
 * 1. Ends: blocks of both ends until the e-value of "they differ" reaches
 *    1/alpha, or the difference is surely below the least effect of interest,
 *    or cannot be told from what code layout does.
 * 2. Search: one block after the other, each where it tells most for its cost
 *    (bisect-next.c). Blocks always hold an end, so a drifting machine cannot
 *    pass for a step.
 * 3. Confirmation: the two neighbours of the suspect, on blocks of their own.
 *    The effect that is reported comes from these alone, so the search does
 *    not bias it. What is not confirmed goes back into the search.
 * 4. The ranges to the left and right of a change are examined in turn, at
 *    half the alpha a level.
 *
 * A prefix that cannot be built or run is a hole: it takes no blame and gives
 * no alibi. When only holes are left between two neighbours the answer is the
 * set of their patches.
 *
 * Effects and steps are natural logs of ratios here; alpha and belief are
 * probabilities; seconds are seconds.
 */
enum wb_bisect_verdict {
	WB_BISECT_NO_CHANGE, WB_BISECT_CHANGE, WB_BISECT_UNDECIDED,
};

enum wb_bisect_reason {
	WB_BISECT_PROVEN,	/* nothing is open */
	WB_BISECT_BUDGET,	/* runs or seconds ran out */
	WB_BISECT_LAYOUT,	/* a difference that a relink could give */
	WB_BISECT_UNBUILDABLE,	/* only holes between two neighbours */
	WB_BISECT_BROKEN_END,	/* an end does not build or run */
	WB_BISECT_UNCONFIRMED,	/* found and refuted too often */
	WB_BISECT_GRADUAL,	/* no single patch reaches min_effect */
	WB_BISECT_PARALLEL,	/* branches that were never measured apart */
	WB_BISECT_NOT_EXACT,	/* an exact metric gave another number */
};

struct wb_bisect_suspect {
	int patch;
	double posterior;
	int *credible;		/* set with 95 % of belief, most likely first */
	size_t ncredible;
	double effect, low, high;	/* NaN: not confirmed */
	double log_e;
};

struct wb_bisect_result {
	enum wb_bisect_verdict verdict;
	enum wb_bisect_reason reason;	/* why something is open */
	struct wb_bisect_suspect *change, *candidate;
	size_t nchanges, ncandidates;
	double log_e;		/* of the first test of the ends */
	double bound;		/* no change above this; NaN: not tested */
	size_t runs, builds;
	size_t located_runs;	/* when the first suspect stood; 0: none */
	size_t confirmed_runs;	/* when the first change was confirmed */
	double seconds;
	size_t clipped;		/* outliers pulled in */
};

struct wb_bisect_options {
	int lo, hi;		/* prefixes; hi > lo */
	const double *weight;	/* prior by patch, [hi + 1]; NULL: all alike */
	/* a history with merges; hi contains all; no grid. NULL: a line */
	const struct wb_ancestry *dag;
	const bool *ready;	/* by prefix: is built; NULL: none is */
	double alpha;		/* 0.01; share it among metrics */
	double belief;		/* 0.95 */
	double min_effect;	/* log ratio; smaller changes do not matter */
	double half_width;	/* of the interval, as a share of the effect */
	double lambda;		/* sd of log time between layouts of a prefix */
	int variants;		/* layouts of a prefix; 0: a new one each run */
	size_t budget_runs;	/* 0: none */
	double budget_seconds;	/* 0: none */
	int grid;		/* sentinels between the ends */
	bool strict;		/* drift: centre every block */
	uint64_t seed;
	/* blocks that were measured before, borrowed; they cost no runs */
	const struct wb_belief_block *known;
	size_t nknown;
	double run_seconds;	/* of one run, until some were made */
};

/*
 * Who builds and runs. Both give 0; 1 when the prefix named is a hole; -1 to
 * end the session (interrupt, disk full), with err set.
 */
struct wb_bisect_runner {
	void *arg;
	int (*build)(void *arg, int at, double *seconds, struct wb_error *err);
	/* Runs at[0..n-1] in this order; y: ln of the metric. */
	int (*block)(void *arg, const int *at, size_t n, double *y, int *hole,
		     double *seconds, struct wb_error *err);
	/* Told after each block. May be NULL. */
	void (*tell)(void *arg, const char *phase, const struct wb_belief *b,
		     size_t runs);
};

void wb_bisect_defaults(struct wb_bisect_options *o, int lo, int hi);

/*
 * Gives 0 with a verdict, or the runner's -1. out is valid in both cases and
 * to be cleared; after -1 it holds what was known.
 */
int wb_bisect(const struct wb_bisect_options *o,
	      const struct wb_bisect_runner *runner,
	      struct wb_bisect_result *out, struct wb_error *err);

/*
 * The same for a metric whose runs repeat (instruction counts): one run a
 * prefix, halving wherever the two sides of a range differ by more than
 * min_effect, and a second run of both neighbours of each change. A count that
 * differs from its first by more than tolerance (log ratio) ends it with
 * WB_BISECT_NOT_EXACT. Of the options lo, hi, ready, min_effect, the budgets
 * and grid count; effects have no interval, low and high are the effect.
 */
int wb_bisect_exact(const struct wb_bisect_options *o, double tolerance,
		    const struct wb_bisect_runner *runner,
		    struct wb_bisect_result *out, struct wb_error *err);

void wb_bisect_result_clear(struct wb_bisect_result *r);

const char *wb_bisect_verdict_word(enum wb_bisect_verdict v);
const char *wb_bisect_reason_word(enum wb_bisect_reason r);

#endif
