#include "bisect-measure.h"

#include "build.h"
#include "inclusive.h"
#include "path.h"
#include "proc.h"
#include "schedule.h"
#include "trial-slices.h"

#include <stdlib.h>
#include <string.h>

/* As in run.c: what the real-time throttle must not be short of. */
#define FIFO_REST 0.06

/* ---- the bench ---- */

int wb_bisect_bench_open(struct wb_bisect_bench *b, struct wb_error *err)
{
	const struct wb_plan *p = b->line->plan;
	const struct wb_bench_config *c = b->bench->config;
	enum wb_fifo wish = p->config->fifo;

	if (b->counting && b->bench->counter == WB_COUNTER_NONE)
		return wb_fail(err, WB_E_JUDGE, "%s", b->bench->uncounted);
	b->fifo = wish != WB_FIFO_OFF && wb_proc_can_fifo() &&
		  (wish == WB_FIFO_ON || p->machine.ncpus > 1);
	if (wish == WB_FIFO_ON && !b->fifo)
		return wb_fail(err, WB_E_FATAL, "wb.fifo is on, but SCHED_FIFO "
			       "is not allowed here: run as root, raise "
			       "RLIMIT_RTPRIO, or set wb.fifo to auto");
	b->cpu = wb_xcalloc((size_t)c->cpus, sizeof(*b->cpu));
	if (wb_machine_pick(&p->machine, (size_t)c->cpus, b->cpu, err) < 0)
		return wb_fail_at(err, "%s", c->name);
	if (wb_db_machine(b->db, p->machine.id, p->machine.facts, &b->machine,
			  err) < 0)
		return -1;
	return wb_db_bench(b->db, wb_plan_bench_id(b->bench, b->counting),
			   c->name, c->command, &b->row, err);
}

void wb_bisect_bench_clear(struct wb_bisect_bench *b)
{
	free(b->cpu);
	b->cpu = NULL;
}

static int row_of(struct wb_bisect_bench *b, int at, size_t layout,
		  int64_t *row, struct wb_error *err)
{
	const struct wb_plan *p = b->line->plan;

	return wb_db_build(b->db, wb_bisect_line_build(b->line, at, layout),
			   p->prefix[b->line->prefix[at]].tree.hex, row, err);
}

/* What wb run found out about this build counts here as well. */
static int recall_broken(struct wb_bisect_bench *b, int at, char **why,
			 struct wb_error *err)
{
	size_t l;

	for (l = 0; l < b->line->plan->layouts && !*why; l++)
		if (wb_db_broken(b->db, wb_bisect_line_build(b->line, at, l),
				 why, err) < 0)
			return -1;
	return *why != NULL;
}

int wb_bisect_bench_build(struct wb_bisect_bench *b, int at, double *seconds,
			  char **why, struct wb_error *err)
{
	const struct wb_plan *p = b->line->plan;
	struct wb_build_outcome o;
	int64_t row;
	size_t l;
	int r;

	*why = NULL;
	*seconds = 0;
	r = recall_broken(b, at, why, err);
	for (l = 0; l < p->layouts && !r; l++) {
		if (wb_build_make(p, b->line->prefix[at], l, b->git,
				  b->interrupt_fd, &o, err) < 0)
			return -1;
		*seconds += o.seconds;
		*why = o.broken;
		if (!o.broken)
			continue;
		r = row_of(b, at, l, &row, err);
		if (!r)
			r = wb_db_set_broken(b->db, row, o.broken, err);
		if (!r)
			r = 1;
	}
	return r;
}

/* ---- running ---- */

/* The builds that the trials of a block run on; they borrow it. */
static int locate(const struct wb_bisect_bench *b,
		  const struct wb_bisect_block *k, struct wb_build *build,
		  struct wb_error *err)
{
	size_t i;

	for (i = 0; i < k->n; i++)
		if (wb_build_locate(&build[i],
				    wb_bisect_line_build(b->line, k->at[i],
							 k->layout[i]),
				    k->layout[i], err) < 0 ||
		    wb_build_box(&build[i], b->line->plan, b->git, err) < 0)
			return -1;
	return 0;
}

static struct wb_trial make_trial(struct wb_bisect_bench *b, int at,
				  const struct wb_build *build)
{
	return (struct wb_trial){
		.plan = b->line->plan,
		.git = b->git,
		.bench = b->bench->config,
		.events = &b->bench->events,
		.prefix = b->line->prefix[at],
		.build = build,
		.cpu = b->cpu,
		.fifo = b->fifo,
		.counting = b->counting,
		.counter = b->bench->counter,
		.how = b->how,
		.seed = wb_schedule_random(&b->seed),
		.interrupt_fd = b->interrupt_fd,
		.env_size = &b->env_size,
	};
}

/* How a bench is counted is found out once, on the first build that is run. */
static int probe(struct wb_bisect_bench *b, int at,
		 const struct wb_build *build, struct wb_error *err)
{
	struct wb_trial t = make_trial(b, at, build);

	if (!b->counting || b->probed)
		return 0;
	b->probed = true;
	return wb_trial_probe(&t, &b->how, err);
}

