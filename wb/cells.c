#include "cells.h"

#include <stdlib.h>
#include <string.h>

static size_t cell_of(const struct wb_result *r, const struct wb_point *p)
{
	return p->metric * r->ncolumns + p->column;
}

/* A counting sort: how many each cell has, where it starts, then in place. */
void wb_cells_init(struct wb_cells *c, const struct wb_result *r)
{
	size_t n = r->nmetrics * r->ncolumns, i;

	c->r = r;
	c->start = wb_xcalloc(n + 2, sizeof(*c->start));
	c->point = wb_xcalloc(r->npoints, sizeof(*c->point));
	for (i = 0; i < r->npoints; i++)
		c->start[cell_of(r, &r->point[i]) + 2]++;
	for (i = 2; i <= n; i++)
		c->start[i] += c->start[i - 1];
	/* start[cell + 1] moves from the start of the cell to its end */
	for (i = 0; i < r->npoints; i++)
		c->point[c->start[cell_of(r, &r->point[i]) + 1]++] =
			(uint32_t)i;
}

void wb_cells_clear(struct wb_cells *c)
{
	free(c->start);
	free(c->point);
	memset(c, 0, sizeof(*c));
}

size_t wb_cells_get(const struct wb_cells *c, size_t metric, size_t column,
		    const uint32_t **first)
{
	size_t cell = metric * c->r->ncolumns + column;

	*first = c->point + c->start[cell];
	return c->start[cell + 1] - c->start[cell];
}
