#include "json.h"
#include "path.h"
#include "sample.h"
#include "stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DATA "tests/data/formats/"

static void assert_close(double got, double want, double relative)
{
	if (!(fabs(got - want) <= relative * fabs(want)))
		fail_msg("%.17g is not %.17g", got, want);
}

static void test_mean_and_spread(void **state)
{
	double x[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

	(void)state;
	assert_close(wb_mean(x, 8), 5, 0);
	assert_close(wb_sd(x, 8), sqrt(32.0 / 7), 1e-15);
	assert_true(isnan(wb_mean(x, 0)));
	assert_true(isnan(wb_sd(x, 1)));
	/* a large offset must not eat the spread */
	double y[] = { 1e15 + 1, 1e15 + 2, 1e15 + 3 };

	assert_close(wb_sd(y, 3), 1, 0);
}

static uint64_t next_random(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	return *s ^= *s << 17;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void test_nth_is_what_sorting_gives(void **state)
{
	double x[200], sorted[200];
	uint64_t seed = 42;
	size_t n, i, k;
	int round;

	(void)state;
	for (round = 0; round < 3000; round++) {
		n = 1 + next_random(&seed) % 200;
		k = next_random(&seed) % n;
		/* few distinct values, rising ones, and any */
		for (i = 0; i < n; i++)
			x[i] = round % 3 == 0 ? (double)(next_random(&seed) % 4)
			     : round % 3 == 1 ? (double)i
			     : (double)(next_random(&seed) % 100000);
		memcpy(sorted, x, sizeof(x));
		qsort(sorted, n, sizeof(*sorted), by_value);
		assert_true(wb_nth(x, n, k) == sorted[k]);
		for (i = 0; i < n; i++)
			assert_true(i < k ? x[i] <= x[k] : x[i] >= x[k]);
		assert_true(wb_median(x, n) ==
			    (sorted[n / 2] + sorted[(n - 1) / 2]) / 2);
	}
}

/* Any sizes and kinds of numbers, negative and huge ones among them. */
static void test_sort_is_what_sorting_gives(void **state)
{
	static double x[5000], want[5000];
	uint64_t seed = 43, bits;
	int round;
	size_t n, i;

	(void)state;
	for (round = 0; round < 600; round++) {
		n = next_random(&seed) % (round % 10 ? 200 : 5000);
		for (i = 0; i < n; i++) {
			bits = next_random(&seed);
			if (round % 3 == 0)
				x[i] = (double)(int64_t)(bits % 7) - 3;
			else if (round % 3 == 1)
				x[i] = (double)(bits % 1000) / 8 + 100;
			else
				memcpy(&x[i], &bits, sizeof(bits));
			x[i] = isnan(x[i]) ? -INFINITY : x[i];
		}
		memcpy(want, x, sizeof(x));
		qsort(want, n, sizeof(*want), by_value);
		wb_sort(x, n);
		for (i = 0; i < n; i++)
			assert_true(x[i] == want[i]);
	}
}

static void test_percentile_interpolates(void **state)
{
	double x[] = { 40, 10, 30, 20 };

	(void)state;
	assert_close(wb_percentile(x, 4, 0), 10, 0);
	assert_close(wb_percentile(x, 4, 1), 40, 0);
	assert_close(wb_percentile(x, 4, 0.25), 17.5, 1e-15);
	assert_close(wb_percentile(x, 4, 0.5), 25, 1e-15);
}

/* Values from tables of higher precision than is asserted. */
static void test_normal(void **state)
{
	double p;

	(void)state;
	assert_close(wb_norm_cdf(1.959963984540054), 0.975, 1e-14);
	assert_close(wb_norm_cdf(-10), 7.61985302416052606e-24, 1e-13);
	assert_close(wb_norm_quantile(0.975), 1.959963984540054, 1e-14);
	assert_close(wb_norm_quantile(1e-300), -37.0470962993612, 1e-13);
	assert_true(wb_norm_quantile(0.5) == 0);
	for (p = 1e-10; p < 1; p += 0.00317)
		assert_close(wb_norm_cdf(wb_norm_quantile(p)), p, 1e-13);
}

static void test_t(void **state)
{
	static const double dfs[] = { 0.5, 1, 2, 3, 7.3, 30, 1e3, 1e6, 1e12 };
	double p;
	size_t i;

	(void)state;
	/* df 1 and 2 have closed forms */
	assert_close(wb_t_cdf(-3, 1), 0.5 - atan(3) / M_PI, 1e-13);
	assert_close(wb_t_tail(5, 2), 0.5 - 5 / (2 * sqrt(27)), 1e-12);
	assert_close(wb_t_quantile(0.975, 1), tan(0.475 * M_PI), 1e-12);
	assert_close(wb_t_quantile(0.975, 2),
		     0.95 * sqrt(2 / (1 - 0.95 * 0.95)), 1e-12);
	assert_close(wb_t_quantile(0.975, 10), 2.2281388519862747, 1e-12);
	assert_close(wb_t_quantile(0.995, 5), 4.032142983555228, 1e-12);
	assert_close(wb_t_quantile(0.975, 1e14), 1.959963984540054, 1e-10);
	for (i = 0; i < sizeof(dfs) / sizeof(dfs[0]); i++)
		for (p = 1e-8; p < 1; p += 0.0731)
			assert_close(wb_t_cdf(wb_t_quantile(p, dfs[i]), dfs[i]),
				     p, 1e-11);
	assert_true(wb_t_quantile(0.5, 3) == 0);
	assert_true(isnan(wb_t_quantile(0.9, 0)));
	assert_true(wb_t_tail(INFINITY, 4) == 0);
}

static void test_holm(void **state)
{
	double p[] = { 0.01, 0.04, NAN, 0.03, 0.005 };

	(void)state;
	wb_holm(p, 5);
	assert_close(p[4], 0.02, 1e-15);
	assert_close(p[0], 0.03, 1e-15);
	assert_close(p[3], 0.06, 1e-15);
	assert_close(p[1], 0.06, 1e-15);	/* never below the one before */
	assert_true(isnan(p[2]));
}

static void test_trimmed_mean(void **state)
{
	double d[] = { 9, 1, 2, 3, 4, 5, 6, 7, 8, 100 };
	double two[] = { 1, 3 };
	struct wb_estimate e = wb_robust_mean(d, 10, 0);

	(void)state;
	/* 1 and 100 fall away; winsorised: 2 2 3 4 5 6 7 8 9 9 */
	assert_close(e.mean, 5.5, 1e-15);
	assert_close(e.df, 7, 0);
	/* s_w sqrt(n - 1) / (h - 1), s_w being sqrt(66.5 / 9) */
	assert_close(e.se, sqrt(66.5) / 7, 1e-12);
	assert_close(e.sd, e.se * sqrt(10), 1e-12);
	e = wb_robust_mean(two, 2, 0);
	assert_close(e.mean, 2, 0);
	assert_close(e.se, 1, 1e-15);
	assert_close(e.df, 1, 0);
	two[0] = two[1] = 3;
	e = wb_robust_mean(two, 2, 0.1);
	assert_close(e.se, 0.1 / sqrt(2), 1e-15);
	e = wb_robust_mean(two, 1, 0);
	assert_true(isnan(e.df) && isnan(wb_estimate_p(&e)));
}

/* Two slow rounds of twelve: in the interval, and less in the forecast. */
static void test_spread_to_come(void **state)
{
	double d[] = { 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 90, 95 }, middle;
	struct wb_estimate e = wb_robust_mean(d, 12, 0);

	(void)state;
	/* kept: 2 2 3 3 4 4 5 5 6 90; their mean 12.4 */
	assert_close(e.mean, 12.4, 1e-12);
	assert_true(e.se * sqrt(12) > 40);
	/* distances: 9.4 is the 6th, 9.4 the 7th of twelve */
	middle = 1.4826 * 9.4;
	assert_close(e.sd, cbrt(e.se * sqrt(12) * middle * middle), 1e-9);
	/* a spread that rounding explains is never less */
	e = wb_robust_mean((double[]){ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, 10, 3);
	assert_true(e.sd >= 3);
}

static void test_equivalence(void **state)
{
	struct wb_estimate e = {
		.mean = 0.001, .se = 0.001, .df = 20, .n = 21,
	};
	double low, high;

	(void)state;
	wb_estimate_interval(&e, 0.95, &low, &high);
	/* the two tests at 2.5 % and the 95 % interval say the same */
	assert_close(wb_estimate_tost(&e, low, 1), 0.025, 1e-10);
	assert_close(wb_estimate_tost(&e, -1, high), 0.025, 1e-10);
	assert_true(wb_estimate_tost(&e, -0.005, 0.005) < 0.001);
	assert_true(wb_estimate_tost(&e, -0.0005, 0.0005) > 0.5);
}

static void test_needed(void **state)
{
	size_t n = wb_needed(1, 0.5, 0.05, false, 1000);

	(void)state;
	/* the interval of n values is narrow enough, that of n - 2 is not */
	assert_true(wb_t_quantile(0.975, (double)n - 1) / sqrt((double)n) <
		    0.502);
	assert_true(wb_t_quantile(0.975, (double)n - 3) /
		    sqrt((double)n - 2) > 0.5);
	assert_true(wb_needed(1, 0.5, 0.05, true, 1000) > n);
	assert_int_equal(wb_needed(1, 1e-9, 0.05, true, 1000), 1000);
	assert_int_equal(wb_needed(1, 0, 0.05, true, 1000), 1000);
}

/* Values of one metric in one column of a sample file. */
static size_t values(const struct wb_result *r, const char *metric,
		     size_t column, double *out)
{
	size_t i, n = 0;

	for (i = 0; i < r->npoints; i++)
		if (r->point[i].column == column &&
		    !strcmp(r->metric[r->point[i].metric].name, metric))
			out[n++] = r->point[i].value;
	return n;
}

static void check_key(const struct wb_json *row, const char *key, double got)
{
	double want;

	if (wb_json_get_num(wb_json_get(row, key), &want))
		assert_close(got, want, 1e-9);
	else
		assert_true(isnan(got));
}

static void check_row(const struct wb_json *row)
{
	const char *name, *metric, *column, *method;
	struct wb_result r;
	struct wb_error err = WB_ERROR_INIT;
	struct wb_mann_whitney m;
	struct wb_welch w;
	double x[100], y[100];
	size_t nx, ny;
	char path[200];

	assert_true(wb_json_get_str(wb_json_get(row, "case"), &name));
	assert_true(wb_json_get_str(wb_json_get(row, "metric"), &metric));
	assert_true(wb_json_get_str(wb_json_get(row, "column"), &column));
	assert_true(wb_json_get_str(wb_json_get(row, "mwu_method"), &method));
	snprintf(path, sizeof(path), DATA "%s.jsonl", name);
	wb_result_init(&r);
	assert_int_equal(wb_sample_load(&r, path, &err), 0);
	nx = values(&r, metric, (size_t)wb_result_find_column(&r, column), x);
	ny = values(&r, metric, 0, y);
	w = wb_welch(x, nx, y, ny);
	m = wb_mann_whitney(x, nx, y, ny);
	check_key(row, "mean_new", wb_mean(x, nx));
	check_key(row, "mean_base", wb_mean(y, ny));
	check_key(row, "sd_new", wb_sd(x, nx));
	check_key(row, "sd_base", wb_sd(y, ny));
	check_key(row, "welch_t", w.t);
	check_key(row, "welch_df", w.df);
	check_key(row, "welch_p", w.p);
	check_key(row, "diff_ci95_low", w.low);
	check_key(row, "diff_ci95_high", w.high);
	check_key(row, "mwu_W", m.w);
	check_key(row, "mwu_p", m.p);
	assert_int_equal(m.exact, !strcmp(method, "exact"));
	check_key(row, "median_new", wb_median(x, nx));
	check_key(row, "median_base", wb_median(y, ny));
	wb_result_clear(&r);
}

/* The tests of the sample cases as R 4.2 computed them. */
static void test_against_r(void **state)
{
	struct wb_buf text = WB_BUF_INIT;
	struct wb_error err = WB_ERROR_INIT;
	struct wb_json *rows;
	bool there;
	size_t i;

	(void)state;
	assert_int_equal(wb_path_read(DATA "stats.json", 1 << 20, &text, &there,
				      &err), 0);
	assert_int_equal(wb_json_parse(text.ptr, text.len, &rows, &err), 0);
	assert_true(wb_json_count(rows) > 30);
	for (i = 0; i < wb_json_count(rows); i++)
		check_row(wb_json_at(rows, i));
	wb_json_free(rows);
	wb_buf_clear(&text);
}

static void test_ranks_of_nothing(void **state)
{
	double x[] = { 1, 1, 1 };

	(void)state;
	assert_true(isnan(wb_mann_whitney(x, 3, x, 0).p));
	assert_true(isnan(wb_mann_whitney(x, 2, x, 1).p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mean_and_spread),
		cmocka_unit_test(test_nth_is_what_sorting_gives),
		cmocka_unit_test(test_sort_is_what_sorting_gives),
		cmocka_unit_test(test_percentile_interpolates),
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_t),
		cmocka_unit_test(test_holm),
		cmocka_unit_test(test_trimmed_mean),
		cmocka_unit_test(test_spread_to_come),
		cmocka_unit_test(test_equivalence),
		cmocka_unit_test(test_needed),
		cmocka_unit_test(test_against_r),
		cmocka_unit_test(test_ranks_of_nothing),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
