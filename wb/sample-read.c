/*
 * What a bench printed, by the reader that its configuration names.
 *
 * The readers are strict: a line that is neither empty nor what the reader
 * expects ends the reading, because a number guessed out of the wrong line is
 * worse than none. Reasons name the line and show what was found there.
 */
#include "sample.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Enough of a bad line to recognise it. */
#define SHOWN 60

struct line {
	const char *ptr;
	size_t len;
	unsigned number;
};

static int bad_line(const struct line *l, struct wb_error *err,
		    const char *wanted)
{
	return wb_fail(err, WB_E_JUDGE, "line %u: %s, found '%.*s'%s",
		       l->number, wanted, (int)(l->len < SHOWN ? l->len :
		       SHOWN), l->ptr, l->len > SHOWN ? "..." : "");
}

/* The next line that is not blank; *text moves behind it. */
static bool next_line(const char **text, const char *end, struct line *l)
{
	const char *eol;

	while (*text < end) {
		eol = memchr(*text, '\n', (size_t)(end - *text));
		l->ptr = *text;
		l->len = (size_t)((eol ? eol : end) - *text);
		l->number++;
		*text = eol ? eol + 1 : end;
		while (l->len && isspace((unsigned char)l->ptr[l->len - 1]))
			l->len--;
		while (l->len && isspace((unsigned char)*l->ptr)) {
			l->ptr++;
			l->len--;
		}
		if (l->len)
			return true;
	}
	return false;
}

/* Room for one number more, filled with what the configuration says. */
static struct wb_reading_number *add(struct wb_reading *r,
				     const struct wb_bench_config *bench,
				     const char *metric, size_t len)
{
	struct wb_reading_number *n;

	r->v = wb_grow(r->v, r->n, &r->cap, sizeof(*r->v));
	n = &r->v[r->n++];
	*n = (struct wb_reading_number){
		.metric = wb_xstrndup(metric, len),
		.unit = wb_xstrdup(bench->unit ? bench->unit : ""),
	};
	if (bench->better)
		wb_better_parse(bench->better, &n->better);
	return n;
}

static void set_unit(struct wb_reading_number *n, const char *unit, size_t len)
{
	free(n->unit);
	n->unit = wb_xstrndup(unit, len);
}

static int by_metric(const void *a, const void *b)
{
	const struct wb_reading_number *const *x = a, *const *y = b;
	int order = strcmp((*x)->metric, (*y)->metric);

	return order ? order : (*x)->line < (*y)->line ? -1 : 1;
}

static int same_thing(const struct wb_reading_number *a,
		      const struct wb_reading_number *b, struct wb_error *err)
{
	if (a->counted != b->counted)
		return wb_fail(err, WB_E_JUDGE, "line %zu: metric '%.80s' is "
			       "a value in one line and a count in another",
			       b->line, a->metric);
	if (strcmp(a->unit, b->unit))
		return wb_fail(err, WB_E_JUDGE, "line %zu: metric '%.80s' has "
			       "two units: '%.20s', '%.20s'", b->line,
			       a->metric, a->unit, b->unit);
	return 0;
}

/* One process measures one thing under one name. */
static int check_names(const struct wb_reading *r, struct wb_error *err)
{
	const struct wb_reading_number **v = wb_xcalloc(r->n, sizeof(*v));
	int ret = 0;
	size_t i;

	for (i = 0; i < r->n; i++)
		v[i] = &r->v[i];
	qsort(v, r->n, sizeof(*v), by_metric);
	for (i = 1; i < r->n && !ret; i++)
		if (!strcmp(v[i - 1]->metric, v[i]->metric))
			ret = same_thing(v[i - 1], v[i], err);
	free(v);
	return ret;
}

