#include "events.h"
#include "buf.h"

#include <stdlib.h>
#include <string.h>

#define TASK_CLOCK "task-clock"
#define FAULTS "page-faults"
#define MIGRATIONS "cpu-migrations"
static const char *const always[] = {
	TASK_CLOCK, FAULTS, "context-switches", MIGRATIONS,
};

#define ALWAYS (sizeof(always) / sizeof(*always))
#define WANTED_MAX ((int)(WB_PMU_MAX - ALWAYS))

/* What level = H counts when it is not told. */
static const char of_level_h[] = "instructions:u cycles:u";

static void add_line(struct wb_strlist *l, char *line)
{
	l->v = wb_grow(l->v, l->n, &l->cap, sizeof(*l->v));
	l->v[l->n++] = line;
}

static long find(const struct wb_events *events, const char *name)
{
	size_t i;

	for (i = 0; i < events->n; i++)
		if (!strcmp(events->v[i].name, name))
			return (long)i;
	return -1;
}

/* One event that was asked for, or the line that says why it is not there. */
static int add_wanted(struct wb_events *events, const char *name,
		      struct wb_error *err)
{
	struct wb_pmu_event e;
	bool narrowed = false;

	if (wb_pmu_encode(name, &e, err) < 0 ||
	    wb_pmu_try(&e, &narrowed, err) < 0) {
		if (err->kind != WB_E_JUDGE)
			return -1;
		add_line(&events->left_out,
			 wb_xasprintf("%s: left out", err->msg));
		/* the other events may open */
		wb_error_clear(err);
		return 0;
	}
	if (narrowed)
		add_line(&events->left_out,
			 wb_xasprintf("'%s' is counted as '%s': this user may "
				      "not count the kernel "
				      "(kernel.perf_event_paranoid)", name,
				      e.name));
	if (find(events, e.name) >= 0)
		return 0;
	if ((int)events->n == WANTED_MAX)
		return wb_fail(err, WB_E_USAGE, "more than %d events",
			       WANTED_MAX);
	events->v[events->n++] = e;
	return 0;
}

static int add_all_wanted(struct wb_events *events, const char *names,
			  struct wb_error *err)
{
	static const char between[] = " \t\n,";
	char *name;
	size_t n;
	int rc = 0;

	for (; !rc && *names; names += n) {
		names += strspn(names, between);
		n = strcspn(names, between);
		if (!n)
			break;
		name = wb_xstrndup(names, n);
		rc = add_wanted(events, name, err);
		free(name);
	}
	return rc;
}

/* The four, as far as they were not asked for; all of them or none. */
static int add_always(struct wb_events *events, struct wb_error *err)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_pmu_event e[ALWAYS];
	bool narrowed;
	size_t i;

	for (i = 0; i < ALWAYS; i++) {
		if (wb_pmu_encode(always[i], &e[i], err) < 0)
			return -1;
		if (wb_pmu_try(&e[i], &narrowed, &ignored) < 0)
			events->by_rusage = true;
	}
	for (i = 0; i < ALWAYS && !events->by_rusage; i++)
		if (find(events, e[i].name) < 0)
			events->v[events->n++] = e[i];
	return 0;
}

int wb_events_find(struct wb_events *events, const struct wb_bench_config *b,
		   struct wb_error *err)
{
	const char *names = b->events;

	memset(events, 0, sizeof(*events));
	/* a process answers as many slices as there is time for, so what it
	   counts in all is no number of anything */
	if (b->reader == WB_READER_SLICES && (names || b->level == WB_WISH_H))
		return wb_fail(err, WB_E_USAGE, "wb-bench.%s.events: events do "
			       "not go with reader = slices", b->name);
	if (!names && b->level == WB_WISH_H)
		names = of_level_h;
	if (names && add_all_wanted(events, names, err) < 0)
		return wb_fail_at(err, "wb-bench.%s.events", b->name);
	events->nmetrics = events->n;
	return add_always(events, err);
}

void wb_events_clear(struct wb_events *events)
{
	size_t i;

	for (i = 0; i < events->left_out.n; i++)
		free((char *)events->left_out.v[i]);
	free(events->left_out.v);
	memset(events, 0, sizeof(*events));
}

static int64_t counted(const struct wb_events *events,
		       const struct wb_proc_result *r, const char *name)
{
	long i = find(events, name);
	double value;

	if (i < 0 || !wb_pmu_scale(&r->count[i], &value))
		return -1;
	return (int64_t)value;
}

void wb_events_usage(const struct wb_events *events,
		     const struct wb_proc_result *r, struct wb_db_usage *out)
{
	*out = (struct wb_db_usage){
		.user = r->user,
		.sys = r->sys,
		.maxrss = r->maxrss,
		.nvcsw = r->nvcsw,
		.faults = counted(events, r, FAULTS),
		.migrations = counted(events, r, MIGRATIONS),
		.task_clock = counted(events, r, TASK_CLOCK),
		.locked = r->locked,
	};
	if (out->faults < 0)
		out->faults = r->minflt + r->majflt;
}

size_t wb_events_counters(const struct wb_events *events,
			  const struct wb_proc_result *r,
			  struct wb_db_counter *counter)
{
	const struct wb_pmu_event *e;
	size_t i, n = 0;

	for (i = 0; i < events->nmetrics; i++) {
		e = &events->v[i];
		/* one that never ran is kept too: it is no number, but known */
		if (!r->count[i].enabled)
			continue;
		counter[n++] = (struct wb_db_counter){
			.metric = e->name,
			.level = e->software ? WB_LEVEL_S : WB_LEVEL_H,
			.count = r->count[i],
		};
	}
	return n;
}

bool wb_events_counted(const struct wb_events *events, const char *names)
{
	const char *name, *at;
	size_t i, n;

	for (i = 0; events && i < events->nmetrics; i++) {
		name = events->v[i].name;
		n = strlen(name);
		for (at = names; *at; at += strcspn(at, " "), at += *at == ' ')
			if (!strncmp(at, name, n) && (!at[n] || at[n] == ' '))
				break;
		if (!*at)
			return false;
	}
	return true;
}
