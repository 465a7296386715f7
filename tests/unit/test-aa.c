#include "aa.h"
#include "check.h"

#include <math.h>

/* Rounds of the base and a control that is `factor` times it, +-`noise` */
static void make(struct wb_result *r, size_t rounds, double factor,
		 double noise)
{
	struct wb_point p = { .run = 0 };
	size_t i;

	wb_result_init(r);
	wb_result_add_column(r, 0, "base");
	wb_result_add_column(r, 1, "one");
	wb_result_add_metric(r, "b", "other");
	wb_result_add_metric(r, "b", "t");
	p.metric = 1;
	for (i = 0; i < rounds; i++) {
		p.round = (int32_t)i;
		p.value = 1000 + 100 * (double)i;	/* a drift */
		p.run++;
		p.column = 0;
		wb_result_add_point(r, &p);
		p.run++;
		p.column = 1;
		wb_result_add_point(r, &p);
		p.run++;
		p.column = 0;
		p.value *= factor * (1 + (i % 2 ? noise : -noise));
		wb_result_add_control(r, &p);
	}
}

static void test_noise(void **state)
{
	struct wb_result r;
	struct wb_aa aa, less;

	(void)state;
	make(&r, 20, 1, 0.01);
	wb_aa(&r, 1, &aa);
	assert_int_equal(aa.rounds, 20);
	assert_true(aa.low < 0 && aa.high > 0);
	/* (t + t) sd / sqrt(n): 2.96 * 1 % / sqrt(20) = 0.66 %, roughly */
	assert_true(aa.visible > 0.004 && aa.visible < 0.012);
	wb_aa(&r, 0, &less);
	assert_int_equal(less.rounds, 0);
	assert_true(isnan(less.visible) && isnan(less.change));
	wb_result_clear(&r);
	/* fewer rounds see less */
	make(&r, 6, 1, 0.01);
	wb_aa(&r, 1, &less);
	assert_true(less.visible > aa.visible);
	wb_result_clear(&r);
}

/* A control that is not like the base: the change and its interval say so. */
static void test_bias(void **state)
{
	struct wb_result r;
	struct wb_aa aa;

	(void)state;
	make(&r, 20, 1.05, 0.01);
	wb_aa(&r, 1, &aa);
	assert_true(fabs(aa.change - 0.05) < 0.005);
	assert_true(aa.low > 0);
	wb_result_clear(&r);
}

/* Nothing is known where nothing differs, or where there is no control. */
static void test_unknown(void **state)
{
	struct wb_result r;
	struct wb_aa aa;

	(void)state;
	make(&r, 20, 1, 0);
	wb_aa(&r, 1, &aa);
	assert_int_equal(aa.rounds, 20);
	assert_true(isnan(aa.visible));
	wb_result_clear(&r);
	make(&r, 1, 1, 0.01);
	wb_aa(&r, 1, &aa);
	assert_true(aa.rounds < 2);
	wb_result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_bias),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
