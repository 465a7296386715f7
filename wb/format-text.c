/*
 * Tables for people: terminal, plain (for mail) and markdown. First the patches
 * with their numbers (and their subjects, where names are but digits), then for
 * each metric a table: a row a patch, with value, n, the change from the patch
 * before with its interval and verdict, and the change from the base. Where the
 * names fit into the tables, they stand there.
 */
#include "format-grid.h"
#include "format-notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_MAX 20		/* of a unit in a heading */
#define NAME_MAX 28		/* of a prefix that is compared with */
#define APART 1000		/* values that share decimals are no further */

/*
 * Decimals that all values of a metric get, so that their points stand below
 * each other; -1 when they are too far apart for that.
 */
static int common_decimals(const struct wb_view *v, size_t m)
{
	double tick = v->t->tick[v->metric[m]], least = INFINITY, most = 0, x;
	int decimals = 0, d;
	size_t c;

	for (c = 0; c < v->ncolumns; c++) {
		x = wb_table_row(v->t, v->metric[m], v->column[c])->value;
		if (isnan(x))
			continue;
		d = wb_value_decimals(x, tick);
		if (d < 0)
			return -1;
		decimals = d > decimals ? d : decimals;
		if (x == 0)
			continue;
		least = fabs(x) < least ? fabs(x) : least;
		most = fabs(x) > most ? fabs(x) : most;
	}
	return most < APART * least ? decimals : -1;
}

/* One change and its interval; a percentage never stands without one. */
static void fill_change(struct wb_grid_cell *cell, const struct wb_table *t,
			double change, double low, double high, bool exact)
{
	struct wb_buf b = WB_BUF_INIT;
	int d = exact ? wb_percent_exact(change) :
		wb_percent_decimals(change, low, high, t->o.margin);

	if (isnan(low) || isnan(high)) {
		cell->part[0] = wb_xstrdup("-");
		return;
	}
	wb_percent_add(&b, change, d);
	cell->part[0] = wb_buf_detach(&b);
	if (exact) {
		cell->part[1] = wb_xstrdup("exact");
		return;
	}
	wb_interval_add(&b, low, high, d);
	cell->part[1] = wb_buf_detach(&b);
}

static void fill_value(const struct wb_table *t, const struct wb_row *row,
		       int decimals, struct wb_grid_cell *cell)
{
	struct wb_buf b = WB_BUF_INIT;

	if (decimals < 0 || isnan(row->value))
		wb_value_add(&b, row->value, t->tick[row->metric]);
	else
		wb_buf_addf(&b, "%.*f", decimals, row->value);
	cell->part[0] = wb_buf_detach(&b);
}

static void fill_n(const struct wb_row *row, struct wb_grid_cell *cell)
{
	cell->part[0] = row->n ? wb_xasprintf("%zu", row->n) : wb_xstrdup("-");
}

static void fill_verdict(const struct wb_table *t, const struct wb_row *row,
			 struct wb_grid_cell *cell)
{
	const char *word = wb_verdict_word(row->verdict);

	cell->verdict = row->verdict;
	if (*word)
		cell->part[2] = wb_xstrdup(word);
	if (row->against < 0) {
		cell->part[0] = wb_xstrdup("-");
		return;
	}
	fill_change(cell, t, row->change, row->low, row->high, row->exact);
	if (isnan(row->change) && wb_table_row(t, row->metric,
			(size_t)row->against)->value == 0) {
		free(cell->part[0]);
		cell->part[0] = wb_xstrdup("n/a");
	}
}

/* "the patch before", "base", or the name that --against gave. */
static char *against_text(const struct wb_table *t,
			  const struct wb_format_options *o)
{
	size_t column = t->o.against == WB_AGAINST_COLUMN ? t->o.column : 0;
	char *name, *text;

	if (t->o.against == WB_AGAINST_PREV)
		return wb_xstrdup("from the patch before");
	name = wb_grid_text(o, t->r->column[column].name, NAME_MAX);
	text = wb_xasprintf("from %s", name);
	free(name);
	return text;
}

/* Whether a change from the base says more than the one before it. */
static bool compares_twice(const struct wb_view *v, size_t m)
{
	const struct wb_row *row;
	size_t c;

	for (c = 0; c < v->ncolumns; c++) {
		row = wb_table_row(v->t, v->metric[m], v->column[c]);
		if (row->against > 0 && !isnan(row->base_low))
			return true;
	}
	return false;
}

enum { VALUE, N, CHANGE, BASE, GROUPS };

static void fill_grid(const struct wb_view *v,
		      const struct wb_format_options *o, size_t m,
		      struct wb_grid *g)
{
	int decimals = common_decimals(v, m);
	const struct wb_row *row;
	size_t c;

