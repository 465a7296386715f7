#ifndef WB_QUALITY_H
#define WB_QUALITY_H

#include "change.h"
#include "humps.h"

/*
 * Which runs of a metric are fit to be compared, and how the machine went
 * along. Pure; the rules are the same for all columns, know nothing of which
 * is old and which is new, and look at no difference between them, so that
 * leaving out cannot make a change.
 *
 *	warm-up		The level of a round is the mean over its columns of
 *			ln(value / median of the column). Rounds at the
 *			beginning of a call of wb run, up to 3 in a row, whose
 *			level is more than 5 robust standard deviations
 *			(1.4826 MAD) off the median of all levels are left out.
 *			Rounding to a tick bounds that deviation from below, by
 *			tick / sqrt(12 columns): most levels may be one number.
 *	disturbed	A run with more than 4 (m + 1) involuntary context
 *			switches, m being the median over the runs of all
 *			columns, is left out, and with it the other side of
 *			each comparison in that round.
 *
 * Neither is asked below 8 rounds, of exact counts, or of lockstep slices,
 * which look after themselves. What was left out is counted and shown.
 */
struct wb_quality {
	size_t warmup;		/* rounds left out */
	size_t disturbed, runs;	/* runs left out, of so many */
	size_t switches;	/* more than so many disturb */
	/*
	 * Trend of the levels: by how much they grew from the first round to
	 * the last one, a ratio less 1, by a line through the means of up to
	 * 10 groups of consecutive rounds, with its 95 % interval (t, two
	 * degrees of freedom less than groups). NaN below 12 rounds. It
	 * concerns all columns alike and falls out of each round's ratio.
	 */
	double drift, drift_low, drift_high;
	size_t rounds;
	struct wb_humps humps;	/* of judged metrics, by the table */
};

/*
 * Marks processes of side[0..n-1], the columns of one metric, in .skip.
 * tick: the smallest step of a value (0 unknown). start: rounds that calls of
 * wb run began with.
 */
void wb_quality_mark(struct wb_quality *q, struct wb_runs *side, size_t n,
		     double tick, const int32_t *start, size_t nstarts);

#endif
