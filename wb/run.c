#include "run.h"
#include "campaign.h"
#include "cpuset.h"
#include "perf.h"
#include "proc.h"
#include "rounds.h"
#include "todo.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FIRST_ROUNDS 2		/* of each bench, before anything else */

static int pick_fifo(struct wb_campaign *c, struct wb_error *err)
{
	enum wb_fifo wish = c->p->config->fifo;
	bool can = wish != WB_FIFO_OFF && wb_proc_can_fifo();

	if (wish == WB_FIFO_ON && !can)
		return wb_fail(err, WB_E_FATAL, "wb.fifo is on, but SCHED_FIFO "
			       "is not allowed here: run as root, raise "
			       "RLIMIT_RTPRIO, or set wb.fifo to auto");
	/* on a machine with one CPU a real-time bench would starve wb */
	c->fifo = can && (wish == WB_FIFO_ON || c->p->machine.ncpus > 1);
	c->rest = wb_proc_fifo_rest();
	return 0;
}

/* Rows in the store for the machine and every build. */
static int enter_subjects(struct wb_campaign *c, struct wb_error *err)
{
	const struct wb_plan_prefix *pre;
	size_t i, l;

	if (wb_db_machine(c->db, c->p->machine.id, c->p->machine.facts,
			  &c->machine, err) < 0)
		return -1;
	for (i = 0; i < c->subjects.n; i++) {
		pre = &c->p->prefix[c->subjects.v[i].prefix];
		for (l = 0; l < c->p->layouts; l++)
			if (wb_db_build(c->db, pre->build[l], pre->tree.hex,
					&c->subjects.v[i].row[l], err) < 0)
				return -1;
	}
	return 0;
}

/* What was asked for and cannot be counted here: a line each. */
static void say_left_out(const struct wb_plan *p)
{
	const struct wb_plan_bench *b;
	const struct wb_strlist *l;
	const char *said = "";
	bool rusage = false;
	size_t i, k;

	for (i = 0; i < p->nbenches; i++) {
		b = &p->bench[i];
		l = &b->events.left_out;
		for (k = 0; k < l->n; k++)
			wb_talk("%s: %s", b->config->name, l->v[k]);
		rusage |= b->events.by_rusage;
		/* mostly the same for all */
		if ((b->config->level == WB_WISH_AUTO ||
		     b->config->level == WB_WISH_I) && b->uncounted &&
		    strcmp(said, b->uncounted)) {
			said = b->uncounted;
			wb_talk("%s", said);
		}
	}
	if (rusage)
		wb_talk("software events are not allowed to this user: faults "
			"and context switches come from rusage, migrations "
			"are not counted");
}

/* Whether perf can sample what somebody wants a profile of. */
static void pick_sampling(struct wb_campaign *c)
{
	bool wanted = false;
	char *why = NULL;
	size_t i;

	for (i = 0; i < c->p->nbenches; i++)
		wanted |= c->p->bench[i].config->profile != NULL;
	if (!wanted)
		return;
	c->sampled = wb_perf_available(&why);
	if (!c->sampled)
		wb_talk("profile: %s: shares are of instructions alone", why);
	free(why);
}

/* A round or two of each bench, counts, then the rounds everyone gets. */
static int measure_first(struct wb_campaign *c, struct wb_error *err)
{
	size_t rounds = c->o->rule.first, i;
	struct wb_wish first = {
		.rounds = rounds < FIRST_ROUNDS ? rounds : FIRST_ROUNDS,
		.control = true,
	}, counting = { .rounds = WB_COUNT_RUNS }, rest = first;

	rest.rounds = rounds;
	say_left_out(c->p);
	pick_sampling(c);
	for (i = 0; i < c->p->nbenches; i++)
		if (wb_rounds_run(c, i, false, &first, err) < 0)
			return -1;
	for (i = 0; i < c->p->nbenches; i++)
		if (wb_rounds_run(c, i, true, &counting, err) < 0)
			return -1;
	for (i = 0; i < c->p->nbenches; i++)
		if (wb_rounds_run(c, i, false, &rest, err) < 0)
			return -1;
	return 0;
}

/* To the next look of every bench. */
static int measure_to_look(struct wb_campaign *c, const struct wb_stop *stop,
			   struct wb_error *err)
{
	struct wb_wish wish = { .rounds = c->o->rule.first, .control = true };
	size_t i;

