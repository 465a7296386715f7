#include "reference.h"
#include "gate.h"

#include <math.h>

/* From the good end to the bad one, in the bad direction, for certain. */
static bool ends_differ(const struct wb_table *t, size_t at, size_t metric,
			double gate)
{
	const struct wb_row *bad = wb_table_row(t, metric, at + 1);
	enum wb_better better = t->r->metric[metric].better;
	double sign = better == WB_BETTER_LOWER ? 1 : -1, near;

	if (better == WB_BETTER_UNKNOWN || isnan(bad->base_change))
		return false;
	near = bad->base_exact ? bad->base_change :
	       sign > 0 ? bad->base_low : bad->base_high;
	return sign * near > 0 && sign * bad->base_change > gate;
}

/* Distances as logs: they add up along the way from good to bad. */
static enum wb_reference between(const struct wb_table *t, size_t at,
				 size_t metric, double gate)
{
	const struct wb_row *rev = wb_table_row(t, metric, at);
	const struct wb_row *bad = wb_table_row(t, metric, at + 1);
	double from_good = fabs(log1p(rev->change));
	double from_bad = fabs(log1p(bad->change));

	if (!ends_differ(t, at, metric, gate))
		return WB_REFERENCE_UNKNOWN;
	if (rev->verdict == WB_VERDICT_SLOWER && from_good > from_bad)
		return WB_REFERENCE_BAD;
	if (bad->verdict == WB_VERDICT_SLOWER && from_good <= from_bad)
		return WB_REFERENCE_GOOD;
	return WB_REFERENCE_UNKNOWN;
}

enum wb_reference wb_reference_metric(const struct wb_table *t, size_t at,
				      size_t metric, bool two, double gate)
{
	const struct wb_row *row = wb_table_row(t, metric, at);

	if (two)
		return between(t, at, metric, gate);
	if (wb_gate_fails(t, row, gate))
		return WB_REFERENCE_BAD;
	switch (row->verdict) {
	case WB_VERDICT_SAME:
	case WB_VERDICT_FASTER:
	case WB_VERDICT_SLOWER:
		return WB_REFERENCE_GOOD;
	default:
		return WB_REFERENCE_UNKNOWN;
	}
}

enum wb_reference wb_reference_judge(const struct wb_table *t, size_t at,
				     bool two, double gate, size_t *metric)
{
	enum wb_reference all = WB_REFERENCE_UNKNOWN, one;
	bool open = false;
	size_t m;

	*metric = 0;
	for (m = 0; m < t->r->nmetrics; m++) {
		if (!t->r->metric[m].judged ||
		    (two && !ends_differ(t, at, m, gate)))
			continue;
		one = wb_reference_metric(t, at, m, two, gate);
		if (one == WB_REFERENCE_BAD) {
			*metric = m;
			return one;
		}
		/* the first that is open is what there is to say */
		if (!open)
			*metric = m;
		open |= one == WB_REFERENCE_UNKNOWN;
		all = one;
	}
	return open ? WB_REFERENCE_UNKNOWN : all;
}

const char *wb_reference_word(enum wb_reference r)
{
	static const char *const word[] = { "good", "bad", "unclear" };

	return word[r];
}
