#ifndef WB_BISECT_ASK_H
#define WB_BISECT_ASK_H

#include "bisect.h"

/*
 * What both engines ask of a runner, and the bill of it. Pure.
 *
 * Remembers what is built and what is a hole, so that neither is asked for
 * again; runs, builds and seconds are added to the result.
 */
enum wb_bisect_asked {
	WB_ASKED = 0,
	WB_ASKED_HOLE = 1,	/* a prefix of those cannot be measured */
	WB_ASKED_STOP = -1,	/* err is set */
};

struct wb_bisect_ask {
	const struct wb_bisect_options *o;
	const struct wb_bisect_runner *runner;
	struct wb_bisect_result *out;
	struct wb_error *err;
	bool *hole, *ready;	/* by prefix */
	double build_seconds, run_seconds;
};

/* All borrowed. */
void wb_bisect_ask_init(struct wb_bisect_ask *a,
			const struct wb_bisect_options *o,
			const struct wb_bisect_runner *runner,
			struct wb_bisect_result *out, struct wb_error *err);
void wb_bisect_ask_clear(struct wb_bisect_ask *a);

/* Whether a budget is used up. */
bool wb_bisect_ask_spent(const struct wb_bisect_ask *a);

enum wb_bisect_asked wb_bisect_ask_build(struct wb_bisect_ask *a, int at);

/* Runs at[0..n-1], which are built, in this order. */
enum wb_bisect_asked wb_bisect_ask_block(struct wb_bisect_ask *a,
					 const int *at, size_t n, double *y);

#endif
