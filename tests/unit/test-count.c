#include "check.h"
#include "count.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_section),
		cmocka_unit_test(test_whole_and_garbage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
