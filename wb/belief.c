#include "belief-gap.h"

#include "buf.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CLIP_FROM = 4,		/* blocks before values are clipped */
	RHO_FROM = 6,		/* blocks before rho is estimated */
	RHO_EVERY = 4,
};

#define RHO_LEAST 0.02
#define CLIP_SIGMAS 3.0

/* Step sizes that the prior allows for, in sigma: 0.3 to 10. */
static const double gammas[] = { 0.1, 0.4, 1.6, 6.4, 25.6, 102.4 };
enum { NGAMMAS = sizeof(gammas) / sizeof(gammas[0]) };

void wb_belief_init(struct wb_belief *b, int lo, int hi, const double *weight,
		    bool strict)
{
	*b = (struct wb_belief){
		.lo = lo, .hi = hi, .weight = weight, .strict = strict,
		.rho = INFINITY, .step = NAN, .sigma = NAN, .se = NAN,
	};
}

void wb_belief_clear(struct wb_belief *b)
{
	for (size_t i = 0; i < b->nblocks; i++)
		free(b->block[i].run);
	free(b->block);
	free(b->at);
	free(b->gap);
	free(b->gap_of);
	memset(b, 0, sizeof(*b));
}

/* ---- the likelihood ---- */

static double kappa(const struct wb_belief *b, size_t n)
{
	return isinf(b->rho) ? 1.0 / n : b->rho / (1 + n * b->rho);
}

/* <1,1> and <y,1>; both are 0 when blocks are centred. */
struct means {
	double one, y;
};

static struct means means_of(const struct wb_belief *b)
{
	struct means m = { 0, 0 };

	if (isinf(b->rho))
		return m;
	for (size_t i = 0; i < b->nblocks; i++) {
		const struct wb_belief_block *k = &b->block[i];
		double rest = 1 - kappa(b, k->n) * k->n;
		double sy = 0;
		for (size_t j = 0; j < k->n; j++)
			sy += k->run[j].y;
		m.one += k->n * rest;
		m.y += sy * rest;
	}
	return m;
}

static double spread_of(const struct wb_belief *b, struct means m)
{
	double s = 0;

	for (size_t i = 0; i < b->nblocks; i++) {
		const struct wb_belief_block *k = &b->block[i];
		double sy = 0, syy = 0;
		for (size_t j = 0; j < k->n; j++) {
			sy += k->run[j].y;
			syy += k->run[j].y * k->run[j].y;
		}
		s += syy - kappa(b, k->n) * sy * sy;
	}
	return m.one > 0 ? s - m.y * m.y / m.one : s;
}

static void fit_gap(const struct wb_belief *b, struct wb_belief_gap *g,
		    struct means m)
{
	double a = 0, c = 0, x1 = 0;

	for (size_t i = 0; i < b->nblocks; i++) {
		const struct wb_belief_block *k = &b->block[i];
		double sx = 0, sy = 0, sxy = 0, kap = kappa(b, k->n);
		for (size_t j = 0; j < k->n; j++) {
			sy += k->run[j].y;
			if (wb_belief_contains(b, k->run[j].at, g->patch)) {
				sx++;
				sxy += k->run[j].y;
			}
		}
		a += sx - kap * sx * sx;
		c += sxy - kap * sx * sy;
		x1 += sx * (1 - kap * k->n);
	}
	if (m.one > 0) {
		a -= x1 * x1 / m.one;
		c -= x1 * m.y / m.one;
	}
	g->a = a;
	g->c = c;
}

static double log_bf(const struct wb_belief *b, const struct wb_belief_gap *g,
		     double gamma)
{
	double grown = 1 + gamma * g->a;
	double share = b->s > 0 ? gamma * g->c * g->c / (grown * b->s) : 0;

	return -0.5 * log(grown) - b->nu / 2 * log1p(-fmin(share, 1 - 1e-15));
}

static double log_sum(const double *x, size_t n)
{
	double top = -INFINITY, sum = 0;

	for (size_t i = 0; i < n; i++)
		top = fmax(top, x[i]);
	if (isinf(top))
		return top;
	for (size_t i = 0; i < n; i++)
		sum += exp(x[i] - top);
	return top + log(sum);
}

