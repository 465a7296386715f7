#include "format-table.h"
#include "lkp.h"

#include <math.h>

/* Metric m of column gets the n values at v. */
static void put(struct wb_result *r, size_t m, size_t column, const double *v,
		size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		add(r, m, column, (int)i, v[i]);
}

static void sides(const double *a, size_t na, const double *b, size_t nb,
		  struct wb_lkp_side out[2], struct wb_result *r,
		  struct wb_cells *c)
{
	wb_result_init(r);
	wb_result_add_column(r, 0, "a");
	wb_result_add_column(r, 1, "b");
	wb_result_add_metric(r, "", "m");
	put(r, 0, 0, a, na);
	put(r, 0, 1, b, nb);
	wb_cells_init(c, r);
	wb_lkp_side_init(&out[0], c, 0, 0);
	wb_lkp_side_init(&out[1], c, 0, 1);
}

struct pair {
	double a[12];
	size_t na;
	double b[12];
	size_t nb;
	double compat, honest;	/* of b against a */
	bool changed;
};

static void test_changes(void **state)
{
	static const struct pair cases[] = {
		{ { 100 }, 1, { 103 }, 1, 3, 3, true },
		/* a base of zero, both zero, no sample */
		{ { 0 }, 1, { 6 }, 1, 6e102, NAN, true },
		{ { 0 }, 1, { 0 }, 1, -100, 0, false },
		{ { 5, 5 }, 2, { 0 }, 0, -100, NAN, true },
		/* a negative base turns the sign, which is its defect */
		{ { -10 }, 1, { -5 }, 1, -50, 50, true },
		{ { 1, 2, 9 }, 3, { 3, 4, 5 }, 3, 0, 0, false },
		{ { 1, 2, 3 }, 3, { 2.5, 4, 5 }, 3, 91.66666667, 91.66666667,
		  true },
	};
	struct wb_lkp_side s[2];
	struct wb_result r;
	struct wb_cells c;
	double got;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct pair *p = &cases[i];

		sides(p->a, p->na, p->b, p->nb, s, &r, &c);
		got = wb_lkp_change_compat(&s[1], &s[0], false);
		assert_true(fabs(got - p->compat) <= 1e-8 * fabs(p->compat));
		got = wb_lkp_change(&s[1], &s[0], false);
		assert_true(isnan(p->honest) ? isnan(got) :
			    fabs(got - p->honest) < 1e-6);
		assert_int_equal(wb_lkp_changed(&s[1], &s[0]), p->changed);
		assert_int_equal(wb_lkp_changed(&s[0], &s[1]), p->changed);
		wb_lkp_side_clear(&s[0]);
		wb_lkp_side_clear(&s[1]);
		wb_cells_clear(&c);
		wb_result_clear(&r);
	}
	assert_true(wb_lkp_is_share("mpstat.cpu.all.usr%"));
	assert_true(wb_lkp_is_share("perf-profile.x"));
	assert_false(wb_lkp_is_share("x.perf-profile"));
}

/* Of 64 values two fall away at each end before ranges are compared. */
static void test_ends_fall_away(void **state)
{
	static const double b[] = { 20, 21, 22 };
	struct wb_lkp_side s[2];
	struct wb_result r;
	struct wb_cells c;
	double a[64];
	size_t i;

	(void)state;
	for (i = 0; i < 64; i++)
		a[i] = i < 2 ? 1 : i < 62 ? 10 : 100;
	sides(a, 64, b, 3, s, &r, &c);
	assert_true(wb_lkp_changed(&s[1], &s[0]));
	wb_lkp_side_clear(&s[0]);
	wb_lkp_side_clear(&s[1]);
	wb_cells_clear(&c);
	wb_result_clear(&r);
	/* and not a third */
	a[61] = 100;
	sides(a, 64, b, 3, s, &r, &c);
	assert_false(wb_lkp_changed(&s[1], &s[0]));
	wb_lkp_side_clear(&s[0]);
	wb_lkp_side_clear(&s[1]);
	wb_cells_clear(&c);
	wb_result_clear(&r);
}

/* The fails of a column over the runs of the one before: 2/4 - 1/4. */
static void test_reproduction(void **state)
{
	static const double a[] = { 1, 0, 0, 0 };
	static const double b[] = { 1, 1, 0, 0, 0, 0, 0, 0 };
	struct wb_lkp_side s[2];
	struct wb_result r;
	struct wb_cells c;

	(void)state;
	sides(a, 4, b, 8, s, &r, &c);
	assert_true(wb_lkp_reproduction_compat(&s[1], &s[0], &s[0]) == 25);
	assert_true(wb_lkp_reproduction(&s[1], &s[0]) == 0);
	wb_lkp_side_clear(&s[0]);
	wb_lkp_side_clear(&s[1]);
	wb_cells_clear(&c);
	wb_result_clear(&r);
}

