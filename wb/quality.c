#include "quality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS_MIN 8		/* to tell what is usual */
#define WARMUP_MAX 3
#define WARMUP_DEVIATIONS 5
#define MAD_TO_SD 1.4826
#define SWITCHES_TIMES 4
#define GROUPS 10		/* of rounds, for the trend */
#define TREND_ROUNDS_MIN 12

struct level {
	int64_t round;
	double sum;
	size_t n;
	bool skip;
};

static int by_round(const void *a, const void *b)
{
	const struct level *x = a, *y = b;

	return x->round < y->round ? -1 : x->round > y->round;
}

/* The next round that any side has behind where it stands; -1: none. */
static int64_t next_round(const struct wb_runs *side, const size_t *at,
			  size_t n)
{
	int64_t least = -1, round;
	size_t i;

	for (i = 0; i < n; i++) {
		if (at[i] == side[i].n)
			continue;
		round = side[i].process[at[i]].round;
		if (least < 0 || round < least)
			least = round;
	}
	return least;
}

/* The levels of all known rounds, ascending as sides are; gives their number */
static size_t find_levels(const struct wb_runs *side, size_t n,
			  struct level **out)
{
	size_t *at = wb_xcalloc(n, sizeof(*at)), all = 0, i, k = 0;
	double *middle = wb_xcalloc(n, sizeof(*middle));
	struct level *v;
	int64_t round;

	for (i = 0; i < n; i++) {
		all += side[i].n;
		middle[i] = log(side[i].median);
		while (at[i] < side[i].n && side[i].process[at[i]].round < 0)
			at[i]++;
	}
	v = wb_xcalloc(all, sizeof(*v));
	while ((round = next_round(side, at, n)) >= 0) {
		v[k].round = round;
		for (i = 0; i < n; i++) {
			for (; at[i] < side[i].n &&
			     side[i].process[at[i]].round == round; at[i]++) {
				v[k].sum += side[i].process[at[i]].log -
					    middle[i];
				v[k].n++;
			}
		}
		k++;
	}
	free(at);
	free(middle);
	*out = v;
	return k;
}

static double level_of(const struct level *l)
{
	return l->sum / (double)l->n;
}

static int rising(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return x < y ? -1 : x > y;
}

static int32_t *sorted(const int32_t *start, size_t n)
{
	int32_t *s = wb_xcalloc(n, sizeof(*s));

	bool in_order = true;
	size_t i;

	for (i = 0; i < n; i++) {
		s[i] = start[i];
		in_order &= !i || s[i - 1] <= s[i];
	}
	if (!in_order)
		qsort(s, n, sizeof(*s), rising);
	return s;
}

/* rounding: of one value, in logs; the mean of more of them has less of it. */
static void find_warmup(struct wb_quality *q, struct level *v, size_t n,
			const int32_t *start, size_t nstarts, double rounding)
{
	double *x = wb_xcalloc(n, sizeof(*x)), middle, spread;
	int32_t *s = sorted(start, nstarts);
	size_t i, k = 0, row = WARMUP_MAX;

	for (i = 0; i < n; i++)
		x[i] = level_of(&v[i]);
	middle = wb_median(x, n);
	for (i = 0; i < n; i++)
		x[i] = fabs(level_of(&v[i]) - middle);
	spread = MAD_TO_SD * wb_median(x, n);
	for (i = 0; i < n; i++) {
		while (k < nstarts && s[k] < v[i].round)
			k++;
		/* row: rounds of this call that may still be warm-up */
		if (!i || (k < nstarts && s[k] == v[i].round))
			row = WARMUP_MAX;
		if (row && fabs(level_of(&v[i]) - middle) > WARMUP_DEVIATIONS *
		    fmax(spread, rounding / sqrt((double)v[i].n))) {
			v[i].skip = true;
			q->warmup++;
			row--;
		} else {
			row = 0;
		}
	}
	free(s);
	free(x);
}

