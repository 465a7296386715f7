#ifndef WB_EVENTS_H
#define WB_EVENTS_H

#include "config.h"
#include "db.h"
#include "error.h"
#include "opt.h"
#include "pmu.h"
#include "proc.h"

#include <stdbool.h>

/*
 * The perf events of one bench on this machine.
 *
 * First come those that wb-bench.NAME.events asks for and that open here; each
 * gives a metric, of level H or, for a software event, S. Behind them come
 * four software events that every run is accompanied by and that make no
 * metric: what a run cost is kept with it.
 *
 * Where the kernel does not let us count those four, most of them come from
 * what wait4() tells without any privilege.
 */
struct wb_events {
	struct wb_pmu_event v[WB_PMU_MAX];
	size_t n, nmetrics;	/* the first nmetrics are metrics */
	struct wb_strlist left_out;	/* why, a line an event; owned */
	bool by_rusage;		/* the four do not open */
};

/*
 * Fails on a name that is no event anywhere. What this machine or this user
 * cannot count is no failure but a line in left_out. events is to be cleared
 * in any case.
 */
int wb_events_find(struct wb_events *events, const struct wb_bench_config *b,
		   struct wb_error *err);
void wb_events_clear(struct wb_events *events);

/* What a run cost, by the events where they were counted. */
void wb_events_usage(const struct wb_events *events,
		     const struct wb_proc_result *r, struct wb_db_usage *out);

/*
 * The counts of the metrics, those that were counted; counter has room for
 * nmetrics. Names are borrowed from events. Gives their number.
 */
size_t wb_events_counters(const struct wb_events *events,
			  const struct wb_proc_result *r,
			  struct wb_db_counter *counter);

/*
 * Whether all the metrics of events are among names, separated by blanks.
 * Without events (NULL) they are.
 */
bool wb_events_counted(const struct wb_events *events, const char *names);

#endif
