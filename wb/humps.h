#ifndef WB_HUMPS_H
#define WB_HUMPS_H

#include "change.h"

/*
 * Whether a bench has two modes, of which each process gets one by luck: where
 * its pages or its code came to lie, which of two paths it took. Means and
 * medians are then of nothing that ever happens, and a comparison needs many
 * rounds to see past the luck. Pure.
 *
 * The values of each column are cut in two where that leaves the least sum of
 * squares (on logs). There are two humps when, over all columns,
 *
 *	- the cut takes away 90 % of the squares or more; of one hump that is
 *	  normal it takes away 64 %, of a flat one 75 %
 *	- the columns that are cut have 20 runs or more, 10 % of them at least
 *	  in either hump
 *	- the humps are more than 3 ticks apart
 *	- columns of a round differ: a machine that is slower for whole rounds
 *	  falls out of each round's ratio, and is no luck of a process
 *
 * A column whose values are all in one hump, as when a patch decides which one
 * it is, has no squares to speak of and says nothing here.
 */
struct wb_humps {
	double apart;		/* upper to lower, a ratio less 1; NaN: one */
	double share;		/* of the runs in the upper hump */
	size_t runs;		/* of the columns that have both */
	/* the least and the largest share of a column, and which column */
	double low, high;
	size_t low_at, high_at;
};

/* side: n columns of one metric; tick: the smallest step of a value, or 0. */
void wb_humps_find(struct wb_humps *h, const struct wb_runs *side, size_t n,
		   double tick);

#endif
