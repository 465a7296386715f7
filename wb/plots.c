#include "plots.h"

#include "stats.h"
#include "svg.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 1000.0
#define HEIGHT 280.0
#define LEFT 70.0		/* of the plot area */
#define RIGHT 10.0
#define TOP 12.0
#define BOTTOM 30.0
#define TICKS_MAX 20		/* steps may be too small to be added */

/* Where a value of the y axis lies; what is outside is at the edge. */
struct axis {
	double low, high;
	double top, bottom;	/* in user units */
};

static double place(const struct axis *a, double v)
{
	double share = (v - a->low) / (a->high - a->low);

	return a->bottom - fmin(fmax(share, 0), 1) * (a->bottom - a->top);
}

/* All samples of a metric, copied. */
static double *samples_of(const struct wb_table *t, size_t metric, size_t *n)
{
	size_t total = t->cells.start[(metric + 1) * t->r->ncolumns] -
		       t->cells.start[metric * t->r->ncolumns];
	double *x = wb_xcalloc(total + 1, sizeof(*x));
	const uint32_t *p;
	size_t c, i, k;

	*n = 0;
	for (c = 0; c < t->r->ncolumns; c++) {
		k = wb_cells_get(&t->cells, metric, c, &p);
		for (i = 0; i < k; i++)
			x[(*n)++] = t->r->point[p[i]].value;
	}
	return x;
}

/* Most samples fill the picture; a few far ones do not flatten it. */
static struct axis fit_axis(const struct wb_table *t, size_t metric)
{
	struct axis a = { .top = TOP, .bottom = HEIGHT - BOTTOM };
	size_t n;
	double *x = samples_of(t, metric, &n), low, high, room;

	/* a quarter of what a double holds, so that differences are numbers */
	low = fmax(wb_percentile(x, n, 0.02), -DBL_MAX / 4);
	high = fmin(wb_percentile(x, n, 0.98), DBL_MAX / 4);
	free(x);
	room = (high - low) * 0.15;
	if (!(room > 0))
		room = fabs(low) > 0 ? fabs(low) * 0.01 : 1;
	a.low = low - room;
	a.high = high + room;
	return a;
}

static void draw_scale(struct wb_svg *s, const struct axis *a)
{
	double step = wb_svg_step(a->low, a->high, 5), v;
	struct wb_buf text = WB_BUF_INIT;
	int k;

	for (k = 0; k < TICKS_MAX; k++) {
		v = (ceil(a->low / step) + k) * step;
		if (!(v <= a->high))
			break;
		wb_buf_reset(&text);
		wb_buf_addf(&text, "%.6g", fabs(v) < step / 2 ? 0 : v);
		wb_svg_line(s, "grid", LEFT, place(a, v), WIDTH - RIGHT,
			    place(a, v));
		wb_svg_text(s, "tick", WB_SVG_END, LEFT - 6, place(a, v) + 4,
			    text.ptr);
	}
	wb_buf_clear(&text);
}

static char *plot_title(const struct wb_table *t, size_t metric,
			const char *kind)
{
	const struct wb_metric *m = &t->r->metric[metric];

	return wb_xasprintf("%s: %s%s%s", kind, m->name, *m->unit ? ", " : "",
			    m->unit);
}

/* ---- staircase ---- */

static bool is_broken(const struct wb_table *t, size_t metric, size_t column)
{
	return wb_table_row(t, metric, column)->verdict == WB_VERDICT_BROKEN;
}

/* The dots of a column spread over its width, in the order of rounds. */
static void draw_column(struct wb_svg *s, const struct wb_table *t,
			size_t metric, size_t column, const struct axis *a,
			double x, double w)
{
	const struct wb_row *row = wb_table_row(t, metric, column);
	const uint32_t *p;
	size_t n = wb_cells_get(&t->cells, metric, column, &p), i;
	double *v = wb_xcalloc(n + 1, sizeof(*v)), low, high;
	char *tip;

	if (is_broken(t, metric, column))
		wb_svg_rect(s, "broken", x, a->top, w, a->bottom - a->top,
			    row->reason);
	wb_svg_dots_begin(s, "dots", -1);
	for (i = 0; i < n; i++) {
		v[i] = t->r->point[p[i]].value;
		wb_svg_dot(s, x + w * (0.1 + 0.8 * (i + 0.5) / n),
			   place(a, v[i]));
	}
	wb_svg_dots_end(s);
	if (n && wb_median_interval(v, n, &low, &high)) {
		tip = wb_xasprintf("%s: median %.6g, 95 %% %.6g to %.6g, n=%zu",
				   t->r->column[column].name, row->value, low,
				   high, n);
		wb_svg_rect(s, "interval", x + w * 0.1, place(a, high),
			    w * 0.8, fmax(place(a, low) - place(a, high), 1),
			    tip);
		free(tip);
	}
	free(v);
}

