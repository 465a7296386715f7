#include "settle.h"

#include <math.h>

/* What is believed of an effect before anything was measured. */
#define PRIOR_NOTHING 0.75
#define PRIOR_SPREAD 0.03

/* Effects that stand for the believed ones: nothing, and quantiles. */
#define QUANTILES 15
#define EFFECTS (1 + QUANTILES)

/* So many spreads stand for those that the one seen may come from. */
#define SPREADS 3

/* Looks that a forecast goes through: each 3/2 of the one before. */
#define LOOKS_MAX 32

/* A forecast is good that the truth is within this factor of. */
#define FACTOR 2

/* Of what is believed, what lies below a range that is told, and above it. */
#define OUTSIDE 0.01

struct belief {
	double effect[EFFECTS], weight[EFFECTS];
};

/* A look to come, and what it asks of an estimate, in standard errors. */
struct look {
	size_t rounds;
	double narrow;		/* half of the interval that must be inside */
	double far;		/* distance from 0 of what is a change */
	double share;		/* how likely it is the one that settles */
};

size_t wb_settle_look(size_t first, size_t n)
{
	size_t look = first > 2 ? first : 2;

	while (look <= n)
		look += (look + 1) / 2;
	return look;
}

bool wb_settle_changed(double corrected)
{
	return corrected < WB_SETTLE_ALPHA;
}

bool wb_settle_same(const struct wb_estimate *e, double margin)
{
	double low, high;

	wb_estimate_interval(e, WB_SETTLE_CONFIDENCE, &low, &high);
	return low >= log1p(-margin) && high <= log1p(margin);
}

static double density(double x, double sd)
{
	return exp(-0.5 * x / sd * x / sd) / sd;
}

static void believe(struct belief *b, const struct wb_estimate *e)
{
	const double spread = PRIOR_SPREAD;
	double nothing = PRIOR_NOTHING, mean = 0, sd = spread, keep;
	size_t i;

	if (e->n > 1 && e->se > 0) {
		nothing *= density(e->mean, e->se);
		nothing /= nothing + (1 - PRIOR_NOTHING) *
			density(e->mean, hypot(e->se, spread));
		keep = spread * spread / (spread * spread + e->se * e->se);
		mean = keep * e->mean;
		sd = sqrt(keep) * e->se;
	}
	b->effect[0] = 0;
	/* far out both densities may vanish: then it is surely something */
	b->weight[0] = isnan(nothing) ? 0 : nothing;
	for (i = 1; i < EFFECTS; i++) {
		b->effect[i] = mean + sd * wb_norm_quantile(((double)i - 0.5) /
							    QUANTILES);
		b->weight[i] = (1 - b->weight[0]) / QUANTILES;
	}
}

/* How likely a look finds the effect settled, when e comes from spread sd. */
static double settled_at(const struct wb_estimate *e, double sd, double effect,
			 double margin, const struct look *l)
{
	double now = e->n > 1 ? (double)e->n : 0, then = (double)l->rounds;
	double mean = now > 0 ? (now * e->mean + (then - now) * effect) / then :
		      effect;
	double spread = sd * sqrt(then - now) / then;
	double se = sd / sqrt(then);
	double room = margin - l->narrow * se, far = l->far * se, p;

	p = wb_norm_cdf((-far - mean) / spread) +
	    wb_norm_cdf((mean - far) / spread);
	if (room > 0)
		p += wb_norm_cdf((room - mean) / spread) -
		     wb_norm_cdf((-room - mean) / spread);
	return p;
}

/*
 * The k-th of SPREADS spreads that e may come from: sd sqrt(df / chi2), chi2
 * at the middle of its share (Wilson and Hilferty 1931).
 */
static double spread_at(const struct wb_estimate *e, size_t k)
{
	double z = wb_norm_quantile(1 - ((double)k + 0.5) / SPREADS), c;

	if (e->n < 2 || !(e->df >= 1))
		return e->sd;
	c = 2 / (9 * e->df);
	return e->sd / sqrt(fmax(pow(1 - c + z * sqrt(c), 3), 0.1));
}

