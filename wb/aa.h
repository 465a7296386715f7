#ifndef WB_AA_H
#define WB_AA_H

#include "result.h"

#include <stddef.h>

/*
 * How small an effect can be seen here, from the A/A control: each round runs
 * the base twice, and what the two differ by is noise. Pure.
 */
struct wb_aa {
	size_t rounds;		/* with both runs; below 2 nothing is known */
	double change, low, high;	/* of the one to the other; NaN none */
	/*
	 * The smallest change that as many rounds would have found 4 times in
	 * 5, at 5 %; NaN: not known, as when the two never differed.
	 */
	double visible;
};

void wb_aa(const struct wb_result *r, size_t metric, struct wb_aa *out);

#endif
