#ifndef WB_CONTROL_H
#define WB_CONTROL_H

#include "cells.h"
#include "change.h"

/*
 * The A/A control: what a bench says of one build that runs as if it were two.
 * Pure.
 *
 * In each round of the base a second process of it runs, in its own place of
 * the random order. The change from the base to that twin is nothing but
 * noise, so its interval shows what this machine, on that day, makes of no
 * change: the floor. A change that is smaller than the floor may be real when
 * there are more rounds behind it than behind the control; one that is larger
 * is beyond what this machine invents.
 */
struct wb_control {
	long column;		/* whose twin; -1: there is no control */
	struct wb_change change;
	/*
	 * The A/A floor, a ratio: the end of the interval that is further from
	 * 0. NaN: not known.
	 */
	double floor;
	bool alarm;		/* the interval leaves 0 out */
};

/* The twins of a result set, as if they were its points; all borrowed. */
struct wb_control_pair {
	struct wb_result twins;
	struct wb_cells cells;
	long column;		/* whose twins they are; -1: there are none */
};

void wb_control_init(struct wb_control_pair *p, const struct wb_result *r);
void wb_control_clear(struct wb_control_pair *p);

/* cells: of the result set itself; exact and tick as in wb_change(). */
struct wb_control wb_control_of(const struct wb_control_pair *p,
				const struct wb_cells *cells, size_t metric,
				bool exact, double tick);

#endif
