#include "check.h"
#include "count-qemu.h"

#include <string.h>

static void test_section(void **state)
{
	static const char text[] =
		"version: 1\ndesc: Trigger: Client Request: instructions\n"
		"events: Ir\nfn=(1) f\n1 2\n\ntotals: 327860\n";
	const char *trigger;
	double total = 0;
	size_t len;

	(void)state;
	assert_true(wb_count_parse(text, &trigger, &len, &total));
	assert_int_equal(len, strlen("instructions"));
	assert_memory_equal(trigger, "instructions", len);
	assert_true(total == 327860);
}

static void test_whole_and_garbage(void **state)
{
	const char *trigger;
	double total = -1;
	size_t len;

	(void)state;
	assert_true(wb_count_parse("desc: Trigger: Program termination\n"
				   "totals: 12\n", &trigger, &len, &total));
	assert_int_equal(len, 0);
	assert_true(total == 12);
	assert_false(wb_count_parse("hello\n", &trigger, &len, &total));
	assert_false(wb_count_parse("", &trigger, &len, &total));
}

static void test_one_program(void **state)
{
	static const char *const one[] = {
		"$WB_BUILD/b", "  exec \"$WB_BUILD/b c\" -x 2>&1 <in >out\n",
		"A=1 B='; |' prog \"$(cat x; echo y)\" a\\;b", "p $(a | b)",
	}, *const more[] = {
		"a | b", "a; b", "a && b", "a &", "(a)", "a\nb", "a # b",
		"f() { a; }", "p 'open", "p $(open",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(one) / sizeof(*one); i++)
		assert_true(wb_qemu_simple(one[i]));
	for (i = 0; i < sizeof(more) / sizeof(*more); i++)
		assert_false(wb_qemu_simple(more[i]));
}

static int read_qemu(const char *text, const char *second,
		     enum wb_count_mode mode, struct wb_reading *lines,
		     struct wb_reading *out, bool *unmarked,
		     struct wb_error *err)
{
	const struct wb_count_how how = { .counter = WB_COUNTER_QEMU,
					  .mode = mode };
	struct wb_qemu_counts c = { .n = 0 };
	int ret = wb_qemu_parse(text, &c, err);

	if (!ret && second)
		ret = wb_qemu_parse(second, &c, err);
	if (!ret)
		ret = wb_qemu_read(&c, &how, lines, out, unmarked, err);
	wb_qemu_clear(&c);
	return ret;
}

static void test_qemu_sections(void **state)
{
	struct wb_reading lines = { .n = 0 }, out = { .n = 0 };
	struct wb_error err = WB_ERROR_INIT;
	bool unmarked;

	(void)state;
	wb_reading_add(&lines, "a", "", WB_BETTER_UNKNOWN, 10);
	wb_reading_add(&lines, "time", "s", WB_BETTER_LOWER, 5);
	wb_reading_add(&lines, "b", "i/op", WB_BETTER_LOWER, 2);
	lines.v[0].counted = lines.v[2].counted = true;
	assert_int_equal(read_qemu("total 999\nregion 50\nregion 7\n",
				   "total 1\n", WB_COUNT_MARKED, &lines, &out,
				   &unmarked, &err), 0);
	assert_false(unmarked);
	assert_int_equal(out.n, 2);
	assert_string_equal(out.v[0].metric, "a-qemu");
	assert_string_equal(out.v[0].unit, "instructions");
	assert_true(out.v[0].number == 5);
	assert_string_equal(out.v[1].metric, "b-qemu");
	assert_true(out.v[1].number == 3.5);

	/* one section more or less than lines: nobody knows which is whose */
	assert_int_equal(read_qemu("total 9\nregion 5\n", NULL,
				   WB_COUNT_MARKED, &lines, &out, &unmarked,
				   &err), -1);
	assert_non_null(strstr(err.msg, "marked 1 section by"));
	assert_int_equal(read_qemu("total 9\nregion 5\n",
				   "total 9\nregion 5\n", WB_COUNT_MARKED,
				   &lines, &out, &unmarked, &err), -1);
	assert_non_null(strstr(err.msg, "in two processes"));
	wb_reading_clear(&lines);
	wb_reading_clear(&out);
}

/* What was counted in part is no number. */
static void test_qemu_part(void **state)
{
	static const struct {
		const char *text, *why;
	} row[] = {
		{ "total 9\nexec\n", "starts other programs" },
		{ "total 9\nthreads\n", "starts threads" },
		{ "region 9\n", "cut short" },
		{ "", "cut short" },
		{ "total 0\n", "counted nothing" },
	};
	struct wb_reading lines = { .n = 0 }, out = { .n = 0 };
	struct wb_error err = WB_ERROR_INIT;
	bool unmarked;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		assert_int_equal(read_qemu(row[i].text, NULL, WB_COUNT_WHOLE,
					   &lines, &out, &unmarked, &err), -1);
		assert_int_equal(err.kind, WB_E_JUDGE);
		assert_non_null(strstr(err.msg, row[i].why));
	}
	assert_int_equal(out.n, 0);
	assert_int_equal(read_qemu("total 9\n", "total 4\n", WB_COUNT_WHOLE,
				   &lines, &out, &unmarked, &err), 0);
	assert_string_equal(out.v[0].metric, "instructions-qemu");
	assert_true(out.v[0].number == 13);
	wb_reading_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_section),
		cmocka_unit_test(test_whole_and_garbage),
		cmocka_unit_test(test_one_program),
		cmocka_unit_test(test_qemu_sections),
		cmocka_unit_test(test_qemu_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
