#include "check.h"
#include "machine.h"

#include <stdlib.h>
#include <string.h>

static void test_differ(void **state)
{
	static const char mine[] = "A CPU, microcode 0x1, 2 CPUs, 24 GiB on 1 "
		"node, Linux 6.1.0 x86_64, governor performance";
	static const struct {
		const char *other, *says;
	} row[] = {
		{ "A CPU, microcode 0x1, 2 CPUs, 24 GiB on 1 node, "
		  "Linux 6.1.0 x86_64, governor powersave",
		  "governor powersave, here governor performance" },
		{ "A CPU, microcode 0x2, 2 CPUs, 24 GiB on 1 node, "
		  "Linux 6.2.0 x86_64, governor performance",
		  "microcode 0x2, here microcode 0x1; Linux 6.2.0 x86_64, "
		  "here Linux 6.1.0 x86_64" },
		{ mine, "other CPUs in use" },
		{ "", "other CPUs in use" },
		{ "B", "B, here A CPU" },
	};
	struct wb_buf out = WB_BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		wb_buf_reset(&out);
		wb_machine_differ(mine, row[i].other, &out);
		assert_string_equal(out.ptr, row[i].says);
	}
	wb_buf_clear(&out);
}

/* The id is of the machine and its state: it holds still while they do. */
static void test_id(void **state)
{
	struct wb_machine a, b;

	(void)state;
	wb_machine_read(&a);
	wb_machine_read(&b);
	assert_string_equal(a.id, b.id);
	assert_int_equal(strlen(a.id), 64);
	assert_true(a.ncpus > 0);
	assert_non_null(strstr(a.facts, "Linux "));
	wb_machine_clear(&a);
	wb_machine_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differ),
		cmocka_unit_test(test_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
