#ifndef WB_BISECT_RESULT_H
#define WB_BISECT_RESULT_H

#include "bisect.h"

/*
 * What the two ways to search, by belief (bisect.c) and by exact counts
 * (bisect-exact.c), put into a result.
 */

/* A suspect more, without an effect; the pointer holds until the next one. */
struct wb_bisect_suspect *
wb_bisect_add_suspect(struct wb_bisect_suspect **list, size_t *n, int patch,
		      double posterior);

/* Something stays open; the first reason is the one that is told. */
void wb_bisect_leave_open(struct wb_bisect_result *r,
			  enum wb_bisect_reason why);

/* The verdict that follows, changes in the order of the stack. */
void wb_bisect_conclude(struct wb_bisect_result *r);

#endif
