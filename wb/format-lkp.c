/*
 * The comparison table of lkp: failures first, then a row a metric with the
 * mean of each column and its change from the first one.
 *
 * With compat the bytes are those of the original, which hides a deviation of
 * 2 % or less, counts what is missing as 0 and divides by almost nothing when
 * the base is 0. Without it: 7 bit and no tabs; the columns are named; missing
 * is "-", a base of 0 "n/a", every deviation is shown, the star says that the
 * interval of the change excludes 0, and n and units stand below.
 */
#include "format-grid.h"
#include "format-key.h"
#include "lkp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_DEVIATION 2.0	/* percent; the original shows what is above */
#define SCIENTIFIC 100000.0	/* percent, from which on a change has an e */

struct layout {
	const struct wb_format_options *o;
	struct wb_view view;
	struct wb_lkp_side *side;	/* [metric of view][column of view] */
};

static const struct wb_lkp_side *side_at(const struct layout *l, size_t m,
					 size_t c)
{
	return &l->side[m * l->view.ncolumns + c];
}

static const struct wb_metric *metric_at(const struct layout *l, size_t m)
{
	return &l->view.t->r->metric[l->view.metric[m]];
}

static bool is_failure(const struct layout *l, size_t m)
{
	return !strcmp(metric_at(l, m)->unit, "fail");
}

static const struct wb_row *row_at(const struct layout *l, size_t m, size_t c)
{
	return wb_table_row(l->view.t, l->view.metric[m], l->view.column[c]);
}

/* ---- cells ---- */

static void add_name(const struct layout *l, struct wb_buf *out, size_t m)
{
	wb_buf_addstr(out, "  ");
	wb_text_add(out, metric_at(l, m)->name, l->o->compat ? WB_TEXT_UTF8 :
		    WB_TEXT_ASCII | WB_TEXT_WORD);
	wb_buf_addch(out, '\n');
}

static void add_fails(const struct layout *l, struct wb_buf *out, size_t m,
		      size_t c)
{
	const struct wb_lkp_side *s = side_at(l, m, c);

	if (!l->o->compat && !s->n)
		wb_buf_addf(out, "%11s     ", "-");
	else if (s->fails || !l->o->compat)
		wb_buf_addf(out, "%11zu:%-4zu", s->fails, s->n);
	else
		wb_buf_addf(out, "%11s:%-4zu", "", s->n);
}

static void add_reproduction(const struct layout *l, struct wb_buf *out,
			     size_t m, size_t c)
{
	double r = l->o->compat ?
		wb_lkp_reproduction_compat(side_at(l, m, c),
					   side_at(l, m, c - 1),
					   side_at(l, m, 0)) :
		wb_lkp_reproduction(side_at(l, m, c), side_at(l, m, 0));

	if (isnan(r))
		wb_buf_addf(out, "%10s  ", "-");
	else
		wb_buf_addf(out, "%10.0f%% ", r);
}

static void add_mean(struct wb_buf *out, double mean)
{
	if (mean < 1000)
		wb_buf_addf(out, "%10.2f", mean);
	else if (mean < 1e8)
		wb_buf_addf(out, "%10.0f", trunc(mean));
	else
		wb_buf_addf(out, "%10.4g", mean);
}

static void add_side(const struct layout *l, struct wb_buf *out, size_t m,
		     size_t c)
{
	const struct wb_lkp_side *s = side_at(l, m, c);

	if (!s->n && !l->o->compat) {
		wb_buf_addf(out, "%10s%6s", "-", "");
		return;
	}
	add_mean(out, s->n ? s->mean : 0);
	if (!l->o->compat) {
		if (isnan(s->deviation) || fabs(s->deviation) > 999)
			wb_buf_addf(out, "%6s", "");
		else
			wb_buf_addf(out, " +-%2.0f%%", fabs(s->deviation));
	} else if (s->deviation > SHOWN_DEVIATION) {
		wb_buf_addf(out, " \xc2\xb1%3d%%", (int)s->deviation);
	} else {
		wb_buf_addf(out, "%6s", "");
	}
}

static bool starred(const struct layout *l, size_t m, size_t c)
{
	const struct wb_row *row = row_at(l, m, c);

	return row->base_low > 0 || row->base_high < 0 ||
	       (row->base_exact && row->base_change != 0);
}

