#ifndef WB_RUN_H
#define WB_RUN_H

#include "db.h"
#include "error.h"
#include "git.h"
#include "plan.h"
#include "stop.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Measures what a plan still lacks, until every judged verdict is settled, or
 * cannot be (stop.h), or the budget is used up.
 *
 * First every prefix that is wanted is built; one that does not build is
 * remembered as broken and left out. Then, for each bench, rounds: all builds
 * that still lack rounds for some comparison run once each, in an order drawn
 * at random and stored, pinned to the same CPU, each in its own process. Each
 * run is in the store before the next one starts; so an interrupt, a crash or
 * kill -9 costs the run in progress, and the same call later goes on where
 * this one stopped.
 *
 * Every bench gets two rounds before any gets more, and the counting runs come
 * between the two, so that a short budget gives something of everything. Behind
 * the first rounds, all benches come to a look before any goes on.
 *
 * In each round that the lowest good build (the base) takes part in, it runs
 * twice: the second run is kept apart as the A/A control.
 *
 * A run that fails gives no sample and is stored with its reason; a build
 * that fails in two rounds in a row is left out of the rest of the call. Runs
 * as a control do not count there.
 */
struct wb_run_options {
	/* both alike: exactly so many rounds */
	struct wb_stop_rule rule;
	double budget;		/* seconds for the whole call; 0: no limit */
	const bool *only;	/* per prefix: judge these; NULL: all */
	bool quiet;		/* no progress line */
	int interrupt_fd;
	bool *out_of_time;	/* set when the budget ended it; may be NULL */
};

/*
 * Two runs on one machine would disturb each other's numbers, so the second
 * one of a repository is refused. The lock is a descriptor to be closed; it
 * goes with the process. -1 is a failure.
 */
int wb_run_lock(const struct wb_git *g, struct wb_error *err);

int wb_run(const struct wb_plan *p, struct wb_git *g, struct wb_db *db,
	   const struct wb_run_options *o, struct wb_error *err);

#endif
