#include "bisect.h"

#include "belief-gap.h"
#include "bisect-ask.h"
#include "bisect-next.h"
#include "bisect-result.h"
#include "buf.h"
#include "schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	ENDS_LEAST = 3,		/* blocks before the ends are judged */
	CONFIRM_LEAST = 4,	/* blocks before an effect is stated */
	CONFIRM_MOST = 256,	/* an interval that stays too wide */
	REFUTED_MOST = 3,	/* confirmations that may fail in a range */
};

/* A layout whose share of the spread leaves so little is a limit. */
#define LAYOUT_SHARE 0.1

struct range {
	int lo, hi, depth;
};

struct session {
	const struct wb_bisect_options *o;
	struct wb_bisect_result *out;
	struct wb_bisect_ask ask;
	struct wb_belief_block *block;	/* every one, as measured */
	size_t nblocks, capblocks;
	uint64_t random;
	bool hi_first;
	struct range *todo;
	size_t ntodo, captodo;
};

void wb_bisect_defaults(struct wb_bisect_options *o, int lo, int hi)
{
	*o = (struct wb_bisect_options){
		.lo = lo, .hi = hi, .alpha = 0.01, .belief = 0.95,
		.min_effect = log(1.01), .half_width = 0.25,
		.run_seconds = 1,
	};
}

/* ---- blocks ---- */

static void shuffle(struct session *s, int *at, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = wb_schedule_random(&s->random) % i;
		int t = at[i - 1];
		at[i - 1] = at[j];
		at[j] = t;
	}
}

static void keep_block(struct session *s, const struct wb_belief_run *run,
		       size_t n)
{
	struct wb_belief_block b = { wb_xcalloc(n, sizeof(*b.run)), n };

	memcpy(b.run, run, n * sizeof(*run));
	if (s->nblocks == s->capblocks) {
		s->capblocks = s->capblocks ? 2 * s->capblocks : 64;
		s->block = wb_xrealloc(s->block,
				       s->capblocks * sizeof(*s->block));
	}
	s->block[s->nblocks++] = b;
}

/* A block in random order, kept, and taken into b. */
static enum wb_bisect_asked run_block(struct session *s, const char *phase,
				      struct wb_belief *b, int *at, size_t n)
{
	const struct wb_bisect_runner *runner = s->ask.runner;
	struct wb_belief_run *run = wb_xcalloc(n, sizeof(*run));
	double *y = wb_xcalloc(n, sizeof(*y));
	enum wb_bisect_asked r = WB_ASKED;

	for (size_t i = 0; i < n && r == WB_ASKED; i++)
		r = wb_bisect_ask_build(&s->ask, at[i]);
	if (r == WB_ASKED) {
		shuffle(s, at, n);
		r = wb_bisect_ask_block(&s->ask, at, n, y);
	}
	if (r == WB_ASKED) {
		for (size_t i = 0; i < n; i++)
			run[i] = (struct wb_belief_run){ at[i], y[i] };
		keep_block(s, run, n);
		wb_belief_add(b, run, n);
		if (runner->tell)
			runner->tell(runner->arg, phase, b, s->out->runs);
	}
	free(run);
	free(y);
	return r;
}

/* ---- what a range says ---- */

/*
 * Belief of a range from all blocks so far, each cut to the range. What is
 * left of a block need not hold an end of the range; so within a part of the
 * whole, blocks are only ever compared within themselves, or a drift would pass
 * for a step. Runs of a position that became a hole since stay: they were good.
 */
static void recall(const struct session *s, struct wb_belief *b, int lo, int hi)
{
	bool whole = lo == s->o->lo && hi == s->o->hi;

	wb_belief_init(b, lo, hi, s->o->weight, s->o->strict || !whole);
	b->dag = s->o->dag;
	for (size_t i = 0; i < s->nblocks; i++)
		wb_belief_add(b, s->block[i].run, s->block[i].n);
}

static double gamma0(const struct session *s, const struct wb_belief *b)
{
	double ratio = s->o->lambda / b->sigma;

	return s->o->variants > 0 && b->sigma > 0
		       ? 2 * ratio * ratio / s->o->variants : 0;
}