static int run_trials(struct wb_bisect_bench *b,
		      const struct wb_bisect_block *k,
		      const struct wb_build *build, struct wb_trial_result *res,
		      struct wb_error *err)
{
	bool slices = b->bench->config->reader == WB_READER_SLICES &&
		      !b->counting, disturbed;
	struct wb_trial *t = wb_xcalloc(k->n, sizeof(*t));
	int ret = 0, signo;
	size_t i;

	for (i = 0; i < k->n; i++)
		t[i] = make_trial(b, k->at[i], &build[i]);
	if (slices)
		ret = wb_trial_slices(t, k->n, wb_schedule_random(&b->seed),
				      res, &disturbed, err);
	for (i = 0; i < k->n && !slices && !ret; i++) {
		signo = wb_proc_interrupted(b->interrupt_fd);
		ret = signo ? wb_proc_fail_interrupted(signo, err)
			    : wb_trial_run(&t[i], &res[i], err);
		if (!ret && b->fifo && !b->counting)
			wb_proc_sleep(FIFO_REST * res[i].wall,
				      b->interrupt_fd);
	}
	free(t);
	return ret;
}

static int keep(struct wb_bisect_bench *b, const struct wb_bisect_block *k,
		uint64_t seed, const struct wb_build *build,
		const struct wb_trial_result *res,
		const struct wb_db_mishap *mishap, struct wb_error *err)
{
	const char *boot = b->line->plan->machine.boot;
	int64_t round, row;
	size_t i;

	if (wb_db_round(b->db, b->row, b->machine, boot, seed, &round, err) < 0)
		return -1;
	for (i = 0; i < k->n; i++) {
		if (row_of(b, k->at[i], k->layout[i], &row, err) < 0)
			return -1;
		struct wb_db_run run = {
			.round = round,
			.build = row,
			.order = (int)i,
			.level = b->counting ? WB_LEVEL_I : WB_LEVEL_S,
			.reason = res[i].failure,
			.wall = res[i].wall,
			.cpu = res[i].cpu,
			.nivcsw = res[i].nivcsw,
			.usage = res[i].usage,
			.sample = res[i].sample,
			.nsamples = res[i].n,
			.open = !build[i].box,
			.counter = res[i].counter,
			.ncounters = res[i].ncounters,
		};
		if (wb_db_add_run(b->db, &run, err) < 0)
			return -1;
	}
	return wb_db_end_round(b->db, round, mishap, err);
}

/* Direction and unit that a bench does not say are in the configuration. */
static void add_sample(const struct wb_bisect_bench *b,
		       struct wb_bisect_block *k, size_t i,
		       const struct wb_db_sample *s)
{
	const struct wb_bench_config *c = b->bench->config;
	const char *unit = *s->unit || !c->unit ? s->unit : c->unit;
	struct wb_bisect_metric *m = wb_bisect_block_metric(k, s->metric, unit);

	m->better = s->better;
	if (m->better == WB_BETTER_UNKNOWN && c->better)
		wb_better_parse(c->better, &m->better);
	m->level = s->level != WB_LEVEL_UNKNOWN ? s->level
		 : b->counting ? WB_LEVEL_I : WB_LEVEL_S;
	m->exact = s->exact || m->level == WB_LEVEL_I;
	m->value[i] = s->value;
}

/* As rounds.c has it: what befell the machine meanwhile, or NULL. */
static const struct wb_db_mishap *end_watch(struct wb_bisect_bench *b,
					    struct wb_db_mishap *m)
{
	struct wb_mishap_end end;

	wb_mishap_end(&b->watch, b->cpu, (size_t)b->bench->config->cpus, &end);
	if (b->counting || end.what == WB_MISHAP_NONE)
		return NULL;
	if (end.news)
		wb_talk("%s: %s: %s", b->bench->config->name, end.why,
			end.discarded ? "the block is discarded" :
			"it is always so here, so blocks count all the same");
	*m = (struct wb_db_mishap){ wb_mishap_word(end.what), end.discarded };
	return m;
}

/* Once: 0, 1 with *hole, or -1. *again: it does not count. */
static int run_once(struct wb_bisect_bench *b, uint64_t seed,
		    struct wb_bisect_block *k, int *hole, char **why,
		    bool *again, struct wb_error *err)
{
	const struct wb_db_mishap *mishap;
	struct wb_db_mishap room;
	struct wb_trial_result *res = wb_xcalloc(k->n, sizeof(*res));
	struct wb_build *build = wb_xcalloc(k->n, sizeof(*build));
	double began = wb_proc_now();
	int ret = -1;
	size_t i, j;

	b->seed = seed;
	if (locate(b, k, build, err) < 0 ||
	    probe(b, k->at[0], &build[0], err) < 0)
		goto out;
	wb_mishap_begin(&b->watch, b->cpu, (size_t)b->bench->config->cpus);
	if (run_trials(b, k, build, res, err) < 0)
		goto out;
	mishap = end_watch(b, &room);
	if (keep(b, k, seed, build, res, mishap, err) < 0)
		goto out;
	*again = mishap && mishap->discarded;
	k->seconds = wb_proc_now() - began;
	ret = 0;
	for (i = 0; i < k->n && !ret && !*again; i++) {
		for (j = 0; j < res[i].n; j++)
			add_sample(b, k, i, &res[i].sample[j]);
		if (!res[i].failure)
			continue;
		*hole = k->at[i];
		*why = wb_xstrdup(res[i].failure);
		ret = 1;
	}
out:
	for (i = 0; i < k->n; i++) {
		wb_trial_result_clear(&res[i]);
		wb_build_clear(&build[i]);
	}
	free(res);
	free(build);
	return ret;
}

