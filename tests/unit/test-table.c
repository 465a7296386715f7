#include "test-table-fixture.h"

static void test_faster_and_slower(void **state)
{
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 3);
	scaled(&f, 0, 1, 6);
	scaled(&f, 1, 0.97, 6);
	scaled(&f, 2, 1.01, 6);
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_FASTER);
	assert_true(row->change < -0.02 && row->low < row->change &&
		    row->change < row->high && row->high < 0);
	assert_int_equal(row->against, 0);
	assert_int_equal(row->rounds, 6);
	assert_true(row->paired);
	row = wb_table_row(&f.t, 0, 2);
	assert_int_equal(row->verdict, WB_VERDICT_SLOWER);
	assert_int_equal(row->against, 1);
	assert_true(row->change > 0.03 && row->base_change < 0.02);
	row = wb_table_row(&f.t, 0, 0);
	assert_int_equal(row->verdict, WB_VERDICT_NONE);
	assert_true(isnan(row->change) && row->against == -1);
	assert_near(row->value, 99.93998);
	assert_int_equal(row->n, 6);
	end(&f);
}

static void test_direction(void **state)
{
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 2);
	f.r.metric[0].better = WB_BETTER_HIGHER;
	scaled(&f, 0, 1, 6);
	scaled(&f, 1, 0.97, 6);
	assert_int_equal(judge(&f, 1)->verdict, WB_VERDICT_SLOWER);
	end(&f);

	start(&f, 2);
	f.r.metric[0].better = WB_BETTER_UNKNOWN;
	scaled(&f, 0, 1, 6);
	scaled(&f, 1, 0.97, 6);
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_UNCLEAR);
	assert_false(isnan(row->low));
	says(row, "direction unknown");
	end(&f);
}

/* same is exactly: the printed interval lies inside the margin */
static void test_same_is_the_interval_inside_the_margin(void **state)
{
	static const double by[] = { 1, 1.002, 1.0035, 1.0042, 0.996, 1.006 };
	struct fixture f;
	const struct wb_row *row;
	size_t i;
	int n;

	(void)state;
	for (i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
		for (n = 2; n < 40; n += 3) {
			start(&f, 2);
			scaled(&f, 0, 1, n);
			scaled(&f, 1, by[i], n);
			row = judge(&f, 1);
			assert_int_equal(row->verdict == WB_VERDICT_SAME,
					 row->low >= -0.005 &&
					 row->high <= 0.005);
			end(&f);
		}
	}
}

static void test_unclear_says_what_would_help(void **state)
{
	static const double a[] = { 100, 104, 97, 102, 99, 103 };
	static const double b[] = { 101, 99, 102, 98, 104, 100 };
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 2);
	series(&f.r, 0, 0, a, 6);
	series(&f.r, 0, 1, b, 6);
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_UNCLEAR);
	/* a spread of 4.5 %: (2.57 + 0.92) / sqrt(6) of it, and for 0.5 %
	 * (1.96 + 0.84)^2 (4.5 / 0.5)^2 rounds, about */
	says(row, "a change of 6.6 % would have been seen");
	says(row, "one of 0.5 % takes about 624 more rounds");
	end(&f);
}

/*
 * Four layouts of three rounds each: their means differ with a spread of
 * 0.879 %, of which rounds that differ by 0.2 % within a layout explain a
 * little; the rest stays, and more rounds do not help.
 */
static void test_layouts_leave_a_rest(void **state)
{
	static const double layout[] = { 0.01, -0.01, 0.004, -0.004 };
	const struct wb_row *row;
	struct fixture f;
	int i;

	(void)state;
	start(&f, 2);
	f.r.layouts = 4;
	for (i = 0; i < 12; i++) {
		add(&f.r, 0, 0, i, 1000);
		f.r.point[f.r.npoints - 1].layout = (uint32_t)i % 4;
		add(&f.r, 0, 1, i, 1000 * exp(layout[i % 4] +
					      0.002 * (i / 4 - 1)));
		f.r.point[f.r.npoints - 1].layout = (uint32_t)i % 4;
	}
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_UNCLEAR);
	assert_in_range((int)(row->log.least * 1e7), 43580, 43598);
	says(row, "more layouts may tell");
	end(&f);
}

static void test_large_numbers_have_no_exponent(void **state)
{
	static const double wild[] = { 100, 210, 95, 140 };
	static const double tame[] = { 101, 100, 99, 100 };
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 2);
	series(&f.r, 0, 0, tame, 4);
	series(&f.r, 0, 1, wild, 4);
	row = judge(&f, 1);
	says(row, "0 % would have been seen");
	assert_null(strstr(row->reason, "e+"));
	end(&f);
	start(&f, 2);
	f.r.metric[0].exact = true;
	add(&f.r, 0, 0, 0, 0);
	add(&f.r, 0, 1, 0, 12345678);
	says(judge(&f, 1), "from 0 to 12345678: no ratio");
	end(&f);
}

