#include "check.h"
#include "inclusive.h"

#include <math.h>
#include <string.h>

/* main: 10 of its own, 2 calls of f (60), f: 20 of its own, one of g (40),
   and f calls itself (25), which is part of what it has already. */
static const char callgrind[] =
	"# callgrind format\n"
	"positions: line\n"
	"events: Ir\n"
	"summary: 70\n\n\n"
	"ob=(1) /tmp/prog\n"
	"fl=(1) a.c\n"
	"fn=(3) main\n"
	"10 4\n"
	"+1 6\n"
	"cfn=(5) f.constprop.0\n"
	"calls=2 20 \n"
	"* 60\n"
	"\n"
	"fn=(5)\n"
	"20 15\n"
	"-3 5\n"
	"cfn=(5)\n"
	"calls=1 20 \n"
	"21 25\n"
	"cfi=(2) b.h\n"
	"cfn=(7) g\n"
	"calls=1 1 \n"
	"* 40\n"
	"\n"
	"fl=(2)\n"
	"fn=(7)\n"
	"fi=(4) c.h\n"
	"1 40\n"
	"\n"
	"totals: 70\n";

static double share(const struct wb_inclusive *p, size_t i)
{
	return p->cost[i] / p->total;
}

static void test_callgrind(void **state)
{
	struct wb_inclusive p;

	(void)state;
	wb_inclusive_init(&p, "  f main\tg gg ");
	assert_int_equal(p.n, 4);
	wb_inclusive_add_callgrind(&p, callgrind);
	assert_true(p.total == 70);
	assert_true(p.cost[0] == 60);	/* 20 + 40, not its call of itself */
	assert_true(p.cost[1] == 70);
	assert_true(p.cost[2] == 40);
	assert_true(p.cost[3] == 0);
	/* a second file of the same run adds up */
	wb_inclusive_add_callgrind(&p, callgrind);
	assert_true(p.total == 140 && p.cost[0] == 120);
	wb_inclusive_clear(&p);
}

static void test_stacks(void **state)
{
	struct wb_inclusive p;

	(void)state;
	wb_inclusive_init(&p, "f g");
	wb_inclusive_add_stacks(&p,
		"\n\t  aa f\n\t  bb f\n\t  cc main\n\n"
		"\n\t  aa g\n\t  bb f.part.0\n\t  cc main\n\n"
		"\n\t  aa [unknown]\n\n"
		"\n\t  aa fg\n");
	assert_true(p.total == 4);
	assert_true(share(&p, 0) == 0.5);
	assert_true(share(&p, 1) == 0.25);
	wb_inclusive_clear(&p);
}

static void test_read(void **state)
{
	struct wb_reading r = { .n = 0 };
	struct wb_inclusive p;

	(void)state;
	wb_inclusive_init(&p, "f nowhere");
	wb_inclusive_add_callgrind(&p, callgrind);
	wb_inclusive_read(&p, "section", WB_LEVEL_I, &r);
	assert_int_equal(r.n, 1);
	assert_string_equal(r.v[0].metric, "profile.f:section");
	assert_string_equal(r.v[0].unit, "%");
	assert_true(fabs(r.v[0].number - 100 * 60.0 / 70) < 1e-9);
	assert_int_equal(r.v[0].better, WB_BETTER_LOWER);
	assert_int_equal(r.v[0].level, WB_LEVEL_I);
	/* what has no cost is not 0 but not known */
	assert_non_null(strstr(r.remark, "none of the 70 instructions is of "
			       "nowhere"));
	wb_reading_clear(&r);
	wb_inclusive_clear(&p);
}

static void test_hostile(void **state)
{
	static const char *const bad[] = {
		"", "fn=(", "fn=(99999999999) f\n1 5\ntotals: nan\n",
		"fn=()\n+ \n* \ntotals: \n", "cfn=(1)\ncalls=\n* 1e400\n",
		"fn=(1) f\n1 -\ntotals: 1e999\n",
	};
	struct wb_reading r;
	struct wb_inclusive p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		memset(&r, 0, sizeof(r));
		wb_inclusive_init(&p, "f");
		wb_inclusive_add_callgrind(&p, bad[i]);
		wb_inclusive_read(&p, NULL, WB_LEVEL_I, &r);
		assert_int_equal(r.n, 0);
		wb_reading_clear(&r);
		wb_inclusive_clear(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_callgrind),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
