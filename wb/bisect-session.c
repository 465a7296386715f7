#include "bisect-session.h"

#include "bisect-known.h"
#include "bisect-reasons.h"
#include "build.h"
#include "progress.h"
#include "schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
	AA_BLOCKS = 6,
	AA_RUNS = 4,		/* of a block, without layouts */
	AA_SUSPICIOUS = 20,	/* e-value */
};

/* An exact count that comes out different by more was none. */
#define TOLERANCE 1e-3

/* ---- answers, from the journal or from the machine ---- */

static void note_hole(struct wb_bisect_session *s, int at, const char *why)
{
	if (s->why[at])
		return;
	s->why[at] = wb_xstrdup(why);
	if (!s->quiet && s->bench)
		wb_talk("'%s' cannot be measured, neighbours are: %s",
			s->name[at].name, why);
}

static int live_build(struct wb_bisect_session *s, int at, struct wb_json **out,
		      struct wb_error *err)
{
	double seconds = 0;
	char *why = NULL;
	int r = wb_bisect_bench_build(s->bench, at, &seconds, &why, err);

	if (r < 0)
		return -1;
	*out = wb_json_object();
	wb_json_set(*out, "at", wb_json_int(at));
	wb_json_set(*out, "seconds", wb_json_num(seconds));
	wb_json_set(*out, "why", wb_json_str(why));
	free(why);
	return 0;
}

/* Reads, or makes and writes, one answer; *owned is to be freed. */
static int answer(struct wb_bisect_session *s, const char *key,
		  int (*make)(struct wb_bisect_session *s, void *arg,
			      struct wb_json **out, struct wb_error *err),
		  void *arg, const struct wb_json **v, struct wb_json **owned,
		  struct wb_error *err)
{
	struct wb_json *made = NULL;
	struct wb_buf text = WB_BUF_INIT;
	int ret = -1;

	*owned = NULL;
	if (wb_bisect_log_take(&s->log, key, v, err) < 0 || *v)
		return *v ? 0 : -1;
	if (make(s, arg, &made, err) < 0)
		return -1;
	/* the journal's own words, so that playing back is the same */
	wb_json_print(made, &text, 0);
	if (wb_json_parse(text.ptr, text.len, owned, err) == 0 &&
	    wb_bisect_log_add(&s->log, key, made, err) == 0) {
		made = NULL;
		*v = *owned;
		ret = 0;
	}
	wb_buf_clear(&text);
	return ret;
}

static int make_build(struct wb_bisect_session *s, void *arg,
		      struct wb_json **out, struct wb_error *err)
{
	return live_build(s, *(int *)arg, out, err);
}

static int misfit(const struct wb_bisect_session *s, struct wb_error *err)
{
	return wb_fail(err, WB_E_FATAL, "%s:%zu: does not fit this search: 'wb "
		       "bisect-perf --reset' begins anew", s->log.file,
		       wb_bisect_log_line(&s->log));
}

static int ask_build(void *arg, int at, double *seconds, struct wb_error *err)
{
	struct wb_bisect_session *s = arg;
	const struct wb_json *v;
	struct wb_json *owned;
	const char *why = NULL;
	int64_t where = -1;
	int ret = 0;

	if (answer(s, "build", make_build, &at, &v, &owned, err) < 0)
		return -1;
	wb_json_get_int(wb_json_get(v, "at"), &where);
	wb_json_get_num(wb_json_get(v, "seconds"), seconds);
	wb_json_get_str(wb_json_get(v, "why"), &why);
	if (where != at)
		ret = misfit(s, err);
	else if (why)
		ret = 1;
	if (why)
		note_hole(s, at, why);
	s->ready[at] = !ret;
	s->builds++;
	wb_json_free(owned);
	return ret;
}

struct question {
	const int *at;
	const size_t *layout;
	size_t n;
};

static int make_block(struct wb_bisect_session *s, void *arg,
		      struct wb_json **out, struct wb_error *err)
{
	const struct question *q = arg;
	struct wb_bisect_block k;
	char *why = NULL;
	int hole = -1;
	/* the number of the question, so that a repeated one is known */
	uint64_t seed = s->seed ^ (uint64_t)s->log.next << 32;
	int r = wb_bisect_bench_run(s->bench, q->at, q->layout, q->n,
				    wb_schedule_random(&seed), &k, &hole, &why,
				    err);

