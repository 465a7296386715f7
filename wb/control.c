#include "control.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	if (p->column < 0)
		return;
	p->twins = *r;
	p->twins.point = r->control;
	p->twins.npoints = r->ncontrols;
	p->twins.passes = r->control_passes;
	p->twins.npasses = r->ncontrol_passes;
	wb_cells_init(&p->cells, &p->twins);
}

void wb_control_clear(struct wb_control_pair *p)
{
	if (p->column >= 0)
		wb_cells_clear(&p->cells);
}

struct wb_control wb_control_of(const struct wb_control_pair *p,
				const struct wb_cells *cells, size_t metric,
				bool exact, double tick)
{
	struct wb_control c = { .column = -1, .floor = NAN };
	struct wb_runs base, twin;

	if (p->column < 0)
		return c;
	wb_runs_init(&twin, &p->cells, metric, (size_t)p->column);
	if (!twin.n)
		goto out;
	wb_runs_init(&base, cells, metric, (size_t)p->column);
	c.column = p->column;
	c.change = wb_change(&twin, &base, exact, tick);
	wb_runs_clear(&base);
	if (!isnan(c.change.low) && !isnan(c.change.high)) {
		c.floor = fmax(fabs(c.change.low), fabs(c.change.high));
		c.alarm = c.change.low > 0 || c.change.high < 0;
	}
out:
	wb_runs_clear(&twin);
	return c;
}
