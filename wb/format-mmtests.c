/*
 * The comparison table of mmtests.
 *
 * Statistic outermost: all metrics' Min, then all metrics' mean, and so on; a
 * column per prefix, compared with the first, positive is better. With compat
 * the bytes are those of the original, which shows what is missing or
 * undefined as 0.00. Without it: missing is "-", a ratio to zero "n/a", a
 * metric that the first column lacks stays, columns are as wide as their
 * numbers with a legend for names that are wider, metrics that are not judged
 * are left out where others are, and the star and the CI95 rows come from the
 * judged table.
 */
#include "format-key.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATS_MAX 24

struct layout {
	const struct wb_table *t;
	const struct wb_format_options *o;
	struct wb_view view;
	struct wb_mm_pool *pool;	/* [metric of view][column of view] */
	struct wb_mm_stat stat[STATS_MAX];
	size_t nstats;
	size_t label, name;	/* widths of the row label's two parts */
	size_t value, gain;	/* widths inside a column */
	bool *numbered;		/* by column: its name is in the legend */
};

static struct wb_mm_pool *pool_at(const struct layout *l, size_t m, size_t c)
{
	return &l->pool[m * l->view.ncolumns + c];
}

static const struct wb_metric *metric_at(const struct layout *l, size_t m)
{
	return &l->t->r->metric[l->view.metric[m]];
}

static size_t column_width(const struct layout *l)
{
	return l->value + (l->o->no_compare ? 0 : 1 + l->gain);
}

static double value_at(const struct layout *l, const struct wb_mm_stat *s,
		       size_t m, size_t c)
{
	double v = wb_mm_value(pool_at(l, m, c), s, l->o->widths2016);

	if (!l->o->compat)
		return isfinite(v) ? v : NAN;
	if (!isfinite(v) && s->kind == WB_MM_CV && pool_at(l, m, c)->n)
		return 0;
	/* -1 is how the original says that there is no data */
	return v == -1 ? NAN : v;
}

/* What rounds to 0 has no sign. */
static double unsigned_zero(double percent)
{
	return fabs(percent) < 0.005 ? 0 : percent;
}

static void add_interval(const struct layout *l, struct wb_buf *out, size_t m,
			 size_t c)
{
	const struct wb_row *row = wb_table_row(l->t, l->view.metric[m],
						l->view.column[c]);
	bool higher = metric_at(l, m)->better == WB_BETTER_HIGHER;
	double low = higher ? row->base_low : -row->base_high;
	double high = higher ? row->base_high : -row->base_low;

	if (isnan(low) || isnan(high) || !metric_at(l, m)->better)
		wb_buf_addstr(out, "-");
	else
		wb_buf_addf(out, "[%.2f,%.2f]%%", unsigned_zero(low * 100),
			    unsigned_zero(high * 100));
}

static void add_value(const struct layout *l, struct wb_buf *out,
		      const struct wb_mm_stat *s, size_t m, size_t c)
{
	double v = value_at(l, s, m, c);

	if (s->kind == WB_MM_INTERVAL)
		add_interval(l, out, m, c);
	else if (isnan(v) && !l->o->compat)
		wb_buf_addstr(out, "-");
	else
		wb_buf_addf(out, "%.*f", l->o->decimals, isnan(v) ? 0 : v);
}

static bool starred(const struct layout *l, const struct wb_mm_stat *s,
		    size_t m, size_t c)
{
	const struct wb_row *row = wb_table_row(l->t, l->view.metric[m],
						l->view.column[c]);

	if (s->kind != WB_MM_MEAN || !c || l->o->widths2016)
		return false;
	if (l->o->compat)
		return wb_mm_star_compat(pool_at(l, m, c), pool_at(l, m, 0));
	return metric_at(l, m)->better &&
	       (row->base_low > 0 || row->base_high < 0);
}

