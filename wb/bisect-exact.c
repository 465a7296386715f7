#include "bisect.h"

#include "bisect-result.h"
#include "buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GO_ON = 0, HOLE = 1, STOP = -1, SPENT = 2 };

struct range {
	int lo, hi;		/* both measured */
};

struct session {
	const struct wb_bisect_options *o;
	double tolerance;
	const struct wb_bisect_runner *runner;
	struct wb_bisect_result *out;
	struct wb_error *err;
	double *y;		/* by prefix; NaN: not measured */
	bool *hole, *ready;
	struct range *todo;
	size_t ntodo, captodo;
};

static bool over_budget(const struct session *s)
{
	const struct wb_bisect_options *o = s->o;

	return (o->budget_runs && s->out->runs >= o->budget_runs) ||
	       (o->budget_seconds > 0 && s->out->seconds >= o->budget_seconds);
}

static int build(struct session *s, int at)
{
	double seconds = 0;
	int r;

	if (s->ready[at])
		return GO_ON;
	r = s->runner->build(s->runner->arg, at, &seconds, s->err);
	if (r == STOP)
		return STOP;
	s->out->builds++;
	s->out->seconds += seconds;
	s->ready[at] = r == GO_ON;
	return r;
}

/* One run of a prefix. */
static int run(struct session *s, int at, double *y)
{
	double seconds = 0;
	int hole = at, r;

	if (s->hole[at])
		return HOLE;
	if (over_budget(s)) {
		wb_bisect_leave_open(s->out, WB_BISECT_BUDGET);
		return SPENT;
	}
	r = build(s, at);
	if (r == GO_ON)
		r = s->runner->block(s->runner->arg, &at, 1, y, &hole,
				     &seconds, s->err);
	if (r == STOP)
		return STOP;
	s->out->seconds += seconds;
	s->hole[at] = r == HOLE;
	if (r == GO_ON)
		s->out->runs++;
	return r;
}

static int measure(struct session *s, int at)
{
	return isnan(s->y[at]) ? run(s, at, &s->y[at]) : GO_ON;
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

	if (r != GO_ON || fabs(again - s->y[at]) <= s->tolerance)
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
	if (ret == GO_ON)
		ret = repeat(s, r->hi);
	if (ret == HOLE)
		wb_bisect_leave_open(out, WB_BISECT_NOT_EXACT);
	if (ret != GO_ON)
		return ret == STOP ? STOP : SPENT;
	if (!out->confirmed_runs)
		out->confirmed_runs = out->runs;
	if (r->hi == r->lo + 1) {
		c = wb_bisect_add_suspect(&out->change, &out->nchanges, r->hi,
					  1);
		c->credible = wb_xmalloc(sizeof(*c->credible));
		c->credible[c->ncredible++] = r->hi;
		state_effect(c, effect);
		return GO_ON;
	}
	for (k = r->lo + 1; k <= r->hi; k++)
		state_effect(wb_bisect_add_suspect(&out->candidate,
						   &out->ncandidates, k,
						   1.0 / (r->hi - r->lo)),
			     effect);
	wb_bisect_leave_open(out, WB_BISECT_UNBUILDABLE);
	return GO_ON;
}

/* The prefix nearest to the middle that is no hole; -1: there is none. */
static int middle_of(const struct session *s, const struct range *r)
{
	int mid = r->lo + (r->hi - r->lo) / 2, d;

	for (d = 0; d <= r->hi - r->lo; d++) {
		if (mid - d > r->lo && !s->hole[mid - d])
			return mid - d;
		if (mid + d < r->hi && mid + d > r->lo && !s->hole[mid + d])
			return mid + d;
	}
	return -1;
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
		return GO_ON;
	}
	do {
		mid = middle_of(s, &r);
		if (mid < 0)
			return convict(s, &r);
		ret = measure(s, mid);
	} while (ret == HOLE);
	if (ret != GO_ON)
		return ret;
	if (!differs(s, r.lo, mid) && !differs(s, mid, r.hi)) {
		note_gradual(s, &r);
		return GO_ON;
	}
	add_range(s, mid, r.hi);
	add_range(s, r.lo, mid);
	return GO_ON;
}

/* The ends, and the sentinels between them that can be measured. */
static int lay_grid(struct session *s)
{
	const struct wb_bisect_options *o = s->o;
	int last = o->lo, i, at, r;

	r = measure(s, o->lo);
	if (r == GO_ON)
		r = measure(s, o->hi);
	if (r == HOLE)
		wb_bisect_leave_open(s->out, WB_BISECT_BROKEN_END);
	if (r != GO_ON)
		return r == STOP ? STOP : SPENT;
	for (i = 1; i <= o->grid; i++) {
		at = o->lo + (int)((int64_t)(o->hi - o->lo) * i /
				   (o->grid + 1));
		r = at > last && at < o->hi ? measure(s, at) : HOLE;
		if (r == STOP || r == SPENT)
			return r;
		if (r == HOLE)
			continue;
		add_range(s, last, at);
		last = at;
	}
	add_range(s, last, o->hi);
	return GO_ON;
}

int wb_bisect_exact(const struct wb_bisect_options *o, double tolerance,
		    const struct wb_bisect_runner *runner,
		    struct wb_bisect_result *out, struct wb_error *err)
{
	size_t n = (size_t)o->hi + 1, i;
	struct session s = {
		.o = o, .tolerance = tolerance, .runner = runner, .out = out,
		.err = err,
		.y = wb_xcalloc(n, sizeof(*s.y)),
		.hole = wb_xcalloc(n, sizeof(*s.hole)),
		.ready = wb_xcalloc(n, sizeof(*s.ready)),
	};
	int r;

	*out = (struct wb_bisect_result){ .log_e = NAN, .bound = NAN };
	for (i = 0; i < n; i++)
		s.y[i] = NAN;
	if (o->ready)
		memcpy(s.ready, o->ready, n * sizeof(*s.ready));
	r = lay_grid(&s);
	while (r == GO_ON && s.ntodo)
		r = examine(&s, s.todo[--s.ntodo]);
	wb_bisect_conclude(out);
	free(s.y);
	free(s.hole);
	free(s.ready);
	free(s.todo);
	return r == STOP ? -1 : 0;
}
