#include "lkp.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double deviation_of(const struct wb_lkp_side *s)
{
	double sum = 0;
	size_t i;

	if (s->n < 2)
		return NAN;
	for (i = 0; i < s->n; i++)
		sum += (s->v[i] - s->mean) * (s->v[i] - s->mean);
	return 100 * sqrt(sum / (double)s->n) / s->mean;
}

void wb_lkp_side_init(struct wb_lkp_side *s, const struct wb_cells *c,
		      size_t metric, size_t column)
{
	const uint32_t *first;
	size_t i;

	*s = (struct wb_lkp_side){ .v = NULL };
	s->n = wb_cells_get(c, metric, column, &first);
	s->v = wb_xcalloc(s->n, sizeof(*s->v));
	for (i = 0; i < s->n; i++) {
		s->v[i] = c->r->point[first[i]].value;
		s->fails += s->v[i] != 0;
	}
	wb_sort(s->v, s->n);
	s->mean = s->n ? wb_mean(s->v, s->n) : NAN;
	s->deviation = deviation_of(s);
}

void wb_lkp_side_clear(struct wb_lkp_side *s)
{
	free(s->v);
	memset(s, 0, sizeof(*s));
}

bool wb_lkp_is_share(const char *metric)
{
	return wb_str_ends(metric, "%") ||
	       wb_str_starts(metric, "perf-profile");
}

double wb_lkp_change(const struct wb_lkp_side *now,
		     const struct wb_lkp_side *base, bool share)
{
	if (share)
		return now->mean - base->mean;
	if (base->mean == 0)
		return now->mean == 0 ? 0 : NAN;
	return 100 * (now->mean - base->mean) / fabs(base->mean);
}

double wb_lkp_change_compat(const struct wb_lkp_side *now,
			    const struct wb_lkp_side *base, bool share)
{
	double a = base->n ? base->mean : 0, b = now->n ? now->mean : 0;

	if (share)
		return b - a;
	if (a == 0)
		a = 1e-100;
	return 100 * (b - a) / a;
}

static double part(size_t fails, size_t runs)
{
	return runs ? (double)fails / (double)runs : 0;
}

double wb_lkp_reproduction(const struct wb_lkp_side *now,
			   const struct wb_lkp_side *base)
{
	if (!now->n || !base->n)
		return NAN;
	return 100 * (part(now->fails, now->n) - part(base->fails, base->n));
}

double wb_lkp_reproduction_compat(const struct wb_lkp_side *now,
				  const struct wb_lkp_side *before,
				  const struct wb_lkp_side *base)
{
	return 100 * (part(now->fails, before->n) - part(base->fails, base->n));
}

/* Of what is left of a side when its ends have fallen away. */
struct ends {
	double least, median, most;
};

static struct ends ends_of(const struct wb_lkp_side *s)
{
	size_t cut = s->n / 32 < 3 ? s->n / 32 : 3, n = s->n - 2 * cut;
	const double *v = s->v + cut;

	return (struct ends){ v[0], n % 2 ? v[n / 2] :
			      (v[n / 2 - 1] + v[n / 2]) / 2, v[n - 1] };
}

bool wb_lkp_changed(const struct wb_lkp_side *now,
		    const struct wb_lkp_side *base)
{
	struct ends a, b;

	if (!now->n || !base->n)
		return now->n != base->n;
	a = ends_of(now);
	b = ends_of(base);
	return (a.least > b.median && a.median > b.most) ||
	       (b.least > a.median && b.median > a.most);
}