static double log_alpha(const struct session *s, int depth)
{
	return log(s->o->alpha) - depth * log(2) - log(s->o->grid + 1);
}

static bool proven(const struct session *s, const struct wb_belief *b,
		   int depth)
{
	return wb_belief_log_e(b, gamma0(s, b)) >= -log_alpha(s, depth);
}

static bool layout_limited(const struct session *s, const struct wb_belief *b)
{
	double moved = gamma0(s, b) * b->sigma * b->sigma;

	return b->se * b->se < LAYOUT_SHARE * moved;
}

/* ---- the result ---- */

static void leave_open(struct session *s, const struct wb_belief *b,
		       enum wb_bisect_reason why)
{
	int *patch = wb_xcalloc(b->hi - b->lo, sizeof(*patch));
	size_t n = b->ngaps ? wb_belief_credible(b, s->o->belief, patch) : 0;

	for (size_t i = 0; i < n; i++)
		wb_bisect_add_suspect(&s->out->candidate,
				      &s->out->ncandidates, patch[i],
				      wb_belief_of(b, patch[i]))->log_e =
			b->log_e;
	free(patch);
	wb_bisect_leave_open(s->out, why);
}

static void state_effect(struct wb_bisect_suspect *c,
			 const struct wb_belief *fresh)
{
	double half = wb_belief_half(fresh);

	c->effect = fresh->step;
	c->low = fresh->step - half;
	c->high = fresh->step + half;
	c->log_e = fresh->log_e;
}

/* Whether a hole is what keeps the patches of the best gap together. */
static bool kept_by_holes(const struct session *s, const struct wb_belief *b)
{
	for (int k = b->lo + 1; k < b->hi; k++)
		if (s->ask.hole[k] && wb_belief_in_gap(b, b->best, k))
			return true;
	return !b->dag;
}

/*
 * The patches of the best gap, of which the step was confirmed. alone: the one
 * that is left when nothing else of the gap does it, or 0.
 */
static void convict(struct session *s, const struct wb_belief *b, int alone,
		    const struct wb_belief *fresh)
{
	const struct wb_belief_gap *g = &b->gap[b->best];
	struct wb_bisect_result *out = s->out;

	if (g->n == 1 || alone) {
		int patch = g->n == 1 ? g->patch : alone;
		struct wb_bisect_suspect *c =
			wb_bisect_add_suspect(&out->change, &out->nchanges,
					      patch,
					      wb_belief_of(b, g->patch) * g->n);
		c->credible = wb_xcalloc(b->hi - b->lo, sizeof(*c->credible));
		c->ncredible = wb_belief_credible(b, 0.95, c->credible);
		state_effect(c, fresh);
		return;
	}
	for (int k = g->patch; k <= b->hi; k++)
		if (wb_belief_in_gap(b, b->best, k))
			state_effect(wb_bisect_add_suspect(&out->candidate,
						&out->ncandidates, k,
						wb_belief_of(b, k)), fresh);
	wb_bisect_leave_open(out, kept_by_holes(s, b) ? WB_BISECT_UNBUILDABLE
						      : WB_BISECT_PARALLEL);
}

/*
 * The positions that the best gap is confirmed between. In a history one patch
 * has a parent, that is nearer to it than what was measured.
 */
static void neighbours(struct session *s, const struct wb_belief *b, int *from,
		       int *to)
{
	const struct wb_belief_gap *g = &b->gap[b->best];

	*from = g->from;
	*to = g->to;
	if (!b->dag || g->n != 1 ||
	    wb_bisect_ask_build(&s->ask, g->patch) != WB_ASKED)
		return;
	*to = g->patch;
	int parent = b->dag->up[g->patch].at[0];
	if (wb_belief_within(b, parent) &&
	    wb_bisect_ask_build(&s->ask, parent) == WB_ASKED)
		*from = parent;
	else if (!wb_belief_contains(b, *to, *from) && *from != b->lo)
		*from = b->lo;
}

