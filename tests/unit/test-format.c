#include "check.h"
#include "format-parts.h"
#include "json.h"
#include "number.h"
#include "path.h"
#include "report.h"
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DATA "tests/data/formats/"

static const enum wb_format_kind all_kinds[] = {
	WB_FORMAT_TERMINAL, WB_FORMAT_PLAIN, WB_FORMAT_MARKDOWN,
	WB_FORMAT_MMTESTS, WB_FORMAT_CSV, WB_FORMAT_JSON,
};

#define NKINDS (sizeof(all_kinds) / sizeof(all_kinds[0]))

/* The table of r in the format of o, in out. */
static void format(const struct wb_result *r, const struct wb_format_options *o,
		   struct wb_buf *out)
{
	struct wb_table_options how = { .margin = 0.005 };
	struct wb_table t;

	wb_buf_reset(out);
	wb_table_init(&t, r, &how);
	wb_format(&t, o, out);
	wb_table_clear(&t);
}

static void load(struct wb_result *r, const char *name)
{
	char *path = wb_xasprintf(DATA "%s.jsonl", name);
	struct wb_error err = WB_ERROR_INIT;

	wb_result_init(r);
	if (wb_sample_load(r, path, &err) < 0)
		fail_msg("%s", err.msg);
	wb_result_judge(r, r->metric[0].bench, NULL);
	free(path);
}

static void add(struct wb_result *r, size_t m, size_t column, int round,
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
static void make(struct wb_result *r, const char *name, double level)
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
static void make_commit(struct wb_result *r, size_t column, const char *subject)
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
};

#define NHOSTILE (sizeof(hostile) / sizeof(hostile[0]))

static const char *next(const char *line)
{
	const char *eol = strchr(line, '\n');

	return eol ? eol + 1 : line + strlen(line);
}

static size_t width(const char *line)
{
	size_t n = 0;

	for (; *line && *line != '\n'; line++)
		n += (*line & 0xc0) != 0x80;
	return n;
}

static void check_bytes(const struct wb_buf *out, const char *name,
			size_t kind)
{
	size_t i;

	assert_int_equal(strlen(out->ptr), out->len);
	for (i = 0; i < out->len; i++) {
		unsigned char c = (unsigned char)out->ptr[i];

		if ((c < ' ' && c != '\n') || c == 0x7f)
			fail_msg("byte %u of '%s', format %zu", c, name, kind);
	}
}

static void test_no_control_byte_gets_out(void **state)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t i, k;

	(void)state;
	for (i = 0; i < NHOSTILE; i++) {
		make(&r, hostile[i], 100);
		make_commit(&r, 1, hostile[i]);
		for (k = 0; k < 2 * NKINDS; k++) {
			struct wb_format_options o = {
				.kind = all_kinds[k / 2], .utf8 = true,
				.width = 80, .compat = k % 2,
			};

			format(&r, &o, &out);
			check_bytes(&out, hostile[i], k);
			/* nothing turns the direction of text for a reader */
			if (o.kind != WB_FORMAT_JSON && !o.compat)
				assert_null(strstr(out.ptr, "\xe2\x80\xae"));
		}
		wb_result_clear(&r);
	}
	wb_buf_clear(&out);
}

static void check_plain_line(const char *line, const char *whose)
{
	static const char *const bad[] = {
		"---", "#", "From ", "diff -", "Index: ", ">", "-- ", " ", "\t",
		"Signed-off-by:",
	};
	size_t n = strcspn(line, "\n"), i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!strncmp(line, bad[i], strlen(bad[i])))
			fail_msg("line '%.*s' of '%s'", (int)n, line, whose);
	if (n > 72)
		fail_msg("%zu columns: '%.*s'", n, (int)n, line);
	if (n && line[n - 1] == ' ')
		fail_msg("ends in a blank: '%.*s'", (int)n, line);
	for (i = 0; i < n; i++)
		assert_in_range(line[i], ' ', '~');
}

static void test_plain_survives_a_mail(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_PLAIN };
	static const double levels[] = { 1e-9, 100, 123456789, 1e22 };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	const char *line;
	size_t i, l;

	(void)state;
	for (i = 0; i < NHOSTILE; i++) {
		for (l = 0; l < sizeof(levels) / sizeof(levels[0]); l++) {
			make(&r, hostile[i], levels[l]);
			make_commit(&r, 1, hostile[i]);
			format(&r, &o, &out);
			for (line = out.ptr; *line; line = next(line))
				check_plain_line(line, hostile[i]);
			wb_result_clear(&r);
		}
	}
	wb_buf_clear(&out);
}