/* Three columns: a change, nothing, noise; a share; a failure; a hole. */
static void make_three(struct wb_result *r)
{
	static const double wide[] = { 1, 3 }, negative[] = { -5, -7 };
	size_t c;

	wb_result_init(r);
	wb_result_add_column(r, 0, "one");
	wb_result_add_column(r, 1, "two");
	wb_result_add_column(r, 2, "three");
	for (c = 0; c < 5; c++)
		wb_result_add_metric(r, "", (const char *const []){
				     "big", "wide", "fails", "hole",
				     "minus" }[c]);
	free(r->metric[2].unit);
	r->metric[2].unit = wb_xstrdup("fail");
	for (c = 0; c < 3; c++) {
		add(r, 0, c, 0, 12345678.9 * (double)(c * c + 1) * 3);
		put(r, 1, c, wide, 2);
		add(r, 2, c, 0, c == 1);
		put(r, 4, c, negative, 2);
	}
	add(r, 3, 0, 0, 999.994);
}

static void lkp(const struct wb_result *r, bool compat, bool only_changed,
		struct wb_buf *out)
{
	struct wb_format_options o = {
		.kind = WB_FORMAT_LKP, .compat = compat,
		.only_changed = only_changed,
	};

	format(r, &o, out);
}

static void test_table(void **state)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	make_three(&r);
	lkp(&r, true, false, &out);
	assert_string_equal(out.ptr,
"       fail:runs  %reproduction    fail:runs  %reproduction    fail:runs\n"
"           |             |             |             |             |    \n"
"           :1          100%           1:1            0%            :1   "
"  fails\n"
"         %stddev     %change         %stddev     %change         %stddev\n"
"             \\          |                \\          |                \\  \n"
"  37037036          +100.0%   74074073          +400.0%  1.852e+08        "
"big\n"
"      2.00 \xc2\xb1 50%      +0.0%       2.00 \xc2\xb1 50%      +0.0%       "
"2.00 \xc2\xb1 50%  wide\n"
"    999.99          -100.0%       0.00          -100.0%       0.00        "
"hole\n"
"     -6.00            -0.0%      -6.00            -0.0%      -6.00        "
"minus\n");
	lkp(&r, true, true, &out);
	assert_non_null(strstr(out.ptr, "big\n"));
	assert_null(strstr(out.ptr, "wide\n"));
	lkp(&r, false, false, &out);
	assert_non_null(strstr(out.ptr, "0:1 "));
	assert_non_null(strstr(out.ptr, "2.00 +-50%"));
	assert_non_null(strstr(out.ptr, "-6.00 +-17%"));
	/* the hole: no value, no change, no percentage */
	assert_non_null(strstr(out.ptr, "    999.99               -           -"
			       "               -           -        hole\n"));
	assert_null(strstr(out.ptr, "-100.0%"));
	assert_non_null(strstr(out.ptr, "n = 1..2 0..2 0..2 processes"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void test_list(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_LKP_LIST };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t c;

	(void)state;
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "base");
	wb_result_add_column(&r, 1, "one");
	r.column[1].subject = wb_xstrdup("mm: do a thing");
	wb_result_add_metric(&r, "", "a");
	wb_result_add_metric(&r, "",
			     "a-name-of-47-places-aaaaaaaaaaaaaaaaaaaaaaaaaaa");
	for (c = 0; c < 2; c++)
		r.metric[c].judged = true;
	add(&r, 0, 0, 0, 999.99);
	add(&r, 0, 0, 1, 1000.03);
	add(&r, 0, 1, 0, 5);
	add(&r, 1, 0, 0, 2);
	o.compat = true;
	format(&r, &o, &out);
	assert_string_equal(out.ptr,
"base\n"
"a\t\t\t\t\t\t  1000.0\t(+-  0.00%)\n"
"a-name-of-47-places-aaaaaaaaaaaaaaaaaaaaaaaaaaa\t     2.00\t(+-     -)\n"
"\nmm: do a thing\n"
"a\t\t\t\t\t\t     5.00\t(+-     -)\n"
"a-name-of-47-places-aaaaaaaaaaaaaaaaaaaaaaaaaaa\t        -\t(+-     -)\n");
	o.compat = false;
	format(&r, &o, &out);
	assert_non_null(strstr(out.ptr, "n = 1..2 0..1 processes\n"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_ends_fall_away),
		cmocka_unit_test(test_reproduction),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_list),
	};

	return cmocka_run_group_tests_name("format-lkp", tests, NULL, NULL);
}
