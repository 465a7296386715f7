#ifndef WB_AA_RUN_H
#define WB_AA_RUN_H

#include "plan.h"

#include <stdbool.h>

/*
 * What is stored of a plan, with the A/A control of its benches.
 *
 * run: where a bench that is timed has no control yet, the base is built and
 * run against itself for some rounds, after a look at trust; the samples are
 * kept. db may be NULL; a store is then made only if something is run.
 */
int wb_aa_result(const struct wb_plan *p, struct wb_git *g, struct wb_db *db,
		 bool run, bool quiet, struct wb_result *r,
		 struct wb_error *err);

#endif