/* Spread is better when it is low, whatever the metric. */
static bool higher_is_better(const struct layout *l, const struct wb_mm_stat *s,
			     size_t m)
{
	return s->kind != WB_MM_SD && s->kind != WB_MM_CV &&
	       metric_at(l, m)->better == WB_BETTER_HIGHER;
}

static void add_compat_gain(const struct layout *l, struct wb_buf *out,
			    double gain, bool star)
{
	char text[40];

	/* the original keeps it as decimal text before it rounds */
	snprintf(text, sizeof(text), "%.15g", isnan(gain) ? 0 : gain);
	wb_buf_addf(out, "%c%*.2f%%%c", star ? '*' : '(',
		    l->o->widths2016 ? 6 : 7, strtod(text, NULL),
		    star ? '*' : ')');
}

static void add_gain(const struct layout *l, struct wb_buf *out,
		     const struct wb_mm_stat *s, size_t m, size_t c)
{
	double now = value_at(l, s, m, c), base = value_at(l, s, m, 0), gain;
	bool star = starred(l, s, m, c), higher = higher_is_better(l, s, m);
	const char *word = NULL;

	if (l->o->compat) {
		gain = pool_at(l, m, c)->n && c ?
		       wb_mm_gain_compat(now, base, higher) : 0;
		add_compat_gain(l, out, gain, star);
		return;
	}
	gain = c ? wb_mm_gain(now, base, higher) : 0;
	if (s->kind == WB_MM_INTERVAL || isnan(now) || isnan(base) ||
	    (!metric_at(l, m)->better && c))
		word = "-";
	else if (isnan(gain))
		word = "n/a";
	if (word)
		wb_buf_addf(out, "(%7s )", word);
	else
		wb_buf_addf(out, "%c%7.2f%%%c", star ? '*' : '(',
			    unsigned_zero(gain), star ? '*' : ')');
}

static void name_of(struct wb_buf *out, const char *s)
{
	wb_buf_reset(out);
	wb_text_add(out, s, WB_TEXT_UTF8);
}

static const char *column_name(const struct layout *l, size_t c)
{
	return l->t->r->column[l->view.column[c]].name;
}

/* What heads a column: its name, or its number in the legend. */
static void heading_of(const struct layout *l, struct wb_buf *out, size_t c)
{
	name_of(out, column_name(l, c));
	if (!l->numbered[c])
		return;
	wb_buf_reset(out);
	wb_buf_addf(out, "[%d]", l->t->r->column[l->view.column[c]].index);
}

static size_t width_of(const struct layout *l, const struct wb_buf *b)
{
	return l->o->compat ? b->len : wb_text_width(b->ptr);
}

/* A header name cut in two. */
static void split(const struct layout *l, const char *name, size_t *first,
		  size_t *second)
{
	const char *dash, *p;

	if (l->o->compat) {
		wb_mm_split_compat(name, first, second);
		return;
	}
	dash = strchr(name, '-');
	if (dash && !strncmp(dash, "-rc", 3) && dash[3] >= '0' &&
	    dash[3] <= '9') {
		p = dash + 3 + strspn(dash + 3, "0123456789");
		dash = *p == '-' ? p : NULL;
	}
	/* a name that has one part only is the lower line */
	*first = dash ? (size_t)(dash - name) : 0;
	*second = dash ? *first + 1 : 0;
}

static void keep_larger(size_t *width, size_t n)
{
	*width = n > *width ? n : *width;
}

static void measure_cells(struct layout *l)
{
	struct wb_buf b = WB_BUF_INIT;
	size_t i, m, c;

	for (i = 0; i < l->nstats; i++) {
		for (m = 0; m < l->view.nmetrics; m++) {
			wb_buf_reset(&b);
			wb_mm_label(&b, &l->stat[i], pool_at(l, m, 0)->higher,
				    l->o->widths2016);
			keep_larger(&l->label, b.len);
			for (c = 0; c < l->view.ncolumns && !l->o->compat;
			     c++) {
				wb_buf_reset(&b);
				add_value(l, &b, &l->stat[i], m, c);
				keep_larger(&l->value, b.len + 1);
				wb_buf_reset(&b);
				add_gain(l, &b, &l->stat[i], m, c);
				keep_larger(&l->gain, b.len);
			}
		}
	}
	wb_buf_clear(&b);
}