/* ---- the steps ---- */

enum outcome { FOUND, NONE, OPEN, ENDED };

static enum outcome test_ends(struct session *s, struct wb_belief *b,
			      const struct range *r)
{
	for (;;) {
		if (wb_belief_ends(b) >= ENDS_LEAST && b->ngaps) {
			double most = wb_belief_most(b);
			if (proven(s, b, r->depth))
				return FOUND;
			if (most < s->o->min_effect) {
				if (!(s->out->bound >= most))
					s->out->bound = most;
				return NONE;
			}
			if (layout_limited(s, b)) {
				leave_open(s, b, WB_BISECT_LAYOUT);
				return OPEN;
			}
		}
		if (wb_bisect_ask_spent(&s->ask)) {
			leave_open(s, b, WB_BISECT_BUDGET);
			return OPEN;
		}
		int at[] = { r->lo, r->hi, r->hi, r->lo };
		int got = run_block(s, "ends", b, at, 4);
		if (got == WB_ASKED_STOP)
			return ENDED;
		if (got == WB_ASKED_HOLE) {
			leave_open(s, b, WB_BISECT_BROKEN_END);
			return OPEN;
		}
	}
}

static bool can_be_split(const struct session *s, const struct wb_belief *b)
{
	return wb_bisect_nearest(b, s->ask.hole, b->best, 0.5) >= 0;
}

static enum outcome search(struct session *s, struct wb_belief *b,
			   const struct range *r)
{
	for (;;) {
		const struct wb_belief_gap *g = &b->gap[b->best];
		if (g->post >= s->o->belief && !can_be_split(s, b))
			return FOUND;
		/* The gate lets one in 1/alpha through: more runs tell. */
		if (wb_belief_most(b) < s->o->min_effect)
			return NONE;
		if (wb_bisect_ask_spent(&s->ask)) {
			leave_open(s, b, WB_BISECT_BUDGET);
			return OPEN;
		}
		size_t runs = s->out->runs, builds = s->out->builds;
		struct wb_bisect_cost cost = {
			.run = runs ? s->ask.run_seconds / runs
				    : s->o->run_seconds,
			.build = builds ? s->ask.build_seconds / builds : 0,
			.ready = s->ask.ready, .hole = s->ask.hole,
		};
		struct wb_bisect_next next =
			wb_bisect_next(b, &cost, s->hi_first);
		s->hi_first = !s->hi_first;
		int ends[] = { r->lo, r->hi, r->hi, r->lo };
		int got = next.n ? run_block(s, "search", b, next.at, next.n)
				 : run_block(s, "search", b, ends, 4);
		if (got == WB_ASKED_STOP)
			return ENDED;
		if (got == WB_ASKED_HOLE &&
		    (s->ask.hole[r->lo] || s->ask.hole[r->hi])) {
			leave_open(s, b, WB_BISECT_BROKEN_END);
			return OPEN;
		}
	}
}

/*
 * Blocks until the interval of a step is half_width of it on each side, by
 * Student's t from CONFIRM_LEAST on.
 */
static size_t blocks_needed(const struct session *s, double step, double sigma)
{
	double n = pow(2 * sigma / (s->o->half_width * step), 2);

	return fmin(fmax(ceil(n), CONFIRM_LEAST), CONFIRM_MOST);
}

/*
 * Both neighbours of the suspect, judged by these blocks alone. How many there
 * will be is fixed before the first one: an interval that stops when it looks
 * narrow is too narrow too often.
 */
static enum outcome confirm(struct session *s, const struct wb_belief *b,
			    int from, int to, int depth,
			    struct wb_belief *fresh)
{
	double searched = fabs(b->step);
	size_t planned = blocks_needed(s, searched, b->sigma);

