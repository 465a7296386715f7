#ifndef WB_TRIAL_H
#define WB_TRIAL_H

#include "build.h"
#include "config.h"
#include "count.h"
#include "db.h"
#include "env.h"
#include "error.h"
#include "events.h"
#include "plan.h"
#include "proc.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One trial: one process of one bench on one build, from its environment to
 * its samples.
 *
 * All trials of a bench get environments of the same size, whatever the name
 * of the prefix: counting ones exactly, timing ones with a random part of up
 * to a page on top, so that a build is never measured at one lucky stack
 * address only.
 */
struct wb_trial {
	const struct wb_plan *plan;
	struct wb_git *git;
	const struct wb_bench_config *bench;
	const struct wb_events *events;		/* of that bench */
	size_t prefix;
	const struct wb_build *build;	/* in its box, if it has one */
	const int *cpu;		/* bench->cpus of them */
	bool fifo;
	bool counting;		/* under the counter */
	enum wb_counter counter;
	bool sampled;		/* and once more under perf, for a profile */
	uint64_t seed;
	int interrupt_fd;
	size_t *env_size;	/* shared by a call's trials; starts at 0 */
	struct wb_count_how how;	/* of a counting trial */
};

struct wb_trial_result {
	struct wb_db_sample *sample;	/* one a metric, slices folded */
	size_t n;
	double wall, cpu;	/* seconds */
	int64_t nivcsw;
	struct wb_db_usage usage;
	/* the events that make metrics; names of trial.events */
	struct wb_db_counter counter[WB_PMU_MAX];
	size_t ncounters;
	char *failure;		/* why there are no samples; NULL: there are */
	char *remark;		/* of the reader, on its numbers; or NULL */
	char **own;		/* memory behind the samples' strings */
	size_t nown;
};

/*
 * A bench that fails is a result with .failure set. -1 only when wb itself
 * must stop: interrupted, or the process could not be started.
 */
int wb_trial_run(const struct wb_trial *t, struct wb_trial_result *r,
		 struct wb_error *err);
/*
 * Finds out how a bench is counted: as configured, or else by a trial of one
 * build that is not kept. A trial that fails for another reason leaves it
 * marked: the trials to come will say why.
 */
int wb_trial_probe(const struct wb_trial *t, struct wb_count_how *how,
		   struct wb_error *err);

/*
 * The process of a trial, not started; env, which it borrows, is the caller's
 * to clear afterwards.
 */
struct wb_proc wb_trial_prepare(const struct wb_trial *t, struct wb_env *env);

/* What the time reader makes of a run: wall, user, sys, cpu, maxrss. */
void wb_trial_read_time(const struct wb_proc_result *r, struct wb_reading *out);

void wb_trial_result_clear(struct wb_trial_result *r);

#endif