static int add_sample(struct wb_reading *r, const struct wb_bench_config *bench,
		      const struct line *l, char **said, struct wb_error *err)
{
	struct wb_reading_number *n;
	struct wb_sample s;
	int ret = -1;

	if (wb_sample_parse(&s, l->ptr, l->len, err) < 0)
		goto out;
	if (!s.has_value && !s.has_per) {
		wb_fail(err, WB_E_FATAL, "neither \"value\" nor \"per\"");
		goto out;
	}
	if (s.bench && *said && strcmp(*said, s.bench)) {
		wb_fail(err, WB_E_FATAL, "one command printed samples of two "
			"benches, '%.40s' and '%.40s'", *said, s.bench);
		goto out;
	}
	if (s.bench && !*said)
		*said = wb_xstrdup(s.bench);
	n = add(r, bench, s.metric, strlen(s.metric));
	n->line = l->number;
	if (s.unit)
		set_unit(n, s.unit, strlen(s.unit));
	if (s.better)
		n->better = s.better;
	n->level = s.level;
	n->exact = s.exact;
	n->counted = s.has_per;
	n->number = s.has_per ? (double)s.per : s.value;
	ret = 0;
out:
	wb_sample_clear(&s);
	return ret;
}

static int read_samples(struct wb_reading *r, const char *text, const char *end,
			const struct wb_bench_config *bench,
			struct wb_error *err)
{
	struct line l = { .number = 0 };
	char *said = NULL;	/* the bench that the lines name */
	int ret = -1;

	while (next_line(&text, end, &l)) {
		if (*l.ptr != '{') {
			bad_line(&l, err, "not a sample line");
			goto out;
		}
		if (add_sample(r, bench, &l, &said, err) < 0) {
			err->kind = WB_E_JUDGE;
			wb_fail_at(err, "line %u", l.number);
			goto out;
		}
	}
	ret = 0;
out:
	free(said);
	return ret;
}

/* A whole token that is one finite decimal number. */
static bool token_number(const char *p, size_t len, double *out)
{
	char copy[64], *end;

	if (!len || len >= sizeof(copy) || !strchr("+-.0123456789", *p) ||
	    memchr(p, 'x', len) || memchr(p, 'X', len))
		return false;
	memcpy(copy, p, len);
	copy[len] = '\0';
	*out = strtod(copy, &end);
	return !*end && end != copy && isfinite(*out);
}

/* Length of the token at p; *p moves to its start. */
static size_t token(const char **p, const char *end)
{
	const char *q;

	while (*p < end && isspace((unsigned char)**p))
		(*p)++;
	for (q = *p; q < end && !isspace((unsigned char)*q); q++)
		;
	return (size_t)(q - *p);
}

static int read_lines(struct wb_reading *r, const char *text, const char *end,
		      const struct wb_bench_config *bench, struct wb_error *err)
{
	static const char wanted[] = "not NAME VALUE [UNIT]";
	struct line l = { .number = 0 };

	while (next_line(&text, end, &l)) {
		const char *stop = l.ptr + l.len, *name = l.ptr, *v, *unit;
		struct wb_reading_number *n;
		size_t nname, nv, nunit;
		double number;

		nname = token(&name, stop);
		v = name + nname;
		nv = token(&v, stop);
		unit = v + nv;
		nunit = token(&unit, stop);
		if (!token_number(v, nv, &number) || unit + nunit != stop ||
		    memchr(l.ptr, '\0', l.len))
			return bad_line(&l, err, wanted);
		n = add(r, bench, name, nname);
		n->number = number;
		n->line = l.number;
		if (nunit)
			set_unit(n, unit, nunit);
	}
	return 0;
}

/* "nan", "-inf", "Infinity%": a number that was not measured. */
static bool not_finite(const char *p, size_t len)
{
	if (len && (*p == '-' || *p == '+')) {
		p++;
		len--;
	}
	while (len && !isalpha((unsigned char)p[len - 1]))
		len--;
	return (len == 3 && (!strncasecmp(p, "nan", 3) ||
			     !strncasecmp(p, "inf", 3))) ||
	       (len == 8 && !strncasecmp(p, "infinity", 8));
}

