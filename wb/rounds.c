#include "rounds.h"
#include "proc.h"
#include "trial-slices.h"

#include <stdlib.h>
#include <string.h>

#define PAUSES_MAX 4		/* of 1, 2, 4 ... seconds */
#define MAX_CPUS 4096		/* as config.c allows */

/* The runs of one kind (timing or counting) of one bench in a campaign. */
struct session {
	struct wb_campaign *c;
	const struct wb_plan_bench *bench;
	int64_t row;
	bool counting;
	struct wb_count_how how;	/* of counting runs */
	struct wb_wish wish;
	size_t layout;		/* of all builds in this round */
	struct wb_schedule sched;
	double mean;		/* seconds a run; below 0: not known */
	size_t nmean;
	bool remarked;		/* the reader's remark was passed on */
	int pauses;		/* for another real-time task */
	unsigned discarded;	/* rounds, for what befell the machine */
	int cpu[MAX_CPUS];
};

/* ---- one run ------------------------------------------------------------- */

/* The build behind a number of the schedule: its own, or that of the twin. */
static size_t subject_of(const struct session *s, size_t i)
{
	return i < s->sched.n ? i : (size_t)s->sched.twin_of;
}

static struct wb_db_run to_store(const struct session *s, size_t i, int place,
				 const struct wb_trial_result *res)
{
	return (struct wb_db_run){
		.build = s->c->subjects.v[subject_of(s, i)].row[s->layout],
		.control = i == s->sched.n,
		.open = !s->c->subjects.v[subject_of(s, i)]
				.build[s->layout].box,
		.order = place,
		.level = s->counting ? WB_LEVEL_I : WB_LEVEL_S,
		.reason = res->failure,
		.wall = res->wall,
		.cpu = res->cpu,
		.nivcsw = res->nivcsw,
		.usage = res->usage,
		.sample = res->sample,
		.nsamples = res->n,
		.counter = res->counter,
		.ncounters = res->ncounters,
	};
}

static void learn_cost(struct session *s, double seconds)
{
	if (!s->nmean++)
		s->mean = seconds;
	else
		s->mean += (seconds - s->mean) / (double)s->nmean;
}

/*
 * What a run that ended means for the schedule. One of the twin means nothing:
 * its build has a run of its own in the same round, and must not fail "twice
 * in a row" in one round.
 */
static void note_end(struct session *s, size_t i, int64_t round,
		     const char *failure)
{
	struct wb_campaign *c = s->c;
	struct wb_subject *sub = &c->subjects.v[subject_of(s, i)];
	bool twin = i == s->sched.n;

	if (!failure && !twin) {
		sub->failures = 0;
		wb_schedule_ran(&s->sched, i, (int)round);
	}
	if (!failure)
		return;
	wb_progress_hide(&c->progress);
	wb_talk("%s: prefix %zu '%s'%s: %s", s->bench->config->name,
		sub->prefix, c->p->stack.prefix[sub->prefix].name,
		twin ? " as its own control" : "", failure);
	if (!twin && ++sub->failures >= WB_FAILURES_MAX)
		s->sched.dead[i] = true;
}

static struct wb_trial make_trial(const struct session *s, size_t i,
				  uint64_t seed)
{
	struct wb_campaign *c = s->c;
	const struct wb_subject *sub = &c->subjects.v[i];

	return (struct wb_trial){
		.plan = c->p,
		.git = c->g,
		.bench = s->bench->config,
		.events = &s->bench->events,
		.prefix = sub->prefix,
		.build = &sub->build[s->layout],
		.cpu = s->cpu,
		.fifo = c->fifo,
		.counting = s->counting,
		.counter = s->bench->counter,
		.sampled = c->sampled,
		.how = s->how,
		.seed = seed,
		.interrupt_fd = c->o->interrupt_fd,
		.env_size = &c->env_size,
	};
}

