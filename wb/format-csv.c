/*
 * The judged table as csv: RFC 4180 with plain newlines, numbers as they are
 * and not rounded. All metrics are in it, judged or not, unless globs choose.
 */
#include "format-parts.h"
#include "number.h"

#include <math.h>
#include <string.h>

static void add_number(struct wb_buf *out, double v)
{
	if (!isnan(v))
		wb_number_add(out, v);
}

/*
 * A name or a reason. Quoted when it needs to be; a spreadsheet would run what
 * begins like a formula, so that gets an apostrophe, as spreadsheets do it.
 */
static void add_text(struct wb_buf *out, const char *s)
{
	struct wb_buf safe = WB_BUF_INIT;
	const char *p;

	if (!s || !*s)
		return;
	if (strchr("=+-@", *s))
		wb_buf_addch(&safe, '\'');
	wb_text_add(&safe, s, WB_TEXT_UTF8);
	if (!strpbrk(safe.ptr, ",\"' ")) {
		wb_buf_addstr(out, safe.ptr);
	} else {
		wb_buf_addch(out, '"');
		for (p = safe.ptr; *p; p++)
			wb_buf_addf(out, *p == '"' ? "\"%c" : "%c", *p);
		wb_buf_addch(out, '"');
	}
	wb_buf_clear(&safe);
}

/* visible: see wb_table_visible(). */
static void add_csv_row(const struct wb_table *t, const struct wb_row *row,
			double visible, struct wb_buf *out)
{
	const struct wb_metric *m = &t->r->metric[row->metric];
	const struct wb_column *c = &t->r->column[row->column];
	const char *text[] = {
		m->bench, m->name, m->unit, wb_better_word(m->better),
		wb_level_word(m->level),
	};
	double number[] = {
		row->change, row->low, row->high, row->base_change,
		row->base_low, row->base_high, t->tick[row->metric],
	};
	size_t i;

	for (i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
		add_text(out, text[i]);
		wb_buf_addch(out, ',');
	}
	wb_buf_addf(out, "%d,", c->index);
	add_text(out, c->name);
	wb_buf_addch(out, ',');
	add_text(out, c->tree);
	wb_buf_addch(out, ',');
	if (row->against >= 0)
		add_text(out, t->r->column[row->against].name);
	wb_buf_addch(out, ',');
	add_number(out, row->value);
	wb_buf_addf(out, ",%zu,", row->n);
	for (i = 0; i < sizeof(number) / sizeof(number[0]); i++) {
		add_number(out, number[i]);
		wb_buf_addch(out, ',');
	}
	add_text(out, wb_verdict_word(row->verdict));
	wb_buf_addch(out, ',');
	add_text(out, row->reason);
	wb_buf_addch(out, ',');
	add_text(out, c->subject);
	wb_buf_addch(out, ',');
	add_text(out, wb_method_word(row));
	wb_buf_addch(out, ',');
	add_number(out, t->control[row->metric].floor);
	wb_buf_addch(out, ',');
	add_number(out, visible > 0 ? visible : NAN);
	if (t->o.test) {
		wb_buf_addch(out, ',');
		add_number(out, row->test_p);
	}
	wb_buf_addch(out, '\n');
}

void wb_format_csv(const struct wb_table *t, const struct wb_format_options *o,
		   struct wb_buf *out)
{
	size_t next = 0, m, c;
	struct wb_view v;
	double visible;

	wb_buf_addstr(out, "bench,metric,unit,better,level,index,prefix,tree,"
		      "against,value,n,change,low,high,base_change,base_low,"
		      "base_high,tick,verdict,reason,subject,by,aa_floor,"
		      "visible");
	wb_buf_addstr(out, t->o.test ? ",test_p\n" : "\n");
	while (next < t->r->nmetrics) {
		wb_view_init(&v, t, o, true, &next);
		for (m = 0; m < v.nmetrics; m++) {
			visible = wb_table_visible(t, v.metric[m]);
			for (c = 0; c < v.ncolumns; c++)
				add_csv_row(t, wb_table_row(t, v.metric[m],
							    v.column[c]),
					    visible, out);
		}
		wb_view_clear(&v);
	}
}
