/*
 * What the readers share: lines, words and numbers of hostile text.
 */
#include "reader.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Enough of a bad line to recognise it. */
#define SHOWN 60
/* Of a JSON document: its tree takes some fifty times as much. */
#define DOCUMENT_MAX ((size_t)8 << 20)
/* Of one name, which is a column of a table; of all; and how many numbers. */
#define NAME_MAX_LEN 4096
#define NAMES_MAX ((size_t)64 << 20)
#define NUMBERS_MAX (1 << 20)

int wb_line_bad(const struct wb_reader_line *l, struct wb_error *err,
		const char *wanted)
{
	return wb_fail(err, WB_E_JUDGE, "line %u: %s, found '%.*s'%s",
		       l->number, wanted, (int)(l->len < SHOWN ? l->len :
		       SHOWN), l->ptr, l->len > SHOWN ? "..." : "");
}

bool wb_line_starts(const struct wb_reader_line *l, const char *word)
{
	size_t n = strlen(word);

	return l->len >= n && !memcmp(l->ptr, word, n);
}

bool wb_line_next(const char **text, const char *end, struct wb_reader_line *l)
{
	const char *eol;

	while (*text < end) {
		eol = memchr(*text, '\n', (size_t)(end - *text));
		l->ptr = *text;
		l->len = (size_t)((eol ? eol : end) - *text);
		l->indent = 0;
		l->number++;
		*text = eol ? eol + 1 : end;
		while (l->len && isspace((unsigned char)l->ptr[l->len - 1]))
			l->len--;
		while (l->len && isspace((unsigned char)*l->ptr)) {
			l->ptr++;
			l->len--;
			l->indent++;
		}
		if (l->len)
			return true;
	}
	return false;
}

struct wb_reading_number *wb_reading_new(struct wb_reading *r,
					 const struct wb_bench_config *bench,
					 const char *metric, size_t len,
					 size_t line, struct wb_error *err)
{
	struct wb_reading_number *n;

	r->bytes += len;
	if (len > NAME_MAX_LEN || r->bytes > NAMES_MAX || r->n == NUMBERS_MAX) {
		if (len > NAME_MAX_LEN)
			wb_fail(err, WB_E_JUDGE, "the name of a metric has %zu "
				"bytes, %d at most: '%.*s...'", len,
				NAME_MAX_LEN, SHOWN, metric);
		else if (r->bytes > NAMES_MAX)
			wb_fail(err, WB_E_JUDGE, "the names of metrics take "
				"more than %zu MiB", NAMES_MAX >> 20);
		else
			wb_fail(err, WB_E_JUDGE, "more than %d numbers",
				NUMBERS_MAX);
		if (line)
			wb_fail_at(err, "line %zu", line);
		return NULL;
	}
	r->v = wb_grow(r->v, r->n, &r->cap, sizeof(*r->v));
	n = &r->v[r->n++];
	*n = (struct wb_reading_number){
		.metric = wb_xstrndup(metric, len),
		.unit = wb_xstrdup(bench->unit ? bench->unit : ""),
		.line = line,
	};
	if (bench->better)
		wb_better_parse(bench->better, &n->better);
	return n;
}

void wb_reading_set_unit(struct wb_reading_number *n, const char *unit,
			 size_t len)
{
	free(n->unit);
	n->unit = wb_xstrndup(unit, len);
}

bool wb_token_number(const char *p, size_t len, double *out)
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

size_t wb_token(const char **p, const char *end)
{
	const char *q;

	while (*p < end && isspace((unsigned char)**p))
		(*p)++;
	for (q = *p; q < end && !isspace((unsigned char)*q); q++)
		;
	return (size_t)(q - *p);
}

bool wb_token_not_finite(const char *p, size_t len)
{
	static const char *const words[] = { "nan", "inf", "infinity" };
	char copy[64], *end;
	size_t i;

	if (len && (*p == '-' || *p == '+')) {
		p++;
		len--;
	}
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (len == strlen(words[i]) && !strncasecmp(p, words[i], len))
			return true;
	if (!len || len >= sizeof(copy) || !isdigit((unsigned char)*p))
		return false;
	memcpy(copy, p, len);
	copy[len] = '\0';
	return isinf(strtod(copy, &end)) && !*end;
}

void wb_reading_remark(struct wb_reading *r, const char *fmt, ...)
{
	struct wb_buf text = WB_BUF_INIT;
	va_list ap;

	if (r->remark)
		return;
	va_start(ap, fmt);
	wb_buf_vaddf(&text, fmt, ap);
	va_end(ap);
	r->remark = wb_buf_detach(&text);
}

int wb_reader_document(const char *text, const char *end, const char *program,
		       struct wb_json **out, struct wb_error *err)
{
	struct wb_reader_line l = { .number = 0 };
	char why[256];
	int line;

	while (wb_line_next(&text, end, &l))
		if (*l.ptr == '{')
			break;
	if (!l.number || *l.ptr != '{')
		return wb_fail(err, WB_E_JUDGE, "no JSON of %s: no line begins "
			       "with '{'", program);
	if ((size_t)(end - l.ptr) > DOCUMENT_MAX)
		return wb_fail(err, WB_E_JUDGE, "line %u: a JSON document of "
			       "%zu MiB; %zu at most", l.number,
			       (size_t)(end - l.ptr) >> 20,
			       DOCUMENT_MAX >> 20);
	if (!wb_json_parse_at(l.ptr, (size_t)(end - l.ptr), out, &line, err))
		return 0;
	snprintf(why, sizeof(why), "%.200s", err->msg);
	return wb_fail(err, WB_E_JUDGE, "line %u: %s",
		       l.number + (unsigned)line - 1, why);
}

int wb_reader_number(const struct wb_json *v, const char *place,
		     const char *key, double *out, struct wb_error *err)
{
	if (!v)
		return wb_fail(err, WB_E_JUDGE, "%s: no \"%s\"", place, key);
	if (!wb_json_get_num(v, out) || !isfinite(*out))
		return wb_fail(err, WB_E_JUDGE, "%s: \"%s\" is not a number",
			       place, key);
	return 0;
}

int wb_reader_time(const struct wb_json *v, const char *place, const char *key,
		   double *out, struct wb_error *err)
{
	if (wb_reader_number(v, place, key, out, err) < 0)
		return -1;
	return *out >= 0 ? 0 : wb_fail(err, WB_E_JUDGE, "%s: \"%s\" is %g, a "
				       "negative time", place, key, *out);
}
