#include "run.h"
#include "build.h"
#include "count.h"
#include "proc.h"
#include "progress.h"
#include "schedule.h"
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FAILURES_MAX 2		/* in a row, then a build is left out */
/*
 * A SCHED_FIFO task may use 95 % of a second; with a rest of 6 % of each run
 * the throttle never falls into a measurement.
 */
#define FIFO_REST 0.06

/* A subject is a build; prefixes with one build id share it. */
struct subject {
	size_t prefix;		/* the first with this build */
	int64_t row;
	struct wb_build build;
	bool broken;
	int failures;		/* in a row, of the bench in hand */
};

struct run {
	const struct wb_plan *p;
	struct wb_git *g;
	struct wb_db *db;
	const struct wb_run_options *o;
	struct subject *subject;
	size_t nsubjects;
	long *of_prefix;	/* prefix -> subject, -1: does not apply */
	bool fifo;
	double began;
	double mean[2];		/* seconds a run: timing, counting */
	size_t nmean[2];
	struct wb_progress progress;
	int64_t machine;
	uint64_t seed;
	size_t env_size;	/* what every environment is padded to */
	bool out_of_time;
};

/* One bench of the plan, as far as this call has come with it. */
struct session {
	struct run *r;
	const struct wb_plan_bench *bench;
	int64_t row;
	bool counting;
	bool whole;		/* counting: no marks, the whole run counts */
	struct wb_schedule sched;
	int cpu[4096];
};

static double elapsed(const struct run *r)
{
	return wb_proc_now() - r->began;
}

static bool wanted_prefix(const struct run *r, size_t k)
{
	return !r->o->only || r->o->only[k];
}

/* ---- subjects -------------------------------------------------------------- */

static int find_subjects(struct run *r, struct wb_error *err)
{
	const struct wb_plan *p = r->p;
	struct subject *s;
	size_t k, i;

	r->subject = wb_xcalloc(p->stack.n, sizeof(*r->subject));
	r->of_prefix = wb_xcalloc(p->stack.n, sizeof(*r->of_prefix));
	for (k = 0; k < p->stack.n; k++) {
		r->of_prefix[k] = -1;
		if (!p->prefix[k].applies)
			continue;
		for (i = 0; i < r->nsubjects; i++)
			if (!strcmp(p->prefix[r->subject[i].prefix].build,
				    p->prefix[k].build))
				break;
		r->of_prefix[k] = (long)i;
		if (i < r->nsubjects)
			continue;
		s = &r->subject[r->nsubjects++];
		s->prefix = k;
		if (wb_build_locate(&s->build, p->prefix[k].build, err) < 0)
			return -1;
	}
	return 0;
}

static bool usable(const struct run *r, const struct wb_schedule *s, size_t k)
{
	long i = r->of_prefix[k];

	return i >= 0 && !r->subject[i].broken && !(s && s->dead[i]);
}

/*
 * The comparisons somebody will read: each wanted prefix with the nearest
 * good one below it, and with the base.
 */
static void set_pairs(const struct run *r, struct wb_schedule *s)
{
	size_t k, prev;

	s->npairs = 0;
	for (k = 0; k < r->p->stack.n; k++) {
		if (!wanted_prefix(r, k) || !usable(r, s, k))
			continue;
		wb_schedule_add_pair(s, (size_t)r->of_prefix[k],
				     (size_t)r->of_prefix[k]);
		for (prev = k; prev-- > 0;)
			if (usable(r, s, prev))
				break;
		if (prev == (size_t)-1)
			continue;
		wb_schedule_add_pair(s, (size_t)r->of_prefix[prev],
				     (size_t)r->of_prefix[k]);
		if (usable(r, s, 0))
			wb_schedule_add_pair(s, (size_t)r->of_prefix[0],
					     (size_t)r->of_prefix[k]);
	}
}

