#include "cells.h"

#include <stdlib.h>
#include <string.h>

static size_t cell_of(const struct wb_result *r, const struct wb_point *p)
{
	return p->metric * r->ncolumns + p->column;
}

static int by_place(const void *a, const void *b)
{
	const struct wb_passes *x = *(const struct wb_passes *const *)a;
	const struct wb_passes *y = *(const struct wb_passes *const *)b;

	if (x->metric != y->metric)
		return x->metric < y->metric ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return x->round < y->round ? -1 : x->round > y->round;
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
	c->passes = wb_xcalloc(r->npasses, sizeof(*c->passes));
	for (i = 0; i < r->npasses; i++)
		c->passes[i] = &r->passes[i];
	qsort(c->passes, r->npasses, sizeof(*c->passes), by_place);
}

void wb_cells_clear(struct wb_cells *c)
{
	free(c->start);
	free(c->point);
	free(c->passes);
	memset(c, 0, sizeof(*c));
}

size_t wb_cells_get(const struct wb_cells *c, size_t metric, size_t column,
		    const uint32_t **first)
{
	size_t cell = metric * c->r->ncolumns + column;

	*first = c->point + c->start[cell];
	return c->start[cell + 1] - c->start[cell];
}

/* Where the passes of a cell begin, or would. */
static size_t lower_bound(const struct wb_cells *c, size_t metric,
			  size_t column)
{
	size_t low = 0, high = c->r->npasses, mid;
	const struct wb_passes *p;

	while (low < high) {
		mid = low + (high - low) / 2;
		p = c->passes[mid];
		if (p->metric < metric ||
		    (p->metric == metric && p->column < column))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

size_t wb_cells_passes(const struct wb_cells *c, size_t metric, size_t column,
		       const struct wb_passes *const **first)
{
	size_t at = lower_bound(c, metric, column);

	*first = c->passes + at;
	return lower_bound(c, metric, column + 1) - at;
}
