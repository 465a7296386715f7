#ifndef WB_SUBJECTS_H
#define WB_SUBJECTS_H

#include "build.h"
#include "db.h"
#include "error.h"
#include "plan.h"
#include "schedule.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What a plan asks to have measured.
 *
 * A subject is a build; prefixes with one build id share it and are measured
 * once. The comparisons somebody will read decide which subjects are needed:
 * each wanted prefix with the nearest good one below it, and with the base.
 * What the store already holds of them is loaded into a schedule, so that
 * measuring (run.h) and forecasting (todo.h) see the same picture.
 */
struct wb_subject {
	size_t prefix;		/* the first with this build */
	int64_t *row;		/* by layout, in the store; for run.c */
	struct wb_build *build;	/* by layout */
	bool broken;		/* known not to build, in some layout */
	int failures;		/* runs in a row, of the bench in hand */
};

struct wb_subjects {
	const struct wb_plan *plan;
	const bool *only;	/* per prefix: wanted; NULL: all */
	struct wb_subject *v;
	size_t n;
	long *of_prefix;	/* prefix -> subject, -1: does not apply */
};

/* How many runs under callgrind decide whether a count is exact. */
#define WB_COUNT_RUNS 2
/* Failures in a row after which a build is left out. */
#define WB_FAILURES_MAX 2

/* db may be NULL: nothing is known yet. */
int wb_subjects_load(struct wb_subjects *s, const struct wb_plan *p,
		     const bool *only, struct wb_db *db, struct wb_error *err);
void wb_subjects_clear(struct wb_subjects *s);

/* How many of its layouts are not built. */
size_t wb_subjects_unbuilt(const struct wb_subjects *s, size_t i);

/* What the comparisons of a plan want of one bench. */
struct wb_wish {
	size_t rounds;		/* for each comparison */
	/* for each prefix with the one below it, instead; NULL: as above */
	const size_t *below;
	/* the lowest good build, the base as a rule, runs twice in a round */
	bool control;
};

/* Sets pairs and twin of sched, around what is broken or dead in it. */
void wb_subjects_pair(const struct wb_subjects *s, const struct wb_wish *w,
		      struct wb_schedule *sched);

/* Whether some comparison needs subject i. */
bool wb_subjects_needed(const struct wb_subjects *s, size_t i);

/*
 * Fills an empty schedule with pairs and with the rounds that the store has of
 * one bench, counting runs or timing ones. *mean becomes the mean seconds a
 * run, and stays as it is when there was none. A build whose counting runs all
 * failed before is dead: what cannot run under callgrind will not do so today.
 */
int wb_subjects_schedule(const struct wb_subjects *s, struct wb_db *db,
			 const struct wb_plan_bench *bench, bool counting,
			 const struct wb_wish *w, struct wb_schedule *sched,
			 double *mean,
			 struct wb_error *err);

/* Whether the configuration, or a missing counter, leaves these runs out. */
bool wb_subjects_skip(const struct wb_plan_bench *bench, bool counting);

#endif