/* Whether some comparison of the call needs this subject. */
static bool needed(const struct run *r, size_t subject)
{
	struct wb_schedule s;
	bool hit = false;
	size_t i;

	wb_schedule_init(&s, r->nsubjects, 0);
	set_pairs(r, &s);
	for (i = 0; i < s.npairs && !hit; i++)
		hit = s.pair[i].a == subject || s.pair[i].b == subject;
	wb_schedule_clear(&s);
	return hit;
}

/* ---- builds ---------------------------------------------------------------- */

static int load_broken(struct run *r, struct wb_error *err)
{
	char *reason;
	size_t i;

	for (i = 0; i < r->nsubjects && r->db; i++) {
		if (wb_db_broken(r->db, r->p->prefix[r->subject[i].prefix].build,
				 &reason, err) < 0)
			return -1;
		r->subject[i].broken = reason != NULL;
		free(reason);
	}
	return 0;
}

static int build_one(struct run *r, size_t i, struct wb_error *err)
{
	struct subject *s = &r->subject[i];
	const char *name = r->p->stack.prefix[s->prefix].name;
	struct wb_build_outcome out;

	wb_progress_show(&r->progress, -1, "build %zu/%zu '%s'", s->prefix,
			 r->p->stack.n - 1, name);
	if (wb_build_make(r->p, s->prefix, r->g, r->o->interrupt_fd, &out,
			  err) < 0)
		return wb_fail_at(err, "prefix %zu '%s'", s->prefix, name);
	if (!out.broken)
		return 0;
	s->broken = true;
	wb_progress_hide(&r->progress);
	wb_talk("prefix %zu '%s' is broken, later ones go on: %s", s->prefix,
		name, out.broken);
	if (wb_db_set_broken(r->db, s->row, out.broken, err) < 0) {
		free(out.broken);
		return -1;
	}
	free(out.broken);
	return 0;
}

static bool over_budget(struct run *r, bool counting)
{
	if (r->o->budget > 0 &&
	    elapsed(r) + r->mean[counting] > r->o->budget)
		r->out_of_time = true;
	return r->out_of_time;
}

static int build_all(struct run *r, struct wb_error *err)
{
	size_t i, again;

	/* a broken build moves comparisons to another prefix below it */
	do {
		again = 0;
		for (i = 0; i < r->nsubjects; i++) {
			struct subject *s = &r->subject[i];

			if (s->broken || !needed(r, i) ||
			    wb_build_done(&s->build))
				continue;
			if (over_budget(r, false))
				return 0;
			if (build_one(r, i, err) < 0)
				return -1;
			again++;
		}
	} while (again);
	return 0;
}

/* ---- one run --------------------------------------------------------------- */

static int store(const struct session *s, const struct subject *sub,
		 int64_t round, int place, const struct wb_trial_result *res,
		 struct wb_error *err)
{
	struct wb_db_run run = {
		.round = round,
		.build = sub->row,
		.order = place,
		.level = s->counting ? WB_LEVEL_I : WB_LEVEL_S,
		.reason = res->failure,
		.wall = res->wall,
		.cpu = res->cpu,
		.nivcsw = res->nivcsw,
		.sample = res->sample,
		.nsamples = res->n,
	};

	return wb_db_add_run(s->r->db, &run, err);
}

static void learn_cost(struct run *r, bool counting, double seconds)
{
	size_t n = ++r->nmean[counting];

	r->mean[counting] += (seconds - r->mean[counting]) / (double)n;
}

static void note_failure(struct session *s, size_t i, const char *failure)
{
	struct run *r = s->r;
	struct subject *sub = &r->subject[i];

	wb_progress_hide(&r->progress);
	wb_talk("%s: prefix %zu '%s': %s", s->bench->config->name, sub->prefix,
		r->p->stack.prefix[sub->prefix].name, failure);
	if (++sub->failures >= FAILURES_MAX)
		s->sched.dead[i] = true;
}

