#ifndef WB_SETTLE_H
#define WB_SETTLE_H

#include "stats.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * When a verdict is settled, so that measuring it may end, and how many rounds
 * that takes. Pure. Effects are log ratios, rounds are counted from the first.
 *
 * A report judges what there is at 5 %, once. A run that looked again and
 * again and ended at the first 5 % would be wrong far more often. So it looks
 * at few stated numbers of rounds, each half as many again as the one before,
 * and ends for a comparison only where the evidence is much stronger than the
 * report asks for (Haybittle 1971, Peto et al. 1976):
 *
 *	a change	p below WB_SETTLE_ALPHA after Holm's correction
 *	the same	the WB_SETTLE_CONFIDENCE interval lies in the margin
 *
 * All looks but the last together then spend little, and the last one, at the
 * limit of rounds, keeps the stated 5 %. tests/perf/verdicts.sh shows by
 * simulation that they hold, looks included.
 */
#define WB_SETTLE_ALPHA 0.001
#define WB_SETTLE_CONFIDENCE 0.99

/* The first look after n rounds have been seen; first: the lowest of all. */
size_t wb_settle_look(size_t first, size_t n);

/* corrected: p after Holm. NaN is not settled. */
bool wb_settle_changed(double corrected);
bool wb_settle_same(const struct wb_estimate *e, double margin);

/*
 * The number of rounds that a comparison is most likely to be settled within a
 * factor of 2 of; a number above limit if more likely it will not be by then.
 * What is known so far is e (n may be 0, then sd alone counts); family is the
 * number of hypotheses that Holm's correction is over.
 *
 * The true effect is not known. Before the first round it is taken to be
 * nothing at all with probability 3/4, else normal around 0 with a standard
 * deviation of 3 %: most patches leave most metrics alone. e turns that into
 * what is likely now (Bayes), and each effect gives the probability that a
 * look finds it settled: at N rounds the estimate will be normal around
 * (n mean + (N - n) effect) / N with standard deviation sd sqrt(N - n) / N.
 * The spread, too, is only as well known as n rounds tell (chi squared). Where
 * a part of the error stays whatever is done (e.least, of layouts) and is too
 * wide by itself, no number of rounds will do.
 *
 * While nothing shows yet, a small change may be settled in a quarter of the
 * rounds that it takes to show there is none: then no number is near both, and
 * this one is for what is likelier. The sum over a stack is within a factor of
 * 2 in more than 90 % of the cases all the same (tests/perf/verdicts.sh); one
 * comparison alone is in 27 to 40 % at a change of 1 %, where even who knew the
 * change and the noise would be right in 77 to 88 %.
 */
size_t wb_settle_forecast(const struct wb_estimate *e, double margin,
			  size_t family, size_t first, size_t limit);

/*
 * The rounds between which the same comparison will be settled, as far as can
 * be known: the range to tell where a single number would be a poor one. Of
 * what is believed 1 % lies below it and 1 % above, so that it also holds for
 * changes that are believed to be rare: by simulation in 85 to 99 % of the
 * cases, 12 rounds being few to know a spread of two modes by.
 *
 * low is a look; high one too, or a number above limit.
 */
struct wb_settle_span {
	size_t low, high;
};
struct wb_settle_span wb_settle_span(const struct wb_estimate *e, double margin,
				     size_t family, size_t first, size_t limit);

#endif
