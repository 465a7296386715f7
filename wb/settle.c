#include "settle.h"

#include <math.h>

/* What is believed of an effect before anything was measured. */
#define PRIOR_NOTHING 0.75
#define PRIOR_SPREAD 0.03

/* Effects that stand for the believed ones: nothing, and quantiles. */
#define QUANTILES 15
#define EFFECTS (1 + QUANTILES)

struct belief {
	double effect[EFFECTS], weight[EFFECTS];
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

/* How likely the look at `look` rounds finds the effect settled. */
static double settled_at(const struct wb_estimate *e, double effect,
			 double margin, double alpha, size_t look)
{
	double now = (double)e->n, then = (double)look, df = then - 1;
	double mean = now > 1 ? (now * e->mean + (then - now) * effect) / then :
		      effect;
	double spread = e->sd * sqrt(now > 1 ? then - now : then) / then;
	double se = e->sd / sqrt(then);
	double room = margin - se * wb_t_quantile(0.5 + 0.5 *
						  WB_SETTLE_CONFIDENCE, df);
	double far = se * wb_t_quantile(1 - alpha / 2, df), p;

	p = wb_norm_cdf((-far - mean) / spread) +
	    wb_norm_cdf((mean - far) / spread);
	if (room > 0)
		p += wb_norm_cdf((room - mean) / spread) -
		     wb_norm_cdf((-room - mean) / spread);
	return p;
}

size_t wb_settle_forecast(const struct wb_estimate *e, double margin,
			  size_t family, size_t first, size_t limit)
{
	double alpha = WB_SETTLE_ALPHA / (double)(family ? family : 1), p;
	size_t look = wb_settle_look(first, e->n), i;
	struct belief b;

	believe(&b, e);
	if (!(e->sd > 0))
		return look;
	for (; look <= limit; look = wb_settle_look(first, look)) {
		p = 0;
		for (i = 0; i < EFFECTS; i++)
			p += b.weight[i] * settled_at(e, b.effect[i], margin,
						      alpha, look);
		if (p >= 0.5)
			break;
	}
	return look;
}
