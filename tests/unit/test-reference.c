/* The gate, and one revision between a good and a bad one. */
#include "test-table-fixture.h"
#include "gate.h"
#include "reference.h"

/* Columns good, revision, bad at these levels; noise of one per mille. */
static void three(struct fixture *f, double revision, double bad)
{
	const double level[] = { 1000, 1000 * revision, 1000 * bad };
	static const int sign[] = { 1, -1, -1, 1 };
	int c, i;

	start(f, 3);
	for (c = 0; c < 3; c++)
		for (i = 0; i < 16; i++)
			add(&f->r, 0, (size_t)c, i, level[c] *
			    (1 + 0.001 * sign[(i + c) % 4]));
	judge(f, 1);
}

static enum wb_reference between(double revision, double bad,
				 enum wb_better better)
{
	enum wb_reference r;
	struct fixture f;
	size_t m;

	three(&f, revision, bad);
	wb_table_clear(&f.t);
	f.r.metric[0].better = better;
	judge(&f, 1);
	r = wb_reference_judge(&f.t, 1, true, 0.005, &m);
	end(&f);
	return r;
}

static void test_between(void **state)
{
	const enum wb_better low = WB_BETTER_LOWER, high = WB_BETTER_HIGHER;

	(void)state;
	assert_int_equal(between(1, 1.04, low), WB_REFERENCE_GOOD);
	assert_int_equal(between(1.01, 1.04, low), WB_REFERENCE_GOOD);
	assert_int_equal(between(1.03, 1.04, low), WB_REFERENCE_BAD);
	assert_int_equal(between(1.04, 1.04, low), WB_REFERENCE_BAD);
	assert_int_equal(between(0.9, 1.04, low), WB_REFERENCE_GOOD);
	assert_int_equal(between(1.2, 1.04, low), WB_REFERENCE_BAD);
	assert_int_equal(between(0.97, 0.96, high), WB_REFERENCE_BAD);
	assert_int_equal(between(0.99, 0.96, high), WB_REFERENCE_GOOD);
	/* half way, and as near to it as the noise is large */
	assert_int_equal(between(1.02, 1.04, low), WB_REFERENCE_UNKNOWN);
	assert_int_equal(between(1.0206, 1.04, low), WB_REFERENCE_UNKNOWN);
	assert_int_equal(between(1.0191, 1.04, low), WB_REFERENCE_UNKNOWN);
	assert_int_equal(between(1.0215, 1.04, low), WB_REFERENCE_BAD);
	assert_int_equal(between(1.0183, 1.04, low), WB_REFERENCE_GOOD);
	assert_int_equal(between(0.98, 0.96, high), WB_REFERENCE_UNKNOWN);
	/* ends that do not differ, or by less than the gate, or backwards */
	assert_int_equal(between(1.03, 1, low), WB_REFERENCE_UNKNOWN);
	assert_int_equal(between(1.002, 1.004, low), WB_REFERENCE_UNKNOWN);
	assert_int_equal(between(1.03, 0.96, low), WB_REFERENCE_UNKNOWN);
	assert_int_equal(between(1, 1.04, WB_BETTER_UNKNOWN),
			 WB_REFERENCE_UNKNOWN);
}

/* Bad and the revision share one round: how far it is from there is open. */
static void test_no_interval(void **state)
{
	static const int sign[] = { 1, -1, -1, 1 };
	struct fixture f;
	size_t m;
	int i;

	(void)state;
	start(&f, 3);
	for (i = 0; i < 32; i++) {
		add(&f.r, 0, 0, i, 1000 + sign[i % 4]);
		if (i <= 16)
			add(&f.r, 0, 1, i, 1040 + sign[(i + 1) % 4]);
		if (i >= 16)
			add(&f.r, 0, 2, i, 1040 + sign[(i + 2) % 4]);
	}
	assert_int_equal(judge(&f, 1)->verdict, WB_VERDICT_SLOWER);
	assert_true(wb_reference_ends_differ(&f.t, 1, 0, 0.005));
	assert_int_equal(wb_reference_judge(&f.t, 1, true, 0.005, &m),
			 WB_REFERENCE_UNKNOWN);
	end(&f);
}

static bool fails(double level, enum wb_better better, double gate)
{
	struct fixture f;
	bool yes;

	three(&f, level, 1);
	wb_table_clear(&f.t);
	f.r.metric[0].better = better;
	judge(&f, 1);
	yes = wb_gate_fails(&f.t, wb_table_row(&f.t, 0, 1), gate);
	end(&f);
	return yes;
}

/* What is certain may lose just the gate; a change from 0 is beyond any. */
static void test_gate_ends(void **state)
{
	struct fixture f;
	struct wb_row row = { .verdict = WB_VERDICT_SLOWER, .change = 0.25 };

	(void)state;
	start(&f, 1);
	judge(&f, 0);
	assert_false(wb_gate_fails(&f.t, &row, 0.25));
	assert_true(wb_gate_fails(&f.t, &row, nextafter(0.25, 0)));
	row.change = NAN;
	assert_true(wb_gate_fails(&f.t, &row, 1000));
	row.change = INFINITY;
	assert_true(wb_gate_fails(&f.t, &row, 1000));
	end(&f);
}

static void test_gate(void **state)
{
	(void)state;
	assert_true(fails(1.01, WB_BETTER_LOWER, 0.005));
	assert_false(fails(1.01, WB_BETTER_LOWER, 0.02));
	assert_false(fails(0.99, WB_BETTER_LOWER, 0.005));
	assert_true(fails(0.99, WB_BETTER_HIGHER, 0.005));
	assert_false(fails(0.99, WB_BETTER_HIGHER, 0.02));
	assert_false(fails(1.01, WB_BETTER_HIGHER, 0.005));
	assert_false(fails(1.01, WB_BETTER_UNKNOWN, 0.005));
	/* same: certain, and no loss */
	assert_false(fails(1.0001, WB_BETTER_LOWER, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_between),
		cmocka_unit_test(test_no_interval),
		cmocka_unit_test(test_gate),
		cmocka_unit_test(test_gate_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
