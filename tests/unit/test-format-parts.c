#include "format-table.h"
#include "number.h"

#include <math.h>

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

static void interval_is(double low, double high, const char *wanted)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_interval_add(&b, low, high, 1);
	assert_string_equal(b.ptr, wanted);
	wb_buf_clear(&b);
}

static void test_intervals(void **state)
{
	(void)state;
	interval_is(-0.003, 0.012, "[-0.3,+1.2]");
	/* a bound that is none keeps its dash */
	interval_is(-0.003, INFINITY, "[-0.3,-]");
	interval_is(NAN, NAN, "[-,-]");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_numbers_read_back),
		cmocka_unit_test(test_percentages),
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests_name("format-parts", tests, NULL, NULL);
}
