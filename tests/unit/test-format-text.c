#include "format-table.h"

#include <math.h>

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
			if (width(line) > 72)
				fail_msg("%.*s", (int)strcspn(line, "\n"),
					 line);
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
		{ WB_FORMAT_CSV, { ",reason,subject,by,aa_floor,visible\n",
			",\"mm: a faster path\",rounds,",
			",\"a quilt patch\",," } },
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain_survives_a_mail),
		cmocka_unit_test(test_plain_counts_every_word),
		cmocka_unit_test(test_plain_parses_from_words_alone),
		cmocka_unit_test(test_markdown_stays_narrow_and_closed),
		cmocka_unit_test(test_markdown_lines_up),
		cmocka_unit_test(test_terminal_fits),
		cmocka_unit_test(test_color_adds_nothing_but_color),
		cmocka_unit_test(test_subjects_of_commits),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_no_empty_tables),
		cmocka_unit_test(test_long_headings_go_on_below),
		cmocka_unit_test(test_values_line_up),
	};

	return cmocka_run_group_tests_name("format-text", tests, NULL, NULL);
}
