#ifndef WB_RUN_H
#define WB_RUN_H

#include "db.h"
#include "error.h"
#include "git.h"
#include "plan.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Measures what a plan still lacks.
 *
 * First every prefix that is wanted is built; one that does not build is
 * remembered as broken and left out. Then, for each bench, rounds: all builds
 * that still lack rounds for some comparison run once each, in an order drawn
 * at random and stored, pinned to the same CPU, each in its own process. Each
 * run is in the store before the next one starts; so an interrupt, a crash or
 * kill -9 costs the run in progress, and the same call later goes on where
 * this one stopped. What two prefixes share (the same build) is measured
 * once.
 *
 * A run that fails gives no sample and is stored with its reason; a build
 * whose runs fail twice in a row is left out of the rest of the call.
 */
struct wb_run_options {
	int rounds;		/* wanted for each comparison */
	double budget;		/* seconds for the whole call; 0: no limit */
	const bool *only;	/* per prefix: judge these; NULL: all */
	bool quiet;		/* no progress line */
	int interrupt_fd;
};

/* Wanted builds and runs, for "wb status" and forecasts. */
struct wb_run_todo {
	size_t builds, runs, counts;	/* still to make */
	double seconds;		/* -1: no run of this kind is known yet */
};

/* How many runs under callgrind decide whether a count is exact. */
#define WB_RUN_COUNTS 2

int wb_run(const struct wb_plan *p, struct wb_git *g, struct wb_db *db,
	   const struct wb_run_options *o, struct wb_error *err);

/* Per prefix (stack.n of each) what is known and what is missing. */
struct wb_run_state {
	bool broken, built;
	size_t rounds;		/* good timing runs here, fewest over benches */
	size_t counts;
};

int wb_run_status(const struct wb_plan *p, struct wb_db *db,
		  const struct wb_run_options *o, struct wb_run_state *state,
		  struct wb_run_todo *todo, struct wb_error *err);

#endif
