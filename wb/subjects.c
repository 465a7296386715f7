#include "subjects.h"

#include <stdlib.h>
#include <string.h>

static size_t find_build(const struct wb_subjects *s, const char *build)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->plan->prefix[s->v[i].prefix].build[0],
			    build))
			break;
	return i;
}

static int load_broken(struct wb_subjects *s, struct wb_db *db,
		       struct wb_error *err)
{
	size_t i, l, layouts = s->plan->layouts;
	char *reason;

	for (i = 0; i < s->n * layouts && db; i++) {
		l = i % layouts;
		if (wb_db_broken(db, s->plan->prefix[s->v[i / layouts].prefix]
				 .build[l], &reason, err) < 0)
			return -1;
		s->v[i / layouts].broken |= reason != NULL;
		free(reason);
	}
	return 0;
}

static int add_subject(struct wb_subjects *s, size_t prefix,
		       struct wb_error *err)
{
	struct wb_subject *sub = &s->v[s->n++];
	size_t l;

	sub->prefix = prefix;
	sub->row = wb_xcalloc(s->plan->layouts, sizeof(*sub->row));
	sub->build = wb_xcalloc(s->plan->layouts, sizeof(*sub->build));
	for (l = 0; l < s->plan->layouts; l++)
		if (wb_build_locate(&sub->build[l],
				    s->plan->prefix[prefix].build[l], l,
				    err) < 0)
			return -1;
	return 0;
}

int wb_subjects_load(struct wb_subjects *s, const struct wb_plan *p,
		     const bool *only, struct wb_db *db, struct wb_error *err)
{
	size_t k, i;

	memset(s, 0, sizeof(*s));
	s->plan = p;
	s->only = only;
	s->v = wb_xcalloc(p->stack.n, sizeof(*s->v));
	s->of_prefix = wb_xcalloc(p->stack.n, sizeof(*s->of_prefix));
	for (k = 0; k < p->stack.n; k++) {
		s->of_prefix[k] = -1;
		if (!p->prefix[k].applies)
			continue;
		i = find_build(s, p->prefix[k].build[0]);
		s->of_prefix[k] = (long)i;
		if (i == s->n && add_subject(s, k, err) < 0)
			return -1;
	}
	return load_broken(s, db, err);
}

void wb_subjects_clear(struct wb_subjects *s)
{
	size_t i, l;

	for (i = 0; i < s->n; i++) {
		for (l = 0; l < s->plan->layouts; l++)
			wb_build_clear(&s->v[i].build[l]);
		free(s->v[i].build);
		free(s->v[i].row);
	}
	free(s->v);
	free(s->of_prefix);
	memset(s, 0, sizeof(*s));
}

size_t wb_subjects_unbuilt(const struct wb_subjects *s, size_t i)
{
	size_t l, n = 0;

	for (l = 0; l < s->plan->layouts; l++)
		n += !wb_build_done(&s->v[i].build[l]);
	return n;
}

static bool usable(const struct wb_subjects *s, const struct wb_schedule *sched,
		   size_t k)
{
	long i = s->of_prefix[k];

	return i >= 0 && !s->v[i].broken && !sched->dead[i];
}

static long lowest(const struct wb_subjects *s, const struct wb_schedule *sched)
{
	size_t k;

	for (k = 0; k < s->plan->stack.n; k++)
		if (usable(s, sched, k))
			return s->of_prefix[k];
	return -1;
}

void wb_subjects_pair(const struct wb_subjects *s, const struct wb_wish *w,
		      struct wb_schedule *sched)
{
	size_t k, prev, me;

	sched->npairs = 0;
	sched->twin_of = w->control ? lowest(s, sched) : -1;
	for (k = 0; k < s->plan->stack.n; k++) {
		if ((s->only && !s->only[k]) || !usable(s, sched, k))
			continue;
		me = (size_t)s->of_prefix[k];
		wb_schedule_add_pair(sched, me, me, w->rounds);
		for (prev = k; prev-- > 0;)
			if (usable(s, sched, prev))
				break;
		if (prev == (size_t)-1)
			continue;
		wb_schedule_add_pair(sched, (size_t)s->of_prefix[prev], me,
				     w->below ? w->below[k] : w->rounds);
		if (usable(s, sched, 0))
			wb_schedule_add_pair(sched, (size_t)s->of_prefix[0],
					     me, w->rounds);
	}
}

bool wb_subjects_needed(const struct wb_subjects *s, size_t i)
{
	struct wb_schedule sched;
	bool hit = false;
	size_t p;

	wb_schedule_init(&sched, s->n, 0);
	wb_subjects_pair(s, &(struct wb_wish){ .rounds = 1 }, &sched);
	for (p = 0; p < sched.npairs && !hit; p++)
		hit = sched.pair[p].a == i || sched.pair[p].b == i;
	wb_schedule_clear(&sched);
	return hit;
}

struct history {
	struct wb_schedule *sched;
	bool counting;
	const struct wb_events *events;	/* that a run must have counted */
	size_t layouts;
	size_t *failed;		/* by subject */
	double wall;
	size_t n;
};

static void note_run(void *arg, const struct wb_db_past *run)
{
	struct history *h = arg;
	size_t i = run->build / h->layouts;

	if ((run->level == WB_LEVEL_I) != h->counting)
		return;
	if (run->failed) {
		h->failed[i] += !run->control;
		return;
	}
	/* a run from before an event was asked for does not show it */
	if (!run->control && wb_events_counted(h->events, run->counters))
		wb_schedule_ran(h->sched, i, (int)run->round);
	h->wall += run->wall;
	h->n++;
}

int wb_subjects_schedule(const struct wb_subjects *s, struct wb_db *db,
			 const struct wb_plan_bench *bench, bool counting,
			 const struct wb_wish *w, struct wb_schedule *sched,
			 double *mean,
			 struct wb_error *err)
{
	size_t layouts = s->plan->layouts, n = s->n * layouts;
	const char **builds = wb_xcalloc(n, sizeof(*builds));
	struct history h = {
		.sched = sched,
		.counting = counting,
		.events = counting ? NULL : &bench->events,
		.layouts = layouts,
		.failed = wb_xcalloc(s->n, sizeof(*h.failed)),
	};
	size_t i;
	int ret = 0;

	for (i = 0; i < n; i++)
		builds[i] = s->plan->prefix[s->v[i / layouts].prefix]
				    .build[i % layouts];
	if (db)
		ret = wb_db_rounds(db, wb_plan_bench_id(bench, counting),
				   s->plan->machine.id, builds, n, note_run,
				   &h, err);
	for (i = 0; i < s->n && counting; i++)
		sched->dead[i] |= h.failed[i] >= WB_FAILURES_MAX &&
				  !sched->nrounds[i];
	if (h.n)
		*mean = h.wall / (double)h.n;
	wb_subjects_pair(s, w, sched);
	free(h.failed);
	free(builds);
	return ret;
}

bool wb_subjects_skip(const struct wb_plan_bench *bench, bool counting)
{
	enum wb_level_wish level = bench->config->level;

	if (!counting)
		return level == WB_WISH_I;
	return level == WB_WISH_S || level == WB_WISH_H ||
	       bench->counter == WB_COUNTER_NONE;
}