void wb_plot_staircase(const struct wb_table *t, size_t metric,
		       struct wb_buf *out)
{
	char *title = plot_title(t, metric, "samples by prefix");
	double w = (WIDTH - LEFT - RIGHT) / (double)t->r->ncolumns, x, y;
	struct axis a = fit_axis(t, metric);
	double last = NAN;
	char number[16];
	struct wb_svg s;
	size_t c, every = t->r->ncolumns / 40 + 1;

	wb_svg_begin(&s, out, WIDTH, HEIGHT, title,
		     "a column a prefix; dots are samples, the box is the 95 "
		     "per cent interval of their median");
	draw_scale(&s, &a);
	for (c = 0; c < t->r->ncolumns; c++) {
		x = LEFT + w * (double)c;
		draw_column(&s, t, metric, c, &a, x, w);
		y = place(&a, wb_table_row(t, metric, c)->value);
		if (isfinite(wb_table_row(t, metric, c)->value)) {
			if (isfinite(last))
				wb_svg_line(&s, "step", x, last, x, y);
			wb_svg_line(&s, "step", x, y, x + w, y);
			last = y;
		}
		snprintf(number, sizeof(number), "%d", t->r->column[c].index);
		if (c % every == 0)
			wb_svg_text(&s, "tick", WB_SVG_MIDDLE, x + w / 2,
				    HEIGHT - 12, number);
	}
	wb_svg_end(&s);
	free(title);
}

/* ---- time order ---- */

static int by_run(const void *a, const void *b)
{
	const struct wb_point *x = *(const struct wb_point *const *)a;
	const struct wb_point *y = *(const struct wb_point *const *)b;

	return x->run < y->run ? -1 : x->run > y->run;
}

static const struct wb_point **in_order(const struct wb_table *t,
					size_t metric, size_t *n)
{
	const struct wb_point **list;
	size_t i;

	list = wb_xcalloc(t->r->npoints + 1, sizeof(*list));
	*n = 0;
	for (i = 0; i < t->r->npoints; i++)
		if (t->r->point[i].metric == metric)
			list[(*n)++] = &t->r->point[i];
	qsort(list, *n, sizeof(*list), by_run);
	return list;
}

void wb_plot_time(const struct wb_table *t, size_t metric, struct wb_buf *out)
{
	char *title = plot_title(t, metric, "samples in the order of running");
	struct axis a = fit_axis(t, metric);
	const struct wb_point **list;
	struct wb_svg s;
	size_t n, i, c;
	double w;

	list = in_order(t, metric, &n);
	w = (WIDTH - LEFT - RIGHT) / (double)(n ? n : 1);
	wb_svg_begin(&s, out, WIDTH, HEIGHT, title,
		     "a colour a prefix, from the first in blue to the last in "
		     "red; a slope that all share is drift");
	draw_scale(&s, &a);
	for (c = 0; c < t->r->ncolumns; c++) {
		wb_svg_dots_begin(&s, c % 2 ? "hued odd" : "hued",
				  240.0 - 240.0 * (double)c /
				  (double)(t->r->ncolumns > 1
					   ? t->r->ncolumns - 1 : 1));
		for (i = 0; i < n; i++)
			if (list[i]->column == c)
				wb_svg_dot(&s, LEFT + w * ((double)i + 0.5),
					   place(&a, list[i]->value));
		wb_svg_dots_end(&s);
	}
	wb_svg_text(&s, "tick", WB_SVG_START, LEFT, HEIGHT - 12, "first run");
	wb_svg_text(&s, "tick", WB_SVG_END, WIDTH - RIGHT, HEIGHT - 12,
		    "last run");
	wb_svg_end(&s);
	free(list);
	free(title);
}