static void find_trend(struct wb_quality *q, const struct level *v, size_t n)
{
	double x[GROUPS], y[GROUPS], sxx = 0, sxy = 0, rest = 0, mx, my, slope;
	double se, half;
	size_t g, i;

	for (g = 0; g < GROUPS; g++) {
		size_t from = g * n / GROUPS, to = (g + 1) * n / GROUPS;

		/* in whole runs: 0 is the first round, 1 the last */
		x[g] = ((double)(from + to - 1) / 2) / (double)(n - 1);
		for (y[g] = 0, i = from; i < to; i++)
			y[g] += level_of(&v[i]) / (double)(to - from);
	}
	mx = wb_mean(x, GROUPS);
	my = wb_mean(y, GROUPS);
	for (g = 0; g < GROUPS; g++) {
		sxx += (x[g] - mx) * (x[g] - mx);
		sxy += (x[g] - mx) * (y[g] - my);
	}
	slope = sxy / sxx;
	for (g = 0; g < GROUPS; g++)
		rest += pow(y[g] - my - slope * (x[g] - mx), 2);
	se = sqrt(rest / (GROUPS - 2) / sxx);
	half = wb_t_quantile(0.975, GROUPS - 2) * se;
	q->drift = expm1(slope);
	q->drift_low = expm1(slope - half);
	q->drift_high = expm1(slope + half);
}

static void find_disturbed(struct wb_quality *q, struct wb_runs *side,
			   size_t n)
{
	size_t i, j, m = 0;
	double *x;

	for (i = 0; i < n; i++)
		q->runs += side[i].n;
	x = wb_xcalloc(q->runs, sizeof(*x));
	for (i = 0; i < n; i++)
		for (j = 0; j < side[i].n; j++)
			if (side[i].process[j].nivcsw >= 0)
				x[m++] = side[i].process[j].nivcsw;
	if (m)
		q->switches = (size_t)(SWITCHES_TIMES *
				       (wb_median(x, m) + 1));
	for (i = 0; i < n && m; i++) {
		for (j = 0; j < side[i].n; j++) {
			if (side[i].process[j].nivcsw <= (int32_t)q->switches)
				continue;
			side[i].process[j].skip = true;
			q->disturbed++;
		}
	}
	free(x);
}

static void skip_rounds(struct wb_runs *side, size_t n, const struct level *v,
			size_t nlevels)
{
	const struct level *hit;
	size_t i, j;

	for (i = 0; i < n; i++) {
		for (j = 0; j < side[i].n; j++) {
			struct level key = {
				.round = side[i].process[j].round,
			};

			hit = bsearch(&key, v, nlevels, sizeof(*v), by_round);
			if (hit && hit->skip)
				side[i].process[j].skip = true;
		}
	}
}

void wb_quality_mark(struct wb_quality *q, struct wb_runs *side, size_t n,
		     double tick, const int32_t *start, size_t nstarts)
{
	bool positive = true, sliced = false;
	double least = INFINITY;
	struct level *v;
	size_t i;

	*q = (struct wb_quality){
		.drift = NAN, .drift_low = NAN, .drift_high = NAN,
		.humps = { .apart = NAN },
	};
	for (i = 0; i < n; i++) {
		positive &= !side[i].n || side[i].positive;
		sliced |= side[i].npasses > 0;
		if (side[i].n)
			least = fmin(least, side[i].median);
	}
	if (!positive)
		return;
	q->rounds = find_levels(side, n, &v);
	if (q->rounds >= TREND_ROUNDS_MIN)
		find_trend(q, v, q->rounds);
	if (q->rounds >= ROUNDS_MIN && !sliced) {
		find_disturbed(q, side, n);
		find_warmup(q, v, q->rounds, start, nstarts,
			    tick / least / sqrt(12));
		if (q->warmup)
			skip_rounds(side, n, v, q->rounds);
	}
	free(v);
}
