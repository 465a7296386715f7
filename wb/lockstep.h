#ifndef WB_LOCKSTEP_H
#define WB_LOCKSTEP_H

#include "error.h"
#include "proc.h"
#include "result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One round in lockstep: several commands that answer slice by slice
 * (slice-proc.h), all on one CPU, called in random order.
 *
 * In a pass each metric is asked of each process once; the processes come in
 * an order drawn anew for each metric, and get the same seed. A first pass,
 * which is thrown away, warms up what one slice does not. All that wb does
 * between two slices it does on the same CPU at the same priority (beside.h).
 *
 * Under SCHED_FIFO the round pauses after each 50 ms, for 3 ms as a rule, or
 * the kernel's real-time throttle would fall into slices (wb_proc_fifo_rest()).
 *
 * A process that fails is out of the round and has no numbers; the others go
 * on. With all of them failed the round ends.
 */
#define WB_SLICE_US 500		/* in the environment, for the bench to heed */

struct wb_lockstep {
	const struct wb_proc *proc;	/* n of them, alike in CPUs and fifo */
	size_t n;
	/*
	 * Metrics to ask for, globs as in wb-bench.NAME.judge. Names without
	 * * and ? are asked as they are; with globs, or NULL, the processes
	 * are asked what they have.
	 */
	const char *judge;
	uint64_t seed;
	double seconds;		/* for each metric; 0: wb_lockstep_seconds() */
};

/* What one process gave of one metric. */
struct wb_lockstep_metric {
	char *name, *unit;
	enum wb_better better;
	enum wb_level level;
	bool exact;
	double value;		/* median over the passes */
	double mean;		/* of all parts of all passes */
	float *log;		/* ln(pass / value), by pass */
	size_t passes;
};

struct wb_lockstep_result {
	char *failure;		/* NULL: it has metrics */
	struct wb_lockstep_metric *metric;
	size_t nmetrics;
	size_t slices;		/* that it answered, the untimed pass too */
	struct wb_proc_result end;	/* of the whole process */
};

/* How long a round takes for each metric: 0.5 s up to 8 processes, 1 for 24. */
double wb_lockstep_seconds(size_t n);

/* r: n of them, to be cleared in any case. -1: wb itself must stop. */
int wb_lockstep(const struct wb_lockstep *l, struct wb_lockstep_result *r,
		struct wb_error *err);
void wb_lockstep_result_clear(struct wb_lockstep_result *r);

/*
 * Whether another real-time task was in the way: processes that run alone at
 * their priority are not switched away from, so more than 2 % of slices with an
 * involuntary switch mean that somebody else's priority is higher. For rounds
 * under SCHED_FIFO.
 */
bool wb_lockstep_disturbed(const struct wb_lockstep_result *r, size_t n);

#endif
