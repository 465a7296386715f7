#ifndef VERDICTS_PLAY_H
#define VERDICTS_PLAY_H

#include "noise.h"
#include "schedule.h"
#include "settle.h"
#include "stop.h"
#include "table.h"

#include <stdbool.h>

/*
 * One simulated stack, from the first round to the last verdict: the schedule,
 * the table and the stop that wb run works with, fed by values whose truth is
 * known. What comes out is counted by verdicts-series.c and verdicts-pairs.c.
 */
#define MAX_PREFIXES 21
#define MARGIN 0.005
#define FIRST 12
#define LIMIT 2000

struct world {
	size_t n;		/* prefixes */
	double effect[MAX_PREFIXES];	/* log, of the patch alone */
	struct noise noise;
};

struct play {
	struct wb_result r;
	struct wb_table t;
	struct wb_stop stop;
	struct wb_schedule s;
	int round;
	unsigned nth;
	size_t runs;
	size_t *forecast, nforecasts, cap;	/* of all runs, at each look */
	size_t low, high;	/* the same as a range, at the first look */
};


/* What wb run does, from the first round to the last verdict. */
void play(struct play *p, struct world *w, uint64_t seed);

/* wb run --rounds n */
void play_exactly(struct play *p, struct world *w, uint64_t seed, size_t n);

/* The same number of runs, prefix by prefix. */
void play_blocked(struct play *p, struct world *w, uint64_t seed, size_t runs);

/* After each of the three, whatever came out. */
void play_end(struct play *p);

bool says_changed(const struct wb_row *row);

/* A verdict that the truth gives the lie to. */
bool is_false(const struct world *w, const struct wb_row *row);

bool within_two(size_t forecast, size_t runs);

#endif
