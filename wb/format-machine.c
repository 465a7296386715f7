/*
 * What the machine did to the numbers of a bench, below its tables: the A/A
 * floor, drift, what was left out; and the extra test that was asked for.
 */
#include "format-grid.h"
#include "format-notes.h"
#include "number.h"

#include <math.h>

static const struct wb_metric *metric_at(const struct wb_view *v, size_t m)
{
	return &v->t->r->metric[v->metric[m]];
}

/* "+0.42 % [+0.10,+0.74]" */
static void add_interval(struct wb_buf *b, double change, double low,
			 double high, double margin)
{
	int d = wb_percent_decimals(change, low, high, margin);

	wb_percent_add(b, change, d);
	wb_buf_addstr(b, " [");
	wb_percent_add(b, low, d);
	wb_buf_addch(b, ',');
	wb_percent_add(b, high, d);
	wb_buf_addch(b, ']');
}

static void print(const struct wb_format_options *o, struct wb_buf *b,
		  struct wb_buf *out)
{
	if (b->len)
		wb_grid_prose(o, b->ptr, out);
	wb_buf_clear(b);
}

static void note_floor(const struct wb_view *v,
		       const struct wb_format_options *o, struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT, alarm = WB_BUF_INIT;
	const struct wb_control *c;
	size_t m;

	for (m = 0; m < v->nmetrics; m++) {
		c = &v->t->control[v->metric[m]];
		if (isnan(c->floor) || c->change.kind == WB_CHANGE_EXACT)
			continue;
		wb_buf_addf(&b, "%s%s ", b.len ? ", " : "A/A floor: ",
			    metric_at(v, m)->name);
		wb_number_add_rough(&b, c->floor * 100, 2);
		wb_buf_addf(&b, " %% (%zu rounds)", c->change.rounds);
		if (!c->alarm)
			continue;
		wb_buf_addf(&alarm, "%s%s by ", alarm.len ? ", " :
			    "A/A alarm: one build against itself differs in ",
			    metric_at(v, m)->name);
		add_interval(&alarm, c->change.change, c->change.low,
			     c->change.high, v->t->o.margin);
	}
	print(o, &b, out);
	print(o, &alarm, out);
}

/* A drift that is sure and larger than what would be called the same. */
static void note_blind(const struct wb_view *v,
		       const struct wb_format_options *o, struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT;
	double least;
	size_t m;

	for (m = 0; m < v->nmetrics; m++) {
		least = metric_at(v, m)->judged ?
			wb_table_visible(v->t, v->metric[m]) : 0;
		if (!(least > 0) || least > 10)
			continue;
		wb_buf_addf(&b, "%s%s ", b.len ? ", " :
			    "not measurable here below: ",
			    metric_at(v, m)->name);
		wb_number_add_rough(&b, least * 100, 2);
		wb_buf_addstr(&b, " %");
	}
	print(o, &b, out);
}

static void note_drift(const struct wb_view *v,
		       const struct wb_format_options *o, struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT;
	const struct wb_quality *q;
	size_t m;

	for (m = 0; m < v->nmetrics; m++) {
		q = &v->t->quality[v->metric[m]];
		if (isnan(q->drift) || (q->drift_low <= 0 && q->drift_high >= 0)
		    || fabs(q->drift) <= v->t->o.margin)
			continue;
		wb_buf_addf(&b, "%s%s ", b.len ? ", " : "drift of all columns, "
			    "which falls out of each round's ratio: ",
			    metric_at(v, m)->name);
		add_interval(&b, q->drift, q->drift_low, q->drift_high,
			     v->t->o.margin);
		wb_buf_addf(&b, " over %zu rounds", q->rounds);
	}
	print(o, &b, out);
}

/* The columns by their places in the stack, as elsewhere in a report. */
static void note_humps(const struct wb_view *v,
		       const struct wb_format_options *o, struct wb_buf *out)
{
	const struct wb_column *column = v->t->r->column;
	const struct wb_humps *h;
	struct wb_buf b = WB_BUF_INIT;
	size_t m;

	for (m = 0; m < v->nmetrics; m++) {
		h = &v->t->quality[v->metric[m]].humps;
		if (!metric_at(v, m)->judged || isnan(h->apart) ||
		    h->apart <= v->t->o.margin)
			continue;
		wb_buf_addf(&b, "two humps: %s: %.0f %% of %zu runs are about "
			    "%.2g %% higher than the others",
			    metric_at(v, m)->name, 100 * h->share, h->runs,
			    100 * h->apart);
		if (h->low < h->high)
			wb_buf_addf(&b, ", from %.0f %% of %d to %.0f %% of %d",
				    100 * h->low, column[h->low_at].index,
				    100 * h->high, column[h->high_at].index);
		wb_buf_addstr(&b, "; a change is the mean over both. Layouts "
			      "(wb-build.layouts) or huge pages (wb doctor) "
			      "may be behind it");
		print(o, &b, out);
	}
}

static void note_left_out(const struct wb_view *v,
			  const struct wb_format_options *o,
			  struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT;
	const struct wb_quality *q;
	size_t m;

	for (m = 0; m < v->nmetrics; m++) {
		q = &v->t->quality[v->metric[m]];
		if (!q->warmup && !q->disturbed)
			continue;
		wb_buf_addf(&b, "%s%s", b.len ? "; " : "not compared: ",
			    metric_at(v, m)->name);
		if (q->warmup)
			wb_buf_addf(&b, " %zu round%s of warm-up", q->warmup,
				    q->warmup == 1 ? "" : "s");
		if (q->disturbed)
			wb_buf_addf(&b, "%s %zu of %zu runs that were switched "
				    "off their CPU more than %zu times",
				    q->warmup ? "," : "", q->disturbed,
				    q->runs, q->switches);
	}
	print(o, &b, out);
}

static void note_test(const struct wb_view *v,
		      const struct wb_format_options *o, struct wb_buf *out)
{
	const struct wb_row *row;
	struct wb_buf b = WB_BUF_INIT;
	size_t m, c;

	for (m = 0; m < v->nmetrics && v->t->o.test; m++) {
		for (c = 0; c < v->ncolumns; c++) {
			row = wb_table_row(v->t, v->metric[m], v->column[c]);
			if (isnan(row->test_p))
				continue;
			wb_buf_addf(&b, "%s%d p %.3g", b.len ? ", " : "",
				    v->t->r->column[row->column].index,
				    row->test_p);
		}
		if (b.len) {
			struct wb_buf line = WB_BUF_INIT;

			wb_buf_addf(&line, "%s (unpaired, two-sided, not "
				    "corrected), %s: %s",
				    wb_test_name(v->t->o.test),
				    metric_at(v, m)->name, b.ptr);
			print(o, &line, out);
		}
		wb_buf_clear(&b);
	}
}

void wb_format_machine(const struct wb_view *v,
		       const struct wb_format_options *o, struct wb_buf *out)
{
	note_blind(v, o, out);
	note_floor(v, o, out);
	note_drift(v, o, out);
	note_humps(v, o, out);
	note_left_out(v, o, out);
	note_test(v, o, out);
}
