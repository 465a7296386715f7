#ifndef FORMAT_TABLE_H
#define FORMAT_TABLE_H

/* Tables to be formatted, for the tests of the formats. */

#include "check.h"
#include "format-parts.h"
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA "tests/data/formats/"

/* The table of r in the format of o, in out. */
static inline void format(const struct wb_result *r,
			  const struct wb_format_options *o,
			  struct wb_buf *out)
{
	struct wb_table_options how = { .margin = 0.005 };
	struct wb_table t;

	wb_buf_reset(out);
	wb_table_init(&t, r, &how);
	wb_format(&t, o, out);
	wb_table_clear(&t);
}

static inline void load(struct wb_result *r, const char *name)
{
	char *path = wb_xasprintf(DATA "%s.jsonl", name);
	struct wb_error err = WB_ERROR_INIT;

	wb_result_init(r);
	if (wb_sample_load(r, path, &err) < 0)
		fail_msg("%s", err.msg);
	wb_result_judge(r, r->metric[0].bench, NULL);
	free(path);
}

static inline void add(struct wb_result *r, size_t m, size_t column, int round,
		double value)
{
	wb_result_add_point(r, &(struct wb_point){
		.value = value, .metric = (uint32_t)m,
		.column = (uint32_t)column, .round = round,
		.run = (uint32_t)r->npoints,
	});
}

/*
 * Four prefixes, the third broken, two metrics; every text is what name says,
 * so that a hostile name is tried in all places at once.
 */
static inline void make(struct wb_result *r, const char *name, double level)
{
	static const double at[] = { 1, 0.97, 0, 0.97 };
	char text[4096];
	size_t c, m;
	int i;

	wb_result_init(r);
	r->machine = wb_xstrdup(name);
	r->machine_facts = wb_xstrdup(name);
	for (c = 0; c < 4; c++) {
		snprintf(text, sizeof(text), "%s%zu", c ? name : "base", c);
		wb_result_add_column(r, (int)c, text);
	}
	for (m = 0; m < 2; m++) {
		snprintf(text, sizeof(text), "%s%zu", name, m);
		wb_result_add_metric(r, name, text);
		free(r->metric[m].unit);
		r->metric[m].unit = wb_xstrdup(name);
		r->metric[m].better = WB_BETTER_LOWER;
		r->metric[m].judged = true;
		for (c = 0; c < 4; c++)
			for (i = 0; i < 12 && at[c] > 0; i++)
				add(r, m, c, i, level * at[c] *
				    (1 + 0.001 * ((i * 5 + (int)c) % 7)));
	}
	wb_result_add_hole(r, 2, NULL, WB_HOLE_BROKEN, name);
}

/* The name of a commit, and its subject. */
static inline void make_commit(struct wb_result *r, size_t column,
			       const char *subject)
{
	struct wb_column *c = &r->column[column];

	free(c->name);
	free(c->subject);
	c->name = wb_xasprintf("0123456789a%zu", column);
	c->subject = wb_xstrdup(subject);
}

static const char *const hostile[] = {
	"x", "\033[31mred\033[m", "a|b", "<script>alert(1)</script>", "\r\n---",
	"--- a/x", "diff --git a b", "From me", "# title", "Index: f",
	"Signed-off-by: Nobody <nobody@example.org>", "`code` *bold* [l](u)",
	"=HYPERLINK(\"x\")", "tab\tand\x01\x7f", "\xff\xfe",
	"\xe2\x80\xaeright",
	"gr\xc3\xbc\xc3\x9f", "comma,\"quote\"", "\\x1b", "> quoted", "&amp;",
	"a b  c", "@someone", "--", "-- ", "%s%n", ".", " lead", "trail ",
	"{{sentence}}{{#patches}}", "]]>", "\\end{verbatim}$x_y^z&", "'br",
	".so /etc/passwd", "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", "e\xcc\x81",
	"\xc2\x9b" "31m", "\x9b" "31m", "\xe2\x81\xa6" "iso", "\xd8\x9c",
	"\xe2\x80\xa8line", "\xf0\x9f\x9a\x80",
	"long long long long long long long long long long long long long long "
	"long-long-long-long-long-long-long-long-long-long-long-long-long-long"
	"long-long-long-long-long-long-long-long-long-long-long-long-long-long",
};

#define NHOSTILE (sizeof(hostile) / sizeof(hostile[0]))

static inline const char *next(const char *line)
{
	const char *eol = strchr(line, '\n');

	return eol ? eol + 1 : line + strlen(line);
}

static inline size_t width(const char *line)
{
	char *copy = wb_xstrndup(line, strcspn(line, "\n"));
	size_t n = wb_text_width(copy);

	free(copy);
	return n;
}

static inline void check_bytes(const struct wb_buf *out, const char *name,
			       size_t kind, bool tabs)
{
	size_t i, n, places;

	assert_int_equal(strlen(out->ptr), out->len);
	for (i = 0; i < out->len; i += n) {
		unsigned char c = (unsigned char)out->ptr[i];

		n = wb_text_step(out->ptr + i, &places);
		if (n)
			continue;
		if (c != '\n' && (!tabs || c != '\t'))
			fail_msg("byte %u of '%s', format %zu", c, name, kind);
		n = 1;
	}
}

static inline size_t times(const struct wb_buf *out, const char *what)
{
	const char *p = out->ptr;
	size_t n = 0;

	while ((p = strstr(p, what))) {
		p += strlen(what);
		n++;
	}
	return n;
}

/*
 * Bench a is timed in rounds, its changes of one tick and of many; b repeats
 * its counts; c broke and d was never run.
 */
static inline void make_benches(struct wb_result *r)
{
	static const char *const names[] = { "near", "far", "count" };
	size_t m, c;
	int i;

	wb_result_init(r);
	r->machine_facts = wb_xstrdup("a machine");
	wb_result_add_column(r, 0, "base");
	wb_result_add_column(r, 1, "one");
	for (m = 0; m < 3; m++) {
		wb_result_add_metric(r, m < 2 ? "a" : "b", names[m]);
		r->metric[m].better = WB_BETTER_LOWER;
		r->metric[m].level = m < 2 ? WB_LEVEL_S : WB_LEVEL_I;
		r->metric[m].exact = m == 2;
		r->metric[m].judged = true;
	}
	for (c = 0; c < 2; c++) {
		for (i = 0; i < 6; i++) {
			add(r, 0, c, i, 30 + (i + (int)c) % 3);
			add(r, 1, c, i, 900 + i % 3 + 500 * (double)c);
			add(r, 2, c, i, 1 + (double)c);
		}
	}
	for (m = 0; m < 4; m++)
		wb_result_add_bench(r, (const char *[]){ "a", "b", "c",
				    "d" }[m]);
	wb_result_add_hole(r, 1, "c", WB_HOLE_BROKEN, "exit 1");
}

#endif