static void add_change(const struct layout *l, struct wb_buf *out, size_t m,
		       size_t c)
{
	const struct wb_lkp_side *now = side_at(l, m, c);
	const struct wb_lkp_side *base = side_at(l, m, 0);
	bool share = wb_lkp_is_share(metric_at(l, m)->name);
	double change = l->o->compat ? wb_lkp_change_compat(now, base, share) :
			wb_lkp_change(now, base, share);
	char end = !l->o->compat && starred(l, m, c) ? '*' : ' ';

	if (isnan(change))
		wb_buf_addf(out, "%10s  ", now->n && base->n ? "n/a" : "-");
	else if (share)
		wb_buf_addf(out, "%+10.1f %c", change, end);
	else
		wb_buf_addf(out, fabs(change) < SCIENTIFIC ? "%+10.1f%%%c" :
			    "%+10.2g%%%c", change, end);
}

/* ---- rows ---- */

static bool shown(const struct layout *l, size_t m)
{
	size_t c;

	if (!l->o->compat || !l->o->only_changed)
		return true;
	for (c = 1; c < l->view.ncolumns; c++)
		if (wb_lkp_changed(side_at(l, m, c), side_at(l, m, 0)))
			return true;
	return false;
}

static void add_rows(const struct layout *l, struct wb_buf *out, bool failures)
{
	size_t m, c;

	for (m = 0; m < l->view.nmetrics; m++) {
		if (is_failure(l, m) != failures || !shown(l, m))
			continue;
		for (c = 0; c < l->view.ncolumns; c++) {
			if (c && failures)
				add_reproduction(l, out, m, c);
			else if (c)
				add_change(l, out, m, c);
			if (failures)
				add_fails(l, out, m, c);
			else
				add_side(l, out, m, c);
		}
		add_name(l, out, m);
	}
}

/* first once, then next for each further column. */
static void add_header(const struct layout *l, struct wb_buf *out,
		       const char *first, const char *next)
{
	size_t c;

	wb_buf_addstr(out, first);
	for (c = 1; c < l->view.ncolumns; c++)
		wb_buf_addstr(out, next);
	while (!l->o->compat && out->ptr[out->len - 1] == ' ')
		wb_buf_truncate(out, out->len - 1);
	wb_buf_addch(out, '\n');
}

/* A name for a place of so many columns: cut, and to the right. */
static void add_id(struct wb_buf *out, const char *name, size_t keep,
		   size_t width)
{
	struct wb_buf safe = WB_BUF_INIT;

	wb_text_add(&safe, name, WB_TEXT_UTF8);
	wb_buf_truncate(&safe, wb_text_fit(safe.ptr, keep));
	wb_text_pad(out, safe.ptr, width, true);
	wb_buf_clear(&safe);
}

/* The original's header: the group by its axes, and its commits. */
static void add_group(const struct layout *l, struct wb_buf *out)
{
	const struct wb_metric *m = metric_at(l, 0);
	const struct wb_column *column = l->view.t->r->column;
	const size_t *at = l->view.column;
	size_t c;

	wb_buf_fill(out, '=', 89);
	wb_buf_addch(out, '\n');
	wb_text_add(out, m->axes, WB_TEXT_UTF8);
	wb_buf_addstr(out, ":\n  ");
	wb_text_add(out, m->values, WB_TEXT_UTF8);
	wb_buf_addstr(out, "\n\ncommit: \n");
	for (c = 0; c < l->view.ncolumns; c++) {
		wb_buf_addstr(out, "  ");
		add_id(out, column[at[c]].name, 10, 0);
		wb_buf_addstr(out, " (\"");
		if (column[at[c]].subject)
			wb_text_add(out, column[at[c]].subject, WB_TEXT_UTF8);
		wb_buf_addstr(out, "\")\n");
	}
	wb_buf_addch(out, '\n');
	for (c = 0; c < l->view.ncolumns; c++) {
		add_id(out, column[at[c]].name, c ? 27 : 16, c ? 27 : 16);
		wb_buf_addch(out, ' ');
	}
	wb_buf_addch(out, '\n');
	for (c = 0; c < l->view.ncolumns; c++) {
		wb_buf_fill(out, '-', c ? 27 : 16);
		wb_buf_addch(out, ' ');
	}
	wb_buf_addch(out, '\n');
}

