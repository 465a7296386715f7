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

/* Two kinds of Arm are not one machine because neither has a model name. */
static void test_model(void **state)
{
	static const struct {
		const char *cpuinfo, *model;
	} row[] = {
		{ "processor\t: 0\nmodel\t\t: 85\nmodel name\t: A CPU\n"
		  "processor\t: 1\nmodel name\t: B\n", "A CPU" },
		{ "processor\t: 0\nBogoMIPS\t: 243.75\n"
		  "CPU implementer\t: 0x41\nCPU architecture: 8\n"
		  "CPU variant\t: 0x3\nCPU part\t: 0xd0c\n"
		  "CPU revision\t: 1\n", "CPU implementer 0x41 CPU variant "
		  "0x3 CPU part 0xd0c CPU revision 1" },
		{ "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n",
		  "POWER9, altivec supported" },
		{ "processor\t: 0\nisa\t: rv64imafdc\nuarch\t: a,b\n",
		  "a,b" },
		{ "cpuid level\t: 3\ncpu family\t: 6\n", "unknown" },
		{ "", "unknown" },
	};
	char *model;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		model = wb_machine_model(row[i].cpuinfo);
		assert_string_equal(model, row[i].model);
		free(model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_differ),
		cmocka_unit_test(test_id),
		cmocka_unit_test(test_model),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
