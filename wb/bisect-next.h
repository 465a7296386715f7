#ifndef WB_BISECT_NEXT_H
#define WB_BISECT_NEXT_H

#include "belief.h"

/*
 * The next block of a search: where a run tells most about the patch for what
 * it costs. Pure.
 *
 * A prefix m splits the patches into those up to m and those above; P is the
 * belief in the former. A block with n_m runs at m and the rest at the ends
 * sees the step, delta sigmas high, with the strength delta sqrt(q), where
 * q = n_m - n_m^2 rho / (1 + n rho). What it tells is the mutual information
 * of a coin of weight P seen through two unit normals that far apart
 * (MacKay 1992: choose the query of the largest expected gain). r repeats of
 * the block are weighed as well, so that a build pays off over several blocks;
 * but one block is run, and the choice is made anew.
 */
enum { WB_NEXT_MAX = 4 };

struct wb_bisect_cost {
	double build, run;	/* seconds */
	const bool *ready;	/* by prefix: a build costs nothing */
	const bool *hole;	/* by prefix: cannot be measured */
};

struct wb_bisect_next {
	int at[WB_NEXT_MAX];
	size_t n;		/* 0: nothing can be learnt */
};

/* hi_first: which end serves blocks of one end. */
struct wb_bisect_next wb_bisect_next(const struct wb_belief *b,
				     const struct wb_bisect_cost *cost,
				     bool hi_first);

/* Bits of a coin of weight p seen through unit normals d apart; d >= 0. */
double wb_bisect_information(double p, double d);

/*
 * The prefix, no hole and not measured yet, that parts the patches of a gap,
 * and for which belief in those that it contains is nearest to `share` of the
 * gap's, holes being left as bisect-holes.h says; -1: none.
 */
int wb_bisect_nearest(const struct wb_belief *b, const bool *hole, size_t gap,
		      double share);

#endif