/* Which prefix each column is. */
static void add_columns(const struct layout *l, struct wb_buf *out)
{
	const struct wb_column *col;
	struct wb_buf b = WB_BUF_INIT;
	size_t c;
	char *name;

	wb_buf_addstr(out, "commit:\n");
	for (c = 0; c < l->view.ncolumns; c++) {
		col = &l->view.t->r->column[l->view.column[c]];
		wb_buf_reset(&b);
		wb_buf_addf(&b, "%d %s", col->index, col->name);
		if (col->subject && *col->subject)
			wb_buf_addf(&b, " (\"%s\")", col->subject);
		wb_format_key_line(b.ptr, out);
	}
	wb_buf_addch(out, '\n');
	for (c = 0; c < l->view.ncolumns; c++) {
		name = wb_format_key_name(&l->view, c);
		/* one that is too long is a number already */
		wb_buf_addf(out, c ? " %27s" : "%16.16s", name);
		free(name);
	}
	wb_buf_addch(out, '\n');
	wb_buf_fill(out, '=', 16);
	for (c = 1; c < l->view.ncolumns; c++) {
		wb_buf_addch(out, ' ');
		wb_buf_fill(out, '=', 27);
	}
	wb_buf_addch(out, '\n');
	wb_buf_clear(&b);
}

static bool has(const struct layout *l, bool failures)
{
	size_t m;

	for (m = 0; m < l->view.nmetrics; m++)
		if (is_failure(l, m) == failures && shown(l, m))
			return true;
	return false;
}

/* The layout has no room for them, and no percentage is without one. */
static void add_intervals(const struct layout *l, struct wb_buf *out)
{
	static const struct wb_format_options mail = {
		.kind = WB_FORMAT_PLAIN,
	};
	const struct wb_row *row;
	struct wb_grid g;
	size_t m, c;

	wb_grid_init(&g, &mail, l->view.nmetrics, l->view.ncolumns - 1);
	g.head = "95%-intervals";
	for (m = 0; m < l->view.nmetrics; m++)
		g.number[m] = wb_grid_text(&mail, metric_at(l, m)->name, 40);
	for (c = 1; c < l->view.ncolumns; c++) {
		g.group[c - 1].title = wb_format_key_name(&l->view, c);
		g.group[c - 1].nparts = 1;
		for (m = 0; m < l->view.nmetrics; m++) {
			row = row_at(l, m, c);
			wb_grid_cell(&g, c - 1, m)->part[0] =
				row->base_exact ? wb_xstrdup("exact") :
				wb_format_key_interval(row->base_low,
						       row->base_high,
						       l->view.t->o.margin);
		}
	}
	wb_grid_print(&g, out);
	wb_grid_clear(&g);
}

static void add_table(struct layout *l, struct wb_buf *out)
{
	size_t n = l->view.nmetrics * l->view.ncolumns, i;

	l->side = wb_xcalloc(n, sizeof(*l->side));
	for (i = 0; i < n; i++)
		wb_lkp_side_init(&l->side[i], &l->view.t->cells,
				 l->view.metric[i / l->view.ncolumns],
				 l->view.column[i % l->view.ncolumns]);
	if (!l->o->compat)
		add_columns(l, out);
	else if (metric_at(l, 0)->axes)
		add_group(l, out);
	if (has(l, true)) {
		add_header(l, out, "       fail:runs",
			   "  %reproduction    fail:runs");
		add_header(l, out, "           |    ",
			   "         |             |    ");
		add_rows(l, out, true);
	}
	if (has(l, false)) {
		add_header(l, out, "         %stddev",
			   "     %change         %stddev");
		add_header(l, out, "             \\  ",
			   "        |                \\  ");
		add_rows(l, out, false);
	}
	if (!l->o->compat) {
		if (l->view.ncolumns > 1)
			add_intervals(l, out);
		wb_format_key(&l->view, out);
		wb_format_key_line("mean and standard deviation of single "
				   "samples; change: raw, from the first "
				   "column; *: its 95 % interval (t on logs, "
				   "by round) excludes 0", out);
	}
	for (i = 0; i < n; i++)
		wb_lkp_side_clear(&l->side[i]);
	free(l->side);
}

void wb_format_lkp(const struct wb_table *t, const struct wb_format_options *o,
		   struct wb_buf *out)
{
	struct wb_format_options all = *o;
	size_t next = 0, start = out->len;

	/* there --only=changed is about rows */
	if (o->compat)
		all.only_changed = false;
	while (next < t->r->nmetrics) {
		struct layout l = { .o = o };

		wb_view_init(&l.view, t, &all, o->compat, &next);
		if (l.view.nmetrics && (o->compat || l.view.measured)) {
			if (out->len > start)
				wb_buf_addch(out, '\n');
			add_table(&l, out);
		}
		wb_view_clear(&l.view);
	}
	if (!o->compat)
		wb_format_key_unmeasured(t, o, out);
}
