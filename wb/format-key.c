#include "format-key.h"
#include "format-grid.h"
#include "format-notes.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct wb_format_options mail = { .kind = WB_FORMAT_PLAIN };

static const struct wb_metric *metric_at(const struct wb_view *v, size_t m)
{
	return &v->t->r->metric[v->metric[m]];
}

static const struct wb_column *column_at(const struct wb_view *v, size_t c)
{
	return &v->t->r->column[v->column[c]];
}

void wb_format_key_line(const char *text, struct wb_buf *out)
{
	wb_grid_prose(&mail, text, out);
}

static bool same_kind(const struct wb_metric *a, const struct wb_metric *b)
{
	const char *x = wb_level_text(a), *y = wb_level_text(b);

	return a->better == b->better && !strcmp(a->unit, b->unit) &&
	       !strcmp(x ? x : "", y ? y : "");
}

/*
 * "ns, lower is better, level S (clock): alloc, free"; all of one kind need no
 * names.
 */
static void add_kind(const struct wb_view *v, size_t first, struct wb_buf *out)
{
	const struct wb_metric *m = metric_at(v, first);
	const char *better = wb_better_word(m->better);
	struct wb_buf b = WB_BUF_INIT, names = WB_BUF_INIT;
	size_t i, n = 0;

	for (i = first; i < v->nmetrics; i++) {
		if (!same_kind(m, metric_at(v, i)))
			continue;
		wb_buf_addf(&names, "%s%s", n++ ? ", " : ": ",
			    metric_at(v, i)->name);
	}
	wb_buf_addf(&b, "%s, %s%s", *m->unit ? m->unit : "no unit",
		    *better ? better : "better not known",
		    *better ? " is better" : "");
	if (wb_level_text(m))
		wb_buf_addf(&b, ", %s", wb_level_text(m));
	if (n < v->nmetrics)
		wb_buf_addstr(&b, names.ptr);
	wb_format_key_line(b.ptr, out);
	wb_buf_clear(&names);
	wb_buf_clear(&b);
}

static void add_kinds(const struct wb_view *v, struct wb_buf *out)
{
	size_t i, k;

	for (i = 0; i < v->nmetrics; i++) {
		for (k = 0; k < i; k++)
			if (same_kind(metric_at(v, i), metric_at(v, k)))
				break;
		if (k == i)
			add_kind(v, i, out);
	}
}

static void add_n(const struct wb_view *v, struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT;
	const struct wb_row *row;
	size_t c, m;

	wb_buf_addstr(&b, "n =");
	for (c = 0; c < v->ncolumns; c++) {
		size_t least = SIZE_MAX, most = 0;

		for (m = 0; m < v->nmetrics; m++) {
			row = wb_table_row(v->t, v->metric[m], v->column[c]);
			least = row->n < least ? row->n : least;
			most = row->n > most ? row->n : most;
		}
		wb_buf_addf(&b, least == most ? " %zu" : " %zu..%zu", least,
			    most);
	}
	wb_buf_addstr(&b, " processes");
	wb_format_key_line(b.ptr, out);
	wb_buf_clear(&b);
}

static void add_broken(const struct wb_view *v, struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT;
	const struct wb_row *row;
	size_t c;

	for (c = 0; c < v->ncolumns && v->nmetrics; c++) {
		row = wb_table_row(v->t, v->metric[0], v->column[c]);
		if (row->verdict != WB_VERDICT_BROKEN)
			continue;
		wb_buf_reset(&b);
		wb_buf_addf(&b, "broken: %d %s", column_at(v, c)->index,
			    column_at(v, c)->name);
		if (row->reason)
			wb_buf_addf(&b, ": %s", row->reason);
		wb_format_key_line(b.ptr, out);
	}
	wb_buf_clear(&b);
}

void wb_format_key(const struct wb_view *v, struct wb_buf *out)
{
	char *text;

	add_n(v, out);
	add_kinds(v, out);
	add_broken(v, out);
	wb_format_ticks(v, &mail, out);
	wb_format_machine(v, &mail, out);
	if (!v->judged || !v->hidden)
		return;
	text = wb_xasprintf("not judged: %zu metric%s; see them with --metric "
			    "GLOB", v->hidden, v->hidden == 1 ? "" : "s");
	wb_format_key_line(text, out);
	free(text);
}

char *wb_format_key_interval(double low, double high, double margin)
{
	struct wb_buf b = WB_BUF_INIT;
	int d = wb_percent_decimals(low, low, high, margin);

	if (isnan(low) || isnan(high))
		return wb_xstrdup("-");
	wb_interval_add(&b, low, high, d);
	wb_buf_addch(&b, '%');
	return wb_buf_detach(&b);
}

void wb_format_key_unmeasured(const struct wb_table *t,
			      const struct wb_format_options *o,
			      struct wb_buf *out)
{
	const struct wb_hole *why;
	const char *bench;
	size_t i = 0;
	char *text;

	while ((bench = wb_view_unmeasured(t, o, &i, &why))) {
		text = wb_xasprintf("%s: not measured", bench);
		wb_format_key_line(text, out);
		free(text);
	}
}

static bool too_long(const struct wb_column *c)
{
	char *whole = wb_grid_text(&mail, c->name, SIZE_MAX / 2);
	bool too = wb_text_width(whole) > WB_KEY_NAME;

	free(whole);
	return too;
}

char *wb_format_key_name(const struct wb_view *v, size_t column)
{
	const struct wb_column *c = column_at(v, column);

	return too_long(c) ? wb_xasprintf("[%d]", c->index) :
	       wb_grid_text(&mail, c->name, WB_KEY_NAME);
}

void wb_format_key_legend(const struct wb_view *v, struct wb_buf *out)
{
	size_t c;
	char *text;

	for (c = 0; c < v->ncolumns; c++) {
		if (!too_long(column_at(v, c)))
			continue;
		text = wb_xasprintf("[%d] %s", column_at(v, c)->index,
				    column_at(v, c)->name);
		wb_format_key_line(text, out);
		free(text);
	}
}

void wb_format_key_tables(const struct wb_table *t,
			  const struct wb_format_options *o,
			  wb_format_table_fn *add, struct wb_buf *out)
{
	size_t next = 0, start = out->len;
	struct wb_view v;

	while (next < t->r->nmetrics) {
		wb_view_init(&v, t, o, false, &next);
		if (v.nmetrics && v.measured) {
			if (out->len > start)
				wb_buf_addch(out, '\n');
			add(&v, o, out);
		}
		wb_view_clear(&v);
	}
	if (!o->compat)
		wb_format_key_unmeasured(t, o, out);
}