/* One process of one build: run, read, store. -1 only when wb must stop. */
static int run_one(struct session *s, size_t i, int64_t round, int place,
		   uint64_t seed, struct wb_error *err)
{
	struct run *r = s->r;
	struct subject *sub = &r->subject[i];
	struct wb_trial t = {
		.plan = r->p,
		.git = r->g,
		.bench = s->bench->config,
		.prefix = sub->prefix,
		.build = &sub->build,
		.cpu = s->cpu,
		.fifo = r->fifo,
		.counting = s->counting,
		.seed = seed,
		.interrupt_fd = r->o->interrupt_fd,
		.env_size = &r->env_size,
		.whole = &s->whole,
	};
	struct wb_trial_result res;
	double began = wb_proc_now();
	int ret = -1;

	if (wb_trial_run(&t, &res, err) < 0 ||
	    store(s, sub, round, place, &res, err) < 0)
		goto out;
	if (res.failure) {
		note_failure(s, i, res.failure);
	} else {
		sub->failures = 0;
		wb_schedule_ran(&s->sched, i, (int)round);
	}
	learn_cost(r, s->counting, wb_proc_now() - began);
	if (r->fifo && !s->counting)
		wb_proc_sleep(FIFO_REST * res.wall, r->o->interrupt_fd);
	ret = 0;
out:
	wb_trial_result_clear(&res);
	return ret;
}

/* ---- rounds ---------------------------------------------------------------- */

static size_t wanted_rounds(const struct session *s)
{
	return s->counting ? WB_RUN_COUNTS : (size_t)s->r->o->rounds;
}

struct presence {
	struct wb_schedule *sched;
	enum wb_level level;
	double wall;
	size_t n;
};

static void note_presence(void *arg, int64_t round, size_t build,
			  enum wb_level level, double wall)
{
	struct presence *p = arg;

	if ((level == WB_LEVEL_I) != (p->level == WB_LEVEL_I))
		return;
	wb_schedule_ran(p->sched, build, (int)round);
	p->wall += wall;
	p->n++;
}

/* What the store already has of this bench goes into the schedule. */
static int load_presence(struct session *s, struct wb_error *err)
{
	struct run *r = s->r;
	const char **builds = wb_xcalloc(r->nsubjects, sizeof(*builds));
	struct presence p = {
		.sched = &s->sched,
		.level = s->counting ? WB_LEVEL_I : WB_LEVEL_S,
	};
	size_t i;
	int ret;

	for (i = 0; i < r->nsubjects; i++)
		builds[i] = r->p->prefix[r->subject[i].prefix].build;
	ret = wb_db_rounds(r->db, s->bench->id, r->p->machine.id, builds,
			   r->nsubjects, note_presence, &p, err);
	free(builds);
	if (!ret && p.n && !r->nmean[s->counting])
		r->mean[s->counting] = p.wall / (double)p.n;
	return ret;
}

static bool skip_level(const struct wb_bench_config *b, bool counting)
{
	return b->level == (counting ? WB_WISH_S : WB_WISH_I);
}

static int session_begin(struct session *s, struct run *r, size_t bench,
			 bool counting, struct wb_error *err)
{
	const struct wb_plan_bench *b = &r->p->bench[bench];
	size_t i;

	memset(s, 0, sizeof(*s));
	s->r = r;
	s->bench = b;
	s->counting = counting;
	for (i = 0; i < r->nsubjects; i++)
		r->subject[i].failures = 0;
	wb_schedule_init(&s->sched, r->nsubjects, r->seed + bench);
	set_pairs(r, &s->sched);
	return r->db ? load_presence(s, err) : 0;
}

