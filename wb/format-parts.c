#include "format-parts.h"
#include "count-qemu.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool changed(const struct wb_view *v, size_t column)
{
	const struct wb_row *row;
	size_t i;

	for (i = 0; i < v->nmetrics; i++) {
		row = wb_table_row(v->t, v->metric[i], column);
		if (row->verdict == WB_VERDICT_FASTER ||
		    row->verdict == WB_VERDICT_SLOWER)
			return true;
	}
	return false;
}

/* The column itself, or one that a metric of it is compared with. */
static bool in_focus(const struct wb_view *v, size_t focus, size_t column)
{
	size_t i;

	for (i = 0; i < v->nmetrics; i++)
		if (wb_table_row(v->t, v->metric[i], focus)->against ==
		    (long)column)
			return true;
	return column == focus;
}

/* The first metric whose bench is none of the benches before it. */
static size_t next_bench(const struct wb_result *r, size_t from)
{
	size_t i, j;

	for (i = from + 1; i < r->nmetrics; i++) {
		if (!strcmp(r->metric[i].bench, r->metric[i - 1].bench))
			continue;
		for (j = 0; j < i; j++)
			if (!strcmp(r->metric[j].bench, r->metric[i].bench))
				break;
		if (j == i)
			break;
	}
	return i;
}

static bool measured(const struct wb_table *t, const char *bench)
{
	const struct wb_result *r = t->r;
	size_t n = r->ncolumns, i;

	for (i = 0; i < r->nmetrics; i++)
		if (!strcmp(r->metric[i].bench, bench) &&
		    t->cells.start[(i + 1) * n] > t->cells.start[i * n])
			return true;
	return false;
}

const char *wb_view_unmeasured(const struct wb_table *t,
			       const struct wb_format_options *o, size_t *i,
			       const struct wb_hole **reason)
{
	const struct wb_result *r = t->r;
	const struct wb_hole *h;
	const char *bench;
	size_t k;

	for (; *i < r->nbenches; (*i)++) {
		bench = r->bench[*i];
		if ((o->bench && fnmatch(o->bench, bench, 0)) ||
		    measured(t, bench))
			continue;
		*reason = NULL;
		for (k = 0; k < r->nholes; k++) {
			h = &r->hole[k];
			if ((!h->bench || !strcmp(h->bench, bench)) &&
			    (!*reason || h->column < (*reason)->column))
				*reason = h;
		}
		(*i)++;
		return bench;
	}
	return NULL;
}

void wb_view_init(struct wb_view *v, const struct wb_table *t,
		  const struct wb_format_options *o, bool all, size_t *next)
{
	const struct wb_result *r = t->r;
	const struct wb_metric *m;
	size_t i;

	*v = (struct wb_view){ .t = t, .bench = r->metric[*next].bench };
	v->metric = wb_xcalloc(r->nmetrics, sizeof(*v->metric));
	v->column = wb_xcalloc(r->ncolumns, sizeof(*v->column));
	for (i = 0; i < r->nmetrics; i++)
		v->judged += r->metric[i].judged &&
			     !strcmp(r->metric[i].bench, v->bench);
	for (i = *next; i < r->nmetrics; i++) {
		m = &r->metric[i];
		if (strcmp(m->bench, v->bench))
			continue;
		/* where nothing is judged, all of it is worth showing */
		if (o->metric ? !fnmatch(o->metric, m->name, 0) :
		    all || m->judged || !v->judged)
			v->metric[v->nmetrics++] = i;
		else
			v->hidden += !m->judged;
	}
	if (o->bench && fnmatch(o->bench, v->bench, 0))
		v->nmetrics = 0;
	v->measured = measured(t, v->bench);
	for (i = 0; i < r->ncolumns; i++)
		if (o->focus ? in_focus(v, o->focus, i) :
		    !o->only_changed || !i || changed(v, i))
			v->column[v->ncolumns++] = i;
	*next = next_bench(r, *next);
}

void wb_view_clear(struct wb_view *v)
{
	free(v->metric);
	free(v->column);
	memset(v, 0, sizeof(*v));
}

