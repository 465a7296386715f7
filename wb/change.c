#include "change.h"
#include "config.h"
#include "slices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reading {
	int32_t round;
	uint32_t run;
	uint32_t layout;
	double value;
	int32_t nivcsw;
};

static int by_process(const void *a, const void *b)
{
	const struct reading *x = a, *y = b;

	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

/* The points of a cell, those of one process side by side. */
static struct reading *readings(const struct wb_cells *c,
				const uint32_t *first, size_t n)
{
	struct reading *v = wb_xcalloc(n, sizeof(*v));
	const struct wb_point *p;
	size_t i;

	for (i = 0; i < n; i++) {
		p = &c->r->point[first[i]];
		v[i] = (struct reading){
			p->round, p->run, p->layout, p->value, p->nivcsw,
		};
	}
	qsort(v, n, sizeof(*v), by_process);
	return v;
}

static void add_process(struct wb_runs *s, int32_t round, uint32_t layout,
			int32_t nivcsw, double value)
{
	s->process[s->n++] = (struct wb_process){
		.round = round, .layout = layout, .nivcsw = nivcsw,
		.value = value, .log = log(value),
	};
	s->positive &= value > 0;
	s->equal &= value == s->process[0].value;
}

/* The usual cell: a point a process, rising. False: it is none, and sorted. */
static bool add_single(struct wb_runs *s, const struct wb_cells *c,
		       const uint32_t *first, size_t n)
{
	const struct wb_point *p, *last = NULL;
	size_t i;

	for (i = 0; i < n; i++) {
		p = &c->r->point[first[i]];
		if (last && (p->round < last->round ||
			     (p->round == last->round && p->run <= last->run)))
			return false;
		add_process(s, p->round, p->layout, p->nivcsw, p->value);
		last = p;
	}
	return true;
}

/* Processes with several points each, or out of order. */
static void add_sorted(struct wb_runs *s, const struct wb_cells *c,
		       const uint32_t *first, size_t n)
{
	struct reading *v = readings(c, first, n);
	double value;
	size_t i, j;

	for (i = 0; i < n; i = j) {
		for (j = i; j < n && v[j].round == v[i].round &&
		     v[j].run == v[i].run; j++)
			;
		value = v[i + (j - i - 1) / 2].value / 2 +
			v[i + (j - i) / 2].value / 2;
		add_process(s, v[i].round, v[i].layout, v[i].nivcsw,
			    j == i + 1 ? v[i].value : value);
	}
	free(v);
}

static double center(const struct wb_runs *s, bool failures)
{
	double *v = wb_xmalloc((s->n + 1) * sizeof(*v)), m;
	size_t i;

	for (i = 0; i < s->n; i++)
		v[i] = s->process[i].value;
	m = failures ? wb_mean(v, s->n) : wb_median(v, s->n);
	free(v);
	return m;
}

void wb_runs_init(struct wb_runs *s, const struct wb_cells *c, size_t metric,
		  size_t column)
{
	const uint32_t *first;
	size_t n = wb_cells_get(c, metric, column, &first);

	*s = (struct wb_runs){ .positive = true, .equal = true };
	/* instructions are the same wherever they lie */
	if (c->r->metric[metric].level != WB_LEVEL_I)
		s->layouts = c->r->layouts;
	s->process = wb_xmalloc((n + 1) * sizeof(*s->process));
	if (!add_single(s, c, first, n)) {
		s->n = 0;
		s->positive = s->equal = true;
		add_sorted(s, c, first, n);
	}
	s->npasses = wb_cells_passes(c, metric, column, &s->passes);
	s->median = center(s, !strcmp(c->r->metric[metric].unit, "fail"));
}

void wb_runs_clear(struct wb_runs *s)
{
	free(s->process);
	memset(s, 0, sizeof(*s));
}

/* Processes of the round that starts at i. */
static size_t round_len(const struct wb_runs *s, size_t i)
{
	size_t j = i;

	while (j < s->n && s->process[j].round == s->process[i].round)
		j++;
	return j - i;
}

static double mean_log(const struct wb_runs *s, size_t i, size_t n)
{
	double sum = 0;
	size_t j;

	for (j = i; j < i + n; j++)
		sum += s->process[j].log;
	return sum / (double)n;
}

static bool fit(const struct wb_runs *s, size_t i, size_t n)
{
	size_t j;

	for (j = i; j < i + n; j++)
		if (s->process[j].skip)
			return false;
	return true;
}

/* What two sides have in common. */
struct common {
	double *diff;		/* a log ratio per known round */
	int64_t *layout;	/* of that round */
	size_t n;
	size_t now, nnow, old, nold;	/* the last common group */
	bool any;
	size_t skipped;
};

static void find_common(struct common *c, const struct wb_runs *now,
			const struct wb_runs *old)
{
	size_t i = 0, j = 0, ni, nj;
	int64_t a, b;

	while (i < now->n && j < old->n) {
		a = now->process[i].round;
		b = old->process[j].round;
		ni = round_len(now, i);
		nj = round_len(old, j);
		if (a == b && !(fit(now, i, ni) && fit(old, j, nj))) {
			c->skipped++;
		} else if (a == b) {
			/* samples without a round are a group of last resort */
			if (a >= 0) {
				c->layout[c->n] = now->process[i].layout;
				c->diff[c->n++] = mean_log(now, i, ni) -
						  mean_log(old, j, nj);
			}
			c->now = i;
			c->nnow = ni;
			c->old = j;
			c->nold = nj;
			c->any = true;
		}
		i += a <= b ? ni : 0;
		j += b <= a ? nj : 0;
	}
}

static struct wb_estimate unpaired(const struct common *c,
				   const struct wb_runs *now,
				   const struct wb_runs *old, double floor)
{
	double *x = wb_xcalloc(c->nnow, sizeof(*x));
	double *y = wb_xcalloc(c->nold, sizeof(*y));
	struct wb_estimate e;
	size_t i;

	for (i = 0; i < c->nnow; i++)
		x[i] = now->process[c->now + i].log;
	for (i = 0; i < c->nold; i++)
		y[i] = old->process[c->old + i].log;
	e = wb_unpaired(x, c->nnow, y, c->nold, floor);
	free(x);
	free(y);
	return e;
}

/*
 * The part of the standard error of n layouts' means that is the layouts', and
 * stays however many rounds they get: analysis of variance of the differences,
 * mean and rounds by layout. 0: no more than chance between rounds.
 */
static double of_layouts(const struct common *c, const double *sum,
			 const size_t *rounds, const double *mean, size_t n)
{
	double within = 0, share = 0, between = wb_sd(mean, n), off;
	size_t i, l;

	if (c->n <= n || n < 2)
		return 0;
	for (i = 0; i < c->n; i++) {
		l = (size_t)c->layout[i];
		off = c->diff[i] - sum[l] / (double)rounds[l];
		within += off * off;
	}
	within /= (double)(c->n - n);
	for (l = 0; l < WB_LAYOUTS_MAX; l++)
		if (rounds[l])
			share += within / (double)rounds[l];
	share /= (double)n;
	return sqrt(fmax(between * between - share, 0) / (double)n);
}

/*
 * The mean over layouts of each one's mean over rounds. As for slices, sd is
 * scaled to one round and n is rounds, so that a forecast in rounds holds, down
 * to what the layouts themselves differ by.
 */
static struct wb_estimate by_layout(const struct common *c, double floor)
{
	double sum[WB_LAYOUTS_MAX] = { 0 }, mean[WB_LAYOUTS_MAX], least;
	size_t rounds[WB_LAYOUTS_MAX] = { 0 }, i, n = 0;
	struct wb_estimate e;

	for (i = 0; i < c->n; i++) {
		sum[c->layout[i]] += c->diff[i];
		rounds[c->layout[i]]++;
	}
	for (i = 0; i < WB_LAYOUTS_MAX; i++)
		if (rounds[i])
			mean[n++] = sum[i] / (double)rounds[i];
	least = of_layouts(c, sum, rounds, mean, n);
	/* rounds of one layout share their rounding at worst */
	e = wb_robust_mean(mean, n, floor);
	e.n = c->n;
	e.sd = e.se * sqrt((double)c->n);
	e.least = least;
	return e;
}

/* What a double cannot hold is not known. */
static double finite_or_nan(double v)
{
	return isfinite(v) ? v : NAN;
}

/* From an estimate of logs to a ratio less 1 and its interval. */
static void to_ratio(const struct wb_estimate *e, double *change, double *low,
		     double *high)
{
	*change = finite_or_nan(expm1(e->mean));
	if (isnan(e->df))
		return;
	wb_estimate_interval(e, 0.95, low, high);
	*low = finite_or_nan(expm1(*low));
	*high = finite_or_nan(expm1(*high));
}

/* Both sides in slices: pass by pass. False: they share no round. */
static bool compare_passes(struct wb_change *c, const struct wb_runs *now,
			   const struct wb_runs *old, double floor)
{
	struct wb_slices s;

	if (!wb_slices(now->passes, now->npasses, old->passes, old->npasses,
		       floor, &s))
		return false;
	c->kind = isnan(s.log.df) ? WB_CHANGE_SINGLE : WB_CHANGE_PAIRED;
	c->log = s.log;
	c->rounds = s.log.n;
	to_ratio(&s.log, &c->change, &c->low, &c->high);
	to_ratio(&s.mean, &c->mean, &c->mean_low, &c->mean_high);
	if (c->kind == WB_CHANGE_PAIRED)
		c->p = wb_estimate_p(&c->log);
	return true;
}

/* Both sides positive: the log ratio and what surrounds it. */
static void estimate(struct wb_change *c, const struct wb_runs *now,
		     const struct wb_runs *old, double tick)
{
	size_t most = now->n < old->n ? now->n : old->n;
	struct common both = {
		.diff = wb_xmalloc((most + 1) * sizeof(double)),
		.layout = wb_xmalloc((most + 1) * sizeof(int64_t)),
	};
	bool layouts = now->layouts > 1;
	double least = now->median < old->median ? now->median : old->median;
	/*
	 * A reading is off by up to half a tick, evenly: tick / sqrt(12). Equal
	 * readings are no exception: a clock that counts seconds says 3 to
	 * anything from 2.5 to 3.5.
	 */
	double floor = tick / least / sqrt(12);

	if (!layouts && compare_passes(c, now, old, floor))
		goto out;
	find_common(&both, now, old);
	c->skipped = both.skipped;
	if (!both.any)
		goto out;
	if (layouts && both.n) {
		c->log = by_layout(&both, floor * sqrt(2));
		c->kind = isnan(c->log.df) ? WB_CHANGE_SINGLE :
			  WB_CHANGE_PAIRED;
	} else if (both.n >= 2) {
		c->kind = WB_CHANGE_PAIRED;
		c->log = wb_robust_mean(both.diff, both.n, floor * sqrt(2));
	} else {
		c->log = unpaired(&both, now, old, floor);
		c->kind = isnan(c->log.df) ? WB_CHANGE_SINGLE :
			  WB_CHANGE_UNPAIRED;
	}
	c->rounds = c->log.n;
	to_ratio(&c->log, &c->change, &c->low, &c->high);
	if (c->kind != WB_CHANGE_SINGLE)
		c->p = wb_estimate_p(&c->log);
out:
	free(both.diff);
	free(both.layout);
}

struct wb_change wb_change(const struct wb_runs *now, const struct wb_runs *old,
			   bool exact, double tick)
{
	struct wb_change c = {
		.log = { NAN, NAN, NAN, NAN, 0, 0 },
		.change = NAN, .low = NAN, .high = NAN, .p = NAN,
		.mean = NAN, .mean_low = NAN, .mean_high = NAN,
	};

	if (!now->n || !old->n)
		return c;
	if (exact && now->equal && old->equal) {
		c.kind = WB_CHANGE_EXACT;
		c.rounds = now->n < old->n ? now->n : old->n;
		if (now->median == old->median)
			c.change = 0;
		else if (old->median != 0)
			c.change = finite_or_nan((now->median - old->median) /
						 fabs(old->median));
		c.low = c.high = c.change;
		return c;
	}
	if (!now->positive || !old->positive)
		c.kind = WB_CHANGE_NO_RATIO;
	else
		estimate(&c, now, old, tick);
	return c;
}
