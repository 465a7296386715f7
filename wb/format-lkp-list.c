/*
 * The list that testers of a series send: for each prefix its subject, then a
 * line a metric with mean and relative standard deviation.
 *
 *	base
 *	will-it-scale.1.processes		618621.7	(+-  0.18%)
 *
 * Tabs lead to column 48. Numbers below 1000 are a place wider than those
 * above, as in the original. It prints no change; the reader compares.
 */
#include "format-key.h"
#include "lkp.h"

#include <math.h>
#include <string.h>

#define TAB 8
#define VALUE_COLUMN 48

static void add_metric(const struct wb_view *v, size_t m, size_t c,
		       struct wb_buf *out)
{
	size_t start = out->len, at;
	struct wb_lkp_side s;

	wb_text_add(out, v->t->r->metric[v->metric[m]].name,
		    WB_TEXT_ASCII | WB_TEXT_WORD);
	at = out->len - start;
	do {
		wb_buf_addch(out, '\t');
		at += TAB - at % TAB;
	} while (at < VALUE_COLUMN);
	wb_lkp_side_init(&s, &v->t->cells, v->metric[m], v->column[c]);
	if (!s.n)
		wb_buf_addf(out, "%9s", "-");
	else if (fabs(s.mean) < 1000)
		wb_buf_addf(out, "%9.2f", s.mean);
	else
		wb_buf_addf(out, "%8.1f", s.mean);
	if (isfinite(s.deviation))
		wb_buf_addf(out, "\t(+- %5.2f%%)", fabs(s.deviation));
	else
		wb_buf_addstr(out, "\t(+-     -)");
	wb_buf_addch(out, '\n');
	wb_lkp_side_clear(&s);
}

static void add_block(const struct wb_view *v, size_t c, bool compat,
		      struct wb_buf *out)
{
	const struct wb_column *column = &v->t->r->column[v->column[c]];
	const char *title = column->subject && *column->subject ?
			    column->subject : column->name;
	size_t m;

	if (compat) {
		wb_text_add(out, title, WB_TEXT_UTF8);
		wb_buf_addch(out, '\n');
	} else {
		wb_format_key_line(title, out);
	}
	for (m = 0; m < v->nmetrics; m++)
		add_metric(v, m, c, out);
}

static void add_list(const struct wb_view *v,
		     const struct wb_format_options *o, struct wb_buf *out)
{
	size_t c;

	for (c = 0; c < v->ncolumns; c++) {
		if (c)
			wb_buf_addch(out, '\n');
		add_block(v, c, o->compat, out);
	}
	if (o->compat)
		return;
	wb_buf_addch(out, '\n');
	wb_format_key(v, out);
	wb_format_key_line("mean of all samples, and the standard deviation of "
			   "one sample in percent of it", out);
}

void wb_format_lkp_list(const struct wb_table *t,
			const struct wb_format_options *o, struct wb_buf *out)
{
	wb_format_key_tables(t, o, add_list, out);
}
