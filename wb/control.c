#include "control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BASE, TWIN };

static void add_points(struct wb_result *two, const struct wb_point *p,
		       size_t n, long column, uint32_t as)
{
	struct wb_point copy;
	size_t i;

	for (i = 0; i < n; i++) {
		if (p[i].column != (uint32_t)column)
			continue;
		copy = p[i];
		copy.column = as;
		wb_result_add_point(two, &copy);
	}
}

static void add_passes(struct wb_result *two, const struct wb_passes *p,
		       size_t n, long column, uint32_t as)
{
	struct wb_passes copy;
	size_t i;

	for (i = 0; i < n; i++) {
		if (p[i].column != (uint32_t)column)
			continue;
		copy = p[i];
		copy.column = as;
		wb_result_add_passes(two, &copy);
	}
}

/* When the base broke, a later column may have had the twin. */
static long lowest(const struct wb_result *r)
{
	long column = -1;
	size_t i;

	for (i = 0; i < r->ncontrols; i++)
		if (column < 0 || (long)r->control[i].column < column)
			column = (long)r->control[i].column;
	return column;
}

void wb_control_init(struct wb_control_pair *p, const struct wb_result *r)
{
	memset(p, 0, sizeof(*p));
	p->column = lowest(r);
	wb_result_init(&p->two);
	if (p->column < 0)
		return;
	p->two.layouts = r->layouts;
	p->two.metric = r->metric;
	p->two.nmetrics = r->nmetrics;
	wb_result_add_column(&p->two, 0, "base");
	wb_result_add_column(&p->two, 1, "twin");
	add_points(&p->two, r->point, r->npoints, p->column, BASE);
	add_points(&p->two, r->control, r->ncontrols, p->column, TWIN);
	add_passes(&p->two, r->passes, r->npasses, p->column, BASE);
	add_passes(&p->two, r->control_passes, r->ncontrol_passes, p->column,
		   TWIN);
	wb_cells_init(&p->cells, &p->two);
}

void wb_control_clear(struct wb_control_pair *p)
{
	if (p->column >= 0)
		wb_cells_clear(&p->cells);
	p->two.metric = NULL;
	p->two.nmetrics = 0;
	wb_result_clear(&p->two);
}

struct wb_control wb_control_of(const struct wb_control_pair *p, size_t metric,
				bool exact, double tick)
{
	struct wb_control c = { .column = -1, .floor = NAN };
	struct wb_runs base, twin;

	if (p->column < 0)
		return c;
	wb_runs_init(&base, &p->cells, metric, BASE);
	wb_runs_init(&twin, &p->cells, metric, TWIN);
	if (twin.n) {
		c.column = p->column;
		c.change = wb_change(&twin, &base, exact, tick);
		if (!isnan(c.change.low) && !isnan(c.change.high)) {
			c.floor = fmax(fabs(c.change.low),
				       fabs(c.change.high));
			c.alarm = c.change.low > 0 || c.change.high < 0;
		}
	}
	wb_runs_clear(&base);
	wb_runs_clear(&twin);
	return c;
}
