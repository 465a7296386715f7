/*
 * The short table that people type into mails by hand:
 *
 *	threads  SLUB    SLUB+patch
 *	16       116614  117213 (+0.5%)
 *	80       435688  435765 (UNCH)
 *
 * A row a metric, a column a prefix, and in parentheses the ratio of the
 * printed values less 1, whether that is good or bad. Where all metrics are
 * one word and a number, the word heads the table. UNCH is less than 0.05 %,
 * and it is tested: the interval of the change must lie within the margin.
 * Where the interval includes 0 a ? stands behind the change.
 */
#include "format-grid.h"
#include "format-key.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct wb_format_options mail = { .kind = WB_FORMAT_PLAIN };

#define UNCHANGED 0.0005	/* what rounds to 0.0 % */

/* Bytes of "threads-" in "threads-16"; 0 when there is no such word. */
static size_t stem_of(const char *name)
{
	size_t len = strlen(name), n = len;

	while (n && isdigit((unsigned char)name[n - 1]))
		n--;
	return n > 1 && n < len && name[n - 1] == '-' ? n : 0;
}

/* The same for all metrics that are shown. */
static size_t common_stem(const struct wb_view *v)
{
	const struct wb_metric *m = v->t->r->metric;
	const char *first = m[v->metric[0]].name, *name;
	size_t stem = stem_of(first), i;

	for (i = 1; i < v->nmetrics && stem; i++) {
		name = m[v->metric[i]].name;
		if (stem_of(name) != stem || memcmp(name, first, stem))
			return 0;
	}
	return stem;
}

static bool has_interval(const struct wb_row *row)
{
	return !isnan(row->low) && !isnan(row->high);
}

static char *change_text(const struct wb_table *t, const struct wb_row *row)
{
	const struct wb_row *old = wb_table_row(t, row->metric,
						(size_t)row->against);
	double ratio = row->value / old->value - 1;
	struct wb_buf b = WB_BUF_INIT;
	bool single = row->n == 1 && old->n == 1;

	if (isnan(row->value) || isnan(old->value))
		return wb_xstrdup("(-)");
	if (old->value == 0 && row->value != 0)
		return wb_xstrdup("(n/a)");
	if (isnan(ratio) || fabs(ratio) < UNCHANGED) {
		if (row->exact || single || (has_interval(row) &&
		    row->low >= -t->o.margin && row->high <= t->o.margin))
			return wb_xstrdup("(UNCH)");
		return wb_xstrdup("(+0.0%?)");
	}
	wb_buf_addch(&b, '(');
	wb_percent_add(&b, ratio, 1);
	if (!row->exact && has_interval(row) && row->low <= 0 && row->high >= 0)
		wb_buf_addch(&b, '?');
	wb_buf_addch(&b, ')');
	return wb_buf_detach(&b);
}

/* Decimals that all values of a row share; -1: they are too far apart. */
static int decimals_of(const struct wb_view *v, size_t m)
{
	const struct wb_row *row;
	int most = 0, d;
	size_t c;

	for (c = 0; c < v->ncolumns; c++) {
		row = wb_table_row(v->t, v->metric[m], v->column[c]);
		if (isnan(row->value))
			continue;
		d = wb_value_decimals(row->value, v->t->tick[row->metric]);
		if (d < 0)
			return -1;
		most = d > most ? d : most;
	}
	return most;
}

static char *value_text(const struct wb_view *v, const struct wb_row *row,
			int decimals)
{
	struct wb_buf b = WB_BUF_INIT;

	if (decimals < 0 || isnan(row->value))
		wb_value_add(&b, row->value, v->t->tick[row->metric]);
	else
		wb_buf_addf(&b, "%.*f", decimals, row->value);
	return wb_buf_detach(&b);
}

static void fill_row(const struct wb_view *v, struct wb_grid *g, size_t m,
		     size_t stem)
{
	const char *name = v->t->r->metric[v->metric[m]].name;
	int decimals = decimals_of(v, m);
	const struct wb_row *row;
	struct wb_grid_cell *cell;
	size_t c;

	g->number[m] = wb_grid_text(&mail, name + stem, 40);
	for (c = 0; c < v->ncolumns; c++) {
		row = wb_table_row(v->t, v->metric[m], v->column[c]);
		cell = wb_grid_cell(g, c, m);
		cell->part[0] = value_text(v, row, decimals);
		if (g->group[c].nparts > 1 &&
		    row->verdict == WB_VERDICT_BROKEN)
			cell->part[1] = wb_xstrdup("(broken)");
		else if (g->group[c].nparts > 1 && row->against >= 0)
			cell->part[1] = change_text(v->t, row);
		if (g->group[c].nparts > 2)
			cell->part[2] = row->exact ? wb_xstrdup("exact") :
				wb_format_key_interval(row->low, row->high,
						       v->t->o.margin);
	}
}

static void add_footer(const struct wb_view *v, struct wb_buf *out)
{
	const struct wb_table *t = v->t;
	struct wb_buf b = WB_BUF_INIT;

	wb_format_key_legend(v, out);
	wb_format_key(v, out);
	wb_buf_addstr(&b, "value: median of n processes; in parentheses: "
		      "new/old - 1 against ");
	if (t->o.against == WB_AGAINST_PREV)
		wb_buf_addstr(&b, "the prefix before");
	else
		wb_buf_addstr(&b, t->r->column[t->o.against ==
			      WB_AGAINST_COLUMN ? t->o.column : 0].name);
	wb_format_key_line(b.ptr, out);
	wb_buf_reset(&b);
	wb_buf_addf(&b, "UNCH: less than 0.05 %%, 95 %% interval within "
		    "+-%g %%; ?: the interval includes 0; in brackets: that "
		    "interval, t on logs, by round; one sample a side has "
		    "none", t->o.margin * 100);
	wb_format_key_line(b.ptr, out);
	wb_buf_clear(&b);
}

/* Values, and their changes, and the intervals of these, if there are any. */
static size_t parts_of(const struct wb_view *v, size_t c, bool compat)
{
	const struct wb_row *row;
	size_t m;

	if (wb_table_row(v->t, v->metric[0], v->column[c])->against < 0)
		return 1;
	for (m = 0; m < v->nmetrics && !compat; m++) {
		row = wb_table_row(v->t, v->metric[m], v->column[c]);
		if (has_interval(row))
			return 3;
	}
	return 2;
}

static void add_table(const struct wb_view *v,
		      const struct wb_format_options *o, struct wb_buf *out)
{
	size_t stem = common_stem(v), m, c;
	char *head = stem ? wb_xstrndup(v->t->r->metric[v->metric[0]].name,
					stem - 1) : wb_xstrdup("metric");
	char *safe = wb_grid_text(&mail, head, 40);
	struct wb_grid g;

	wb_grid_init(&g, &mail, v->nmetrics, v->ncolumns);
	g.head = safe;
	for (c = 0; c < v->ncolumns; c++) {
		g.group[c].title = wb_format_key_name(v, c);
		g.group[c].nparts = parts_of(v, c, o->compat);
	}
	for (m = 0; m < v->nmetrics; m++)
		fill_row(v, &g, m, stem);
	wb_grid_print(&g, out);
	if (!o->compat)
		add_footer(v, out);
	wb_grid_clear(&g);
	free(safe);
	free(head);
}

void wb_format_delta(const struct wb_table *t,
		     const struct wb_format_options *o, struct wb_buf *out)
{
	wb_format_key_tables(t, o, add_table, out);
}
