#ifndef WB_PLOTS_H
#define WB_PLOTS_H

#include "table.h"

/*
 * The pictures of a judged table, as SVG (svg.h).
 *
 *	staircase	one metric: a column a prefix, all its samples as dots
 *			by round, the median with its 95 % interval (order
 *			statistics), medians joined by steps; hatched where it
 *			is broken. What lies far out is drawn at the edge.
 *	time order	the same samples in the order they were made, a colour a
 *			prefix: drift, heat and other tenants show as a slope
 *			or steps that all colours share
 *	forest		one prefix: a line a judged metric, its change with the
 *			interval, the margin and the A/A floor as bands; better
 *			is always to the left of 0 for "lower", and marked
 */
void wb_plot_staircase(const struct wb_table *t, size_t metric,
		       struct wb_buf *out);
void wb_plot_time(const struct wb_table *t, size_t metric, struct wb_buf *out);

/* False: nothing of this prefix has an interval; nothing was added. */
bool wb_plot_forest(const struct wb_table *t, size_t column,
		    struct wb_buf *out);

#endif