/* The box of a build is made when it is first run. */
static int enter(const struct session *s, size_t i, struct wb_error *err)
{
	struct wb_campaign *c = s->c;
	struct wb_subject *sub = &c->subjects.v[i];

	return wb_build_box(&sub->build[s->layout], c->p, c->g, err);
}

/* One process of one build: run, read, store. -1 only when wb must stop. */
static int run_one(struct session *s, size_t i, int64_t round, int place,
		   uint64_t seed, struct wb_error *err)
{
	struct wb_campaign *c = s->c;
	struct wb_trial t = make_trial(s, subject_of(s, i), seed);
	struct wb_trial_result res;
	struct wb_db_run run;
	double began = wb_proc_now();
	int ret = -1;

	if (enter(s, subject_of(s, i), err) < 0)
		return -1;
	if (wb_trial_run(&t, &res, err) < 0)
		goto out;
	run = to_store(s, i, place, &res);
	run.round = round;
	if (wb_db_add_run(c->db, &run, err) < 0)
		goto out;
	note_end(s, i, round, res.failure);
	if (res.remark && !s->remarked) {
		s->remarked = true;
		wb_progress_hide(&c->progress);
		wb_talk("%s: %s", s->bench->config->name, res.remark);
	}
	learn_cost(s, wb_proc_now() - began);
	if (c->fifo && !s->counting)
		wb_proc_sleep(c->rest * res.wall, c->o->interrupt_fd);
	ret = 0;
out:
	wb_trial_result_clear(&res);
	return ret;
}

/* ---- rounds -------------------------------------------------------------- */

static void show_progress(struct session *s, size_t i, unsigned nth)
{
	struct wb_campaign *c = s->c;
	size_t left = c->progress.total - c->progress.done;
	double seconds = s->mean >= 0 ? s->mean * (double)left : -1;
	size_t prefix = c->subjects.v[subject_of(s, i)].prefix;

	/* the look ahead is not the end */
	if (seconds >= 0 && c->expected - wb_proc_now() > seconds)
		seconds = c->expected - wb_proc_now();
	wb_progress_show(&c->progress, seconds,
			 "%s %s %u, '%s'", s->bench->config->name,
			 s->counting ? "count" : "round", nth + 1,
			 c->p->stack.prefix[prefix].name);
}

static void begin_watch(struct session *s)
{
	wb_mishap_begin(&s->c->watch, s->cpu, (size_t)s->bench->config->cpus);
}

/*
 * What befell the machine in a round, for the store; NULL: nothing, or nothing
 * that a count would notice.
 */
static const struct wb_db_mishap *end_watch(struct session *s,
					    struct wb_db_mishap *m)
{
	struct wb_mishap_end end;

	wb_mishap_end(&s->c->watch, s->cpu, (size_t)s->bench->config->cpus,
		      &end);
	if (s->counting || end.what == WB_MISHAP_NONE)
		return NULL;
	if (end.news) {
		wb_progress_hide(&s->c->progress);
		wb_talk("%s: %s: %s", s->bench->config->name, end.why,
			end.discarded ? "the round is discarded" :
			"it is always so here, so rounds count all the same");
	}
	s->discarded += end.discarded;
	*m = (struct wb_db_mishap){ wb_mishap_word(end.what), end.discarded };
	return m;
}

/* What the trials of a round gave goes to the store in one go. */
static int keep_round(struct session *s, size_t n, const size_t *order,
		      const struct wb_trial_result *res,
		      const struct wb_db_mishap *mishap, struct wb_error *err)
{
	struct wb_campaign *c = s->c;
	struct wb_db_run *run = wb_xcalloc(n, sizeof(*run));
	size_t i;
	int ret;

	for (i = 0; i < n; i++)
		run[i] = to_store(s, order[i], (int)i, &res[i]);
	ret = wb_db_add_round(c->db, s->row, c->machine, c->p->machine.boot,
			      s->sched.seed, run, n, mishap, err);
	for (i = 0; i < n && !ret; i++) {
		if (!mishap || !mishap->discarded)
			note_end(s, order[i], run[i].round, res[i].failure);
		learn_cost(s, res[i].wall);
		c->progress.done++;
	}
	free(run);
	return ret;
}