	g->group[VALUE].title = wb_xstrdup("value");
	g->group[N].title = wb_xstrdup("n");
	g->group[CHANGE].title = against_text(v->t, o);
	g->group[VALUE].nparts = g->group[N].nparts = 1;
	g->group[CHANGE].nparts = WB_GRID_PARTS;
	if (g->ngroups > BASE) {
		g->group[BASE].title = wb_xstrdup("from base");
		g->group[BASE].nparts = 2;
	}
	for (c = 0; c < v->ncolumns; c++) {
		row = wb_table_row(v->t, v->metric[m], v->column[c]);
		g->number[c] = wb_xasprintf("%d",
				v->t->r->column[v->column[c]].index);
		fill_value(v->t, row, decimals, wb_grid_cell(g, VALUE, c));
		fill_n(row, wb_grid_cell(g, N, c));
		fill_verdict(v->t, row, wb_grid_cell(g, CHANGE, c));
		if (g->ngroups > BASE)
			fill_change(wb_grid_cell(g, BASE, c), v->t,
				    row->base_change, row->base_low,
				    row->base_high, row->base_exact);
	}
}

/* Adds a piece to a heading: on its line or, without room, on its own. */
static void add_piece(const struct wb_format_options *o, struct wb_buf *line,
		      const char *piece, struct wb_buf *out)
{
	if (wb_text_width(line->ptr) + 2 + wb_text_width(piece) >
	    wb_grid_width(o)) {
		wb_buf_addch(line, ',');
		wb_grid_line(o, line->ptr, out);
		wb_buf_reset(line);
	} else if (line->len) {
		wb_buf_addstr(line, ", ");
	}
	wb_buf_addstr(line, piece);
}

/* "total-odr0-1: ns, lower is better, level S (clock)" */
static void add_heading(const struct wb_view *v,
			const struct wb_format_options *o, size_t m,
			struct wb_buf *out)
{
	const struct wb_metric *metric = &v->t->r->metric[v->metric[m]];
	const char *better = wb_better_word(metric->better);
	bool markdown = o->kind == WB_FORMAT_MARKDOWN;
	char *unit = *metric->unit ? wb_grid_text(o, metric->unit, UNIT_MAX) :
		     wb_xstrdup("no unit");
	struct wb_buf line = WB_BUF_INIT;
	char *name, *sense;

	/* the name gets the room that is left, less what may be escaped */
	name = wb_grid_text(o, metric->name, wb_grid_width(o) -
			    wb_text_width(unit) - 10);
	wb_buf_addf(&line, markdown ? "**%s**: %s" : "%s: %s", name, unit);
	if (*better) {
		sense = wb_xasprintf("%s is better", better);
		add_piece(o, &line, sense, out);
		free(sense);
	}
	if (wb_level_text(metric))
		add_piece(o, &line, wb_level_text(metric), out);
	wb_grid_line(o, line.ptr, out);
	if (markdown)
		wb_buf_addch(out, '\n');
	wb_buf_clear(&line);
	free(name);
	free(unit);
}

static size_t longest_name(const struct wb_view *v,
			   const struct wb_format_options *o)
{
	size_t c, n, max = 0;
	char *name;

	for (c = 0; c < v->ncolumns; c++) {
		name = wb_grid_text(o, v->t->r->column[v->column[c]].name,
				    wb_grid_width(o));
		n = wb_text_width(name);
		max = n > max ? n : max;
		free(name);
	}
	return max;
}

static void fill_labels(const struct wb_view *v,
			const struct wb_format_options *o, struct wb_grid *g,
			size_t width)
{
	size_t c;

	for (c = 0; c < v->ncolumns; c++)
		g->label[c] = wb_grid_text(o,
				v->t->r->column[v->column[c]].name, width);
}

static void add_metric(const struct wb_view *v,
		       const struct wb_format_options *o, size_t m,
		       bool *named, struct wb_buf *out)
{
	size_t name = longest_name(v, o);
	struct wb_grid g;

	wb_grid_init(&g, o, v->ncolumns,
		     compares_twice(v, m) ? GROUPS : GROUPS - 1);
	fill_grid(v, o, m, &g);
	if (wb_grid_has_room(&g, name)) {
		fill_labels(v, o, &g, name);
		*named = true;
	}
	add_heading(v, o, m, out);
	wb_grid_print(&g, out);
	wb_buf_addch(out, '\n');
	wb_grid_clear(&g);
}

/* The subject of a column whose name tells nothing, NULL for others. */
static const char *subject_of(const struct wb_view *v, size_t c)
{
	const struct wb_column *column = &v->t->r->column[v->column[c]];

	return wb_column_is_commit(column) && column->subject &&
	       *column->subject ? column->subject : NULL;
}