	/* Blocks of equal halves: centring them costs no precision. */
	wb_belief_init(fresh, from, to, s->o->weight, true);
	fresh->dag = s->o->dag;
	for (;;) {
		if (fresh->nblocks >= planned && proven(s, fresh, depth))
			return FOUND;
		if (fresh->nblocks >= CONFIRM_LEAST &&
		    fabs(fresh->step) + 2 * fresh->se < searched / 2)
			return NONE;
		if (fresh->nblocks >= CONFIRM_MOST)
			return NONE;
		if (wb_bisect_ask_spent(&s->ask)) {
			leave_open(s, b, WB_BISECT_BUDGET);
			return OPEN;
		}
		int at[] = { from, to, to, from };
		int got = run_block(s, "confirm", fresh, at, 4);
		if (got == WB_ASKED_STOP)
			return ENDED;
		if (got == WB_ASKED_HOLE) {
			leave_open(s, b, WB_BISECT_UNCONFIRMED);
			return OPEN;
		}
	}
}

static void add_range(struct session *s, int lo, int hi, int depth)
{
	if (hi <= lo)
		return;
	if (s->ntodo == s->captodo) {
		s->captodo = s->captodo ? 2 * s->captodo : 8;
		s->todo = wb_xrealloc(s->todo, s->captodo * sizeof(*s->todo));
	}
	s->todo[s->ntodo++] = (struct range){ lo, hi, depth };
}

static enum outcome examine(struct session *s, struct range r);

/*
 * A step at a merge, seen from one parent, may be what another parent brought
 * in: these sides are examined on their own, each from where it left. NONE: the
 * merge itself is left; OPEN: not all was told; FOUND: it is explained.
 */
static enum outcome examine_sides(struct session *s, int from, int to,
				  int depth)
{
	const struct wb_ancestry *dag = s->o->dag;
	size_t before = s->out->nchanges;
	enum outcome o = NONE;

	for (size_t i = 0; dag && i < dag->up[to].n && o != ENDED; i++) {
		int tip = dag->up[to].at[i];
		int left = wb_ancestry_common(dag, from, tip);
		if (tip == left || dag->up[to].n < 2)
			continue;
		enum outcome side = examine(s, (struct range){ left, tip,
							       depth + 1 });
		if (side == ENDED || side == OPEN)
			o = side;
	}
	if (o == ENDED)
		return o;
	return s->out->nchanges > before ? FOUND : o;
}

/* Confirmed between from and to: who did it, and where to look further. */
static enum outcome judge(struct session *s, const struct wb_belief *b,
			  const struct range *r, int from, int to,
			  const struct wb_belief *fresh)
{
	bool merge = s->o->dag && s->o->dag->up[to].n > 1;
	enum outcome sides = merge ? examine_sides(s, from, to, r->depth)
				   : OPEN;

	if (sides == ENDED)
		return ENDED;
	if (merge && sides == OPEN && b->gap[b->best].n == 1) {
		state_effect(wb_bisect_add_suspect(&s->out->candidate,
						   &s->out->ncandidates, to,
						   wb_belief_of(b, to)), fresh);
	} else if (sides != FOUND) {
		convict(s, b, sides == NONE && wb_belief_in_gap(b, b->best, to)
				      ? to : 0, fresh);
	}
	add_range(s, to, r->hi, r->depth + 1);
	add_range(s, r->lo, from, r->depth + 1);
	return FOUND;
}

/* FOUND: there was a change; it is in the result. */
static enum outcome examine(struct session *s, struct range r)
{
	struct wb_belief b, fresh;
	enum outcome o;

	recall(s, &b, r.lo, r.hi);
	o = test_ends(s, &b, &r);
	if (!isfinite(s->out->log_e))
		s->out->log_e = wb_belief_log_e(&b, gamma0(s, &b));
	for (int refuted = 0; o == FOUND; refuted++) {
		o = search(s, &b, &r);
		if (o != FOUND)
			break;
		if (!s->out->located_runs)
			s->out->located_runs = s->out->runs;
		int from, to;
		neighbours(s, &b, &from, &to);
		o = confirm(s, &b, from, to, r.depth, &fresh);
		if (o == FOUND) {
			if (!s->out->confirmed_runs)
				s->out->confirmed_runs = s->out->runs;
			o = judge(s, &b, &r, from, to, &fresh);
		} else if (o == NONE) {
			wb_belief_clear(&b);
			recall(s, &b, r.lo, r.hi);
			o = FOUND;
			if (refuted + 1 >= REFUTED_MOST) {
				leave_open(s, &b, WB_BISECT_UNCONFIRMED);
				o = OPEN;
			}
			wb_belief_clear(&fresh);
			continue;
		}
		wb_belief_clear(&fresh);
		break;
	}
	s->out->clipped += b.nclipped;
	wb_belief_clear(&b);
	return o;
}

