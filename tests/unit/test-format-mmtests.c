#include "format-table.h"

#include <math.h>

static void mmtests(const struct wb_result *r, bool compat, enum wb_rows rows,
		    struct wb_buf *out)
{
	struct wb_format_options o = {
		.kind = WB_FORMAT_MMTESTS, .compat = compat, .decimals = 2,
		.rows = rows,
	};

	format(r, &o, out);
}

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_split_of_names),
		cmocka_unit_test(test_gain),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_row_sets),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_long_names_have_a_legend),
		cmocka_unit_test(test_mmtests_shows_what_is_judged),
		cmocka_unit_test(test_dead_throughput),
	};

	return cmocka_run_group_tests_name("format-mmtests", tests, NULL, NULL);
}