const char *wb_level_text(const struct wb_metric *m)
{
	enum wb_level l = m->level;

	/* counted by the kernel; or exact without a counter: by the bench */
	if (l == WB_LEVEL_S && (m->exact || m->counted > 0))
		return "level S (events)";
	return l == WB_LEVEL_H ? "level H (counters)" :
	       l == WB_LEVEL_S ? "level S (clock)" :
	       l != WB_LEVEL_I ? NULL :
	       wb_str_ends(m->name, WB_QEMU_SUFFIX) ? "level I (qemu)" :
						      "level I (callgrind)";
}

const char *wb_method_word(const struct wb_row *row)
{
	return row->against < 0 ? NULL : row->exact ? "exact" :
	       isnan(row->low) ? NULL : row->paired ? "rounds" : "welch";
}

#define PERCENT_MAX 999999999999999.0

static int magnitude_of(double v)
{
	return v == 0 || !isfinite(v) ? 0 : (int)floor(log10(fabs(v)));
}

/* Decimals that show what a tick can show, and 4 digits at least. */
int wb_value_decimals(double value, double tick)
{
	int magnitude = magnitude_of(value), decimals;

	if (magnitude > 14 || magnitude < -4)
		return -1;
	decimals = magnitude < 3 ? 3 - magnitude : 0;
	/* no digits that were never there */
	while (decimals > 0 && tick > 0 && pow(10, -decimals) < 0.9 * tick &&
	       fabs(value * pow(10, decimals - 1) -
		    rint(value * pow(10, decimals - 1))) < 1e-6)
		decimals--;
	return decimals;
}

void wb_value_add(struct wb_buf *out, double value, double tick)
{
	int decimals;

	if (isnan(value)) {
		wb_buf_addch(out, '-');
		return;
	}
	decimals = wb_value_decimals(value, tick);
	if (decimals < 0)
		wb_buf_addf(out, "%.4g", value);
	else
		wb_buf_addf(out, "%.*f", decimals, value);
}

int wb_percent_decimals(double change, double low, double high, double margin)
{
	double half = (high - low) * 50;
	int decimals, most = 4;

	/* a hundredth of it, in percent, is the margin as a ratio */
	if (margin > 0)
		most = (int)ceil(-log10(margin) - 1e-9);
	most = most < 1 ? 1 : most > 4 ? 4 : most;
	if (!(half > 0))
		return fabs(change) > 0 ? most : 1;
	decimals = 1 + (int)floor(-log10(half));
	return decimals < 1 ? 1 : decimals > most ? most : decimals;
}

/* Two digits, of the smallest ratio of two numbers even. */
int wb_percent_exact(double change)
{
	int decimals = change == 0 ? 1 : 1 - magnitude_of(change * 100);

	return decimals < 1 ? 1 : decimals > 15 ? 15 : decimals;
}

void wb_percent_add(struct wb_buf *out, double ratio, int decimals)
{
	double percent = ratio * 100;

	if (!isfinite(percent))
		wb_buf_addch(out, '-');
	else if (fabs(percent) > PERCENT_MAX)
		/* so many digits tell nobody anything */
		wb_buf_addf(out, "%s%.0f%%", percent < 0 ? "<-" : ">+",
			    PERCENT_MAX);
	else
		/* what rounds to 0 has no sign of its own */
		wb_buf_addf(out, "%+.*f%%", fabs(percent) < 1e7 ? decimals : 0,
			    fabs(percent) < 0.5 * pow(10, -decimals) ? 0 :
			    percent);
}

/* One % is enough, and what is no number has none. */
static void add_bound(struct wb_buf *out, double ratio, int decimals)
{
	wb_percent_add(out, ratio, decimals);
	if (isfinite(ratio))
		wb_buf_truncate(out, out->len - 1);
}

void wb_interval_add(struct wb_buf *out, double low, double high, int decimals)
{
	wb_buf_addch(out, '[');
	add_bound(out, low, decimals);
	wb_buf_addch(out, ',');
	add_bound(out, high, decimals);
	wb_buf_addch(out, ']');
}
