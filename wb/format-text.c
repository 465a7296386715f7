/*
 * Tables for people: terminal, plain (for mail) and markdown. Patches are rows,
 * metrics are columns; a cell has the change, its interval and the verdict, and
 * in the row of the base the value and its unit. Behind the changes follow, in
 * the same way, the changes from the base.
 */
#include "format-grid.h"
#include "format-notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What label and title may take of a narrow line, whatever the names are. */
#define LABEL_MAX 28
#define TITLE_MAX 36

/* A wide terminal has room for whole names. */
static size_t label_width(const struct wb_format_options *o)
{
	size_t share = wb_grid_width(o) * 2 / 5;

	return share > LABEL_MAX && o->kind == WB_FORMAT_TERMINAL ? share :
	       LABEL_MAX;
}

static char *text_of(void (*add)(struct wb_buf *b, const struct wb_row *row,
				 const struct wb_table *t),
		     const struct wb_row *row, const struct wb_table *t)
{
	struct wb_buf b = WB_BUF_INIT;

	add(&b, row, t);
	return wb_buf_detach(&b);
}

static void add_value(struct wb_buf *b, const struct wb_row *row,
		      const struct wb_table *t)
{
	wb_value_add(b, row->value, t->tick[row->metric]);
}

/* One change and its interval; a percentage never stands without one. */
static void fill_change(struct wb_grid_cell *cell, double change, double low,
			double high, bool exact)
{
	struct wb_buf b = WB_BUF_INIT;
	int d = wb_percent_decimals(change, low, high);

	if (isnan(low) || isnan(high)) {
		cell->part[0] = wb_xstrdup("-");
		cell->part[1] = wb_xstrdup("-");
		return;
	}
	wb_percent_add(&b, change, d);
	cell->part[0] = wb_buf_detach(&b);
	if (exact) {
		cell->part[1] = wb_xstrdup("exact");
		return;
	}
	wb_buf_addch(&b, '[');
	wb_percent_add(&b, low, d);
	wb_buf_truncate(&b, b.len - 1);		/* one % is enough */
	wb_buf_addch(&b, ',');
	wb_percent_add(&b, high, d);
	wb_buf_truncate(&b, b.len - 1);
	wb_buf_addch(&b, ']');
	cell->part[1] = wb_buf_detach(&b);
}

static void fill_cell(const struct wb_table *t,
		      const struct wb_format_options *o,
		      const struct wb_row *row, struct wb_grid_cell *cell)
{
	const char *unit = t->r->metric[row->metric].unit;
	const char *word = wb_verdict_word(row->verdict);

	cell->verdict = row->verdict;
	if (*word)
		cell->part[2] = wb_xstrdup(word);
	if (row->against >= 0) {
		fill_change(cell, row->change, row->low, row->high, row->exact);
		if (isnan(row->change) && wb_table_row(t, row->metric,
				(size_t)row->against)->value == 0)
			*cell->part[0] = '\0';
	} else if (row->n) {
		cell->part[0] = text_of(add_value, row, t);
		if (*unit)
			cell->part[1] = wb_grid_text(o, unit, 12);
	} else {
		cell->part[0] = wb_xstrdup("-");
	}
	if (cell->part[0] && !*cell->part[0]) {
		free(cell->part[0]);
		cell->part[0] = wb_xstrdup("n/a");
	}
}

static char *title_of(const struct wb_format_options *o,
		      const struct wb_metric *m, bool from_base)
{
	const char *tail = from_base ? " from base" : "";
	char *name = wb_grid_text(o, m->name, TITLE_MAX - strlen(tail));
	char *title = wb_xasprintf("%s%s", name, tail);

	free(name);
	return title;
}

static bool compares_twice(const struct wb_view *v)
{
	const struct wb_row *row;
	size_t m, c;

	for (m = 0; m < v->nmetrics; m++) {
		for (c = 0; c < v->ncolumns; c++) {
			row = wb_table_row(v->t, v->metric[m], v->column[c]);
			if (row->against > 0 && !isnan(row->base_low))
				return true;
		}
	}
	return false;
}

static void fill_base_group(const struct wb_view *v,
			    const struct wb_format_options *o, size_t m,
			    struct wb_grid *g, size_t group)
{
	const struct wb_row *row;
	size_t c;

	g->group[group].title = title_of(o, &v->t->r->metric[v->metric[m]],
					 true);
	g->group[group].nparts = 2;
	g->group[group].fresh = !m;
	for (c = 0; c < v->ncolumns; c++) {
		row = wb_table_row(v->t, v->metric[m], v->column[c]);
		fill_change(wb_grid_cell(g, group, c), row->base_change,
			    row->base_low, row->base_high,
			    row->base_low == row->base_high);
	}
}

static void fill_grid(const struct wb_view *v,
		      const struct wb_format_options *o, struct wb_grid *g)
{
	const struct wb_column *column;
	size_t m, c;

	for (c = 0; c < v->ncolumns; c++) {
		column = &v->t->r->column[v->column[c]];
		g->number[c] = wb_xasprintf("%d", column->index);
		g->label[c] = wb_grid_text(o, column->name,
					    label_width(o));
	}
	for (m = 0; m < v->nmetrics; m++) {
		g->group[m].title = title_of(o, &v->t->r->metric[v->metric[m]],
					     false);
		g->group[m].nparts = WB_GRID_PARTS;
		for (c = 0; c < v->ncolumns; c++)
			fill_cell(v->t, o, wb_table_row(v->t, v->metric[m],
							v->column[c]),
				  wb_grid_cell(g, m, c));
		if (g->ngroups > v->nmetrics)
			fill_base_group(v, o, m, g, v->nmetrics + m);
	}
}

static void add_intro(const struct wb_view *v,
		      const struct wb_format_options *o, struct wb_buf *out)
{
	const struct wb_table *t = v->t;
	struct wb_buf b = WB_BUF_INIT;

	if (*v->bench)
		wb_buf_addf(&b, "%s: ", v->bench);
	wb_buf_addstr(&b, "change against ");
	if (t->o.against == WB_AGAINST_PREV)
		wb_buf_addstr(&b, "the patch before");
	else
		wb_buf_addstr(&b, t->r->column[t->o.against == WB_AGAINST_BASE ?
			      0 : t->o.column].name);
	wb_buf_addstr(&b, " [95 % interval]");
	wb_grid_prose(o, b.ptr, out);
	wb_buf_addch(out, '\n');
	wb_buf_clear(&b);
}

void wb_format_text(const struct wb_table *t, const struct wb_format_options *o,
		    struct wb_buf *out)
{
	size_t next = 0, start = out->len, groups;
	struct wb_view v;
	struct wb_grid g;

	while (next < t->r->nmetrics) {
		wb_view_init(&v, t, o, false, &next);
		if (v.nmetrics) {
			if (out->len > start)
				wb_buf_addch(out, '\n');
			groups = v.nmetrics * (compares_twice(&v) ? 2 : 1);
			wb_grid_init(&g, o, v.ncolumns, groups);
			fill_grid(&v, o, &g);
			add_intro(&v, o, out);
			wb_grid_print(&g, out);
			wb_buf_addch(out, '\n');
			wb_format_notes(&v, o, out);
			wb_grid_clear(&g);
		}
		wb_view_clear(&v);
	}
}
