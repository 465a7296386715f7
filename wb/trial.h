#ifndef WB_TRIAL_H
#define WB_TRIAL_H

#include "build.h"
#include "config.h"
#include "count.h"
#include "db.h"
#include "error.h"
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
	size_t prefix;
	const struct wb_build *build;
	const int *cpu;		/* bench->cpus of them */
	bool fifo;
	bool counting;		/* under callgrind */
	uint64_t seed;
	int interrupt_fd;
	size_t *env_size;	/* shared by a call's trials; starts at 0 */
	enum wb_count_mode mode;	/* of a counting trial */
};

struct wb_trial_result {
	struct wb_db_sample *sample;	/* one a metric, slices folded */
	size_t n;
	double wall, cpu;	/* seconds */
	int64_t nivcsw;
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
 * Finds out in which mode a bench is counted, by a trial of one build that is
 * not kept. A trial that fails for another reason leaves it marked: the trials
 * to come will say why.
 */
int wb_trial_probe(const struct wb_trial *t, enum wb_count_mode *mode,
		   struct wb_error *err);

void wb_trial_result_clear(struct wb_trial_result *r);

#endif