static void test_single_samples(void **state)
{
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 2);
	add(&f.r, 0, 0, 0, 100);
	add(&f.r, 0, 1, 0, 50);
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_UNCLEAR);
	assert_true(isnan(row->low) && isnan(row->high));
	says(row, "2 rounds");
	end(&f);
}

static void test_no_common_round(void **state)
{
	struct fixture f;
	const struct wb_row *row;
	int i;

	(void)state;
	start(&f, 2);
	for (i = 0; i < 20; i++)
		add(&f.r, 0, i / 10, i, i < 10 ? 100 : 120);
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_UNCLEAR);
	assert_true(isnan(row->change));
	says(row, "no round");
	end(&f);
}

/* A drift of 50 % over the rounds is in both sides and falls out. */
static void test_drift_falls_out(void **state)
{
	struct fixture f;
	const struct wb_row *row;
	double pace;
	int i;

	(void)state;
	start(&f, 2);
	for (i = 0; i < 20; i++) {
		pace = 100 + 2.5 * i;
		add(&f.r, 0, 0, i, pace * (1 + 0.0003 * (i % 3)));
		add(&f.r, 0, 1, i, pace * 0.98 * (1 + 0.0003 * (i % 2)));
	}
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_FASTER);
	assert_true(row->low > -0.021 && row->high < -0.019);
	end(&f);
}

static void test_without_rounds_unpaired(void **state)
{
	struct fixture f;
	const struct wb_row *row;
	int i;

	(void)state;
	start(&f, 2);
	for (i = 0; i < 12; i++)
		add(&f.r, 0, i % 2, -1, noisy[i / 2] * (i % 2 ? 1.1 : 1));
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_SLOWER);
	assert_false(row->paired);
	assert_near(row->change, 0.1);
	end(&f);
}

static void test_slices_of_a_process_are_one_sample(void **state)
{
	struct fixture f;
	const struct wb_row *row;
	int i;

	(void)state;
	start(&f, 2);
	for (i = 0; i < 60; i++) {
		add(&f.r, 0, i / 30, 0, 100 + i % 5);
		f.r.point[i].run = (uint32_t)i / 30;
	}
	row = judge(&f, 1);
	assert_int_equal(row->n, 1);
	assert_near(row->value, 102);
	assert_int_equal(row->verdict, WB_VERDICT_UNCLEAR);
	end(&f);
}

static void test_one_wild_round_in_ten(void **state)
{
	struct fixture f;
	const struct wb_row *row;
	int i;

	(void)state;
	start(&f, 2);
	scaled(&f, 0, 1, 20);
	scaled(&f, 1, 0.97, 20);
	for (i = 0; i < 2; i++)
		f.r.point[20 + 7 * i].value *= 20;
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_FASTER);
	assert_true(row->low > -0.04 && row->high < -0.02);
	end(&f);
}

static void test_exact(void **state)
{
	static const struct {
		double old, now;
		enum wb_verdict verdict;
	} cases[] = {
		{ 1000000, 1000000, WB_VERDICT_SAME },
		{ 1000000, 1000001, WB_VERDICT_SLOWER },
		{ 1000000, 999999, WB_VERDICT_FASTER },
		{ 0, 0, WB_VERDICT_SAME },
		{ 0, 3, WB_VERDICT_SLOWER },
		{ -2, -3, WB_VERDICT_FASTER },
	};
	struct fixture f;
	const struct wb_row *row;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(&f, 2);
		f.r.metric[0].level = WB_LEVEL_I;
		add(&f.r, 0, 0, 0, cases[i].old);
		add(&f.r, 0, 0, 1, cases[i].old);
		add(&f.r, 0, 1, 0, cases[i].now);
		row = judge(&f, 1);
		assert_int_equal(row->verdict, cases[i].verdict);
		assert_true(row->exact);
		assert_true(!row->reason || !strstr(row->reason, "tick"));
		if (cases[i].old != 0) {
			assert_near(row->change, (cases[i].now - cases[i].old) /
				    fabs(cases[i].old));
			assert_true(row->low == row->change &&
				    row->high == row->change);
		} else if (cases[i].now != 0) {
			assert_true(isnan(row->change));
			says(row, "no ratio");
		}
		end(&f);
	}
}