/* Fits every gap at the present rho. */
static void fit(struct wb_belief *b)
{
	struct means m = means_of(b);
	double *term = wb_xcalloc(b->ngaps, sizeof(*term)), all = 0;

	for (size_t i = 0; i < b->ngaps; i++)
		all += b->gap[i].weight;

	b->s = spread_of(b, m);
	b->nu = isinf(b->rho) ? (double)b->nruns - b->nblocks
			      : (double)b->nruns - 1;
	for (size_t i = 0; i < b->ngaps; i++) {
		struct wb_belief_gap *g = &b->gap[i];
		double bf[NGAMMAS];

		fit_gap(b, g, m);
		for (size_t j = 0; j < NGAMMAS; j++)
			bf[j] = log_bf(b, g, gammas[j]);
		g->log_bf = log_sum(bf, NGAMMAS) - log(NGAMMAS);
		g->prior = g->weight / all;
		term[i] = log(g->prior) + g->log_bf;
	}
	b->log_e = log_sum(term, b->ngaps);
	b->best = 0;
	for (size_t i = 0; i < b->ngaps; i++) {
		b->gap[i].post = exp(term[i] - b->log_e);
		if (b->gap[i].post > b->gap[b->best].post)
			b->best = i;
	}
	free(term);

	const struct wb_belief_gap *g = &b->gap[b->best];
	b->step = b->sigma = b->se = NAN;
	if (g->a > 0 && b->nu > 1) {
		b->step = g->c / g->a;
		b->sigma = sqrt(fmax(0, b->s - g->c * g->c / g->a) /
				(b->nu - 1));
		b->se = b->sigma / sqrt(g->a);
	}
}

/*
 * How much blocks differ, in sigma^2. Medians, since one slow block is no
 * reason to believe in a wandering machine; 1.57 / n is the variance of a
 * median of n, 1.3 makes up for the MAD of few blocks.
 */
static double estimate_rho(const struct wb_belief *b)
{
	double *centre = wb_xcalloc(b->nblocks, sizeof(*centre));
	double *rest = wb_xcalloc(b->nruns, sizeof(*rest));
	int patch = b->gap[b->best].patch;

	for (size_t i = 0; i < b->nblocks; i++) {
		const struct wb_belief_block *k = &b->block[i];
		for (size_t j = 0; j < k->n; j++)
			rest[j] = k->run[j].y -
				  (wb_belief_contains(b, k->run[j].at, patch)
					   ? b->step : 0);
		centre[i] = wb_median(rest, k->n);
	}
	double mid = wb_median(centre, b->nblocks);
	for (size_t i = 0; i < b->nblocks; i++)
		centre[i] = fabs(centre[i] - mid);
	double mad = 1.4826 * wb_median(centre, b->nblocks);
	double noise = b->sigma * b->sigma;
	double n = (double)b->nruns / b->nblocks;
	double rho = (1.3 * mad * mad - 1.57 * noise / n) / noise;

	free(centre);
	free(rest);
	return rho > RHO_LEAST ? rho : RHO_LEAST;
}

/* ---- taking a block ---- */

/*
 * Clips a new block around what its ends say of the machine's state at the
 * time. Without a run at an end there is nothing to hold on to.
 */
static void clip(struct wb_belief *b, struct wb_belief_block *k)
{
	double *anchor = wb_xcalloc(k->n, sizeof(*anchor));
	size_t n = 0;

	for (size_t i = 0; i < k->n; i++)
		if (k->run[i].at == b->lo || k->run[i].at == b->hi)
			anchor[n++] = k->run[i].y -
				      (k->run[i].at == b->hi ? b->step : 0);
	if (n) {
		double centre = wb_median(anchor, n);
		double reach = CLIP_SIGMAS * b->sigma;
		double low = centre + fmin(0, b->step) - reach;
		double high = centre + fmax(0, b->step) + reach;
		for (size_t i = 0; i < k->n; i++) {
			double y = fmin(fmax(k->run[i].y, low), high);
			b->nclipped += y != k->run[i].y;
			k->run[i].y = y;
		}
	}
	free(anchor);
}

static void note_position(struct wb_belief *b, int at)
{
	size_t i = 0;

	while (i < b->nat && b->at[i] < at)
		i++;
	if (i < b->nat && b->at[i] == at)
		return;
	b->at = wb_xrealloc(b->at, (b->nat + 1) * sizeof(*b->at));
	memmove(b->at + i + 1, b->at + i, (b->nat - i) * sizeof(*b->at));
	b->at[i] = at;
	b->nat++;
}