/* The looks up to limit; gives the first one above it. */
static size_t find_looks(struct look *l, size_t *n, size_t first, size_t made,
			 size_t limit, double alpha)
{
	size_t at = wb_settle_look(first, made);
	double df;

	for (*n = 0; at <= limit && *n < LOOKS_MAX; ++*n) {
		df = (double)at - 1;
		l[*n] = (struct look){
			.rounds = at,
			.narrow = wb_t_quantile(0.5 + 0.5 *
						WB_SETTLE_CONFIDENCE, df),
			.far = wb_t_quantile(1 - alpha / 2, df),
		};
		at = wb_settle_look(first, at);
	}
	return at;
}

static void add_shares(struct look *l, size_t n, const struct wb_estimate *e,
		       double sd, double effect, double weight, double margin)
{
	double sofar = 0, p;
	size_t i;

	for (i = 0; i < n && sofar < 1 - 1e-6; i++) {
		p = settled_at(e, sd, effect, margin, &l[i]);
		if (p <= sofar)
			continue;
		l[i].share += weight * (p - sofar);
		sofar = p;
	}
}

/* The number with most of the shares within FACTOR of it; 0: beyond them. */
static size_t best_guess(const struct look *l, size_t n)
{
	double best = 0, all = 0, sum, most;
	size_t i, j, guess = 0;

	for (i = 0; i < n; i++) {
		sum = 0;
		most = FACTOR * FACTOR * (double)l[i].rounds;
		for (j = i; j < n && (double)l[j].rounds <= most; j++)
			sum += l[j].share;
		all += l[i].share;
		if (sum <= best)
			continue;
		best = sum;
		/* the middle of what is likely, on a scale of factors */
		guess = (size_t)sqrt((double)l[i].rounds *
				     (double)l[j - 1].rounds);
	}
	return best > 1 - all ? guess : 0;
}

/* Whether what is left of se at the very end still settles nothing. */
static bool never(const struct wb_estimate *e, double margin, double alpha)
{
	struct wb_estimate last = *e;

	if (!(e->least > 0) || !(e->df >= 1))
		return false;
	last.se = e->least;
	return fabs(e->mean) < wb_t_quantile(1 - alpha / 2, e->df) * last.se &&
	       !wb_settle_same(&last, margin);
}

/* The looks to come, each with how likely it is the one that settles. */
struct future {
	struct look look[LOOKS_MAX];
	size_t n;
	size_t beyond;		/* the look after the last of them */
	bool sure;		/* no spread: settled at the first of them */
};

static void foresee(struct future *f, const struct wb_estimate *e,
		    double margin, size_t family, size_t first, size_t limit)
{
	double alpha = WB_SETTLE_ALPHA / (double)(family ? family : 1), sd;
	struct belief b;
	size_t i, k;

	f->beyond = find_looks(f->look, &f->n, first, e->n, limit, alpha);
	f->sure = !(e->sd > 0);
	if (f->sure || never(e, margin, alpha))
		return;
	believe(&b, e);
	for (k = 0; k < SPREADS; k++) {
		sd = spread_at(e, k);
		for (i = 0; i < EFFECTS; i++)
			add_shares(f->look, f->n, e, sd, b.effect[i],
				   b.weight[i] / SPREADS, margin);
	}
}

/* The look by which a share of all cases is settled. */
static size_t settled_by(const struct future *f, double share)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < f->n; i++) {
		sum += f->look[i].share;
		if (sum >= share)
			return f->look[i].rounds;
	}
	return f->beyond;
}

size_t wb_settle_forecast(const struct wb_estimate *e, double margin,
			  size_t family, size_t first, size_t limit)
{
	struct future f;
	size_t guess;

	foresee(&f, e, margin, family, first, limit);
	if (f.sure)
		return wb_settle_look(first, e->n);
	guess = best_guess(f.look, f.n);
	return guess ? guess : f.beyond;
}

struct wb_settle_span wb_settle_span(const struct wb_estimate *e, double margin,
				     size_t family, size_t first, size_t limit)
{
	struct wb_settle_span s;
	struct future f;

	foresee(&f, e, margin, family, first, limit);
	s.low = f.sure ? wb_settle_look(first, e->n) : settled_by(&f, OUTSIDE);
	s.high = f.sure ? s.low : settled_by(&f, 1 - OUTSIDE);
	return s;
}