/* Length of [+-]digits[.digits][e[+-]digits] at p, 0 if there is none. */
static size_t number_len(const char *p, size_t len)
{
	size_t i = 0, digits = 0, e;

	if (i < len && (p[i] == '+' || p[i] == '-'))
		i++;
	for (; i < len && isdigit((unsigned char)p[i]); i++)
		digits++;
	if (i < len && p[i] == '.')
		for (i++; i < len && isdigit((unsigned char)p[i]); i++)
			digits++;
	if (!digits)
		return 0;
	if (i < len && (p[i] == 'e' || p[i] == 'E')) {
		e = i + 1;
		if (e < len && (p[e] == '+' || p[e] == '-'))
			e++;
		if (e < len && isdigit((unsigned char)p[e])) {
			while (e < len && isdigit((unsigned char)p[e]))
				e++;
			i = e;
		}
	}
	return i;
}

/*
 * The number of a token like "12.5", "t=12.5", "(12.5ms)", "3.2%,". 1: it has
 * one, 0: it has none, -1: it looks like a number and is none that can be
 * read for certain ("1,234", "1.2.3", "0x1f", "12:30").
 */
static int token_value(const char *p, size_t len, double *out)
{
	size_t n, i;

	for (i = 0; i < len && !isdigit((unsigned char)p[i]); i++)
		if (strchr("=:(['\"<", p[i])) {
			p += i + 1;
			len -= i + 1;
			i = (size_t)-1;
		}
	if (not_finite(p, len))
		return -1;
	n = number_len(p, len);
	if (!n)
		return 0;
	for (i = n; i < len && (isalpha((unsigned char)p[i]) || p[i] == '%' ||
				p[i] == '/' || (p[i] & 0x80)); i++)
		;
	if (n == 1 && *p == '0' && i > n && (p[n] == 'x' || p[n] == 'X'))
		return -1;
	for (; i < len; i++)
		if (!strchr(".,;)]'\">!", p[i]))
			return -1;
	return token_number(p, n, out) ? 1 : -1;
}

static int read_last_number(struct wb_reading *r, const char *text,
			    const char *end,
			    const struct wb_bench_config *bench,
			    struct wb_error *err)
{
	struct line l = { .number = 0 }, at = l;
	double number = 0, v;
	bool there = false, bad = false;

	while (next_line(&text, end, &l)) {
		const char *p = l.ptr, *stop = l.ptr + l.len;
		size_t n;

		for (; (n = token(&p, stop)) > 0; p += n) {
			int got = token_value(p, n, &v);

			if (!got)
				continue;
			bad = got < 0;
			there = true;
			at = l;
			if (!bad)
				number = v;
		}
	}
	if (!there)
		return 0;
	if (bad)
		return bad_line(&at, err, "its last number cannot be read");
	add(r, bench, WB_LAST_NUMBER_METRIC, strlen(WB_LAST_NUMBER_METRIC))
		->number = number;
	return 0;
}

int wb_sample_read(enum wb_reader reader, const char *text, size_t len,
		   const struct wb_bench_config *bench, struct wb_reading *out,
		   struct wb_error *err)
{
	const char *end = text + len;
	int ret = -1;

	memset(out, 0, sizeof(*out));
	switch (reader) {
	case WB_READER_SAMPLES:
		ret = read_samples(out, text, end, bench, err);
		break;
	case WB_READER_LINES:
		ret = read_lines(out, text, end, bench, err);
		break;
	case WB_READER_LAST_NUMBER:
		ret = read_last_number(out, text, end, bench, err);
		break;
	case WB_READER_TIME:
		return wb_fail(err, WB_E_JUDGE,
			       "the time reader reads no output");
	}
	if (!ret && !out->n)
		return wb_fail(err, WB_E_JUDGE, "printed no sample");
	return ret ? ret : check_names(out, err);
}

void wb_reading_add(struct wb_reading *r, const char *metric, const char *unit,
		    enum wb_better better, double value)
{
	r->v = wb_grow(r->v, r->n, &r->cap, sizeof(*r->v));
	r->v[r->n++] = (struct wb_reading_number){
		.metric = wb_xstrdup(metric),
		.unit = wb_xstrdup(unit),
		.better = better,
		.number = value,
	};
}

void wb_reading_clear(struct wb_reading *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		free(r->v[i].metric);
		free(r->v[i].unit);
	}
	free(r->v);
	memset(r, 0, sizeof(*r));
}