	if (r >= 0)
		*out = wb_bisect_block_to_json(&k, hole, r ? why : NULL);
	wb_bisect_block_clear(&k);
	free(why);
	return r < 0 ? -1 : 0;
}

/* Whether a block answers the question; a journal may hold anything. */
static bool answers(const struct wb_bisect_session *s,
		    const struct wb_bisect_block *k, const struct question *q)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		if (k->layout[i] >= s->layouts)
			return false;
	return k->n == q->n && !memcmp(k->at, q->at, q->n * sizeof(*q->at));
}

/* Asks for a block of all metrics; it is kept. 0, 1 with *hole, or -1. */
static int ask_block(struct wb_bisect_session *s, const int *at,
		     const size_t *layout, size_t n, int *hole,
		     struct wb_error *err)
{
	struct question q = { at, layout, n };
	const struct wb_json *v;
	struct wb_json *owned;
	struct wb_bisect_block k;
	const char *why = NULL;
	int64_t where = -1;

	if (answer(s, "block", make_block, &q, &v, &owned, err) < 0)
		return -1;
	wb_bisect_block_from_json(v, &k);
	if (wb_json_get_str(wb_json_get(v, "why"), &why) &&
	    wb_json_get_int(wb_json_get(v, "hole"), &where) && where >= 0 &&
	    where < s->n) {
		*hole = (int)where;
		note_hole(s, *hole, why);
	}
	wb_json_free(owned);
	if (!answers(s, &k, &q)) {
		wb_bisect_block_clear(&k);
		return misfit(s, err);
	}
	s->seconds += k.seconds;
	if (where >= 0) {
		wb_bisect_block_clear(&k);
		return 1;
	}
	s->runs += n;
	s->run_seconds += k.seconds;
	s->block = wb_grow(s->block, s->nblocks, &s->capblocks,
			   sizeof(*s->block));
	s->block[s->nblocks++] = k;
	return 0;
}

/* ---- the engine's runner ---- */

static size_t *pick_layouts(struct wb_bisect_session *s, size_t n)
{
	size_t *layout = wb_xcalloc(n, sizeof(*layout)), i;

	for (i = 0; i < n && !s->counting; i++)
		layout[i] = wb_schedule_random(&s->o.seed) % s->layouts;
	return layout;
}

static int run_block(void *arg, const int *at, size_t n, double *y, int *hole,
		     double *seconds, struct wb_error *err)
{
	struct wb_bisect_session *s = arg;
	size_t *layout = pick_layouts(s, n), i;
	const struct wb_bisect_metric *m;
	int r = ask_block(s, at, layout, n, hole, err);

	free(layout);
	if (r)
		return r;
	*seconds = s->block[s->nblocks - 1].seconds;
	m = wb_bisect_block_find(&s->block[s->nblocks - 1], s->now->metric);
	for (i = 0; i < n; i++) {
		if (m && m->value[i] > 0) {
			y[i] = log(m->value[i]);
			continue;
		}
		*hole = at[i];
		note_hole(s, at[i], "the metric has no value above 0");
		return 1;
	}
	return 0;
}

static void tell(void *arg, const char *phase, const struct wb_belief *b,
		 size_t runs)
{
	struct wb_bisect_session *s = arg;
	const struct wb_belief_gap *g;
	struct wb_progress p;

	bool whole = b->lo == 0 && b->hi == s->n - 1;

	/* of a part only where the whole was never looked at */
	if (b->ngaps && strcmp(phase, "confirm") && (whole || !s->whole)) {
		s->whole = whole;
		s->seen = wb_xrealloc(s->seen, b->ngaps * sizeof(*s->seen));
		memcpy(s->seen, b->gap, b->ngaps * sizeof(*s->seen));
		s->nseen = b->ngaps;
	}
	s->phase = phase;
	if (s->quiet || !s->bench || s->log.next < s->log.n || !b->ngaps)
		return;
	g = &b->gap[b->best];
	wb_progress_start(&p, false);
	wb_progress_show(&p, -1, "%s %s: %zu runs, %.0f %% of belief on %d of "
			 "%d patches up to '%s'", s->now->metric, phase, runs,
			 100 * g->post, g->n, s->n - 1,
			 s->name[g->to].name);
}

/* ---- the phases ---- */