/* ---- what was run before wb was killed ---- */

struct recalled {
	const struct wb_bisect_bench *bench;
	struct wb_bisect_block *block;
	int last, *hole;
	char **why;
	bool other;		/* it is of other builds */
};

static void take_run(void *arg, int place, const char *build, double wall,
		     const char *reason, const struct wb_db_sample *s)
{
	struct recalled *r = arg;
	struct wb_bisect_block *k = r->block;

	r->other |= place < 0 || (size_t)place >= k->n ||
		    strcmp(build, wb_bisect_line_build(r->bench->line,
						       k->at[place],
						       k->layout[place]));
	if (r->other)
		return;
	if (s)
		add_sample(r->bench, k, (size_t)place, s);
	if (place != r->last)
		k->seconds += wall;
	r->last = place;
	if (!reason || *r->why)
		return;
	*r->hole = k->at[place];
	*r->why = wb_xstrdup(reason);
}

/* 0, 1 with *hole, -1; *there: the store has it. */
static int recall(struct wb_bisect_bench *b, uint64_t seed,
		  struct wb_bisect_block *k, int *hole, char **why, bool *there,
		  struct wb_error *err)
{
	struct recalled r = { b, k, -1, hole, why, false };
	int found = wb_db_round_runs(b->db, b->row, b->machine, seed, take_run,
				     &r, err);

	*there = found > 0 && !r.other;
	if (found > 0 && r.other)
		return wb_fail(err, WB_E_FATAL, "the store has this block with "
			       "other builds: 'wb bisect-perf --reset' begins "
			       "anew");
	return found < 0 ? -1 : *why != NULL;
}

int wb_bisect_bench_run(struct wb_bisect_bench *b, const int *at,
			const size_t *layout, size_t n, uint64_t seed,
			struct wb_bisect_block *out, int *hole, char **why,
			struct wb_error *err)
{
	bool there = false, again;
	int r = 1, attempt;

	*why = NULL;
	wb_bisect_block_init(out, at, layout, n);
	/* a block with a hole in it is no block: all of it again, once */
	for (attempt = 0; attempt < 2 && r == 1; attempt++) {
		free(*why);
		*why = NULL;
		wb_bisect_block_clear(out);
		wb_bisect_block_init(out, at, layout, n);
		seed = wb_schedule_random(&seed) >> 1;
		r = recall(b, seed, out, hole, why, &there, err);
		again = !there;
		while (!r && again)
			r = run_once(b, seed, out, hole, why, &again, err);
	}
	return r;
}

/* ---- a profile ---- */

static int profile_one(struct wb_bisect_bench *b, int at, size_t *env_size,
		       struct wb_count_how *how, struct wb_trial_result *out,
		       struct wb_error *err)
{
	struct wb_build build = { .dir = NULL };
	const char *id = wb_bisect_line_build(b->line, at, 0);
	struct wb_trial t;
	int ret = -1;

	if (wb_build_locate(&build, id, 0, err) < 0 ||
	    wb_build_box(&build, b->line->plan, b->git, err) < 0)
		goto out;
	t = make_trial(b, at, &build);
	t.counting = true;
	t.counter = WB_COUNTER_CALLGRIND;
	t.env_size = env_size;
	if (how->counter == WB_COUNTER_NONE && wb_trial_probe(&t, how, err) < 0)
		goto out;
	how->profile = wb_inclusive_all;
	t.how = *how;
	ret = wb_trial_run(&t, out, err);
	if (!ret && out->failure)
		ret = wb_fail(err, WB_E_JUDGE, "%s", out->failure);
out:
	wb_build_clear(&build);
	return ret;
}

int wb_bisect_bench_profile(struct wb_bisect_bench *b, int below, int at,
			    struct wb_trial_result *out, struct wb_error *err)
{
	struct wb_count_how how = { .counter = WB_COUNTER_NONE };
	size_t env_size = 0;

	if (!wb_path_program("valgrind"))
		return wb_fail(err, WB_E_JUDGE, "valgrind is not installed "
			       "(package valgrind)");
	if (profile_one(b, below, &env_size, &how, &out[0], err) < 0)
		return -1;
	return profile_one(b, at, &env_size, &how, &out[1], err);
}
