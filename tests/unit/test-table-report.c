#include "test-table-fixture.h"

static void test_broken_and_what_follows(void **state)
{
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 4);
	scaled(&f, 0, 1, 6);
	scaled(&f, 1, 1, 6);
	scaled(&f, 3, 0.97, 6);
	wb_result_add_hole(&f.r, 2, NULL, WB_HOLE_BROKEN, "core.c:12: error");
	row = judge(&f, 2);
	assert_int_equal(row->verdict, WB_VERDICT_BROKEN);
	says(row, "core.c:12");
	assert_true(isnan(row->value) && row->n == 0);
	row = wb_table_row(&f.t, 0, 3);
	assert_int_equal(row->verdict, WB_VERDICT_FASTER);
	assert_int_equal(row->against, 1);
	says(row, "spans 2 patches");
	end(&f);
}

static void test_broken_wins_over_samples(void **state)
{
	struct fixture f;

	(void)state;
	start(&f, 3);
	scaled(&f, 0, 1, 6);
	scaled(&f, 1, 1, 6);
	scaled(&f, 2, 1, 6);
	wb_result_add_hole(&f.r, 1, "b", WB_HOLE_MISSING, "not yet");
	wb_result_add_hole(&f.r, 1, "b", WB_HOLE_BROKEN, "crashed");
	wb_result_add_hole(&f.r, 2, "other", WB_HOLE_BROKEN, "not here");
	assert_int_equal(judge(&f, 1)->verdict, WB_VERDICT_BROKEN);
	assert_int_equal(wb_table_row(&f.t, 0, 2)->verdict, WB_VERDICT_SAME);
	assert_int_equal(wb_table_row(&f.t, 0, 2)->against, 0);
	end(&f);
}

static void test_missing(void **state)
{
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 4);
	scaled(&f, 0, 1, 6);
	scaled(&f, 3, 1, 6);
	wb_result_add_hole(&f.r, 1, "b", WB_HOLE_MISSING, "not measured");
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_MISSING);
	says(row, "not measured");
	assert_int_equal(wb_table_row(&f.t, 0, 2)->verdict, WB_VERDICT_MISSING);
	says(wb_table_row(&f.t, 0, 3), "spans 3 patches");
	end(&f);
	/* a base without samples leaves nothing to compare with */
	start(&f, 3);
	scaled(&f, 1, 1, 6);
	scaled(&f, 2, 1, 6);
	assert_int_equal(judge(&f, 0)->verdict, WB_VERDICT_MISSING);
	row = wb_table_row(&f.t, 0, 1);
	assert_int_equal(row->verdict, WB_VERDICT_UNCLEAR);
	says(row, "compare with");
	row = wb_table_row(&f.t, 0, 2);
	assert_int_equal(row->verdict, WB_VERDICT_SAME);
	assert_true(isnan(row->base_change));
	end(&f);
}

static void test_against(void **state)
{
	struct wb_table_options o = { .margin = 0.005 };
	struct fixture f;
	size_t i;

	(void)state;
	start(&f, 4);
	for (i = 0; i < 4; i++)
		scaled(&f, i, 1 - 0.02 * (double)i, 6);
	o.against = WB_AGAINST_BASE;
	wb_table_init(&f.t, &f.r, &o);
	for (i = 1; i < 4; i++) {
		assert_int_equal(wb_table_row(&f.t, 0, i)->against, 0);
		assert_true(wb_table_row(&f.t, 0, i)->change ==
			    wb_table_row(&f.t, 0, i)->base_change);
	}
	wb_table_clear(&f.t);
	o.against = WB_AGAINST_COLUMN;
	o.column = 2;
	wb_table_init(&f.t, &f.r, &o);
	assert_int_equal(wb_table_row(&f.t, 0, 0)->verdict, WB_VERDICT_SLOWER);
	assert_int_equal(wb_table_row(&f.t, 0, 2)->verdict, WB_VERDICT_NONE);
	assert_int_equal(wb_table_row(&f.t, 0, 3)->verdict, WB_VERDICT_FASTER);
	end(&f);
}

