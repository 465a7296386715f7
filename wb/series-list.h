#ifndef WB_SERIES_LIST_H
#define WB_SERIES_LIST_H

#include "plan.h"
#include "series.h"
#include "todo.h"

/*
 * A stack on stdout: each patch, what it changes, and how far it has come.
 *
 * Whether a patch applies the stack knows; whether it is built and measured
 * is known where a bench is configured. todo.n is 0 where it is not.
 */
struct wb_series_known {
	struct wb_plan plan;
	struct wb_todo todo;
};

/* from as for wb_plan_make(). When it fails, nothing is known. */
int wb_series_learn(struct wb_series_known *known, struct wb_git *g,
		    struct wb_db *db, const struct wb_config *config,
		    const struct wb_source *from, struct wb_error *err);
void wb_series_forget(struct wb_series_known *known);

/* known NULL: the trees and how the patches went in, no more. */
void wb_series_print_json(const struct wb_stack *s,
			  const struct wb_series_known *known);

/* terminal: its width, which lines are cut to; 0: they are whole. */
void wb_series_print_table(const struct wb_stack *s,
			   const struct wb_series_known *known, bool trailers,
			   int terminal);

#endif
