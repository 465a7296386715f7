#include "humps.h"
#include "buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TAKEN 0.90		/* of the squares, by the cut */
#define RUNS_MIN 20
#define SHARE_MIN 0.10
#define TICKS 3
#define MIXED_MIN 0.05		/* of the rounds in which columns differ */

/* One column, cut. */
struct cut {
	double at;		/* logs above it are in the upper hump */
	double whole, between;	/* sums of squares */
	double apart;		/* between the means, in logs */
	size_t n, upper;
};

static int rising(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* What is fit to be compared, as logs, ascending. */
static double *logs_of(const struct wb_runs *s, size_t *n)
{
	double *x = wb_xcalloc(s->n, sizeof(*x));
	size_t i;

	for (i = 0, *n = 0; i < s->n; i++)
		if (!s->process[i].skip)
			x[(*n)++] = log(s->process[i].value);
	qsort(x, *n, sizeof(*x), rising);
	return x;
}

static void cut(const struct wb_runs *s, struct cut *c)
{
	double *x, sum = 0, below = 0, mean, gain, apart;
	size_t i;

	*c = (struct cut){ .at = INFINITY };
	x = logs_of(s, &c->n);
	for (i = 0; i < c->n; i++)
		sum += x[i];
	mean = sum / (double)c->n;
	for (i = 0; i < c->n; i++)
		c->whole += (x[i] - mean) * (x[i] - mean);
	/* squares between two groups: n1 n2 / n times their distance squared */
	for (i = 1; i < c->n; i++) {
		below += x[i - 1];
		apart = (sum - below) / (double)(c->n - i) - below / (double)i;
		gain = (double)i * (double)(c->n - i) / (double)c->n * apart *
		       apart;
		if (gain <= c->between)
			continue;
		c->between = gain;
		c->apart = apart;
		c->upper = c->n - i;
		c->at = (x[i - 1] + x[i]) / 2;
	}
	free(x);
}

/* Weighted by their squares: columns of one hump have next to none. */
static double distance(const struct cut *c, size_t n)
{
	double sum = 0, weight = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		sum += c[i].between * c[i].apart;
		weight += c[i].between;
	}
	return weight > 0 ? sum / weight : 0;
}

/* A process in its round, in the upper hump or not. */
struct place {
	int64_t round;
	bool upper;
};

static int by_round(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return x->round < y->round ? -1 : x->round > y->round;
}

/* Whether rounds are of one hump as a whole; v is sorted on the way. */
static bool whole_rounds(struct place *v, size_t n)
{
	size_t i, j, upper, rounds = 0, mixed = 0;

	qsort(v, n, sizeof(*v), by_round);
	for (i = 0; i < n; i = j) {
		upper = 0;
		for (j = i; j < n && v[j].round == v[i].round; j++)
			upper += v[j].upper;
		/* alone, or of no known round, it tells nothing */
		if (j - i < 2 || v[i].round < 0)
			continue;
		rounds++;
		mixed += upper && upper < j - i;
	}
	return rounds && (double)mixed < MIXED_MIN * (double)rounds;
}

static bool by_machine(const struct wb_runs *side, const struct cut *c,
		       size_t n, double apart)
{
	struct place *v;
	size_t i, k, m = 0;
	bool whole;

	for (i = 0; i < n; i++)
		m += c[i].n;
	v = wb_xcalloc(m, sizeof(*v));
	for (i = 0, m = 0; i < n; i++) {
		for (k = 0; k < side[i].n && c[i].apart > apart / 2; k++)
			if (!side[i].process[k].skip)
				v[m++] = (struct place){
					side[i].process[k].round,
					log(side[i].process[k].value) > c[i].at,
				};
	}
	whole = whole_rounds(v, m);
	free(v);
	return whole;
}

static void add_shares(struct wb_humps *h, const struct cut *c, size_t n,
		       double apart)
{
	size_t i, upper = 0;
	double share;

	h->low = INFINITY;
	h->high = -INFINITY;
	for (i = 0; i < n; i++) {
		if (!(c[i].apart > apart / 2))
			continue;
		upper += c[i].upper;
		h->runs += c[i].n;
		share = (double)c[i].upper / (double)c[i].n;
		if (share < h->low) {
			h->low = share;
			h->low_at = i;
		}
		if (share > h->high) {
			h->high = share;
			h->high_at = i;
		}
	}
	h->share = h->runs ? (double)upper / (double)h->runs : 0;
}

static bool comparable(const struct wb_runs *side, size_t n)
{
	size_t i;

	/* layouts are meant to differ, and reports keep them apart */
	for (i = 0; i < n; i++)
		if (side[i].n && (!side[i].positive || side[i].layouts > 1))
			return false;
	return true;
}

void wb_humps_find(struct wb_humps *h, const struct wb_runs *side, size_t n,
		   double tick)
{
	double whole = 0, between = 0, least = INFINITY, apart;
	struct cut *c;
	size_t i;

	*h = (struct wb_humps){ .apart = NAN };
	if (!comparable(side, n))
		return;
	c = wb_xcalloc(n, sizeof(*c));
	for (i = 0; i < n; i++) {
		cut(&side[i], &c[i]);
		whole += c[i].whole;
		between += c[i].between;
		if (side[i].n)
			least = fmin(least, side[i].median);
	}
	apart = distance(c, n);
	add_shares(h, c, n, apart);
	if (h->runs >= RUNS_MIN && between >= TAKEN * whole &&
	    h->share >= SHARE_MIN && h->share <= 1 - SHARE_MIN &&
	    expm1(apart) * least > TICKS * tick &&
	    !by_machine(side, c, n, apart))
		h->apart = expm1(apart);
	free(c);
}