/*
 * A round in lockstep. One that another real-time task disturbed is not kept
 * but repeated after a pause, which grows; when that does not help it counts
 * as it is, for the task may stay for ever.
 */
static int run_slices(struct session *s, size_t n, const size_t *order,
		      unsigned nth, uint64_t seed, struct wb_error *err)
{
	struct wb_trial_result *res = wb_xcalloc(n, sizeof(*res));
	struct wb_trial *t = wb_xcalloc(n, sizeof(*t));
	int signo = wb_proc_interrupted(s->c->o->interrupt_fd), ret = -1;
	const struct wb_db_mishap *mishap;
	struct wb_db_mishap room;
	bool disturbed;
	size_t i;

	for (i = 0; i < n; i++) {
		if (enter(s, subject_of(s, order[i]), err) < 0)
			goto out;
		t[i] = make_trial(s, subject_of(s, order[i]),
				  wb_schedule_random(&seed));
	}
	show_progress(s, order[0], nth);
	begin_watch(s);
	if (signo)
		wb_proc_fail_interrupted(signo, err);
	else
		ret = wb_trial_slices(t, n, seed, res, &disturbed, err);
	mishap = end_watch(s, &room);
	if (!ret && disturbed && s->pauses < PAUSES_MAX) {
		wb_progress_hide(&s->c->progress);
		wb_talk("%s: another real-time task interrupts slices on CPU "
			"%d; the round is repeated in %d s",
			s->bench->config->name, s->cpu[0], 1 << s->pauses);
		wb_proc_sleep(1 << s->pauses++, s->c->o->interrupt_fd);
	} else if (!ret) {
		ret = keep_round(s, n, order, res, mishap, err);
	}
out:
	for (i = 0; i < n; i++)
		wb_trial_result_clear(&res[i]);
	free(res);
	free(t);
	return ret;
}

/*
 * Rounds go through the layouts in turn, each the same for all builds: what
 * two builds have in common then lies in the same places, and each layout
 * gives differences of its own. Instructions are the same in any layout.
 */
static size_t next_layout(const struct session *s, size_t n,
			  const size_t *order)
{
	size_t i, k, most = 0;

	for (i = 0; i < n; i++) {
		k = subject_of(s, order[i]);
		if (most < s->sched.nrounds[k])
			most = s->sched.nrounds[k];
	}
	return s->counting ? 0 : most % s->c->p->layouts;
}

static int run_round(struct session *s, size_t n, const size_t *order,
		     unsigned nth, struct wb_error *err)
{
	const struct wb_db_mishap *mishap;
	struct wb_campaign *c = s->c;
	struct wb_db_mishap room;
	uint64_t seed = s->sched.seed ^ ((uint64_t)nth << 20);
	int64_t round;
	size_t i;
	int signo;

	s->layout = next_layout(s, n, order);
	if (s->bench->config->reader == WB_READER_SLICES && !s->counting)
		return run_slices(s, n, order, nth, seed, err);
	if (wb_db_round(c->db, s->row, c->machine, c->p->machine.boot,
			s->sched.seed, &round, err) < 0)
		return -1;
	begin_watch(s);
	for (i = 0; i < n; i++) {
		if (wb_campaign_over_budget(c, s->mean))
			break;
		signo = wb_proc_interrupted(c->o->interrupt_fd);
		if (signo)
			return wb_proc_fail_interrupted(signo, err);
		show_progress(s, order[i], nth);
		if (run_one(s, order[i], round, (int)i,
			    wb_schedule_random(&seed), err) < 0)
			return -1;
		c->progress.done++;
	}
	mishap = end_watch(s, &room);
	if (mishap && mishap->discarded)
		wb_schedule_forget(&s->sched, (int)round);
	return wb_db_end_round(c->db, round, mishap, err);
}

