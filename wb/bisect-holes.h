#ifndef WB_BISECT_HOLES_H
#define WB_BISECT_HOLES_H

#include "ancestry.h"

#include <stdbool.h>

/*
 * Where to go on in a range some of whose positions cannot be measured. Pure.
 *
 * Holes come in stretches: where one commit does not build, its neighbours
 * often do not. So, first, with each hole that the range has, what lies near
 * one is avoided twice as far, up to an eighth of the range: a stretch is left
 * in leaps. When that leaves nothing, its edges are looked for by halves,
 * between what was measured and the hole that is nearest to it. Last come
 * positions with a hole on either side of them, until 16 have been tried: then
 * what lies between them is taken for holes, too.
 *
 * "Near" counts patches: a position parts those of the range into the ones that
 * it contains and the others. Of a history that is no line, a hole says
 * something of those positions that contain it, or that it contains.
 */
struct wb_bisect_holes {
	int lo, hi;		/* positions lo < at < hi are looked at */
	int n;			/* patches of the range */
	/* by position, from lo on: how many of them it contains, 0: it parts
	   nothing, and what these weigh */
	int *part;
	double *weight;
	const bool *hole;	/* by position, borrowed */
	const struct wb_ancestry *dag;	/* borrowed; NULL: a line */
};

/* Room for the positions of lo..hi; part and weight are 0. */
void wb_bisect_holes_init(struct wb_bisect_holes *h, int lo, int hi, int n,
			  const bool *hole, const struct wb_ancestry *dag);
void wb_bisect_holes_clear(struct wb_bisect_holes *h);

/*
 * The position, no hole, that parts the range with a weight nearest to `want`,
 * by the rule above; -1: none is left.
 */
int wb_bisect_holes_pick(const struct wb_bisect_holes *h, double want);

#endif