static int run_round(struct session *s, size_t n, const size_t *order,
		     unsigned nth, struct wb_error *err)
{
	struct run *r = s->r;
	uint64_t seed = r->seed ^ ((uint64_t)nth << 20);
	double left;
	int64_t round;
	size_t i;
	int signo;

	if (wb_db_round(r->db, s->row, r->machine, r->p->machine.boot,
			s->sched.seed, &round, err) < 0)
		return -1;
	for (i = 0; i < n; i++) {
		signo = wb_proc_interrupted(r->o->interrupt_fd);
		if (signo)
			return wb_proc_fail_interrupted(signo, err);
		if (over_budget(r, s->counting))
			break;
		left = r->mean[s->counting] > 0 ? r->mean[s->counting] *
			(double)(r->progress.total - r->progress.done) : -1;
		wb_progress_show(&r->progress, left, "%s %s %u, '%s'",
				 s->bench->config->name,
				 s->counting ? "count" : "round", nth + 1,
				 r->p->stack.prefix[
					 r->subject[order[i]].prefix].name);
		if (run_one(s, order[i], round, (int)i,
			    wb_schedule_random(&seed), err) < 0)
			return -1;
		r->progress.done++;
	}
	return wb_db_end_round(r->db, round, err);
}

static int run_session(struct session *s, struct wb_error *err)
{
	const struct wb_bench_config *b = s->bench->config;
	struct run *r = s->r;
	size_t *order = wb_xcalloc(r->nsubjects, sizeof(*order));
	unsigned nth;
	int ret = -1;
	size_t n;

	if (wb_machine_pick(&r->p->machine, (size_t)b->cpus, s->cpu, err) < 0 ||
	    wb_db_bench(r->db, s->bench->id, b->name, b->command, &s->row,
			err) < 0)
		goto out;
	for (nth = 0; !r->out_of_time; nth++) {
		/* a build that died moved the comparisons above it */
		set_pairs(r, &s->sched);
		n = wb_schedule_next(&s->sched, wanted_rounds(s), nth, order);
		if (!n || nth >= 2 * wanted_rounds(s) + FAILURES_MAX)
			break;
		r->progress.total = r->progress.done +
			wb_schedule_left(&s->sched, wanted_rounds(s));
		if (run_round(s, n, order, nth, err) < 0)
			goto out;
	}
	ret = 0;
out:
	free(order);
	return ret;
}

static int run_bench(struct run *r, size_t bench, bool counting,
		     struct wb_error *err)
{
	struct session *s;
	int ret = -1;

	if (skip_level(r->p->bench[bench].config, counting))
		return 0;
	s = wb_xmalloc(sizeof(*s));
	if (!session_begin(s, r, bench, counting, err))
		ret = run_session(s, err);
	wb_schedule_clear(&s->sched);
	free(s);
	return ret;
}

/* ---- the whole call -------------------------------------------------------- */

static bool wants_counts(const struct wb_plan *p)
{
	size_t i;

	for (i = 0; i < p->nbenches; i++)
		if (p->bench[i].config->level != WB_WISH_S)
			return true;
	return false;
}

static int pick_fifo(struct run *r, struct wb_error *err)
{
	enum wb_fifo wish = r->p->config->fifo;
	bool can = wish != WB_FIFO_OFF && wb_proc_can_fifo();

	if (wish == WB_FIFO_ON && !can)
		return wb_fail(err, WB_E_FATAL, "wb.fifo is on, but SCHED_FIFO "
			       "is not allowed here: run as root, raise "
			       "RLIMIT_RTPRIO, or set wb.fifo to auto");
	/* on a machine with one CPU a real-time bench would starve wb */
	r->fifo = can && (wish == WB_FIFO_ON || r->p->machine.ncpus > 1);
	return 0;
}

static int enter_subjects(struct run *r, struct wb_error *err)
{
	size_t i;

	if (wb_db_machine(r->db, r->p->machine.id, r->p->machine.facts,
			  &r->machine, err) < 0)
		return -1;
	for (i = 0; i < r->nsubjects; i++)
		if (wb_db_build(r->db,
				r->p->prefix[r->subject[i].prefix].build,
				r->p->prefix[r->subject[i].prefix].tree.hex,
				&r->subject[i].row, err) < 0)
			return -1;
	return 0;
}

