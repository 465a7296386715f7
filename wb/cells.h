#ifndef WB_CELLS_H
#define WB_CELLS_H

#include "result.h"

/*
 * The points of a result set, sorted into cells.
 *
 * A cell holds the points of one metric in one column. Points of a cell keep
 * the order they were added in. Borrowed from the result set, which must not
 * change while cells refer to it: 4 bytes a point and 8 a cell.
 */
struct wb_cells {
	const struct wb_result *r;
	size_t *start;		/* by cell; one more than there are cells */
	uint32_t *point;	/* indices of r->point, cell by cell */
	const struct wb_passes **passes;	/* by cell, then by round */
};

void wb_cells_init(struct wb_cells *c, const struct wb_result *r);
void wb_cells_clear(struct wb_cells *c);

/* The number of points of a cell; *first is the index of the first. */
size_t wb_cells_get(const struct wb_cells *c, size_t metric, size_t column,
		    const uint32_t **first);

/* The same for passes, by rising rounds. */
size_t wb_cells_passes(const struct wb_cells *c, size_t metric, size_t column,
		       const struct wb_passes *const **first);

#endif