static void test_a_column_goes_by_many_words(void **state)
{
	static const struct {
		const char *word;
		long column;
	} cases[] = {
		{ "base", 0 }, { "0", 0 }, { "1", 1 }, { "04", 4 }, { "7", -1 },
		{ "fast-path", 1 }, { "fast-path.patch", 1 }, { "fast", -1 },
		{ "slow", 2 }, { "slow.patch", 2 }, { ".patch", -1 },
		{ "0123456789ab", 3 }, { "012345678", 3 }, { "0123", -2 },
		{ "012", -1 }, { "01234F", 4 }, { "0123456789abcdef0123", 3 },
		{ "0123456789acb", -1 }, { "-1", -1 }, { "", -1 },
		{ "12345678", -1 }, { "99999999999999999999", -1 },
	};
	struct wb_result r;
	size_t i;

	(void)state;
	wb_result_init(&r);
	assert_int_equal(wb_result_pick_column(&r, "base"), -1);
	wb_result_add_column(&r, 0, "base");
	wb_result_add_column(&r, 1, "fast-path");
	wb_result_add_column(&r, 2, "slow.patch");
	wb_result_add_column(&r, 3, "0123456789ab");
	wb_result_add_column(&r, 4, "01234f6789ab");
	wb_result_add_column(&r, 5, "12");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (wb_result_pick_column(&r, cases[i].word) != cases[i].column)
			fail_msg("'%s': %ld", cases[i].word,
				 wb_result_pick_column(&r, cases[i].word));
	/* a name is a name, whatever it looks like */
	assert_int_equal(wb_result_pick_column(&r, "12"), 5);
	wb_result_clear(&r);
}

static void test_one_build_is_the_same(void **state)
{
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 2);
	add(&f.r, 0, 0, 0, 1234.5);
	add(&f.r, 0, 1, 0, 1234.5);
	f.r.column[0].build = wb_xstrdup("abc");
	f.r.column[1].build = wb_xstrdup("abc");
	row = judge(&f, 1);
	assert_int_equal(row->verdict, WB_VERDICT_SAME);
	says(row, "same build");
	assert_int_equal(f.t.family, 0);
	end(&f);
}

static void test_tick(void **state)
{
	static const double whole[] = { 382, 382, 382 };
	static const double less[] = { 381, 381, 381 };
	static const double fine[] = { 1.0 / 3, 0.25, 0.2 };
	static const double tenth[] = { 41.2, 41, 40.9 };
	struct fixture f;
	const struct wb_row *row;

	(void)state;
	start(&f, 2);
	metric(&f.r, "fine");
	metric(&f.r, "tenth");
	metric(&f.r, "nothing");
	series(&f.r, 0, 0, whole, 3);
	series(&f.r, 0, 1, less, 3);
	series(&f.r, 1, 0, fine, 3);
	series(&f.r, 2, 0, tenth, 3);
	row = judge(&f, 1);
	assert_near(f.t.tick[0], 1);
	assert_near(f.t.tick[1], 0);
	assert_near(f.t.tick[2], 0.1);
	assert_near(f.t.tick[3], 0);
	/* three readings one tick apart are no proof of anything */
	assert_int_equal(row->verdict, WB_VERDICT_UNCLEAR);
	assert_true(row->low < 0 && row->high > 0);
	says(row, "one tick");
	end(&f);
}

/* Pages of 4: twelve different steps show it, fewer may be chance. */
static void test_tick_of_larger_steps(void **state)
{
	struct fixture f;
	int i;

	(void)state;
	start(&f, 2);
	metric(&f.r, "few");
	for (i = 0; i < 40; i++) {
		add(&f.r, 0, 0, i, 1000 + 4 * ((i * 7) % 20));
		add(&f.r, 1, 0, i, 1000 + 4 * (i % 12));
		add(&f.r, 1, 1, i, 1e17);
	}
	judge(&f, 1);
	assert_near(f.t.tick[0], 4);
	assert_near(f.t.tick[1], 1);
	end(&f);
}

static void test_holm_over_the_report(void **state)
{
	/* p about 0.01: enough alone, not among twenty */
	static const double d[] = { 1.012, 1.003, 1.013, 1.001, 1.011, 1.002 };
	struct fixture f;
	char name[20];
	size_t m;
	int i;

	(void)state;
	start(&f, 2);
	for (i = 0; i < 6; i++) {
		add(&f.r, 0, 0, i, 100.123);
		add(&f.r, 0, 1, i, 100.123 * d[i]);
	}
	assert_int_equal(judge(&f, 1)->verdict, WB_VERDICT_SLOWER);
	assert_int_equal(f.t.family, 1);
	wb_table_clear(&f.t);
	for (m = 1; m < 20; m++) {
		snprintf(name, sizeof(name), "m%zu", m);
		metric(&f.r, name);
		for (i = 0; i < 6; i++) {
			add(&f.r, m, 0, i, 100 + 0.123 * (i % 2));
			add(&f.r, m, 1, i, 100 + 0.127 * ((i + 1) % 2));
		}
	}
	assert_int_equal(judge(&f, 1)->verdict, WB_VERDICT_UNCLEAR);
	assert_int_equal(f.t.family, 20);
	wb_table_clear(&f.t);
	/* metrics that are not judged do not count */
	for (m = 1; m < 20; m++)
		f.r.metric[m].judged = false;
	assert_int_equal(judge(&f, 1)->verdict, WB_VERDICT_SLOWER);
	assert_int_equal(wb_table_row(&f.t, 5, 1)->verdict, WB_VERDICT_NONE);
	assert_false(isnan(wb_table_row(&f.t, 5, 1)->low));
	end(&f);
}

