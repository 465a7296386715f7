#ifndef WB_TODO_H
#define WB_TODO_H

#include "db.h"
#include "error.h"
#include "plan.h"
#include "stop.h"

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

/* What timing runs are forecast to take, at one end of a range. */
struct wb_todo_end {
	size_t runs;
	double seconds;		/* with those for counts; -1: not known yet */
};

struct wb_todo {
	struct wb_todo_prefix *prefix;	/* plan.stack.n of them */
	size_t n;
	/* still to make; runs are a forecast when rule.limit > rule.first */
	size_t builds, runs, counts;
	double seconds;		/* for runs and counts; -1: not known yet */
	/* to tell where too few verdicts are open for a number (stop.h) */
	struct wb_todo_end low, high;
	struct wb_stop stop;	/* benches as the plan has them */
};

/* What the user asked for: exactly `rounds` if positive, else by the keys. */
struct wb_stop_rule wb_todo_rule(const struct wb_config *c, int rounds);

/*
 * rule: rounds that every comparison wants, and the most that one may get
 * until its verdict is settled; both alike ask for exactly so many. db NULL:
 * nothing was measured.
 */
int wb_todo_make(struct wb_todo *t, const struct wb_plan *p, struct wb_db *db,
		 const struct wb_stop_rule *rule, struct wb_error *err);
void wb_todo_clear(struct wb_todo *t);

#endif
