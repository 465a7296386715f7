#ifndef WB_CALLS_H
#define WB_CALLS_H

#include "result.h"

/*
 * Which rounds another call of wb run began with, for benches are cold there
 * (quality.h). A call has one seed; its counting runs have one of their own.
 */
struct wb_calls {
	uint64_t seed[2];	/* of timing, of counting runs */
	bool known[2];
	int64_t round;		/* the last one; -1: none yet */
};

#define WB_CALLS_INIT { .round = -1 }

/* The rounds of one bench in their order; the same one again is no news. */
void wb_calls_note(struct wb_calls *c, int32_t round, uint64_t seed,
		   bool counting, struct wb_result *r);

#endif
