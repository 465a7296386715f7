/*
 * KTAP, as kernel selftests and KUnit print it, with numbers in diagnostics:
 *
 *	KTAP version 1
 *	1..1
 *	    # Subtest: page_alloc
 *	    1..1
 *	    # alloc_order0: 41.2 ns
 *	    ok 1 alloc_order0
 *	ok 1 page_alloc
 *
 * "# NAME: NUMBER [UNIT]" is a metric, SUBTEST.NAME where it stands in one.
 * Times that the kernel's log puts in front are taken off; lines of another
 * kind are other people's log. A test that is "not ok" (and neither SKIP nor
 * TODO), a plan that was not fulfilled and a bail-out fail: what was measured
 * there is not known to be right.
 */
#include "reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 16

/* One level of nesting, by its indent. */
struct level {
	long planned, seen;	/* planned -1: no plan yet */
	char *subtest;
	size_t indent;
};

struct ktap {
	struct wb_reading *r;
	const struct wb_bench_config *bench;
	struct level level[DEPTH_MAX];
	size_t depth;		/* levels in use */
};

/* "[   12.345678] " in front of a line of the kernel's log. */
static const char *after_time(const char *p, const char *end)
{
	const char *q = p;

	if (q == end || *q != '[')
		return p;
	for (q++; q < end && (isdigit((unsigned char)*q) || *q == ' ' ||
			      *q == '.'); q++)
		;
	return q + 1 < end && q[0] == ']' && q[1] == ' ' ? q + 2 : p;
}

static int close_level(struct ktap *k, struct wb_error *err)
{
	struct level *l = &k->level[--k->depth];
	int ret = 0;

	if (l->planned >= 0 && l->seen < l->planned)
		ret = wb_fail(err, WB_E_JUDGE, "cut off: %ld of %ld tests%s%s "
			      "have a result", l->seen, l->planned,
			      l->subtest ? " of " : "",
			      l->subtest ? l->subtest : "");
	free(l->subtest);
	l->subtest = NULL;
	return ret;
}

/* The level of an indent; deeper ones end. NULL: it fails. */
static struct level *level_at(struct ktap *k, size_t indent,
			      struct wb_error *err)
{
	while (k->depth && k->level[k->depth - 1].indent > indent)
		if (close_level(k, err) < 0)
			return NULL;
	if (!k->depth || k->level[k->depth - 1].indent < indent) {
		if (k->depth == DEPTH_MAX) {
			wb_fail(err, WB_E_JUDGE, "tests nested more than %d "
				"deep", DEPTH_MAX);
			return NULL;
		}
		k->level[k->depth++] = (struct level){
			.planned = -1, .indent = indent,
		};
	}
	return &k->level[k->depth - 1];
}

static bool has_word(const char *p, size_t len, const char *word)
{
	size_t n = strlen(word);

	for (; len >= n; p++, len--)
		if (!strncasecmp(p, word, n))
			return true;
	return false;
}

static int read_result(struct level *at, const struct wb_reader_line *l,
		       struct wb_error *err)
{
	const char *hash = memchr(l->ptr, '#', l->len);
	size_t n = hash ? (size_t)(l->ptr + l->len - hash) : 0;

	at->seen++;
	if (!wb_line_starts(l, "not ok") ||
	    (hash && (has_word(hash, n, "SKIP") || has_word(hash, n, "TODO"))))
		return 0;
	return wb_line_bad(l, err, "a test failed");
}

static int read_number(struct ktap *k, const struct level *at,
		       const struct wb_reader_line *l, struct wb_error *err)
{
	const char *stop = l->ptr + l->len, *name = l->ptr + 1, *v, *unit;
	struct wb_buf metric = WB_BUF_INIT;
	struct wb_reading_number *n;
	size_t nname, nv, nunit;
	double number;

	nname = wb_token(&name, stop);
	if (!nname || name[nname - 1] != ':')
		return 0;
	v = name + nname--;
	nv = wb_token(&v, stop);
	unit = v + nv;
	nunit = wb_token(&unit, stop);
	if (wb_token_not_finite(v, nv))
		return wb_line_bad(l, err, "not a finite number");
	/* more words than NUMBER UNIT are a sentence that begins so */
	if (!wb_token_number(v, nv, &number) || unit + nunit != stop)
		return 0;
	if (at->subtest)
		wb_buf_addf(&metric, "%s.", at->subtest);
	wb_buf_add(&metric, name, nname);
	n = wb_reading_new(k->r, k->bench, metric.ptr, metric.len, l->number,
			   err);
	wb_buf_clear(&metric);
	if (!n)
		return -1;
	n->number = number;
	if (nunit)
		wb_reading_set_unit(n, unit, nunit);
	return 0;
}

static int read_line(struct ktap *k, const struct wb_reader_line *l,
		     size_t indent, struct wb_error *err)
{
	static const char subtest[] = "# Subtest: ";
	struct level *at;
	char *rest;
	long n;

	if (wb_line_starts(l, "Bail out!"))
		return wb_line_bad(l, err, "the tests gave up");
	if (!wb_line_starts(l, "ok ") && !wb_line_starts(l, "not ok ") &&
	    !wb_line_starts(l, "1..") && !wb_line_starts(l, "#"))
		return 0;
	at = level_at(k, indent, err);
	if (!at)
		return -1;
	if (wb_line_starts(l, "1..")) {
		n = strtol(l->ptr + 3, &rest, 10);
		if (n >= 0 && rest > l->ptr + 3)
			at->planned = n;
		return 0;
	}
	if (wb_line_starts(l, subtest)) {
		free(at->subtest);
		at->subtest = wb_xstrndup(l->ptr + strlen(subtest),
					  l->len - strlen(subtest));
		return 0;
	}
	if (*l->ptr == '#')
		return read_number(k, at, l, err);
	return read_result(at, l, err);
}

/* Takes the log's time off a line and gives the indent behind it. */
static size_t strip_time(struct wb_reader_line *l)
{
	const char *body = after_time(l->ptr, l->ptr + l->len), *p = body;
	size_t indent = body == l->ptr ? l->indent : 0;

	for (; p < l->ptr + l->len && *p == ' '; p++)
		indent++;
	l->len -= (size_t)(p - l->ptr);
	l->ptr = p;
	return indent;
}

int wb_read_ktap(struct wb_reading *r, const char *text, const char *end,
		 const struct wb_bench_config *bench, struct wb_error *err)
{
	struct ktap k = { .r = r, .bench = bench };
	struct wb_reader_line l = { .number = 0 };
	struct wb_error ignored;
	bool any = false;
	size_t indent;
	int ret = 0;

	while (!ret && wb_line_next(&text, end, &l)) {
		indent = strip_time(&l);
		any |= wb_line_starts(&l, "KTAP version") ||
		       wb_line_starts(&l, "TAP version") ||
		       wb_line_starts(&l, "1..");
		ret = read_line(&k, &l, indent, err);
	}
	/* the first reason stays */
	while (k.depth)
		if (close_level(&k, ret ? &ignored : err) < 0)
			ret = -1;
	if (!ret && !any)
		ret = wb_fail(err, WB_E_JUDGE, "no KTAP: neither a version "
			      "line nor a plan");
	return ret;
}
