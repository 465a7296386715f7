#include "check.h"
#include "buf.h"
#include "events.h"
#include "pmu.h"
#include "proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Encodes one name as on a machine of any model. libpfm4 reads its variables
 * once a process, so each case gets a process of its own. 0: it is the event
 * that was expected; 1: no event of this machine, with a clear reason.
 */
static int encode_in_child(const char *name, const struct wb_pmu_event *want)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_pmu_event e;
	int status;
	pid_t pid = fork();

	if (!pid) {
		setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
		if (wb_pmu_encode(name, &e, &err) < 0)
			_exit((err.kind == WB_E_JUDGE) ==
			      !!strstr(name, "::") && strstr(err.msg, name) &&
			      strstr(err.msg, "no event of this machine") ?
			      1 : 2);
		_exit(e.type == want->type &&
		      e.config == want->config &&
		      e.config1 == want->config1 &&
		      e.exclude_kernel == want->exclude_kernel &&
		      e.software == want->software &&
		      !strcmp(e.name, name) ? 0 : 3);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void test_models(void **state)
{
	const struct wb_pmu_event retired = { .type = 4, .config = 0xc0 };
	const struct wb_pmu_event retired_user = {
		.type = 4, .config = 0xc0, .exclude_kernel = true,
	};

	/* what it is told besides stands in config1 */
	const struct wb_pmu_event latency = {
		.type = 4, .config = 0x1cd, .config1 = 50,
	};

	(void)state;
	assert_int_equal(encode_in_child(
			"skl::MEM_TRANS_RETIRED:LOAD_LATENCY:ldlat=50",
			&latency), 0);
	assert_int_equal(encode_in_child("skl::INST_RETIRED:ANY_P:u",
					 &retired_user), 0);
	assert_int_equal(encode_in_child(
			"amd64_fam19h_zen4::RETIRED_INSTRUCTIONS",
			&retired), 0);
}

/* Debian's build for x86 knows no Arm model, and one for Arm no x86 one. */
static void test_arm(void **state)
{
	const struct wb_pmu_event cycles = {
		.type = 4, .config = 0x11, .exclude_kernel = true,
	};

	(void)state;
#if defined(__aarch64__)
	assert_int_equal(encode_in_child("arm_ac72::CPU_CYCLES:u", &cycles),
			 0);
#else
	assert_int_equal(encode_in_child("arm_ac72::CPU_CYCLES:u", &cycles),
			 1);
#endif
}

static void test_generic(void **state)
{
	static const struct {
		const char *name;
		struct wb_pmu_event want;
	} row[] = {
		{ "instructions:u", { .config = 1, .exclude_kernel = true } },
		{ "cycles", { .config = 0 } },
		{ "LLC-misses", { .type = 3, .config = 0x10002 } },
		{ "LLC-misses:u", { .type = 3, .config = 0x10002,
				    .exclude_kernel = true } },
		{ "task-clock", { .type = 1, .config = 1, .software = true } },
		{ "context-switches", { .type = 1, .config = 3,
					.software = true } },
	};
	static const char *const blind[] = {
		"context-switches:u", "cpu-migrations:u",
	};
	static const struct wb_pmu_event faults = {
		.type = 1, .config = 2, .exclude_kernel = true,
		.software = true,
	};
	struct wb_error err = WB_ERROR_INIT;
	struct wb_pmu_event e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++)
		assert_int_equal(encode_in_child(row[i].name, &row[i].want),
				 0);
	assert_int_equal(encode_in_child("nonsense", &row[0].want), 1);
	/* always 0, which is no count */
	for (i = 0; i < sizeof(blind) / sizeof(*blind); i++) {
		assert_int_equal(wb_pmu_encode(blind[i], &e, &err), -1);
		assert_int_equal(err.kind, WB_E_USAGE);
		assert_non_null(strstr(err.msg, "is always 0"));
	}
	assert_int_equal(encode_in_child("page-faults:u", &faults), 0);
}

/* Of a bench: each event once, those of every run behind. */
static void test_bench(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_bench_config b = {
		.name = "b", .events = " page-faults,page-faults skl::NO:u ",
	};
	struct wb_events events;
	struct wb_buf many = WB_BUF_INIT;

	(void)state;
	assert_int_equal(wb_events_find(&events, &b, &err), 0);
	assert_non_null(strstr(events.left_out.v[events.left_out.n - 1],
			       "'skl::NO:u' is no event of this machine"));
	assert_int_equal(events.nmetrics, events.left_out.n == 1 ? 1 : 0);
	assert_int_equal(events.n, events.by_rusage ? events.nmetrics : 4);
	wb_events_clear(&events);
	wb_buf_fill(&many, 'x', 500);
	b.events = many.ptr;
	assert_int_equal(wb_events_find(&events, &b, &err), -1);
	assert_int_equal(err.kind, WB_E_USAGE);
	assert_non_null(strstr(err.msg, "wb-bench.b.events: 'xxx"));
	wb_events_clear(&events);
	wb_buf_clear(&many);
}

