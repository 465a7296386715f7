#include "bisect-next.h"

#include "belief-gap.h"
#include "bisect-holes.h"
#include "buf.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS = 25 };

/* Beyond eight sigmas a single look decides. */
#define CERTAIN 8.0

static double entropy(double p)
{
	if (!(p > 0) || !(p < 1))
		return 0;
	return -p * log2(p) - (1 - p) * log2(1 - p);
}

double wb_bisect_information(double p, double d)
{
	double open = 0, all = 0;

	if (!(p > 0) || !(p < 1))
		return 0;
	if (d > CERTAIN)
		return entropy(p);
	for (int i = 0; i < POINTS; i++) {
		double z = -3 + (d + 6) * i / (POINTS - 1);
		double hit = p * exp(-0.5 * (z - d) * (z - d));
		double f = hit + (1 - p) * exp(-0.5 * z * z);
		open += f * entropy(hit / f);
		all += f;
	}
	return entropy(p) - open / all;
}

/* What each position of a line contains of the gap. */
static void part_line(const struct wb_belief *b, const struct wb_belief_gap *g,
		      struct wb_bisect_holes *h)
{
	double sum = 0;

	for (int at = g->from + 1; at < g->to; at++) {
		sum += wb_belief_of(b, at);
		h->part[at - h->lo] = at - g->from;
		h->weight[at - h->lo] = sum;
	}
}

/* The same of a history. */
static void part_history(const struct wb_belief *b, size_t gap,
			 struct wb_bisect_holes *h)
{
	const struct wb_belief_gap *g = &b->gap[gap];

	for (int at = b->lo + 1; at < b->hi; at++) {
		double sum = 0;
		int n = 0;
		if (!wb_belief_within(b, at))
			continue;
		for (int k = g->patch; k <= at && n < g->n; k++) {
			if (!wb_belief_in_gap(b, gap, k) ||
			    !wb_ancestry_has(b->dag, at, k))
				continue;
			sum += wb_belief_of(b, k);
			n++;
		}
		h->part[at - h->lo] = n < g->n ? n : 0;
		h->weight[at - h->lo] = sum;
	}
}

int wb_bisect_nearest(const struct wb_belief *b, const bool *hole, size_t gap,
		      double share)
{
	const struct wb_belief_gap *g = &b->gap[gap];
	struct wb_bisect_holes h;
	int best;

	if (b->dag) {
		wb_bisect_holes_init(&h, b->lo, b->hi, g->n, hole, b->dag);
		part_history(b, gap, &h);
	} else {
		wb_bisect_holes_init(&h, g->from, g->to, g->n, hole, NULL);
		part_line(b, g, &h);
	}
	best = wb_bisect_holes_pick(&h, share * g->post);
	wb_bisect_holes_clear(&h);
	return best;
}

/* n runs, of which m at the candidate; the rest at one end, or at both. */
static const struct shape {
	size_t n, m;
} shapes[] = { { 2, 1 }, { 3, 2 }, { 4, 2 }, { 4, 3 } };

static void lay_out(struct wb_bisect_next *out, const struct shape *s, int m,
		    const struct wb_belief *b, bool hi_first)
{
	out->n = 0;
	for (size_t i = 0; i < s->m; i++)
		out->at[out->n++] = m;
	for (size_t i = s->m; i < s->n; i++) {
		out->at[out->n++] = hi_first ? b->hi : b->lo;
		hi_first = !hi_first;
	}
}

struct choice {
	const struct wb_belief *b;
	const struct wb_bisect_cost *cost;
	bool hi_first;
	double rate;		/* of the best so far: bits a second */
	struct wb_bisect_next next;
};

static void consider(struct choice *c, int m)
{
	const struct wb_belief *b = c->b;
	double p = wb_belief_below(b, m);
	double delta = fabs(b->step) / b->sigma;
	double build = c->cost->ready[m] ? 0 : c->cost->build;

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct shape *s = &shapes[i];
		double shared = isinf(b->rho) ? 1.0 / s->n
					      : b->rho / (1 + s->n * b->rho);
		double q = s->m - s->m * s->m * shared;
		for (int r = 1; r <= 8; r *= 2) {
			double rate =
				wb_bisect_information(p, delta * sqrt(q * r)) /
				(build + s->n * r * c->cost->run);
			if (rate <= c->rate)
				continue;
			c->rate = rate;
			lay_out(&c->next, s, m, b, c->hi_first);
		}
	}
}

struct wb_bisect_next wb_bisect_next(const struct wb_belief *b,
				     const struct wb_bisect_cost *cost,
				     bool hi_first)
{
	struct choice c = { .b = b, .cost = cost, .hi_first = hi_first };

	for (size_t i = 1; i + 1 < b->nat; i++)
		if (!cost->hole[b->at[i]])
			consider(&c, b->at[i]);

	/* The median of belief, in the gap where it falls. */
	double below = 0;
	for (size_t i = 0; i < b->ngaps; i++) {
		below += b->gap[i].post;
		if (below < 0.5)
			continue;
		double share = 1 - (below - 0.5) / b->gap[i].post;
		int m = wb_bisect_nearest(b, cost->hole, i, share);
		if (m >= 0)
			consider(&c, m);
		break;
	}
	int m = wb_bisect_nearest(b, cost->hole, b->best, 0.5);
	if (m >= 0)
		consider(&c, m);
	return c.next;
}