static void measure(struct layout *l)
{
	struct wb_buf b = WB_BUF_INIT;
	size_t i, first, second, wide;

	l->value = l->o->widths2016 ? 17 : 18;
	l->gain = l->o->widths2016 ? 9 : 10;
	measure_cells(l);
	for (i = 0; i < l->view.nmetrics; i++) {
		name_of(&b, metric_at(l, i)->name);
		keep_larger(&l->name, width_of(l, &b));
	}
	for (i = 0; i < l->view.ncolumns && !l->o->compat; i++) {
		name_of(&b, column_name(l, i));
		split(l, b.ptr, &first, &second);
		wide = wb_text_width(b.ptr + second);
		wb_buf_truncate(&b, first);
		keep_larger(&wide, wb_text_width(b.ptr));
		/* one blank at least between two names */
		l->numbered[i] = wide + 1 > column_width(l);
	}
	wb_buf_clear(&b);
}

static void add_right(struct wb_buf *out, const char *s, size_t shown,
		      size_t width)
{
	if (shown < width)
		wb_buf_fill(out, ' ', width - shown);
	wb_buf_addstr(out, s);
}

static void add_header(const struct layout *l, struct wb_buf *out, bool upper)
{
	struct wb_buf name = WB_BUF_INIT;
	size_t i, first, second, start = out->len;
	bool any = l->o->compat || !upper;

	wb_buf_fill(out, ' ', l->label + 1 + l->name);
	for (i = 0; i < l->view.ncolumns; i++) {
		heading_of(l, &name, i);
		split(l, name.ptr, &first, &second);
		any |= first > 0;
		if (upper) {
			wb_buf_truncate(&name, first);
			second = 0;
			if (!first && !l->o->compat)
				wb_buf_addch(&name, '-');
		}
		add_right(out, name.ptr + second, l->o->compat ?
			  name.len - second : wb_text_width(name.ptr + second),
			  column_width(l));
	}
	wb_buf_addch(out, '\n');
	/* no name has an upper half */
	if (!any)
		wb_buf_truncate(out, start);
	wb_buf_clear(&name);
}

static void add_row(const struct layout *l, struct wb_buf *out,
		    const struct wb_mm_stat *s, size_t m)
{
	struct wb_buf b = WB_BUF_INIT;
	size_t c;

	wb_mm_label(&b, s, pool_at(l, m, 0)->higher, l->o->widths2016);
	wb_buf_addf(out, "%-*s ", (int)l->label, b.ptr);
	name_of(&b, metric_at(l, m)->name);
	wb_buf_addstr(out, b.ptr);
	wb_buf_fill(out, ' ', l->name - width_of(l, &b));
	for (c = 0; c < l->view.ncolumns; c++) {
		wb_buf_reset(&b);
		add_value(l, &b, s, m, c);
		add_right(out, b.ptr, b.len, l->value);
		if (l->o->no_compare)
			continue;
		wb_buf_reset(&b);
		add_gain(l, &b, s, m, c);
		wb_buf_addch(out, ' ');
		add_right(out, b.ptr, b.len, l->gain);
	}
	wb_buf_addch(out, '\n');
	wb_buf_clear(&b);
}

static void add_legend(const struct layout *l, struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT;
	size_t c;

	for (c = 0; c < l->view.ncolumns; c++) {
		if (!l->numbered[c])
			continue;
		heading_of(l, &b, c);
		wb_buf_addf(out, "%s ", b.ptr);
		name_of(&b, column_name(l, c));
		wb_buf_addf(out, "%s\n", b.ptr);
	}
	wb_buf_clear(&b);
}

