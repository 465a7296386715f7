#include "format-parts.h"

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

/*
 * The code point at s and its length; 0 for what is no UTF-8 or does not show
 * as one place: controls, marks that turn the direction of text, or nothing.
 */
static size_t printable(const unsigned char *s)
{
	static const struct {
		unsigned from, to;
	} unseen[] = {
		{ 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x300, 0x36f },
		{ 0x61c, 0x61c }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
		{ 0x2060, 0x206f }, { 0xd800, 0xdfff }, { 0xfe00, 0xfe0f },
		{ 0xfeff, 0xfeff }, { 0xfff0, 0xffff }, { 0xe0000, 0xe01ef },
	};
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 :
		   s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	unsigned c = n < 2 ? s[0] : s[0] & (0xffu >> (n + 1));
	size_t i;

	for (i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	/* overlong forms */
	if ((n == 3 && c < 0x800) || (n == 4 && (c < 0x10000 || c > 0x10ffff)))
		return 0;
	for (i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++)
		if (c >= unseen[i].from && c <= unseen[i].to)
			return 0;
	return n;
}

void wb_text_add(struct wb_buf *out, const char *s, enum wb_text_kind how)
{
	const unsigned char *p;
	bool safe;
	size_t n;

	if (!*s && (how & WB_TEXT_WORD))
		wb_buf_addch(out, '-');
	for (p = (const unsigned char *)s; *p; p += n) {
		n = 1;
		if (how & WB_TEXT_ASCII)
			safe = *p >= ' ' && *p < 0x7f;
		else if (how & WB_TEXT_UTF8)
			safe = (n = printable(p)) > 0;
		else
			safe = *p >= ' ' && *p != 0x7f;
		if (!n)
			n = 1;
		if ((how & WB_TEXT_WORD) && *p == ' ')
			safe = false;
		if (safe)
			wb_buf_add(out, p, n);
		else
			wb_buf_addf(out, "\\x%02x", *p);
	}
}

size_t wb_text_width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

void wb_text_cut(struct wb_buf *text, size_t width)
{
	size_t i, n = 0;

	if (wb_text_width(text->ptr) <= width)
		return;
	for (i = 0; i < text->len; i++) {
		n += (text->ptr[i] & 0xc0) != 0x80;
		if (n + 3 > width)
			break;
	}
	wb_buf_truncate(text, i);
	wb_buf_fill(text, '.', width < 3 ? width : 3);
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