/* ---- forest ---- */

#define ROW 24.0
#define NAMES 300.0		/* width of the metric's names */

static bool has_interval(const struct wb_row *row)
{
	return isfinite(row->low) && isfinite(row->high);
}

/* The widest interval, the margin at least; a ratio. */
static double reach_of(const struct wb_table *t, size_t column, size_t *n)
{
	const struct wb_row *row;
	double reach = 2 * t->o.margin;
	size_t m;

	*n = 0;
	for (m = 0; m < t->r->nmetrics; m++) {
		row = wb_table_row(t, m, column);
		if (!t->r->metric[m].judged || !has_interval(row))
			continue;
		reach = fmax(reach, fmax(fabs(row->low), fabs(row->high)));
		(*n)++;
	}
	return reach * 1.05;
}

static void draw_change(struct wb_svg *s, const struct wb_table *t,
			const struct wb_row *row, double y, double zero,
			double unit)
{
	const struct wb_metric *m = &t->r->metric[row->metric];
	double floor = t->control[row->metric].floor;
	char *tip = wb_xasprintf("%s: %+.2f %% [%+.2f, %+.2f], %s", m->name,
				 100 * row->change, 100 * row->low,
				 100 * row->high,
				 wb_verdict_word(row->verdict));
	char *class = wb_xasprintf("v-%s", wb_verdict_word(row->verdict));

	if (isfinite(floor))
		wb_svg_rect(s, "floor", zero - unit * floor, y - 8,
			    2 * unit * floor, 16, NULL);
	wb_svg_text(s, "label", WB_SVG_END, NAMES - 8, y + 4, m->name);
	wb_svg_rect(s, class, zero + unit * row->low, y - 3,
		    fmax(unit * (row->high - row->low), 1), 6, tip);
	wb_svg_rect(s, class, zero + unit * row->change - 2, y - 7, 4, 14,
		    NULL);
	free(class);
	free(tip);
}

static void draw_percent_scale(struct wb_svg *s, double zero, double unit,
			       double reach, double height)
{
	double step = wb_svg_step(-100 * reach, 100 * reach, 8), v;
	char text[32];

	for (v = -floor(100 * reach / step) * step; v <= 100 * reach;
	     v += step) {
		if (fabs(v) < step / 2)
			snprintf(text, sizeof(text), "0 %%");
		else
			snprintf(text, sizeof(text), "%+.3g %%", v);
		wb_svg_line(s, fabs(v) < step / 2 ? "zero" : "grid",
			    zero + unit * v / 100, TOP, zero + unit * v / 100,
			    height - BOTTOM);
		wb_svg_text(s, "tick", WB_SVG_MIDDLE, zero + unit * v / 100,
			    height - 12, text);
	}
}

bool wb_plot_forest(const struct wb_table *t, size_t column, struct wb_buf *out)
{
	size_t n, m;
	double reach = reach_of(t, column, &n), y = TOP + ROW / 2;
	double zero = NAMES + (WIDTH - NAMES - RIGHT) / 2;
	double unit = (WIDTH - NAMES - RIGHT) / 2 / reach;
	double height = TOP + ROW * (double)n + BOTTOM;
	const struct wb_row *row;
	struct wb_svg s;
	char *title;

	if (!n)
		return false;
	title = wb_xasprintf("changes by patch %d",
			     t->r->column[column].index);
	wb_svg_begin(&s, out, WIDTH, height, title,
		     "a line a metric: the change with its interval; the band "
		     "around 0 is the margin");
	wb_svg_rect(&s, "margin", zero - unit * t->o.margin, TOP,
		    2 * unit * t->o.margin, height - TOP - BOTTOM, NULL);
	draw_percent_scale(&s, zero, unit, reach, height);
	for (m = 0; m < t->r->nmetrics; m++) {
		row = wb_table_row(t, m, column);
		if (!t->r->metric[m].judged || !has_interval(row))
			continue;
		draw_change(&s, t, row, y, zero, unit);
		y += ROW;
	}
	wb_svg_end(&s);
	free(title);
	return true;
}