/* Cells without parts are words all the same, and take their place. */
static void test_plain_counts_every_word(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_PLAIN };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	const char *line;
	char name[30];
	size_t m;

	(void)state;
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "a-name-that-takes-28-columns");
	for (m = 0; m < 6; m++) {
		snprintf(name, sizeof(name), "%zu", m);
		wb_result_add_metric(&r, "", name);
		r.metric[m].judged = true;
		add(&r, m, 0, 0, 1e300);
	}
	format(&r, &o, &out);
	for (line = out.ptr; *line; line = next(line))
		check_plain_line(line, "words");
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* After an archive folded the blanks, each row still has all its words. */
static void test_plain_parses_from_words_alone(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_PLAIN };
	struct wb_buf out = WB_BUF_INIT;
	char name[20], change[20], interval[40], verdict[20];
	struct wb_result r;
	const char *line;
	int k, rows = 0;

	(void)state;
	make(&r, "a b", 100);
	free(r.metric[0].unit);
	r.metric[0].unit = wb_xstrdup("");
	wb_result_add_hole(&r, 1, NULL, WB_HOLE_MISSING, NULL);
	format(&r, &o, &out);
	line = strstr(out.ptr, "\nk  patch");
	assert_non_null(line);
	for (line = next(line + 1); *line != '\n'; line = next(line)) {
		assert_int_equal(sscanf(line, "%d %19s %19s %39s %19s", &k,
					name, change, interval, verdict), 5);
		assert_int_equal(k, rows++);
	}
	assert_int_equal(rows, 4);
	assert_non_null(strstr(out.ptr, "a\\x20b1"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* Bars of a line that end a cell: those that no backslash stands before. */
static size_t count_bars(const char *line)
{
	size_t n = 0;

	for (; *line != '\n'; line++) {
		n += *line == '|';
		line += *line == '\\';
	}
	return n;
}

static void test_markdown_stays_narrow_and_closed(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_MARKDOWN };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	const char *line;
	size_t i, bars, wanted;

	(void)state;
	for (i = 0; i < NHOSTILE; i++) {
		make(&r, hostile[i], 100);
		make_commit(&r, 1, hostile[i]);
		format(&r, &o, &out);
		assert_null(strchr(out.ptr, '<'));
		wanted = 0;
		for (line = out.ptr; *line; line = next(line)) {
			assert_true(width(line) < 78);
			if (*line != '|') {
				wanted = 0;
				continue;
			}
			/* every row has as many cells as its header */
			bars = count_bars(line);
			if (wanted)
				assert_int_equal(bars, wanted);
			wanted = bars;
		}
		wb_result_clear(&r);
	}
	wb_buf_clear(&out);
}

/* Raw lines of a table are of one width: bars stand below each other. */
static void test_markdown_lines_up(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_MARKDOWN };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	const char *line;
	size_t wide = 0;

	(void)state;
	make(&r, "gr\xc3\xbc\xc3\x9f", 100);
	format(&r, &o, &out);
	for (line = out.ptr; *line; line = next(line)) {
		if (*line == '|' && wide)
			assert_int_equal(width(line), wide);
		wide = *line == '|' ? width(line) : 0;
	}
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void test_terminal_fits(void **state)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	const char *line;
	int wide;

	(void)state;
	load(&r, "six-columns");
	for (wide = 60; wide < 250; wide += 7) {
		struct wb_format_options o = { .width = wide };

		format(&r, &o, &out);
		for (line = out.ptr; *line; line = next(line))
			assert_true(width(line) <= (size_t)wide);
		assert_null(strchr(out.ptr, '\033'));
	}
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void test_color_adds_nothing_but_color(void **state)
{
	struct wb_format_options o = { .width = 80 };
	struct wb_buf plain = WB_BUF_INIT, colored = WB_BUF_INIT;
	struct wb_buf bare = WB_BUF_INIT;
	struct wb_result r;
	const char *p;

	(void)state;
	load(&r, "six-columns");
	format(&r, &o, &plain);
	o.color = true;
	format(&r, &o, &colored);
	assert_non_null(strstr(colored.ptr, "\033[32m"));
	for (p = colored.ptr; *p; p++) {
		if (*p == '\033')
			p = strchr(p, 'm');
		else
			wb_buf_addch(&bare, *p);
	}
	/* blanks at the end of a line may stay in front of the reset */
	assert_true(bare.len >= plain.len);
	assert_non_null(strstr(bare.ptr, "unclear"));
	wb_result_clear(&r);
	wb_buf_clear(&plain);
	wb_buf_clear(&colored);
	wb_buf_clear(&bare);
}

static void test_broken_is_said_everywhere(void **state)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t k;

	(void)state;
	make(&r, "core.c:12: error", 100);
	for (k = 0; k < NKINDS; k++) {
		struct wb_format_options o = {
			.kind = all_kinds[k], .width = 80, .decimals = 2,
		};

		format(&r, &o, &out);
		if (!strstr(out.ptr, "broken"))
			fail_msg("format %zu does not say broken", k);
	}
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* 12 hex digits tell nobody which patch it is; a name does. */
static void test_subjects_of_commits(void **state)
{
	static const struct {
		enum wb_format_kind kind;
		const char *lines[3];
	} cases[] = {
		{ WB_FORMAT_TERMINAL, { "\n0  base0", "\n1  0123456789a1  "
			"mm: a faster path\n", "\n2  x2\n" } },
		{ WB_FORMAT_PLAIN, { "\n0  base0         -\n",
			"\n1  0123456789a1  mm: a faster path\n",
			"\n2  x2            -\n" } },
		{ WB_FORMAT_MARKDOWN, { "\n| # | patch        | subject"
			"           |\n",
			"| 1 | 0123456789a1 | mm: a faster path |\n",
			"| 2 | x2           |                   |\n" } },
		{ WB_FORMAT_CSV, { ",reason,subject\n",
			",\"mm: a faster path\"\n", ",\"a quilt patch\"\n" } },
		{ WB_FORMAT_JSON, { "\"mean_high\":null,\"subject\":null",
			",\"subject\":\"mm: a faster path\",",
			",\"subject\":\"a quilt patch\"," } },
	};
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t i, l;

	(void)state;
	make(&r, "x", 100);
	make_commit(&r, 1, "mm: a faster path");
	r.column[2].subject = wb_xstrdup("a quilt patch");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct wb_format_options o = {
			.kind = cases[i].kind, .width = 200,
		};

		format(&r, &o, &out);
		for (l = 0; l < 3; l++)
			if (!strstr(out.ptr, cases[i].lines[l]))
				fail_msg("'%s' is not in\n%s",
					 cases[i].lines[l], out.ptr);
	}
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static size_t times(const struct wb_buf *out, const char *what)
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
static void make_benches(struct wb_result *r)
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

static void test_notes(void **state)
{
	static const enum wb_format_kind kinds[] = {
		WB_FORMAT_TERMINAL, WB_FORMAT_PLAIN, WB_FORMAT_MARKDOWN,
	};
	static const char *const once[] = {
		"machine: a machine\n", "6 rounds; margin +-0.5 %; ",
		"value: median of n processes; change: mean of the rounds' "
		"ratios\n",
		"tick: near 1\n", "c: not measured (1 one: exit 1)\n",
		"d: not measured\n", "level I (callgrind)\n",
	};
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t k, i;

	(void)state;
	make_benches(&r);
	for (k = 0; k < 3; k++) {
		struct wb_format_options o = {
			.kind = kinds[k], .width = 80,
		};

		format(&r, &o, &out);
		for (i = 0; i < sizeof(once) / sizeof(once[0]); i++)
			if (times(&out, once[i]) != 1)
				fail_msg("not once: '%s' in\n%s", once[i],
					 out.ptr);
		assert_int_equal(times(&out, "level S (clock)\n"), 2);
		assert_int_equal(times(&out, "tick"), 1);
		assert_int_equal(times(&out, "n = "), 0);
		assert_int_equal(times(&out, "\n\n\n"), 0);
		/* what nobody asked for is not missed */
		o.bench = "[ab]";
		format(&r, &o, &out);
		assert_int_equal(times(&out, "not measured"), 0);
		/* nothing is paired: its change is no mean of rounds */
		o.bench = "b";
		format(&r, &o, &out);
		assert_int_equal(times(&out, "rounds"), 0);
	}
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* What decides without hardware counters, and which counts are estimates. */
static void test_levels(void **state)
{
	static const char primary[] =
		"primary: count (level I): level H was not counted\n";
	struct wb_format_options o = { .width = 80, .bench = "b" };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t m;
	int i;

	(void)state;
	make_benches(&r);
	format(&r, &o, &out);
	assert_int_equal(times(&out, primary), 1);
	assert_int_equal(times(&out, "multiplexed"), 0);

	m = wb_result_add_metric(&r, "b", "cycles:u");
	r.metric[m].better = WB_BETTER_LOWER;
	r.metric[m].level = WB_LEVEL_H;
	r.metric[m].judged = true;
	r.metric[m].counted = 1;
	/* known from before, without a sample: still missing */
	format(&r, &o, &out);
	assert_int_equal(times(&out, primary), 1);
	for (i = 0; i < 6; i++) {
		add(&r, m, 0, i, 4000 + i);
		add(&r, m, 1, i, 4000 + i);
	}
	format(&r, &o, &out);
	assert_int_equal(times(&out, primary), 0);
	assert_int_equal(times(&out, "level H (counters)\n"), 1);
	assert_int_equal(times(&out, "multiplexed"), 0);
	r.metric[m].counted = 0.5;
	format(&r, &o, &out);
	assert_int_equal(times(&out, "multiplexed: cycles:u had a counter for "
			       "50 %"), 1);
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* A bench whose metrics are known from before and have no sample now. */
static void test_no_empty_tables(void **state)
{
	struct wb_format_options o = { .width = 80 };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	make_benches(&r);
	wb_result_add_metric(&r, "d", "empty");
	r.metric[3].judged = true;
	format(&r, &o, &out);
	assert_int_equal(times(&out, "empty"), 0);
	assert_int_equal(times(&out, "d: not measured\n"), 1);
	o.kind = WB_FORMAT_JSON;
	format(&r, &o, &out);
	assert_int_equal(times(&out, "\"not_measured\":[\"c\",\"d\"]"), 1);
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* In 72 columns a heading gets a second line before its name is cut. */
static void test_long_headings_go_on_below(void **state)
{
	static const enum wb_format_kind kinds[] = {
		WB_FORMAT_PLAIN, WB_FORMAT_MARKDOWN,
	};
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t k;

	(void)state;
	make_benches(&r);
	free(r.metric[2].name);
	free(r.metric[2].unit);
	r.metric[2].name = wb_xstrdup("instructions-odr0-1024");
	r.metric[2].unit = wb_xstrdup("instructions/pair");
	for (k = 0; k < 2; k++) {
		struct wb_format_options o = { .kind = kinds[k] };

		format(&r, &o, &out);
		assert_non_null(strstr(out.ptr, "instructions-odr0-1024"));
		assert_non_null(strstr(out.ptr, ": instructions/pair, lower is "
				       "better,\nlevel I (callgrind)\n"));
	}
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* The points of one metric stand below each other. */
static void test_values_line_up(void **state)
{
	struct wb_format_options o = { .width = 80, .bench = "b" };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t i;

	(void)state;
	make_benches(&r);
	for (i = 0; i < r.npoints; i++)
		if (r.point[i].metric == 2)
			r.point[i].value = r.point[i].column ? 123.17 : 98.126;
	format(&r, &o, &out);
	assert_non_null(strstr(out.ptr, "   98.13  "));
	assert_non_null(strstr(out.ptr, "  123.17  "));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void check_json_row(const struct wb_json *row)
{
	static const char *const keys[] = {
		"bench", "metric", "unit", "better", "level", "index", "prefix",
		"tree", "against", "value", "n", "change", "low", "high",
		"verdict", "reason",
	};
	const char *word;
	int64_t index;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(wb_json_get(row, keys[i]));
	assert_true(wb_json_get_int(wb_json_get(row, "index"), &index));
	if (index)
		return;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(keys[i], "against") || !strcmp(keys[i], "verdict"))
			assert_false(wb_json_get_str(wb_json_get(row, keys[i]),
						     &word));
}

static void test_json_is_the_schema(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_JSON };
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	struct wb_json *doc, *rows;
	int64_t schema;
	size_t i;

	(void)state;
	make(&r, "\xff\033", 100);
	format(&r, &o, &out);
	assert_int_equal(wb_json_parse(out.ptr, out.len, &doc, &err), 0);
	assert_true(wb_json_get_int(wb_json_get(doc, "schema"), &schema));
	assert_int_equal(schema, 1);
	rows = wb_json_get(doc, "rows");
	assert_int_equal(wb_json_count(rows), 8);
	for (i = 0; i < 8; i++)
		check_json_row(wb_json_at(rows, i));
	wb_json_free(doc);
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void test_csv_has_all_digits(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_CSV };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	const char *line;
	size_t commas, i;

	(void)state;
	make(&r, "=a,\"b", 1.0 / 3);
	format(&r, &o, &out);
	assert_non_null(strstr(out.ptr, "\"'=a,\"\"b\""));
	assert_non_null(strstr(out.ptr, "0.33433"));
	for (line = out.ptr; *line; line = next(line)) {
		bool quoted = false;

		for (commas = 0, i = 0; line[i] != '\n'; i++) {
			quoted ^= line[i] == '"';
			commas += line[i] == ',' && !quoted;
		}
		assert_int_equal(commas, 20);
	}
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void test_globs(void **state)
{
	struct wb_format_options o = {
		.kind = WB_FORMAT_CSV, .metric = "alloc-odr0-?",
	};
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	load(&r, "six-columns");
	format(&r, &o, &out);
	assert_non_null(strstr(out.ptr, "alloc-odr0-1,"));
	assert_null(strstr(out.ptr, "alloc-odr0-64"));
	o.bench = "other";
	format(&r, &o, &out);
	assert_null(strstr(out.ptr, "alloc"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* ---- mmtests ---- */

static void test_split_of_names(void **state)
{
	static const struct {
		const char *name, *upper, *lower;
	} cases[] = {
		{ "4.6.0-rc2-foo", "4.6.0-rc2", "foo" },
		{ "vanilla", "vanill", "vanilla" },
		{ "5.3.0-rc10-x", "5.3.0-rc1", "-x" },
		{ "5.3.0", "5.3.", "5.3.0" },
		{ "6.6.0-vanilla", "6.6.0", "vanilla" },
		{ "-x", "", "x" },
		{ "a-rc1-b", "a-rc1", "b" },
		{ "a-", "a", "" },
		{ "-rc1", "", "rc1" },
	};
	size_t i, first, second;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		wb_mm_split_compat(cases[i].name, &first, &second);
		assert_int_equal(first, strlen(cases[i].upper));
		assert_memory_equal(cases[i].name, cases[i].upper, first);
		assert_string_equal(cases[i].name + second, cases[i].lower);
	}
}

static void test_gain(void **state)
{
	(void)state;
	assert_true(wb_mm_gain_compat(0, 5, true) == 0);
	assert_true(wb_mm_gain_compat(5, 0, true) == 100);
	assert_true(wb_mm_gain_compat(0, 5, false) == 100);
	assert_true(wb_mm_gain_compat(5, 0, false) == -99);
	assert_true(wb_mm_gain_compat(7, 7, false) == 0);
	assert_true(wb_mm_gain(0, 5, true) == -100);
	assert_true(wb_mm_gain(0, 5, false) == 100);
	assert_true(isnan(wb_mm_gain(5, 0, true)));
	/* a negative base must not turn the sign */
	assert_true(wb_mm_gain(-1, -2, true) == 50);
	assert_true(wb_mm_gain_compat(-1, -2, true) == -50);
}

/* What each rule gives for samples 1..8 of a throughput and of a latency. */
static void test_rows(void **state)
{
	static const double v[] = { 4, 1, 7, 3, 8, 2, 6, 5 };
	struct wb_mm_stat best = { WB_MM_BEST, 50 }, rank = { WB_MM_RANK, 95 };
	struct wb_mm_stat first = { WB_MM_FIRST, 0 }, mean = { WB_MM_MEAN, 0 };
	struct wb_result r;
	struct wb_cells c;
	struct wb_mm_pool p;
	int i;

	(void)state;
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "base");
	wb_result_add_metric(&r, "", "m");
	for (i = 0; i < 8; i++)
		add(&r, 0, 0, i, v[i]);
	wb_cells_init(&c, &r);
	wb_mm_pool_init(&p, &c, 0, 0);
	assert_true(wb_mm_value(&p, &best, false) == 2.5);
	assert_true(wb_mm_value(&p, &rank, false) == 7);
	assert_true(wb_mm_value(&p, &first, false) == 4);
	rank.p = 1;
	assert_true(wb_mm_value(&p, &rank, false) == 1);
	wb_mm_pool_clear(&p);
	r.metric[0].better = WB_BETTER_HIGHER;
	wb_mm_pool_init(&p, &c, 0, 0);
	/* for a throughput a high percentile is a low value */
	rank.p = 95;
	assert_true(wb_mm_value(&p, &rank, false) == 2);
	assert_true(fabs(wb_mm_value(&p, &mean, false) - 2.943495) < 1e-6);
	wb_mm_pool_clear(&p);
	wb_cells_clear(&c);
	wb_result_clear(&r);
}

static void mmtests(const struct wb_result *r, bool compat, enum wb_rows rows,
		    struct wb_buf *out)
{
	struct wb_format_options o = {
		.kind = WB_FORMAT_MMTESTS, .compat = compat, .decimals = 2,
		.rows = rows,
	};

	format(r, &o, out);
}

static void test_row_sets(void **state)
{
	static const char *const wanted[] = {
		[WB_ROWS_MULTIOPS] = "Min Amean Stddev CoeffVar Max BAmean.95 ",
		[WB_ROWS_SINGLEOPS] = "Ops ",
		[WB_ROWS_NORMALISEDOPS] = "Min Amean BAmean.95 Pctile.95 "
			"Stddev CoeffVar Max ",
		[WB_ROWS_LEFTSKEW] = "Min Amean BAmean.50 Pctile.50 BAmean.75 "
			"Pctile.75 BAmean.90 Pctile.90 BAmean.99 Pctile.99 "
			"Stddev CoeffVar Max ",
		[WB_ROWS_VARIABLETIME] = "Min Pctile.25 Pctile.50 Pctile.75 "
			"Pctile.1 Pctile.5 Pctile.10 Pctile.90 Pctile.95 "
			"Pctile.99 Max Amean Stddev CoeffVar BAmean.99 "
			"BAmean.95 BAmean.90 BAmean.75 BAmean.50 BAmean.25 ",
	};
	struct wb_buf out = WB_BUF_INIT, labels = WB_BUF_INIT;
	struct wb_result r;
	const char *line;
	size_t i;

	(void)state;
	make(&r, "m", 100);
	r.nmetrics--;
	while (r.npoints && r.point[r.npoints - 1].metric)
		r.npoints--;
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		mmtests(&r, true, (enum wb_rows)i, &out);
		wb_buf_reset(&labels);
		for (line = out.ptr; *line; line = next(line))
			if (*line != ' ')
				wb_buf_addf(&labels, "%.*s ",
					    (int)strcspn(line, " "), line);
		assert_string_equal(labels.ptr, wanted[i]);
	}
	r.nmetrics++;
	wb_result_clear(&r);
	wb_buf_clear(&out);
	wb_buf_clear(&labels);
}

/* The holes of the original, and what the honest table says instead. */
static void test_holes(void **state)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "v-one");
	wb_result_add_column(&r, 1, "v-two");
	wb_result_add_metric(&r, "", "both");
	wb_result_add_metric(&r, "", "old");
	wb_result_add_metric(&r, "", "new");
	wb_result_add_metric(&r, "", "zero");
	r.metric[0].better = r.metric[1].better = WB_BETTER_LOWER;
	r.metric[2].better = r.metric[3].better = WB_BETTER_LOWER;
	add(&r, 0, 0, 0, 2);
	add(&r, 0, 1, 0, 1);
	add(&r, 1, 0, 0, 3);
	add(&r, 2, 1, 0, 4);
	add(&r, 3, 0, 0, 0);
	add(&r, 3, 1, 0, 5);
	mmtests(&r, true, WB_ROWS_SINGLEOPS, &out);
	assert_string_equal(out.ptr,
"                                    v                            v\n"
"                                  one                          two\n"
"Ops both              2.00 (   0.00%)              1.00 (  50.00%)\n"
"Ops old               3.00 (   0.00%)              0.00 (   0.00%)\n"
"Ops zero              0.00 (   0.00%)              5.00 ( -99.00%)\n");
	mmtests(&r, false, WB_ROWS_SINGLEOPS, &out);
	assert_non_null(strstr(out.ptr,
"Ops both              2.00 (   0.00%)              1.00 (  50.00%)\n"
"Ops old               3.00 (   0.00%)                 - (      - )\n"
"Ops new                  - (      - )              4.00 (      - )\n"
"Ops zero              0.00 (   0.00%)              5.00 (    n/a )\n"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* Names that are wider than their numbers stand below. */
static void test_long_names_have_a_legend(void **state)
{
	static const char *const wide = "mm-page_alloc-inline-the-fast-path";
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t c;

	(void)state;
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "base");
	wb_result_add_column(&r, 1, wide);
	wb_result_add_column(&r, 2, "a-name-of-less-than-a-column");
	wb_result_add_metric(&r, "", "t");
	r.metric[0].better = WB_BETTER_LOWER;
	for (c = 0; c < 3; c++)
		add(&r, 0, c, 0, 5 + (double)c);
	mmtests(&r, false, WB_ROWS_SINGLEOPS, &out);
	assert_memory_equal(out.ptr,
"                                 -                            -"
"                            a\n"
"                              base                          [1]"
"   name-of-less-than-a-column\n"
"Ops t              5.00 (   0.00%)", 189);
	assert_non_null(strstr(out.ptr, "\n[1] mm-page_alloc-inline-the-fast-"
			       "path\nn = 1 1 1 processes"));
	mmtests(&r, true, WB_ROWS_SINGLEOPS, &out);
	assert_null(strstr(out.ptr, "[1]"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* Of hundreds of metrics those that are judged; the original has them all. */
static void test_mmtests_shows_what_is_judged(void **state)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	make_benches(&r);
	/* a count that does not change */
	wb_result_add_metric(&r, "b", "still");
	r.metric[3].better = WB_BETTER_LOWER;
	r.metric[3].exact = r.metric[3].judged = true;
	add(&r, 3, 0, 0, 7);
	add(&r, 3, 1, 0, 7);
	r.metric[0].judged = false;
	mmtests(&r, false, WB_ROWS_MULTIOPS, &out);
	assert_int_equal(times(&out, "Min       near"), 0);
	assert_int_equal(times(&out, "Min       far"), 1);
	assert_int_equal(times(&out, "[0.00,0.00]%"), 1);
	assert_int_equal(times(&out, "not judged: 1 metric; see"), 1);
	assert_int_equal(times(&out, "c: not measured\n"), 1);
	mmtests(&r, true, WB_ROWS_MULTIOPS, &out);
	assert_int_equal(times(&out, "Min       near"), 1);
	assert_int_equal(times(&out, "judged"), 0);
	assert_int_equal(times(&out, "measured"), 0);
	r.metric[1].judged = false;
	mmtests(&r, false, WB_ROWS_MULTIOPS, &out);
	assert_int_equal(times(&out, "Min       near"), 1);
	assert_int_equal(times(&out, "-0.00"), 0);
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* Throughput that falls to nothing: the original loses the column. */
static void test_dead_throughput(void **state)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	int i;

	(void)state;
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "v-one");
	wb_result_add_column(&r, 1, "v-two");
	wb_result_add_metric(&r, "", "t");
	r.metric[0].better = WB_BETTER_HIGHER;
	for (i = 0; i < 3; i++) {
		add(&r, 0, 0, i, 5 + i);
		add(&r, 0, 1, i, 0);
	}
	mmtests(&r, true, WB_ROWS_MULTIOPS, &out);
	assert_null(strstr(out.ptr, "two"));
	mmtests(&r, false, WB_ROWS_MULTIOPS, &out);
	assert_non_null(strstr(out.ptr, "two"));
	assert_non_null(strstr(out.ptr, "0.00 (-100.00%)"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

/* ---- parts ---- */

static void value_is(double v, double tick, const char *want)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_value_add(&b, v, tick);
	assert_string_equal(b.ptr, want);
	wb_buf_clear(&b);
}

static void test_values(void **state)
{
	(void)state;
	value_is(NAN, 0, "-");
	value_is(41.2, 0.1, "41.2");
	value_is(41.25, 0.1, "41.25");
	value_is(382, 1, "382");
	value_is(1234567, 1, "1234567");
	value_is(0.25, 0, "0.2500");
	value_is(0, 1, "0");
	value_is(1e20, 1, "1e+20");
	value_is(0.0000012345, 0, "1.234e-06");
	value_is(-3.5, 0.5, "-3.5");
}

static void number_is(double v, const char *want)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_number_add(&b, v);
	assert_string_equal(b.ptr, want);
	assert_true(strtod(b.ptr, NULL) == v);
	wb_buf_clear(&b);
}

static void rough_is(double v, const char *want)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_number_add_rough(&b, v, 2);
	assert_string_equal(b.ptr, want);
	wb_buf_clear(&b);
}

static void test_numbers_read_back(void **state)
{
	(void)state;
	number_is(0.1, "0.1");
	number_is(1.0 / 3, "0.3333333333333333");
	number_is(0.1 + 0.2, "0.30000000000000004");
	number_is(1234567, "1234567");
	number_is(-2.5e-300, "-2.5e-300");
	rough_is(213, "210");
	rough_is(99.6, "100");
	rough_is(2.13, "2.1");
	rough_is(0.0000213, "0.000021");
	rough_is(0, "0");
	rough_is(2, "2");
	rough_is(100, "100");
	rough_is(0.0996, "0.1");
}

static void percent_is(double change, double low, double high, double margin,
		       const char *want)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_percent_add(&b, change,
		       wb_percent_decimals(change, low, high, margin));
	assert_string_equal(b.ptr, want);
	wb_buf_clear(&b);
}

static void exact_is(double change, const char *want)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_percent_add(&b, change, wb_percent_exact(change));
	assert_string_equal(b.ptr, want);
	wb_buf_clear(&b);
}

static void test_percentages(void **state)
{
	(void)state;
	percent_is(-0.019, -0.024, -0.014, 0.005, "-1.9%");
	percent_is(0.2, 0.1, 0.3, 0.005, "+20.0%");
	percent_is(0.00123, 0.0011, 0.0013, 0.005, "+0.123%");
	percent_is(-0.0001, -0.01, 0.01, 0.005, "+0.0%");
	percent_is(NAN, NAN, NAN, 0.005, "-");
	/* no more than a hundredth of the margin deserves, 4 without one */
	percent_is(-0.00004321, -0.000044, -0.000043, 0.005, "-0.004%");
	percent_is(-0.00004321, -0.000044, -0.000043, 0.001, "-0.004%");
	percent_is(-0.00004321, -0.000044, -0.000043, 0.05, "+0.00%");
	percent_is(-0.00004321, -0.000044, -0.000043, 0, "-0.0043%");
	percent_is(-3e-8, -7e-8, 0, 0.005, "+0.000%");
	percent_is(0.001234, 0.001234, 0.001234, 0.005, "+0.123%");
	/* an exact change is never rounded away */
	exact_is(1.5e-6, "+0.00015%");
	exact_is(-2.34e-12, "-0.00000000023%");
	exact_is(0, "+0.0%");
	exact_is(0.123, "+12.3%");
	exact_is(-0.00618, "-0.62%");
	/* and has no exponent */
	exact_is(1e9, "+100000000000%");
	exact_is(1e200, ">+999999999999999%");
	exact_is(NAN, "-");
}

static void test_cut(void **state)
{
	struct wb_buf b = WB_BUF_INIT;

	(void)state;
	wb_buf_addstr(&b, "abcdefgh");
	wb_text_cut(&b, 8);
	assert_string_equal(b.ptr, "abcdefgh");
	wb_text_cut(&b, 6);
	assert_string_equal(b.ptr, "abc...");
	wb_buf_reset(&b);
	wb_buf_addstr(&b, "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc");
	wb_text_cut(&b, 4);
	assert_string_equal(b.ptr, "\xc3\xbc...");
	wb_buf_clear(&b);
}

static void test_report_errors(void **state)
{
	struct wb_report_options o = { .against = "nobody" };
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	wb_result_init(&r);
	assert_int_equal(wb_report_text(&r, 0.005, &o, &out, &err), -1);
	assert_int_equal(err.kind, WB_E_JUDGE);
	make(&r, "x", 100);
	assert_int_equal(wb_report_text(&r, 0.005, &o, &out, &err), -1);
	assert_int_equal(err.kind, WB_E_USAGE);
	o.against = "x1";
	assert_int_equal(wb_report_text(&r, 0.005, &o, &out, &err), 0);
	assert_non_null(strstr(out.ptr, "from x1"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void reason_is(const struct wb_result *r,
		      const struct wb_report_options *o, const char *want)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf out = WB_BUF_INIT;

	assert_int_equal(wb_report_text(r, 0.005, o, &out, &err), -1);
	assert_int_equal(err.kind, WB_E_JUDGE);
	assert_string_equal(err.msg, want);
	wb_buf_clear(&out);
}

/* A hole is to blame only when every prefix has one. */
static void test_why_nothing_was_measured(void **state)
{
	struct wb_report_options o = { .against = NULL };
	struct wb_result r;

	(void)state;
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "base");
	wb_result_add_column(&r, 1, "one");
	reason_is(&r, &o, "nothing measured yet for the present builds and "
		  "benches; measure with 'wb run'");
	wb_result_add_hole(&r, 1, NULL, WB_HOLE_BROKEN, "build: exit 2");
	o.source = "a..b";
	reason_is(&r, &o, "nothing measured yet for the present builds and "
		  "benches; measure with 'wb run a..b'");
	wb_result_add_hole(&r, 0, "b", WB_HOLE_BROKEN, "crash");
	reason_is(&r, &o, "nothing measured: prefix 0 'base': crash");
	/* a hole of another bench is none of this one */
	o.format.bench = "c";
	reason_is(&r, &o, "nothing measured yet for the present builds and "
		  "benches; measure with 'wb run --bench=c a..b'");
	/* and so are its samples */
	wb_result_add_metric(&r, "b", "m");
	add(&r, 0, 0, 0, 1);
	reason_is(&r, &o, "nothing measured yet for the present builds and "
		  "benches; measure with 'wb run --bench=c a..b'");
	wb_result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_control_byte_gets_out),
		cmocka_unit_test(test_plain_survives_a_mail),
		cmocka_unit_test(test_plain_counts_every_word),
		cmocka_unit_test(test_plain_parses_from_words_alone),
		cmocka_unit_test(test_markdown_stays_narrow_and_closed),
		cmocka_unit_test(test_markdown_lines_up),
		cmocka_unit_test(test_terminal_fits),
		cmocka_unit_test(test_color_adds_nothing_but_color),
		cmocka_unit_test(test_broken_is_said_everywhere),
		cmocka_unit_test(test_subjects_of_commits),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_no_empty_tables),
		cmocka_unit_test(test_long_headings_go_on_below),
		cmocka_unit_test(test_values_line_up),
		cmocka_unit_test(test_json_is_the_schema),
		cmocka_unit_test(test_csv_has_all_digits),
		cmocka_unit_test(test_globs),
		cmocka_unit_test(test_split_of_names),
		cmocka_unit_test(test_gain),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_row_sets),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_long_names_have_a_legend),
		cmocka_unit_test(test_mmtests_shows_what_is_judged),
		cmocka_unit_test(test_dead_throughput),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_numbers_read_back),
		cmocka_unit_test(test_percentages),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_report_errors),
		cmocka_unit_test(test_why_nothing_was_measured),
	};

	return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
