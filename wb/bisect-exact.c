#include "bisect.h"

#include "bisect-ask.h"
#include "bisect-holes.h"
#include "bisect-result.h"
#include "buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Told apart from what a runner answers. */
enum { SPENT = WB_ASKED_HOLE + 1 };

struct range {
	int lo, hi;		/* both measured */
};

struct session {
	const struct wb_bisect_options *o;
	double tolerance;
	struct wb_bisect_result *out;
	struct wb_bisect_ask ask;
	double *y;		/* by prefix; NaN: not measured */
	struct range *todo;
	size_t ntodo, captodo;
};

/* One run of a prefix. */
static int run(struct session *s, int at, double *y)
{
	enum wb_bisect_asked r;

	if (!s->ask.hole[at] && wb_bisect_ask_spent(&s->ask)) {
		wb_bisect_leave_open(s->out, WB_BISECT_BUDGET);
		return SPENT;
	}
	r = wb_bisect_ask_build(&s->ask, at);
	return r == WB_ASKED ? wb_bisect_ask_block(&s->ask, &at, 1, y) : r;
}

static int measure(struct session *s, int at)
{
	return isnan(s->y[at]) ? run(s, at, &s->y[at]) : WB_ASKED;
}

static void add_range(struct session *s, int lo, int hi)
{
	s->todo = wb_grow(s->todo, s->ntodo, &s->captodo, sizeof(*s->todo));
	s->todo[s->ntodo++] = (struct range){ lo, hi };
}

/* A second run: a count that is exact gives the same. */
static int repeat(struct session *s, int at)
{
	double again;
	int r = run(s, at, &again);

	if (r != WB_ASKED || fabs(again - s->y[at]) <= s->tolerance)
		return r;
	wb_bisect_leave_open(s->out, WB_BISECT_NOT_EXACT);
	return SPENT;
}

static void state_effect(struct wb_bisect_suspect *c, double effect)
{
	c->effect = c->low = c->high = effect;
}

/* Both sides of a range that has no prefix left to measure between them. */
static int convict(struct session *s, const struct range *r)
{
	struct wb_bisect_result *out = s->out;
	double effect = s->y[r->hi] - s->y[r->lo];
	struct wb_bisect_suspect *c;
	int ret = repeat(s, r->lo), k;

	if (!out->located_runs)
		out->located_runs = out->runs;
	if (ret == WB_ASKED)
		ret = repeat(s, r->hi);
	if (ret == WB_ASKED_HOLE)
		wb_bisect_leave_open(out, WB_BISECT_NOT_EXACT);
	if (ret != WB_ASKED)
		return ret == WB_ASKED_STOP ? WB_ASKED_STOP : SPENT;
	if (!out->confirmed_runs)
		out->confirmed_runs = out->runs;
	if (r->hi == r->lo + 1) {
		c = wb_bisect_add_suspect(&out->change, &out->nchanges, r->hi,
					  1);
		c->credible = wb_xmalloc(sizeof(*c->credible));
		c->credible[c->ncredible++] = r->hi;
		state_effect(c, effect);
		return WB_ASKED;
	}
	for (k = r->lo + 1; k <= r->hi; k++)
		state_effect(wb_bisect_add_suspect(&out->candidate,
						   &out->ncandidates, k,
						   1.0 / (r->hi - r->lo)),
			     effect);
	wb_bisect_leave_open(out, WB_BISECT_UNBUILDABLE);
	return WB_ASKED;
}

/* The prefix to measure next: the middle, but for holes; -1: there is none. */
static int middle_of(const struct session *s, const struct range *r)
{
	struct wb_bisect_holes h;
	int n = r->hi - r->lo, i, mid;

	wb_bisect_holes_init(&h, r->lo, r->hi, n, s->ask.hole, NULL);
	for (i = 1; i < n; i++)
		h.weight[i] = h.part[i] = i;
	mid = wb_bisect_holes_pick(&h, n / 2);
	wb_bisect_holes_clear(&h);
	return mid;
}

static bool differs(const struct session *s, int lo, int hi)
{
	return fabs(s->y[hi] - s->y[lo]) > s->o->min_effect;
}

/* Neither half shows what the whole does: small steps that add up. */
static void note_gradual(struct session *s, const struct range *r)
{
	int k;

	for (k = r->lo + 1; k <= r->hi; k++)
		wb_bisect_add_suspect(&s->out->candidate, &s->out->ncandidates,
				      k, 1.0 / (r->hi - r->lo));
	wb_bisect_leave_open(s->out, WB_BISECT_GRADUAL);
}

static int examine(struct session *s, struct range r)
{
	double bound = fabs(s->y[r.hi] - s->y[r.lo]);
	int mid, ret;

	if (!differs(s, r.lo, r.hi)) {
		if (!(s->out->bound >= bound))
			s->out->bound = bound;
		return WB_ASKED;
	}
	do {
		mid = middle_of(s, &r);
		if (mid < 0)
			return convict(s, &r);
		ret = measure(s, mid);
	} while (ret == WB_ASKED_HOLE);
	if (ret != WB_ASKED)
		return ret;
	if (!differs(s, r.lo, mid) && !differs(s, mid, r.hi)) {
		note_gradual(s, &r);
		return WB_ASKED;
	}
	add_range(s, mid, r.hi);
	add_range(s, r.lo, mid);
	return WB_ASKED;
}

/* The ends, and the sentinels between them that can be measured. */
static int lay_grid(struct session *s)
{
	const struct wb_bisect_options *o = s->o;
	int last = o->lo, i, at, r;

	r = measure(s, o->lo);
	if (r == WB_ASKED)
		r = measure(s, o->hi);
	if (r == WB_ASKED_HOLE)
		wb_bisect_leave_open(s->out, WB_BISECT_BROKEN_END);
	if (r != WB_ASKED)
		return r == WB_ASKED_STOP ? WB_ASKED_STOP : SPENT;
	for (i = 1; i <= o->grid; i++) {
		at = o->lo + (int)((int64_t)(o->hi - o->lo) * i /
				   (o->grid + 1));
		r = at > last && at < o->hi ? measure(s, at) : WB_ASKED_HOLE;
		if (r == WB_ASKED_STOP || r == SPENT)
			return r;
		if (r == WB_ASKED_HOLE)
			continue;
		add_range(s, last, at);
		last = at;
	}
	add_range(s, last, o->hi);
	return WB_ASKED;
}

int wb_bisect_exact(const struct wb_bisect_options *o, double tolerance,
		    const struct wb_bisect_runner *runner,
		    struct wb_bisect_result *out, struct wb_error *err)
{
	size_t n = (size_t)o->hi + 1, i;
	struct session s = {
		.o = o, .tolerance = tolerance, .out = out,
		.y = wb_xcalloc(n, sizeof(*s.y)),
	};
	int r;

	*out = (struct wb_bisect_result){ .log_e = NAN, .bound = NAN };
	wb_bisect_ask_init(&s.ask, o, runner, out, err);
	for (i = 0; i < n; i++)
		s.y[i] = NAN;
	r = lay_grid(&s);
	while (r == WB_ASKED && s.ntodo)
		r = examine(&s, s.todo[--s.ntodo]);
	wb_bisect_conclude(out);
	free(s.y);
	free(s.todo);
	wb_bisect_ask_clear(&s.ask);
	return r == WB_ASKED_STOP ? -1 : 0;
}
