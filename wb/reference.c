#include "reference.h"
#include "gate.h"

#include <math.h>

bool wb_reference_ends_differ(const struct wb_table *t, size_t at,
			      size_t metric, double gate)
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

/* A change as a log: its estimate, and how far it may be on either side. */
struct step {
	double log, below, above;	/* below and above: 0 or more */
};

static struct step step_of(const struct wb_row *row, double sign)
{
	struct step s = { .log = sign * log1p(row->change) };
	double low = log1p(row->low), high = log1p(row->high);

	/* one without an interval, unless it is exact, may be anything */
	s.below = s.above = row->exact ? 0 : INFINITY;
	if (row->exact || isnan(low) || isnan(high))
		return s;
	s.below = fmax(s.log - (sign > 0 ? low : -high), 0);
	s.above = fmax((sign > 0 ? high : -low) - s.log, 0);
	return s;
}

/*
 * How much farther it is from good to the revision than from there to bad, in
 * the bad direction, in logs, which add up along the way: above 0 the revision
 * is nearer to the bad one. The two steps share the revision's own error, which
 * makes one longer and the other shorter, so the half widths of their 95 %
 * intervals add up: together at most 2.83 standard errors of a build, where the
 * difference has 2.45. The interval errs on the wide side by 15 %.
 */
static enum wb_reference between(const struct wb_table *t, size_t at,
				 size_t metric, double gate)
{
	const struct wb_row *rev = wb_table_row(t, metric, at);
	const struct wb_row *bad = wb_table_row(t, metric, at + 1);
	double sign = t->r->metric[metric].better == WB_BETTER_LOWER ? 1 : -1;
	struct step from_good, to_bad;
	double nearer;

	if (!wb_reference_ends_differ(t, at, metric, gate) ||
	    isnan(rev->change) || isnan(bad->change))
		return WB_REFERENCE_UNKNOWN;
	from_good = step_of(rev, sign);
	to_bad = step_of(bad, sign);
	nearer = from_good.log - to_bad.log;
	if (rev->verdict == WB_VERDICT_SLOWER &&
	    nearer > from_good.below + to_bad.above)
		return WB_REFERENCE_BAD;
	if (bad->verdict == WB_VERDICT_SLOWER &&
	    -nearer > from_good.above + to_bad.below)
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
		    (two && !wb_reference_ends_differ(t, at, m, gate)))
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
