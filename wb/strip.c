#include "strip.h"

#include "format-parts.h"
#include "stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX 28		/* characters of a prefix's name */

struct scale {
	double low, high;
	size_t width;
};

static long place(const struct scale *s, double v)
{
	double share = (v - s->low) / (s->high - s->low);

	return lround(share * (double)(s->width - 1));
}

static double *values_of(const struct wb_table *t, size_t metric,
			 size_t column, size_t *n)
{
	const uint32_t *p;
	double *x;
	size_t i;

	*n = wb_cells_get(&t->cells, metric, column, &p);
	x = wb_xcalloc(*n + 1, sizeof(*x));
	for (i = 0; i < *n; i++)
		x[i] = t->r->point[p[i]].value;
	return x;
}

/* From the 2nd to the 98th percentile of everything, and a little more. */
static struct scale fit(const struct wb_table *t, size_t metric, size_t width)
{
	struct scale s = { .width = width };
	size_t c, i, k, n = 0;
	double *all = wb_xcalloc(t->r->npoints + 1, sizeof(*all)), *x, room;

	for (c = 0; c < t->r->ncolumns; c++) {
		x = values_of(t, metric, c, &k);
		for (i = 0; i < k; i++)
			all[n++] = x[i];
		free(x);
	}
	/* a quarter of what a double holds, so that differences are numbers */
	s.low = fmax(wb_percentile(all, n, 0.02), -DBL_MAX / 4);
	s.high = fmin(wb_percentile(all, n, 0.98), DBL_MAX / 4);
	free(all);
	room = (s.high - s.low) * 0.05;
	if (!(room > 0))
		room = fabs(s.low) > 0 ? fabs(s.low) * 0.01 : 1;
	s.low -= room;
	s.high += room;
	return s;
}

static void mark(char *line, const struct scale *s, double v, char c)
{
	long at = place(s, v);

	if (at < 0 || at >= (long)s->width)
		return;
	line[at] = c;
}

static void draw(char *line, const struct scale *s, double *x, size_t n)
{
	double low, high;
	size_t i;
	long at;

	memset(line, ' ', s->width);
	line[s->width] = '\0';
	for (i = 0; i < n; i++) {
		at = place(s, x[i]);
		if (at < 0)
			line[0] = '<';
		else if (at >= (long)s->width)
			line[s->width - 1] = '>';
		else
			line[at] = line[at] == ' ' ? '.' : ':';
	}
	if (!n)
		return;
	if (wb_median_interval(x, n, &low, &high)) {
		mark(line, s, low, '|');
		mark(line, s, high, '|');
	}
	mark(line, s, wb_median(x, n), '#');
}

/* A commit's number tells a reader nothing. */
static const char *label_of(const struct wb_column *c)
{
	return wb_column_is_commit(c) && c->subject && *c->subject
		       ? c->subject : c->name;
}

void wb_strip(const struct wb_table *t, size_t metric, size_t width,
	      struct wb_buf *out)
{
	struct scale s = fit(t, metric, width);
	char *line = wb_xmalloc(width + 1);
	struct wb_buf name = WB_BUF_INIT;
	const struct wb_row *row;
	size_t c, n;
	double *x;

	wb_text_add(out, t->r->metric[metric].name, WB_TEXT_ASCII);
	if (*t->r->metric[metric].unit) {
		wb_buf_addstr(out, ", ");
		wb_text_add(out, t->r->metric[metric].unit, WB_TEXT_ASCII);
	}
	wb_buf_addf(out, ": %.6g to %.6g\n", s.low, s.high);
	for (c = 0; c < t->r->ncolumns; c++) {
		row = wb_table_row(t, metric, c);
		x = values_of(t, metric, c, &n);
		draw(line, &s, x, n);
		wb_buf_reset(&name);
		wb_text_add(&name, label_of(&t->r->column[c]), WB_TEXT_ASCII);
		wb_text_cut(&name, NAME_MAX);
		wb_buf_addf(out, "%d %-*s ", t->r->column[c].index, NAME_MAX,
			    name.ptr);
		if (row->verdict == WB_VERDICT_BROKEN || !n)
			wb_buf_addf(out, "%s\n", n ? "-" :
				    wb_verdict_word(row->verdict));
		else
			wb_buf_addf(out, "|%s|\n", line);
		free(x);
	}
	wb_buf_clear(&name);
	free(line);
}