/*
 * A bench is counted in one mode. The lowest build that can run decides, so
 * that a later call decides the same.
 */
static int find_mode(struct session *s, struct wb_error *err)
{
	struct wb_trial t;
	size_t i;

	if (!s->counting || !wb_schedule_left(&s->sched))
		return 0;
	for (i = 0; i < s->c->subjects.n; i++)
		if (!s->sched.dead[i] &&
		    wb_build_done(&s->c->subjects.v[i].build[0]))
			break;
	if (i == s->c->subjects.n)
		return 0;
	if (enter(s, i, err) < 0)
		return -1;
	t = make_trial(s, i, s->sched.seed);
	return wb_trial_probe(&t, &s->how, err);
}

/* Rounds that the most demanding comparison wants. */
static unsigned most_wanted(const struct session *s)
{
	size_t i, most = 0;

	for (i = 0; i < s->sched.npairs; i++)
		if (most < s->sched.pair[i].wanted)
			most = s->sched.pair[i].wanted;
	return (unsigned)most;
}

static int run_rounds(struct session *s, struct wb_error *err)
{
	const struct wb_bench_config *b = s->bench->config;
	struct wb_campaign *c = s->c;
	size_t *order = wb_xcalloc(c->subjects.n + 1, sizeof(*order)), n;
	unsigned *nth = &c->nth[s->bench - c->p->bench][s->counting];
	unsigned limit = *nth + 2 * most_wanted(s) + WB_FAILURES_MAX;
	int ret = -1;

	if (wb_machine_pick(c->aside.ncpus ? &c->aside : &c->p->machine,
			    (size_t)b->cpus, s->cpu, err) < 0) {
		/* this bench cannot run here; the others can */
		wb_progress_hide(&c->progress);
		wb_warn("%s: left out: %s", b->name, err->msg);
		wb_error_clear(err);
		ret = 0;
		goto out;
	}
	if (wb_db_bench(c->db, wb_plan_bench_id(s->bench, s->counting),
			b->name, b->command, &s->row, err) < 0 ||
	    find_mode(s, err) < 0)
		goto out;
	/*
	 * The limit ends a bench that fails now and then, but not twice. At
	 * most four rounds are discarded for one that counts.
	 */
	for (; *nth < limit + s->discarded; ++*nth) {
		if (wb_campaign_over_budget(c, s->mean))
			break;
		/* a build that died moved the comparisons above it */
		wb_subjects_pair(&c->subjects, &s->wish, &s->sched);
		n = wb_schedule_next(&s->sched, *nth, order);
		if (!n)
			break;
		c->progress.total = c->progress.done +
			wb_schedule_left(&s->sched);
		if (run_round(s, n, order, *nth, err) < 0)
			goto out;
	}
	ret = 0;
out:
	free(order);
	return ret;
}

int wb_rounds_run(struct wb_campaign *c, size_t bench, bool counting,
		  const struct wb_wish *wish, struct wb_error *err)
{
	const struct wb_plan_bench *b = &c->p->bench[bench];
	size_t n = c->subjects.n, i;
	bool *dead = &c->dead[bench * n];
	struct session *s;
	int ret = -1;

	if (wb_subjects_skip(b, counting) || c->out_of_time)
		return 0;
	s = wb_xcalloc(1, sizeof(*s));
	s->c = c;
	s->bench = b;
	s->counting = counting;
	s->wish = *wish;
	s->mean = -1;
	for (i = 0; i < n; i++)
		c->subjects.v[i].failures = 0;
	wb_schedule_init(&s->sched, n, c->seed + 2 * bench + counting);
	if (!counting)
		memcpy(s->sched.dead, dead, n * sizeof(*dead));
	if (!wb_subjects_schedule(&c->subjects, c->db, b, counting, wish,
				  &s->sched, &s->mean, err))
		ret = run_rounds(s, err);
	if (!counting)
		memcpy(dead, s->sched.dead, n * sizeof(*dead));
	wb_schedule_clear(&s->sched);
	free(s);
	return ret;
}