/* What the original leaves out: n, units, and what the star means. */
static void add_footer(const struct layout *l, struct wb_buf *out)
{
	add_legend(l, out);
	wb_format_key(&l->view, out);
	if (!l->o->no_compare)
		wb_buf_addstr(out, "positive = better than the first column\n"
			      "CI95: 95 % interval of the gain, t on logs, by "
			      "round; *: it excludes 0\n");
}

static void choose_stats(struct layout *l)
{
	struct wb_mm_rowset set = wb_mm_rowset(l->o->rows, l->o->widths2016);
	size_t i;

	for (i = 0; i < set.n; i++) {
		l->stat[l->nstats++] = set.stat[i];
		if (set.stat[i].kind == WB_MM_MEAN && !l->o->compat &&
		    !l->o->no_compare)
			l->stat[l->nstats++].kind = WB_MM_INTERVAL;
	}
}

/* A throughput of the column is 0 throughout: there the original gives up. */
static bool dies(const struct layout *l, size_t column)
{
	const uint32_t *first;
	size_t m, i, n;

	for (m = 0; m < l->view.nmetrics; m++) {
		n = wb_cells_get(&l->t->cells, l->view.metric[m], column,
				 &first);
		for (i = 0; i < n && l->t->r->point[first[i]].value == 0; i++)
			;
		if (n && i == n &&
		    metric_at(l, m)->better == WB_BETTER_HIGHER)
			return true;
	}
	return false;
}

/* Leaves out the columns and metrics that the original loses. */
static void lose(struct layout *l)
{
	struct wb_view *v = &l->view;
	const uint32_t *first;
	size_t i, n = 0;

	for (i = 0; i < v->ncolumns; i++)
		if (l->o->rows == WB_ROWS_SINGLEOPS || !dies(l, v->column[i]))
			v->column[n++] = v->column[i];
	v->ncolumns = n;
	for (i = n = 0; i < v->nmetrics && v->ncolumns; i++)
		if (wb_cells_get(&l->t->cells, v->metric[i], v->column[0],
				 &first))
			v->metric[n++] = v->metric[i];
	v->nmetrics = n;
}

static void add_table(struct layout *l, struct wb_buf *out)
{
	size_t n = l->view.nmetrics * l->view.ncolumns, i, m;

	l->pool = wb_xcalloc(n, sizeof(*l->pool));
	l->numbered = wb_xcalloc(l->view.ncolumns, sizeof(*l->numbered));
	for (i = 0; i < n; i++)
		wb_mm_pool_init(&l->pool[i], &l->t->cells,
				l->view.metric[i / l->view.ncolumns],
				l->view.column[i % l->view.ncolumns]);
	choose_stats(l);
	measure(l);
	add_header(l, out, true);
	add_header(l, out, false);
	for (i = 0; i < l->nstats; i++)
		for (m = 0; m < l->view.nmetrics; m++)
			add_row(l, out, &l->stat[i], m);
	if (!l->o->compat)
		add_footer(l, out);
	for (i = 0; i < n; i++)
		wb_mm_pool_clear(&l->pool[i]);
	free(l->pool);
	free(l->numbered);
}

void wb_format_mmtests(const struct wb_table *t,
		       const struct wb_format_options *o, struct wb_buf *out)
{
	size_t next = 0, start = out->len;

	while (next < t->r->nmetrics) {
		struct layout l = { .t = t, .o = o };

		wb_view_init(&l.view, t, o, o->compat, &next);
		if (o->compat)
			lose(&l);
		if (l.view.nmetrics && l.view.ncolumns &&
		    (o->compat || l.view.measured)) {
			if (out->len > start)
				wb_buf_addch(out, '\n');
			add_table(&l, out);
		}
		wb_view_clear(&l.view);
	}
	if (!o->compat)
		wb_format_key_unmeasured(t, o, out);
}