static void test_level_i_alone_is_no_proof(void **state)
{
	struct fixture f;

	(void)state;
	/* one run each: nobody has seen the number repeat */
	start(&f, 2);
	f.r.metric[0].level = WB_LEVEL_I;
	add(&f.r, 0, 0, 0, 1000);
	add(&f.r, 0, 1, 0, 1001);
	assert_int_equal(judge(&f, 1)->verdict, WB_VERDICT_UNCLEAR);
	end(&f);
	/* it does not repeat: judged like any other number */
	start(&f, 2);
	f.r.metric[0].exact = true;
	add(&f.r, 0, 0, 0, 1000);
	add(&f.r, 0, 0, 1, 1010);
	add(&f.r, 0, 1, 0, 1005);
	add(&f.r, 0, 1, 1, 1001);
	assert_int_equal(judge(&f, 1)->verdict, WB_VERDICT_UNCLEAR);
	assert_false(wb_table_row(&f.t, 0, 1)->exact);
	end(&f);
}

static void test_no_ratio_of_zero(void **state)
{
	static const double zero[] = { 0, 0, 0 }, some[] = { 1, 0, 2 };
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 3);
	series(&f.r, 0, 0, zero, 3);
	series(&f.r, 0, 1, some, 3);
	series(&f.r, 0, 2, some, 3);
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_UNCLEAR);
	assert_true(isnan(row->change));
	says(row, "no ratio");
	end(&f);
	/* 0 is what a clock says that cannot see it; it is no equality */
	start(&f, 2);
	series(&f.r, 0, 0, zero, 3);
	series(&f.r, 0, 1, zero, 3);
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_UNCLEAR);
	says(row, "no ratio");
	end(&f);
}

/* A clock that counts seconds says 3 to all of it. */
static void test_equal_readings_of_a_coarse_clock(void **state)
{
	static const double three[12] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 };
	static const double fine[12] = { 30001, 30001, 30001, 30001, 30001,
		30001, 30001, 30001, 30001, 30001, 30001, 30001 };
	struct fixture f;

	(void)state;
	start(&f, 2);
	series(&f.r, 0, 0, three, 12);
	series(&f.r, 0, 1, three, 12);
	assert_int_equal(judge(&f, 1)->verdict, WB_VERDICT_UNCLEAR);
	end(&f);
	start(&f, 2);
	series(&f.r, 0, 0, fine, 12);
	series(&f.r, 0, 1, fine, 12);
	assert_int_equal(judge(&f, 1)->verdict, WB_VERDICT_SAME);
	end(&f);
}

/* One column that disagrees with itself: the count is not exact. */
static void test_counts_that_do_not_repeat(void **state)
{
	static const double a[] = { 1000, 1000 }, b[] = { 1010, 1010 };
	static const double c[] = { 1000, 1030 };
	const struct wb_row *row;
	struct fixture f;

	(void)state;
	start(&f, 3);
	f.r.metric[0].level = WB_LEVEL_I;
	series(&f.r, 0, 0, a, 2);
	series(&f.r, 0, 1, b, 2);
	series(&f.r, 0, 2, c, 2);
	assert_false(judge(&f, 1)->exact);
	end(&f);
	start(&f, 2);
	f.r.metric[0].level = WB_LEVEL_I;
	series(&f.r, 0, 0, a, 2);
	series(&f.r, 0, 1, b, 2);
	row = judge(&f, 1);
	assert_true(row->exact);
	assert_int_equal(row->verdict, WB_VERDICT_SLOWER);
	end(&f);
}

static void test_ratios_that_no_double_holds(void **state)
{
	static const double huge[] = { 1e308, 1e308, 9e307 };
	static const double tiny[] = { 1e-308, 1e-308, 2e-308 };
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 2);
	series(&f.r, 0, 0, tiny, 3);
	series(&f.r, 0, 1, huge, 3);
	row = judge(&f, 1);
	assert_true(isnan(row->change) && isnan(row->low) && isnan(row->high));
	assert_int_equal(row->verdict, WB_VERDICT_SLOWER);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faster_and_slower),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_same_is_the_interval_inside_the_margin),
		cmocka_unit_test(test_unclear_says_what_would_help),
		cmocka_unit_test(test_layouts_leave_a_rest),
		cmocka_unit_test(test_large_numbers_have_no_exponent),
		cmocka_unit_test(test_single_samples),
		cmocka_unit_test(test_no_common_round),
		cmocka_unit_test(test_drift_falls_out),
		cmocka_unit_test(test_without_rounds_unpaired),
		cmocka_unit_test(test_slices_of_a_process_are_one_sample),
		cmocka_unit_test(test_one_wild_round_in_ten),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_level_i_alone_is_no_proof),
		cmocka_unit_test(test_no_ratio_of_zero),
		cmocka_unit_test(test_equal_readings_of_a_coarse_clock),
		cmocka_unit_test(test_counts_that_do_not_repeat),
		cmocka_unit_test(test_ratios_that_no_double_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