static bool has_subjects(const struct wb_view *v)
{
	size_t c;

	for (c = 0; c < v->ncolumns; c++)
		if (subject_of(v, c))
			return true;
	return false;
}

static void fill_subjects(const struct wb_view *v,
			  const struct wb_format_options *o, struct wb_grid *g)
{
	size_t c, room = wb_grid_room(g);

	g->group[0].title = wb_xstrdup("subject");
	g->group[0].nparts = 1;
	g->group[0].prose = true;
	for (c = 0; c < v->ncolumns; c++)
		if (subject_of(v, c))
			wb_grid_cell(g, 0, c)->part[0] =
				wb_grid_sentence(o, subject_of(v, c), room);
}

/*
 * The patches and their numbers: for tables that have no room for names, and
 * for names that need a subject.
 */
static void add_legend(const struct wb_view *v,
		       const struct wb_format_options *o, struct wb_buf *out)
{
	struct wb_grid g;
	size_t c;

	wb_grid_init(&g, o, v->ncolumns, has_subjects(v) ? 1 : 0);
	for (c = 0; c < v->ncolumns; c++)
		g.number[c] = wb_xasprintf("%d",
				v->t->r->column[v->column[c]].index);
	/* the other half is for subjects */
	fill_labels(v, o, &g, g.ngroups ? wb_grid_width(o) / 2 :
		    wb_grid_width(o) - 12);
	if (g.ngroups)
		fill_subjects(v, o, &g);
	wb_grid_print(&g, out);
	wb_buf_addch(out, '\n');
	wb_grid_clear(&g);
}

static bool same_columns(const struct wb_view *a, const struct wb_view *b)
{
	return a->ncolumns == b->ncolumns &&
	       !memcmp(a->column, b->column, a->ncolumns * sizeof(*a->column));
}

/* A blank line, but no two of them and none at the top. */
static void separate(struct wb_buf *out, size_t start)
{
	if (out->len > start && !wb_str_ends(out->ptr, "\n\n"))
		wb_buf_addch(out, '\n');
}

/* "pagealloc: changes with their 95 % intervals", in markdown a heading. */
static void add_title(const struct wb_format_options *o, const char *bench,
		      struct wb_buf *out)
{
	static const char what[] = "changes with their 95 % intervals";
	bool markdown = o->kind == WB_FORMAT_MARKDOWN;
	char *name = wb_grid_text(o, bench, wb_grid_width(o) - sizeof(what) -
				  10);
	struct wb_buf line = WB_BUF_INIT;

	wb_buf_addf(&line, "%s%s%s%s", markdown ? "### " : "",
		    *bench ? name : "", *bench ? ": " : "", what);
	wb_grid_line(o, line.ptr, out);
	wb_buf_addch(out, '\n');
	wb_buf_clear(&line);
	free(name);
}

/*
 * before: the view whose legend stands above, NULL if none does. Whether the
 * tables have a legend now.
 */
static bool add_bench(const struct wb_view *v, const struct wb_view *before,
		      const struct wb_format_options *o, struct wb_buf *out)
{
	struct wb_buf tables = WB_BUF_INIT;
	bool named = false, legend;
	size_t m;

	for (m = 0; m < v->nmetrics; m++)
		add_metric(v, o, m, &named, &tables);
	legend = !named || has_subjects(v);
	add_title(o, v->bench, out);
	if (legend && !(before && same_columns(v, before)))
		add_legend(v, o, out);
	wb_buf_add(out, tables.ptr, tables.len);
	wb_format_notes(v, o, out);
	wb_buf_clear(&tables);
	return legend;
}

void wb_format_text(const struct wb_table *t, const struct wb_format_options *o,
		    struct wb_buf *out)
{
	size_t next = 0, start = out->len, benches = 0;
	struct wb_view v, legend;
	bool known = false;

	while (next < t->r->nmetrics) {
		wb_view_init(&v, t, o, false, &next);
		if (v.nmetrics && v.measured) {
			separate(out, start);
			benches++;
			if (add_bench(&v, known ? &legend : NULL, o, out)) {
				if (known)
					wb_view_clear(&legend);
				legend = v;
				known = true;
				continue;
			}
		}
		wb_view_clear(&v);
	}
	if (known)
		wb_view_clear(&legend);
	/* what concerns one bench alone is one list with its own notes */
	if (benches > 1) {
		separate(out, start);
		if (o->kind == WB_FORMAT_MARKDOWN)
			wb_buf_addstr(out, "### All benches\n\n");
	}
	wb_format_summary(t, o, out);
}
