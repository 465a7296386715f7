#ifndef WB_TODO_H
#define WB_TODO_H

#include "db.h"
#include "error.h"
#include "plan.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What is known of a plan and what a run would still do, without doing it.
 */
struct wb_todo_prefix {
	bool built;
	char *broken;		/* why it does not apply or build, or NULL */
	/* good runs here, the fewest over the benches; -1: none is wanted */
	long rounds, counts;
};

struct wb_todo {
	struct wb_todo_prefix *prefix;	/* plan.stack.n of them */
	size_t n;
	size_t builds, runs, counts;	/* still to make */
	double seconds;		/* for runs and counts; -1: not known yet */
};

/* rounds: how many are wanted; db NULL: nothing was measured. */
int wb_todo_make(struct wb_todo *t, const struct wb_plan *p, struct wb_db *db,
		 int rounds, struct wb_error *err);
void wb_todo_clear(struct wb_todo *t);

#endif