static void test_scaling(void **state)
{
	static const struct {
		struct wb_pmu_count c;
		bool known, shared;
		double value;
	} row[] = {
		{ { 1000, 50, 50 }, true, false, 1000 },
		{ { 1000, 100, 50 }, true, true, 2000 },
		{ { 1000, 51, 50 }, true, true, 1020 },
		{ { 1000, 300, 100 }, true, true, 3000 },
		{ { 0, 100, 50 }, true, true, 0 },
		/* wanted, but never on the hardware: no number, not 0 */
		{ { 0, 100, 0 }, false, true, 0 },
		{ { 0, 0, 0 }, false, false, 0 },
		/* a product of two of these would not fit 64 bits */
		{ { 1ull << 62, 1ull << 40, 1ull << 39 }, true, true,
		  9223372036854775808. },
	};
	double value;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		value = -1;
		assert_int_equal(wb_pmu_scale(&row[i].c, &value),
				 row[i].known);
		assert_int_equal(wb_pmu_shared(&row[i].c), row[i].shared);
		if (row[i].known)
			assert_true(value == row[i].value);
		else
			assert_true(value == -1);
	}
}

static uint64_t faults_of(const char *command, const struct wb_pmu_event *event)
{
	struct wb_error err = WB_ERROR_INIT;
	char *env[] = { "PATH=/usr/bin:/bin", NULL };
	struct wb_proc_result r;
	struct wb_proc p = {
		.command = command, .cwd = "/", .env = env, .timeout = 30,
		.max_output = 1 << 20, .interrupt_fd = -1,
		.event = event, .nevents = 1,
	};
	uint64_t value;

	wb_proc_result_init(&r);
	assert_int_equal(wb_proc_run(&p, &r, &err), 0);
	assert_int_equal(r.end, WB_PROC_EXIT);
	assert_int_equal(r.code, 0);
	assert_true(r.count[0].enabled > 0);
	assert_true(r.count[0].running == r.count[0].enabled);
	value = r.count[0].value;
	/* counted: no more than the kernel told wait4(), from exec on */
	assert_true(value <= (uint64_t)(r.minflt + r.majflt));
	wb_proc_result_clear(&r);
	return value;
}

/* Counting starts at the exec and goes on in children. */
static void test_child(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_pmu_event e;
	bool narrowed;
	uint64_t alone, more;

	(void)state;
	assert_int_equal(wb_pmu_encode("page-faults", &e, &err), 0);
	if (wb_pmu_try(&e, &narrowed, &err) < 0) {
		print_message("# page-faults do not open here: %s\n", err.msg);
		return;
	}
	alone = faults_of("exit 0", &e);
	more = faults_of("for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done",
			 &e);
	assert_true(alone > 0);
	/* an exec makes dozens of them; a fork by itself hardly one */
	assert_true(more > 3 * alone);
}

/* What cannot open is said, or it is opened: nothing in between. */
static void test_try(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_pmu_event e;
	bool narrowed;

	(void)state;
	assert_int_equal(wb_pmu_encode("cycles", &e, &err), 0);
	if (wb_pmu_try(&e, &narrowed, &err) < 0) {
		assert_int_equal(err.kind, WB_E_JUDGE);
		assert_non_null(strstr(err.msg, "'cycles'"));
	} else {
		assert_string_equal(e.name,
				    narrowed ? "cycles:u" : "cycles");
	}
}

/* What a run cost, by events where they open and by rusage elsewhere. */
static void test_usage(void **state)
{
	struct wb_events events = {
		.v = { { .name = "instructions:u" },
		       { .name = "cycles:u" },
		       { .name = "page-faults", .software = true } },
		.n = 3, .nmetrics = 3,
	};
	/* cycles had no turn on the hardware: kept, though it is no number */
	const struct wb_proc_result r = {
		.minflt = 70, .majflt = 5, .nvcsw = 3,
		.count = { { 1000, 100, 50 }, { 0, 100, 0 }, { 60, 9, 9 } },
	};
	struct wb_db_counter c[WB_PMU_MAX];
	struct wb_db_usage usage;

	(void)state;
	assert_int_equal(wb_events_counters(&events, &r, c), 3);
	assert_string_equal(c[1].metric, "cycles:u");
	assert_int_equal(c[1].count.enabled, 100);
	assert_int_equal(c[1].count.running, 0);
	assert_int_equal(c[0].level, WB_LEVEL_H);
	assert_int_equal(c[2].level, WB_LEVEL_S);
	wb_events_usage(&events, &r, &usage);
	assert_int_equal(usage.faults, 60);
	assert_int_equal(usage.nvcsw, 3);
	assert_int_equal(usage.migrations, -1);
	events.n = events.nmetrics = 2;
	wb_events_usage(&events, &r, &usage);
	assert_int_equal(usage.faults, 75);
	assert_int_equal(wb_events_counters(&events, &r, c), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_models),
		cmocka_unit_test(test_arm),
		cmocka_unit_test(test_generic),
		cmocka_unit_test(test_bench),
		cmocka_unit_test(test_scaling),
		cmocka_unit_test(test_usage),
		cmocka_unit_test(test_child),
		cmocka_unit_test(test_try),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