/* The ends and up to `grid` sentinels between them that can be built. */
static int place_sentinels(struct session *s, int *at, size_t *n)
{
	const struct wb_bisect_options *o = s->o;
	int r = WB_ASKED;

	at[0] = o->lo;
	*n = 1;
	for (int i = 1; i <= o->grid; i++) {
		int m = o->lo + (int)((int64_t)(o->hi - o->lo) * i /
				      (o->grid + 1));
		while (m > at[*n - 1] && m < o->hi &&
		       (r = wb_bisect_ask_build(&s->ask, m)) == WB_ASKED_HOLE)
			m++;
		if (r == WB_ASKED_STOP)
			return WB_ASKED_STOP;
		if (m > at[*n - 1] && m < o->hi)
			at[(*n)++] = m;
	}
	at[(*n)++] = o->hi;
	return WB_ASKED;
}

/* Those that turn out not to run leave the list. */
static void drop_holes(const struct session *s, int *at, size_t *n)
{
	size_t kept = 1;

	for (size_t i = 1; i < *n; i++)
		if (i + 1 == *n || !s->ask.hole[at[i]])
			at[kept++] = at[i];
	*n = kept;
}

/* The first ranges: between the ends, or between sentinels. */
static int lay_grid(struct session *s)
{
	const struct wb_bisect_options *o = s->o;
	int *at = wb_xcalloc(o->grid + 2, sizeof(*at));
	int *order = wb_xcalloc(o->grid + 2, sizeof(*order));
	struct wb_belief b;
	size_t n;
	int r = place_sentinels(s, at, &n);

	wb_belief_init(&b, o->lo, o->hi, o->weight, o->strict);
	for (int i = 0; o->grid && i < ENDS_LEAST && r != WB_ASKED_STOP; i++) {
		memcpy(order, at, n * sizeof(*at));
		r = run_block(s, "sentinels", &b, order, n);
		if (r == WB_ASKED_HOLE &&
		    (s->ask.hole[o->lo] || s->ask.hole[o->hi]))
			break;
		/* one less: each position is lost but once */
		i -= r == WB_ASKED_HOLE;
		drop_holes(s, at, &n);
	}
	wb_belief_clear(&b);
	for (size_t i = n - 1; r != WB_ASKED_STOP && i > 0; i--)
		add_range(s, at[i - 1], at[i], 0);
	free(at);
	free(order);
	return r == WB_ASKED_STOP ? WB_ASKED_STOP : WB_ASKED;
}

int wb_bisect(const struct wb_bisect_options *o,
	      const struct wb_bisect_runner *runner,
	      struct wb_bisect_result *out, struct wb_error *err)
{
	struct session s = {
		.o = o, .out = out, .random = o->seed,
	};
	int ret;

	*out = (struct wb_bisect_result){ .log_e = NAN, .bound = NAN };
	wb_bisect_ask_init(&s.ask, o, runner, out, err);
	for (size_t i = 0; i < o->nknown; i++)
		keep_block(&s, o->known[i].run, o->known[i].n);
	ret = lay_grid(&s);
	while (ret == WB_ASKED && s.ntodo)
		if (examine(&s, s.todo[--s.ntodo]) == ENDED)
			ret = WB_ASKED_STOP;
	wb_bisect_conclude(out);
	for (size_t i = 0; i < s.nblocks; i++)
		free(s.block[i].run);
	free(s.block);
	free(s.todo);
	wb_bisect_ask_clear(&s.ask);
	return ret;
}
