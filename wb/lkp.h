#ifndef WB_LKP_H
#define WB_LKP_H

#include "cells.h"

/*
 * The arithmetic of lkp's comparison tables. Pure.
 *
 * A side is all samples of a metric in one column: their arithmetic mean and
 * the deviation of the population, in percent of the mean. A change is 100
 * (new - base) / base with its raw sign. A failure metric counts runs and
 * fails. What the original gets wrong is under the name compat.
 */
struct wb_lkp_side {
	double *v;		/* rising */
	size_t n;
	double mean;		/* NaN: no sample */
	double deviation;	/* percent of the mean; NaN below 2 samples */
	size_t fails;		/* values that are not 0 */
};

void wb_lkp_side_init(struct wb_lkp_side *s, const struct wb_cells *c,
		      size_t metric, size_t column);
void wb_lkp_side_clear(struct wb_lkp_side *s);

/* Shares are compared by their difference: "...%" and "perf-profile..." */
bool wb_lkp_is_share(const char *metric);

/*
 * Percent, or the difference of shares. NaN: a side has no sample, or the base
 * is 0. compat: what is missing is 0, and a base of 0 is 1e-100.
 */
double wb_lkp_change(const struct wb_lkp_side *now,
		     const struct wb_lkp_side *base, bool share);
double wb_lkp_change_compat(const struct wb_lkp_side *now,
			    const struct wb_lkp_side *base, bool share);

/*
 * By how much the part of runs that fail grew, in percent points. compat: the
 * fails of a column over the runs of the column before it.
 */
double wb_lkp_reproduction(const struct wb_lkp_side *now,
			   const struct wb_lkp_side *base);
double wb_lkp_reproduction_compat(const struct wb_lkp_side *now,
				  const struct wb_lkp_side *before,
				  const struct wb_lkp_side *base);

/*
 * Whether the original shows a row: the smallest value of one side is above
 * the median of the other, and its median above the largest, after n/32 (3 at
 * most) values fell away at each end.
 */
bool wb_lkp_changed(const struct wb_lkp_side *now,
		    const struct wb_lkp_side *base);

#endif
