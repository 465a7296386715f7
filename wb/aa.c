#include "aa.h"
#include "cells.h"
#include "change.h"

#include <math.h>
#include <stdlib.h>

#define ALPHA 0.05

/* A result of its own: the metric's base in column 0, its control in 1. */
static void split(const struct wb_result *r, size_t metric,
		  struct wb_result *out)
{
	struct wb_passes passes;
	struct wb_point p;
	size_t i, base = r->ncolumns;

	wb_result_init(out);
	wb_result_add_metric(out, "", r->metric[metric].name);
	wb_result_add_column(out, 0, "base");
	wb_result_add_column(out, 1, "control");
	for (i = 0; i < r->ncontrols; i++) {
		p = r->control[i];
		if (p.metric != metric)
			continue;
		base = p.column;
		p.metric = 0;
		p.column = 1;
		wb_result_add_point(out, &p);
	}
	for (i = 0; i < r->npoints; i++) {
		p = r->point[i];
		if (p.metric != metric || p.column != base)
			continue;
		p.metric = p.column = 0;
		wb_result_add_point(out, &p);
	}
	for (i = 0; i < r->ncontrol_passes; i++) {
		passes = r->control_passes[i];
		if (passes.metric != metric)
			continue;
		passes.metric = 0;
		passes.column = 1;
		wb_result_add_passes(out, &passes);
	}
	for (i = 0; i < r->npasses; i++) {
		passes = r->passes[i];
		if (passes.metric != metric || passes.column != base)
			continue;
		passes.metric = passes.column = 0;
		wb_result_add_passes(out, &passes);
	}
}

void wb_aa(const struct wb_result *r, size_t metric, struct wb_aa *out)
{
	struct wb_runs base, control;
	struct wb_cells cells;
	struct wb_change c;
	struct wb_result x;

	*out = (struct wb_aa){
		.change = NAN, .low = NAN, .high = NAN, .visible = NAN,
	};
	split(r, metric, &x);
	wb_cells_init(&cells, &x);
	wb_runs_init(&base, &cells, 0, 0);
	wb_runs_init(&control, &cells, 0, 1);
	c = wb_change(&control, &base, false, 0);
	if (c.kind == WB_CHANGE_PAIRED) {
		out->rounds = c.rounds;
		out->change = c.change;
		out->low = c.low;
		out->high = c.high;
		if (c.log.se > 0)
			out->visible = expm1(wb_estimate_visible(&c.log,
								 ALPHA));
	}
	wb_runs_clear(&base);
	wb_runs_clear(&control);
	wb_cells_clear(&cells);
	wb_result_clear(&x);
}
