#include "benchstat.h"
#include "format-table.h"

#include <math.h>

/* What is in parentheses behind `now`, given rounds of ratios around it. */
static void delta_is(double old, double now, double spread, int n,
		     const char *want)
{
	struct wb_format_options o = { .kind = WB_FORMAT_DELTA };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	int i;

	wb_result_init(&r);
	wb_result_add_column(&r, 0, "old");
	wb_result_add_column(&r, 1, "new");
	wb_result_add_metric(&r, "", "t");
	r.metric[0].better = WB_BETTER_HIGHER;
	for (i = 0; i < n; i++) {
		add(&r, 0, 0, i, old);
		add(&r, 0, 1, i, now * (1 + spread * (i % 3 - 1)));
	}
	format(&r, &o, &out);
	if (!strstr(out.ptr, want))
		fail_msg("%g to %g is not %s:\n%s", old, now, want, out.ptr);
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void test_unchanged_is_tested(void **state)
{
	(void)state;
	delta_is(435688, 435765, 0, 1, "(UNCH)");
	delta_is(435688, 435765, 0.0005, 30, "(UNCH)");
	/* a mean that is the same proves nothing when it might be 3 % off */
	delta_is(435688, 435765, 0.1, 30, "(+0.0%?)");
	delta_is(100000, 100600, 0.1, 30, "(+0.6%?)");
	delta_is(100000, 100600, 0.0001, 30, "(+0.6%)");
	delta_is(0, 5, 0, 1, "(n/a)");
	delta_is(5, 0, 0, 1, "(-100.0%)");
}

static void test_delta_heads(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_DELTA };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "old");
	wb_result_add_column(&r, 1, "a-name-that-is-longer-than-any-column");
	wb_result_add_metric(&r, "", "threads-16");
	wb_result_add_metric(&r, "", "threads-112");
	add(&r, 0, 0, 0, 7);
	add(&r, 0, 1, 0, 8);
	add(&r, 1, 0, 0, 1000);
	format(&r, &o, &out);
	assert_memory_equal(out.ptr,
"threads   old  [1]\n"
"16          7  8 (+14.3%)\n"
"112      1000  - -\n"
"[1] a-name-that-is-longer-than-any-column\n"
"n = 1 0..1 processes\n", 121);
	free(r.metric[1].name);
	r.metric[1].name = wb_xstrdup("tasks-112");
	format(&r, &o, &out);
	assert_true(wb_str_starts(out.ptr, "metric "));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void scaled_is(double v, double like, const char *want)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_bs_add_scaled(&b, v, like);
	assert_string_equal(b.ptr, want);
	wb_buf_clear(&b);
}

static void test_scaling(void **state)
{
	(void)state;
	scaled_is(41.2e-9, 41.2e-9, "41.20n");
	scaled_is(1.7184e-6, 1.7184e-6, "1.718u");
	scaled_is(999.96, 999.96, "1.000k");
	scaled_is(999.94, 999.94, "999.9");
	scaled_is(0, 0, "0.000");
	/* a row has one prefix, that of its first cell */
	scaled_is(950e-9, 1.1e-6, "0.950u");
	scaled_is(-2500, -2500, "-2.500k");
	scaled_is(3e-12, 3e-12, "0.003n");
}

/* Ranks as in tables of the sign test: 6 has 1, 9 has 2, 12 has 3, 20 has 6 */
static void test_interval_of_the_median(void **state)
{
	static const struct {
		size_t n;
		double spread;	/* of 101, 102 ... */
	} cases[] = {
		{ 1, INFINITY }, { 5, INFINITY }, { 6, 2.5 }, { 8, 3.5 },
		{ 9, 3 }, { 12, 3.5 }, { 20, 4.5 },
	};
	double v[20], middle;
	struct wb_bs_cell c;
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		for (k = 0; k < cases[i].n; k++)
			v[k] = 100 + (double)(cases[i].n - k);
		c = wb_bs_cell(v, cases[i].n);
		middle = 100 + ((double)cases[i].n + 1) / 2;
		assert_true(fabs(c.median - middle) < 1e-9);
		if (isinf(cases[i].spread))
			assert_true(isinf(c.spread));
		else
			assert_true(fabs(c.spread - 100 * cases[i].spread /
					 middle) < 1e-9);
	}
	assert_true(isnan(wb_bs_cell(v, 0).median));
}

static void test_benchstat(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_BENCHSTAT };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	int i;

	(void)state;
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "old");
	wb_result_add_column(&r, 1, "new");
	for (i = 0; i < 4; i++) {
		wb_result_add_metric(&r, "", (const char *const []){
				     "faster", "noise", "still", "gone" }[i]);
		free(r.metric[i].unit);
		r.metric[i].unit = wb_xstrdup("ns");
		r.metric[i].better = WB_BETTER_LOWER;
	}
	for (i = 0; i < 10; i++) {
		add(&r, 0, 0, i, 100 + 0.1 * i);
		add(&r, 0, 1, i, 80 + 0.1 * i);
		add(&r, 1, 0, i, 100 + i);
		add(&r, 1, 1, i, 100.5 + i * 7 % 10);
		add(&r, 2, 0, i, 5);
		add(&r, 2, 1, i, 5);
		add(&r, 3, 0, i, 5);
	}
	format(&r, &o, &out);
	assert_memory_equal(out.ptr,
"sec      old          new          vs base\n"
"faster   100.5n +-0%   80.5n +-0%    -19.91% (p=0.000 n=10)\n", 102);
	assert_non_null(strstr(out.ptr, "\nnoise "));
	assert_non_null(strstr(out.ptr, " ~ "));
	assert_non_null(strstr(out.ptr, " all-equal (n=10) "));
	/* of the rows that both have: (0.8009 1.0048 1) ^ 1/3 */
	assert_non_null(strstr(out.ptr, "-6.99% (3-of-4)"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unchanged_is_tested),
		cmocka_unit_test(test_delta_heads),
		cmocka_unit_test(test_scaling),
		cmocka_unit_test(test_interval_of_the_median),
		cmocka_unit_test(test_benchstat),
	};

	return cmocka_run_group_tests_name("format-delta", tests, NULL, NULL);
}