	for (i = 0; i < c->p->nbenches; i++) {
		wish.below = stop->next + i * stop->ncolumns;
		if (wb_rounds_run(c, i, false, &wish, err) < 0)
			return -1;
	}
	return 0;
}

static void say_why_it_ends(struct wb_campaign *c,
			    const struct wb_stop *stop)
{
	wb_progress_hide(&c->progress);
	if (stop->hopeless)
		wb_talk("%zu verdict%s known, %zu cannot be within %zu "
			"rounds (wb.max-rounds)", stop->known,
			stop->known == 1 ? "" : "s", stop->hopeless,
			c->o->rule.limit);
	else if (!stop->open && stop->known)
		wb_talk("every verdict that is judged is known");
}

/* For the line of progress; 0: only the next look can be told. */
static double when_known(const struct wb_todo *t)
{
	return wb_stop_is_few(&t->stop) ? 0 : wb_proc_now() + t->seconds;
}

/* Look, measure what is open, look again. */
static int measure_open(struct wb_campaign *c, struct wb_error *err)
{
	struct wb_todo todo;
	size_t before;
	bool more = true;
	int ret = 0;

	while (more && !ret && !c->out_of_time) {
		before = c->progress.done;
		ret = wb_todo_make(&todo, c->p, c->db, &c->o->rule, err);
		if (!ret && todo.seconds >= 0)
			c->expected = when_known(&todo);
		if (!ret)
			ret = measure_to_look(c, &todo.stop, err);
		/* what is open and yet makes no run was not asked for */
		more = c->progress.done > before;
		if (!ret && !more && !c->out_of_time)
			say_why_it_ends(c, &todo.stop);
		wb_todo_clear(&todo);
	}
	return ret;
}

/* What lies ahead, before the first run. */
static int say_forecast(struct wb_campaign *c, struct wb_error *err)
{
	char left[24], most[24];
	struct wb_todo todo;
	int ret = wb_todo_make(&todo, c->p, c->db, &c->o->rule, err);

	if (!ret && todo.runs + todo.counts && todo.seconds >= 0) {
		c->expected = when_known(&todo);
		if (wb_stop_is_few(&todo.stop) && !todo.stop.blind)
			wb_talk("forecast: %zu to %zu runs, %s to %s",
				todo.low.runs + todo.counts,
				todo.high.runs + todo.counts,
				wb_progress_duration(todo.low.seconds, left),
				wb_progress_duration(todo.high.seconds, most));
		else
			wb_talk("forecast: %s%zu runs, about %s",
				todo.stop.blind ? "at least " : "",
				todo.runs + todo.counts,
				wb_progress_duration(todo.seconds, left));
	}
	wb_todo_clear(&todo);
	return ret;
}

static int measure(struct wb_campaign *c, struct wb_error *err)
{
	if (say_forecast(c, err) < 0 || measure_first(c, err) < 0)
		return -1;
	return c->o->rule.limit > c->o->rule.first ? measure_open(c, err) : 0;
}

int wb_run(const struct wb_plan *p, struct wb_git *g, struct wb_db *db,
	   const struct wb_run_options *o, struct wb_error *err)
{
	struct wb_campaign c = { .p = p, .g = g, .db = db, .o = o };
	int ret = -1;

	c.began = wb_proc_now();
	c.seed = (uint64_t)time(NULL) * 1000003u ^ (uint64_t)(c.began * 1e9);
	wb_progress_start(&c.progress, o->quiet);
	wb_proc_randomize();
	if ((p->config->cpuset &&
	     wb_cpuset_read(p->config->cpuset, &c.aside, err) < 0) ||
	    wb_subjects_load(&c.subjects, p, o->only, db, err) < 0 ||
	    enter_subjects(&c, err) < 0 || pick_fifo(&c, err) < 0 ||
	    wb_campaign_build(&c, err) < 0)
		goto out;
	c.dead = wb_xcalloc(p->nbenches * c.subjects.n, sizeof(*c.dead));
	c.nth = wb_xcalloc(p->nbenches, sizeof(*c.nth));
	if (measure(&c, err) < 0)
		goto out;
	if (o->out_of_time)
		*o->out_of_time = c.out_of_time;
	ret = 0;
out:
	wb_progress_hide(&c.progress);
	wb_subjects_clear(&c.subjects);
	wb_machine_clear(&c.aside);
	free(c.dead);
	free(c.nth);
	return ret;
}