void wb_belief_add(struct wb_belief *b, const struct wb_belief_run *run,
		   size_t n)
{
	struct wb_belief_block k = { wb_xcalloc(n, sizeof(*k.run)), 0 };

	for (size_t i = 0; i < n; i++)
		if (wb_belief_within(b, run[i].at))
			k.run[k.n++] = run[i];
	if (k.n < 2) {
		free(k.run);
		return;
	}
	if (b->nblocks + 1 >= CLIP_FROM && isfinite(b->step) && b->sigma > 0)
		clip(b, &k);
	if (b->nblocks == b->capblocks) {
		b->capblocks = b->capblocks ? 2 * b->capblocks : 16;
		b->block = wb_xrealloc(b->block,
				       b->capblocks * sizeof(*b->block));
	}
	b->block[b->nblocks++] = k;
	b->nruns += k.n;
	size_t known = b->nat;
	for (size_t i = 0; i < k.n; i++)
		note_position(b, k.run[i].at);
	if (b->nat != known)
		wb_belief_make_gaps(b);
	if (!b->ngaps)
		return;
	fit(b);
	if (!b->strict && b->nblocks >= RHO_FROM && b->sigma > 0 &&
	    (b->nblocks - RHO_FROM) % RHO_EVERY == 0) {
		b->rho = estimate_rho(b);
		fit(b);
	}
}

/* ---- reading the belief ---- */

double wb_belief_log_e(const struct wb_belief *b, double gamma0)
{
	if (!b->ngaps)
		return 0;
	if (!(gamma0 > 0))
		return b->log_e;
	return b->log_e - fmax(0, log_bf(b, &b->gap[b->best], gamma0));
}

double wb_belief_below(const struct wb_belief *b, int at)
{
	double sum = 0;

	for (int k = b->lo + 1; b->dag && k <= at; k++)
		if (wb_ancestry_has(b->dag, at, k))
			sum += wb_belief_of(b, k);
	for (size_t i = 0; i < b->ngaps && !b->dag; i++) {
		const struct wb_belief_gap *g = &b->gap[i];
		if (g->to <= at)
			sum += g->post;
		else if (g->from < at)
			sum += g->post * wb_belief_weight(b, g->from, at) /
			       g->weight;
	}
	return sum;
}

bool wb_belief_measured(const struct wb_belief *b, int at)
{
	for (size_t i = 0; i < b->nat; i++)
		if (b->at[i] == at)
			return true;
	return false;
}

double wb_belief_of(const struct wb_belief *b, int patch)
{
	size_t i = 0;

	if (!b->ngaps || patch <= b->lo || patch > b->hi)
		return 0;
	if (b->dag && b->gap_of[patch - b->lo - 1] < 0)
		return 0;
	if (b->dag)
		i = (size_t)b->gap_of[patch - b->lo - 1];
	while (!b->dag && b->gap[i].to < patch)
		i++;
	return b->gap[i].post * wb_belief_weight(b, patch - 1, patch) /
	       b->gap[i].weight;
}

struct share {
	int patch;
	double post;
};

static int most_likely_first(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->post != y->post)
		return x->post < y->post ? 1 : -1;
	return x->patch - y->patch;
}

size_t wb_belief_credible(const struct wb_belief *b, double share, int *patch)
{
	size_t n = b->hi - b->lo, used = 0;
	struct share *s = wb_xcalloc(n, sizeof(*s));

	for (int k = b->lo + 1; k <= b->hi; k++)
		if (wb_belief_searched(b, k))
			s[used++] = (struct share){ k, wb_belief_of(b, k) };
	qsort(s, used, sizeof(*s), most_likely_first);
	double sum = 0;
	size_t out = 0;
	while (out < used && sum < share) {
		sum += s[out].post;
		patch[out] = s[out].patch;
		out++;
	}
	free(s);
	return out;
}

double wb_belief_half(const struct wb_belief *b)
{
	if (!b->ngaps || !(b->nu > 1))
		return NAN;
	return wb_t_quantile(0.975, b->nu - 1) * b->se;
}

double wb_belief_most(const struct wb_belief *b)
{
	double most = 0;

	for (size_t i = 0; i < b->ngaps; i++) {
		const struct wb_belief_gap *g = &b->gap[i];
		if (!(g->a > 0) || !isfinite(b->sigma))
			return INFINITY;
		most = fmax(most, fabs(g->c / g->a) +
				  2 * b->sigma / sqrt(g->a));
	}
	return most;
}

size_t wb_belief_ends(const struct wb_belief *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->nblocks; i++) {
		bool lo = false, hi = false;
		for (size_t j = 0; j < b->block[i].n; j++) {
			lo |= b->block[i].run[j].at == b->lo;
			hi |= b->block[i].run[j].at == b->hi;
		}
		n += lo && hi;
	}
	return n;
}