/* Two searches of one second must not begin alike: it names their rounds. */
static int make_seed(struct wb_bisect_session *s, void *arg,
		     struct wb_json **out, struct wb_error *err)
{
	uint64_t seed;

	(void)s;
	(void)arg;
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		return wb_fail_errno(err, "getrandom");
	*out = wb_json_int((int64_t)(seed >> 2));
	return 0;
}

static int ask_seed(struct wb_bisect_session *s, struct wb_error *err)
{
	const struct wb_json *v;
	struct wb_json *owned;
	int64_t seed = 0;

	if (answer(s, "seed", make_seed, NULL, &v, &owned, err) < 0)
		return -1;
	wb_json_get_int(v, &seed);
	wb_json_free(owned);
	s->seed = s->o.seed = (uint64_t)seed;
	return 0;
}

/* The metrics of the first block that are searched: one outcome each. */
static int pick_metrics(struct wb_bisect_session *s, struct wb_error *err)
{
	const struct wb_bisect_block *k = &s->block[0];
	struct wb_result r;
	size_t i;

	wb_result_init(&r);
	for (i = 0; i < k->nmetrics; i++)
		wb_result_add_metric(&r, "", k->metric[i].name);
	wb_result_judge(&r, "", s->judge);
	for (i = 0; i < k->nmetrics; i++) {
		if (!r.metric[i].judged)
			continue;
		s->outcome = wb_xrealloc(s->outcome, (s->noutcomes + 1) *
						     sizeof(*s->outcome));
		s->outcome[s->noutcomes++] = (struct wb_bisect_outcome){
			.metric = wb_xstrdup(k->metric[i].name),
			.unit = wb_xstrdup(k->metric[i].unit),
			.better = k->metric[i].better,
			.level = k->metric[i].level,
			.exact = k->metric[i].exact,
		};
	}
	wb_result_clear(&r);
	if (s->noutcomes)
		return 0;
	return wb_fail(err, WB_E_USAGE, "no metric of %zu is chosen: name one "
		       "by --metric, or set wb-bench.NAME.judge (the first is "
		       "'%s')", k->nmetrics,
		       k->nmetrics ? k->metric[0].name : "-");
}

/* 0, 1: the lower end cannot be measured, or one not be built; or -1. */
static int run_aa(struct wb_bisect_session *s, struct wb_error *err)
{
	size_t n = s->counting ? 1 : s->layouts > 1 ? s->layouts : AA_RUNS, i;
	size_t blocks = s->counting ? 1 : AA_BLOCKS, k;
	int *at = wb_xcalloc(n, sizeof(*at)), hole, r;
	size_t *layout = wb_xcalloc(n, sizeof(*layout));
	double seconds;

	r = ask_build(s, 0, &seconds, err);
	if (!r)
		r = ask_build(s, s->n - 1, &seconds, err);
	for (k = 0; k < blocks && !r; k++) {
		for (i = 0; i < n; i++)
			layout[i] = s->layouts > 1 && !s->counting
				? (i + k) % s->layouts : 0;
		r = ask_block(s, at, layout, n, &hole, err);
		/* what cannot be searched is refused before the others */
		if (!r && !k)
			r = pick_metrics(s, err);
	}
	free(at);
	free(layout);
	return r;
}

/* Layouts in their order, whatever order they ran in. */
static void judge_aa(struct wb_bisect_session *s, struct wb_bisect_outcome *c)
{
	size_t n = s->block[0].n, k, i, slot, used = 0;
	double *y = wb_xcalloc(AA_BLOCKS * n, sizeof(*y));
	size_t *layout = wb_xcalloc(n, sizeof(*layout));
	const struct wb_bisect_metric *m;

	for (i = 0; i < n; i++)
		layout[i] = s->layouts > 1 ? i : 0;
	for (k = 0; k < AA_BLOCKS && k < s->nblocks; k++) {
		m = wb_bisect_block_find(&s->block[k], c->metric);
		for (i = 0; m && i < n; i++) {
			slot = s->layouts > 1 ? s->block[k].layout[i] : i;
			y[used * n + slot] = log(m->value[i]);
		}
		used += m != NULL;
	}
	/* a metric that is not above 0 has no ratios */
	for (i = 0; i < used * n; i++)
		if (!isfinite(y[i]))
			used = 0;
	wb_bisect_aa(y, used, n, layout, s->layouts, s->o.seed, &c->aa);
	free(layout);
	free(y);
	if (c->aa.log_e > log(AA_SUSPICIOUS) && s->bench && !s->quiet)
		wb_warn("%s: the lower end differs from itself (1 in %.0f): "
			"changes below %.1f %% cannot be claimed here",
			c->metric, exp(c->aa.log_e), 100 * c->aa.floor);
}