static void clear(struct run *r)
{
	size_t i;

	for (i = 0; i < r->nsubjects; i++)
		wb_build_clear(&r->subject[i].build);
	free(r->subject);
	free(r->of_prefix);
}

int wb_run(const struct wb_plan *p, struct wb_git *g, struct wb_db *db,
	   const struct wb_run_options *o, struct wb_error *err)
{
	struct run r = { .p = p, .g = g, .db = db, .o = o };
	bool counts = wb_count_available();
	int ret = -1;
	size_t i;

	r.began = wb_proc_now();
	r.seed = (uint64_t)time(NULL) * 1000003u ^
		 (uint64_t)(r.began * 1e9);
	wb_progress_start(&r.progress, o->quiet);
	if (find_subjects(&r, err) < 0 || enter_subjects(&r, err) < 0 ||
	    load_broken(&r, err) < 0 || pick_fifo(&r, err) < 0 ||
	    build_all(&r, err) < 0)
		goto out;
	if (!counts && wants_counts(p))
		wb_talk("no valgrind: instruction counts are left out "
			"(package valgrind)");
	for (i = 0; i < p->nbenches && counts; i++)
		if (run_bench(&r, i, true, err) < 0)
			goto out;
	for (i = 0; i < p->nbenches; i++)
		if (run_bench(&r, i, false, err) < 0)
			goto out;
	if (r.out_of_time) {
		wb_progress_hide(&r.progress);
		wb_talk("the budget of %g s is used up; 'wb status' shows what "
			"is left", o->budget);
	}
	ret = 0;
out:
	wb_progress_hide(&r.progress);
	clear(&r);
	return ret;
}

int wb_run_status(const struct wb_plan *p, struct wb_db *db,
		  const struct wb_run_options *o, struct wb_run_state *state,
		  struct wb_run_todo *todo, struct wb_error *err)
{
	struct run r = { .p = p, .db = db, .o = o };
	bool counts = wb_count_available();
	struct session *s = NULL;
	size_t i, k, n, *have;
	int counting, ret = -1;

	memset(todo, 0, sizeof(*todo));
	if (find_subjects(&r, err) < 0 || load_broken(&r, err) < 0)
		goto out;
	s = wb_xmalloc(sizeof(*s));
	for (k = 0; k < p->stack.n; k++) {
		if (r.of_prefix[k] < 0)
			continue;
		state[k].broken = r.subject[r.of_prefix[k]].broken;
		state[k].built = wb_build_done(&r.subject[r.of_prefix[k]].build);
		state[k].rounds = state[k].counts = SIZE_MAX;
	}
	for (i = 0; i < r.nsubjects; i++)
		todo->builds += !r.subject[i].broken && needed(&r, i) &&
				!wb_build_done(&r.subject[i].build);
	for (i = 0; i < 2 * p->nbenches; i++) {
		counting = i % 2;
		if (skip_level(p->bench[i / 2].config, counting) ||
		    (counting && !counts))
			continue;
		if (session_begin(s, &r, i / 2, counting, err) < 0) {
			wb_schedule_clear(&s->sched);
			goto out;
		}
		n = wb_schedule_left(&s->sched, wanted_rounds(s));
		*(counting ? &todo->counts : &todo->runs) += n;
		if (n && r.mean[counting] <= 0)
			todo->seconds = -1;
		else if (todo->seconds >= 0)
			todo->seconds += (double)n * r.mean[counting];
		for (k = 0; k < p->stack.n; k++) {
			if (r.of_prefix[k] < 0)
				continue;
			have = counting ? &state[k].counts : &state[k].rounds;
			if (*have > s->sched.nrounds[r.of_prefix[k]])
				*have = s->sched.nrounds[r.of_prefix[k]];
		}
		wb_schedule_clear(&s->sched);
	}
	ret = 0;
out:
	free(s);
	clear(&r);
	return ret;
}