/* ---- simulated results whose truth is known; seeds are fixed ---- */

static uint64_t seed;

static double uniform(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* nrounds of base and patch, 1 % noise, 3 % drift between rounds */
static void simulate(struct fixture *f, int nrounds, double effect)
{
	double pace;
	int i;

	start(f, 2);
	for (i = 0; i < nrounds; i++) {
		pace = 1000 * exp(0.03 * normal());
		add(&f->r, 0, 0, i, pace * exp(0.01 * normal()));
		add(&f->r, 0, 1, i, pace * (1 + effect) * exp(0.01 * normal()));
	}
}

static void test_false_alarms_and_coverage(void **state)
{
	static const int sizes[] = { 4, 9, 12, 30 };
	struct fixture f;
	const struct wb_row *row;
	int alarms, inside, i;
	size_t s;

	(void)state;
	seed = 20260701;
	for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		alarms = inside = 0;
		for (i = 0; i < 2000; i++) {
			simulate(&f, sizes[s], 0);
			row = judge(&f, 1);
			alarms += row->verdict == WB_VERDICT_FASTER ||
				  row->verdict == WB_VERDICT_SLOWER;
			inside += row->low <= 0 && row->high >= 0;
			end(&f);
		}
		/* 5 % and 95 % with 4 standard errors (0.5 %) to spare */
		if (alarms > 140 || inside < 1860 || inside > 1940)
			fail_msg("n %d: %d alarms, %d inside", sizes[s], alarms,
				 inside);
	}
}

/* 10 patches and 2 metrics, nothing changes: an alarm anywhere is one. */
static void test_false_alarms_of_a_report(void **state)
{
	struct fixture f;
	int alarms = 0, rep, round;
	size_t i, m, c;
	double pace;

	(void)state;
	seed = 99;
	for (rep = 0; rep < 400; rep++) {
		bool alarm = false;

		start(&f, 11);
		metric(&f.r, "n");
		for (round = 0; round < 8; round++) {
			pace = 1000 * exp(0.03 * normal());
			for (m = 0; m < 2; m++)
				for (c = 0; c < 11; c++)
					add(&f.r, m, c, round, pace *
					    exp(0.01 * normal()));
		}
		judge(&f, 0);
		assert_int_equal(f.t.family, 20);
		for (i = 0; i < f.t.nrows; i++)
			alarm |= f.t.row[i].verdict == WB_VERDICT_FASTER ||
				 f.t.row[i].verdict == WB_VERDICT_SLOWER;
		alarms += alarm;
		end(&f);
	}
	/* 5 % of 400, and 4 standard errors */
	assert_true(alarms <= 38);
}

static void test_effects_are_found_and_sameness_is_earned(void **state)
{
	struct fixture f;
	int found = 0, wrong = 0, same = 0, i;

	(void)state;
	seed = 7;
	for (i = 0; i < 300; i++) {
		simulate(&f, 40, 0.02);
		found += judge(&f, 1)->verdict == WB_VERDICT_SLOWER;
		end(&f);
		/* at the margin itself: "same" would be wrong */
		simulate(&f, 100, 0.005);
		wrong += judge(&f, 1)->verdict == WB_VERDICT_SAME;
		end(&f);
		simulate(&f, 400, 0);
		same += judge(&f, 1)->verdict == WB_VERDICT_SAME;
		end(&f);
	}
	assert_true(found >= 295);
	assert_true(wrong <= 20);
	assert_true(same >= 285);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_broken_and_what_follows),
		cmocka_unit_test(test_broken_wins_over_samples),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_against),
		cmocka_unit_test(test_a_column_goes_by_many_words),
		cmocka_unit_test(test_one_build_is_the_same),
		cmocka_unit_test(test_tick),
		cmocka_unit_test(test_tick_of_larger_steps),
		cmocka_unit_test(test_holm_over_the_report),
		cmocka_unit_test(test_false_alarms_and_coverage),
		cmocka_unit_test(test_false_alarms_of_a_report),
		cmocka_unit_test(test_effects_are_found_and_sameness_is_earned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