static int make_known(struct wb_bisect_session *s, void *arg,
		      struct wb_json **out, struct wb_error *err)
{
	(void)arg;
	return wb_bisect_known(s->bench, s->now->metric, s->now->level, out,
			       err);
}

/* A budget that ends a search before its first question. */
#define SPENT 1e-9

static double left_of_budget(const struct wb_bisect_session *s)
{
	if (!(s->o.budget_seconds > 0))
		return 0;
	return fmax(s->o.budget_seconds - s->seconds, SPENT);
}

static int search(struct wb_bisect_session *s, struct wb_bisect_outcome *c,
		  struct wb_error *err)
{
	struct wb_bisect_runner runner = {
		.arg = s, .build = ask_build, .block = run_block, .tell = tell,
	};
	struct wb_bisect_options o = s->o;
	struct wb_belief_block *known = NULL;
	const struct wb_json *v;
	struct wb_json *owned;
	int ret;

	s->now = c;
	s->phase = "ends";
	s->nseen = 0;
	s->whole = false;
	o.budget_seconds = left_of_budget(s);
	/* with nothing left to spend, nothing that the journal could hold */
	if (o.budget_seconds != SPENT) {
		if (answer(s, "known", make_known, NULL, &v, &owned, err) < 0)
			return -1;
		o.nknown = wb_bisect_known_read(v, s->n, &known);
		wb_json_free(owned);
	}
	o.known = known;
	o.ready = s->ready;
	o.alpha /= (double)s->noutcomes;
	o.run_seconds = s->run_seconds / (double)s->runs;
	if (c->exact && s->o.dag) {
		ret = wb_fail(err, WB_E_USAGE, "%s: counts are searched by "
			      "first parents, without --full-history",
			      c->metric);
	} else if (c->exact) {
		ret = wb_bisect_exact(&o, TOLERANCE, &runner, &c->result, err);
	} else {
		judge_aa(s, c);
		o.lambda = c->aa.lambda;
		o.variants = (int)s->layouts;
		ret = wb_bisect(&o, &runner, &c->result, err);
	}
	wb_bisect_known_free(known, o.nknown);
	return ret;
}

int wb_bisect_session_run(struct wb_bisect_session *s, struct wb_error *err)
{
	size_t i;
	int r;

	s->ready = wb_xcalloc((size_t)s->n, sizeof(*s->ready));
	s->o.lo = 0;
	s->o.hi = s->n - 1;
	if (ask_seed(s, err) < 0)
		return -1;
	r = run_aa(s, err);
	if (r < 0)
		return -1;
	if (r)
		return wb_fail(err, WB_E_JUDGE, "the %s end cannot be "
			       "measured: %s", s->why[0] ? "good" : "bad",
			       s->why[s->why[0] ? 0 : s->n - 1]);
	for (i = 0; i < s->noutcomes; i++)
		if (search(s, &s->outcome[i], err) < 0)
			return -1;
	s->now = NULL;
	return wb_bisect_reasons(s, err);
}

void wb_bisect_session_clear(struct wb_bisect_session *s)
{
	size_t i;

	for (i = 0; i < s->noutcomes; i++) {
		wb_bisect_reasons_clear(&s->outcome[i]);
		wb_bisect_result_clear(&s->outcome[i].result);
		free(s->outcome[i].metric);
		free(s->outcome[i].unit);
	}
	free(s->outcome);
	for (i = 0; i < s->ninner; i++) {
		wb_bisect_session_clear(s->inner[i]);
		free(s->inner[i]);
	}
	free(s->inner);
	for (i = 0; i < s->nblocks; i++)
		wb_bisect_block_clear(&s->block[i]);
	free(s->block);
	free(s->seen);
	free(s->ready);
	wb_ancestry_clear(&s->dag);
	for (i = 0; s->why && i < (size_t)s->n; i++)
		free(s->why[i]);
	free(s->why);
	free(s->name);
	wb_bisect_log_close(&s->log);
}
