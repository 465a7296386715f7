#include "check.h"
#include "lockstep.h"
#include "slice-proc.h"

#include <string.h>
#include <unistd.h>

static void test_round_length(void **state)
{
	(void)state;
	assert_true(wb_lockstep_seconds(2) == 0.5);
	assert_true(wb_lockstep_seconds(8) == 0.5);
	assert_true(wb_lockstep_seconds(24) == 1);
	assert_true(wb_lockstep_seconds(16) == 0.75);
}

/* More than 2 slices in 100, over all that answered to the end. */
static void test_disturbed(void **state)
{
	struct wb_lockstep_result r[3];

	(void)state;
	memset(r, 0, sizeof(r));
	r[0].slices = r[1].slices = r[2].slices = 100;
	/* two each belong to the start */
	r[0].end.nivcsw = 6;
	r[1].end.nivcsw = 2;
	assert_false(wb_lockstep_disturbed(r, 2));
	r[1].end.nivcsw = 3;
	assert_true(wb_lockstep_disturbed(r, 2));
	/* who was ended is no witness */
	r[2].failure = (char *)"hangs";
	r[2].end.nivcsw = 1000;
	r[1].end.nivcsw = 0;
	assert_false(wb_lockstep_disturbed(r, 3));
}

static void test_names(void **state)
{
	(void)state;
	assert_true(wb_slice_name_ok("alloc-odr0-1"));
	assert_true(wb_slice_name_ok("\xc3\xa4"));
	assert_false(wb_slice_name_ok(""));
	assert_false(wb_slice_name_ok("a b"));
	assert_false(wb_slice_name_ok("a\nquit"));
	assert_false(wb_slice_name_ok("a\x7f"));
}

static const char script[] =
	"while read -r q m seed; do case $q in"
	" run) echo '{\"metric\":\"'$m'\",\"unit\":"
	"\"ns\",\"better\":\"lower\",\"value\":4,"
	"\"parts\":[1,2,3,4,4,5,6,7]}';;"
	" quit) exit;; esac; done";

/* Two commands, two metrics; nothing of them is left. */
static void test_round(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	char *const env[] = { (char *)"PATH=/usr/bin:/bin", NULL };
	struct wb_proc proc[2] = { { .command = script, .cwd = "/",
				     .env = env, .timeout = 20,
				     .max_output = 1 << 20,
				     .interrupt_fd = -1 } };
	struct wb_lockstep l = { .proc = proc, .n = 2, .judge = "a b",
				 .seed = 7, .seconds = 0.01 };
	struct wb_lockstep_result r[2];
	const struct wb_lockstep_metric *m;
	size_t i, k, p;
	int cpu = 0;

	(void)state;
	proc[0].cpus = &cpu;
	proc[0].ncpus = 1;
	proc[1] = proc[0];
	assert_int_equal(wb_lockstep(&l, r, &err), 0);
	for (i = 0; i < 2; i++) {
		assert_null(r[i].failure);
		assert_int_equal(r[i].nmetrics, 2);
		for (k = 0; k < 2; k++) {
			m = &r[i].metric[k];
			assert_string_equal(m->name, k ? "b" : "a");
			assert_string_equal(m->unit, "ns");
			assert_int_equal(m->better, WB_BETTER_LOWER);
			assert_true(m->value == 4 && m->mean == 4);
			assert_true(m->passes >= 20);
			assert_int_equal(m->passes, r[0].metric[0].passes);
			for (p = 0; p < m->passes; p++)
				assert_true(m->log[p] == 0);
		}
		/* the warm-up pass is asked and not kept */
		assert_int_equal(r[i].slices, 2 * (m->passes + 1));
		assert_int_equal(r[i].end.end, WB_PROC_EXIT);
	}
	for (i = 0; i < 2; i++)
		wb_lockstep_result_clear(&r[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_length),
		cmocka_unit_test(test_disturbed),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
