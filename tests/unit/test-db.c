#include "check.h"
#include "buf.h"
#include "db.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char dir[64];

static struct wb_db *open_store(void)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_db *db;

	assert_int_equal(wb_db_open(dir, true, &db, &err), 0);
	assert_non_null(db);
	return db;
}

static int make_dir(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/wb-test-db-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	char cmd[100];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf %s", dir);
	return system(cmd);
}

static void add(struct wb_db *db, int64_t round, int64_t build, int place,
		double value, const char *reason)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_db_sample s[] = {
		{ .metric = "t", .unit = "ns", .better = WB_BETTER_LOWER,
		  .value = value, .iter = 3 },
		{ .metric = "u", .unit = "", .better = WB_BETTER_HIGHER,
		  .exact = true, .value = value + 1, .iter = 1 },
	};
	struct wb_db_run run = {
		.round = round, .build = build, .order = place,
		.level = WB_LEVEL_S, .reason = reason, .wall = 0.5,
		.sample = s, .nsamples = reason ? 0 : 2,
	};

	assert_int_equal(wb_db_add_run(db, &run, &err), 0);
}

static void count_round(void *arg, const struct wb_db_past *run)
{
	size_t *n = arg;

	assert_string_equal(run->counters, "");
	assert_int_equal(run->level, WB_LEVEL_S);
	n[run->build] += !run->failed && !run->control;
}

/* Two builds, three columns (two share a build), a failed run, a hole. */
static void test_round_trip(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	const char *builds[] = { "B1", "B2", "B3" };
	int64_t machine, bench, again, b1, b2, b3, round;
	struct wb_db *db = open_store();
	struct wb_result r;
	size_t seen[3] = { 0 }, i;

	(void)state;
	assert_int_equal(wb_db_machine(db, "M", "facts", &machine, &err), 0);
	assert_int_equal(wb_db_bench(db, "H", "b", "cmd", &bench, &err), 0);
	assert_int_equal(wb_db_bench(db, "H", "b", "cmd", &again, &err), 0);
	assert_int_equal(bench, again);
	assert_int_equal(wb_db_build(db, "B1", "T1", &b1, &err), 0);
	assert_int_equal(wb_db_build(db, "B2", "T2", &b2, &err), 0);
	assert_int_equal(wb_db_build(db, "B3", "T3", &b3, &err), 0);
	for (i = 0; i < 3; i++) {
		assert_int_equal(wb_db_round(db, bench, machine, "boot", 7,
					     &round, &err), 0);
		add(db, round, b1, 0, 10 + (double)i, NULL);
		add(db, round, b2, 1, 20 + (double)i, i ? NULL : "crash");
		add(db, round, b3, 2, 0, "always");
		assert_int_equal(wb_db_end_round(db, round, NULL, &err), 0);
	}
	wb_db_close(db);

	db = open_store();
	assert_int_equal(wb_db_rounds(db, "H", "M", builds, 3, count_round,
				      seen, &err), 0);
	assert_int_equal(seen[0], 3);
	assert_int_equal(seen[1], 2);
	assert_int_equal(seen[2], 0);
	wb_result_init(&r);
	for (i = 0; i < 4; i++) {
		wb_result_add_column(&r, (int)i, "x");
		r.column[i].build = wb_xstrdup(builds[i ? i - 1 : 0]);
	}
	assert_int_equal(wb_db_load(db, "H", "b", "M", &r, &err), 0);
	assert_int_equal(r.nmetrics, 2);
	assert_string_equal(r.metric[0].name, "t");
	assert_int_equal(r.metric[1].better, WB_BETTER_HIGHER);
	assert_true(r.metric[1].exact);
	/* B1 for two columns, B2 without its failed run */
	assert_int_equal(r.npoints, 2 * (3 + 3 + 2));
	assert_int_equal(r.nholes, 1);
	assert_int_equal(r.hole[0].column, 3);
	assert_string_equal(r.hole[0].reason, "always");
	wb_result_clear(&r);
	/* another machine has nothing */
	wb_result_init(&r);
	assert_int_equal(wb_db_load(db, "H", "b", "other", &r, &err), 0);
	assert_int_equal(r.nmetrics, 0);
	wb_result_clear(&r);
	wb_db_close(db);
}

static void test_broken_is_remembered(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_db *db = open_store();
	char *reason;
	int64_t b;

	(void)state;
	assert_int_equal(wb_db_build(db, "X", "T", &b, &err), 0);
	assert_int_equal(wb_db_broken(db, "X", &reason, &err), 0);
	assert_null(reason);
	assert_int_equal(wb_db_set_broken(db, b, "why", &err), 0);
	assert_int_equal(wb_db_broken(db, "X", &reason, &err), 0);
	assert_string_equal(reason, "why");
	free(reason);
	assert_int_equal(wb_db_set_broken(db, b, NULL, &err), 0);
	assert_int_equal(wb_db_broken(db, "X", &reason, &err), 0);
	assert_null(reason);
	wb_db_close(db);
}

/* A run whose samples cannot all be stored leaves nothing behind. */
static void test_run_is_one_transaction(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_db *db = open_store();
	struct wb_db_sample twice[] = {
		{ .metric = "t", .unit = "ns", .value = 1 },
		{ .metric = "t", .unit = "ns", .value = 2 },
	};
	struct wb_db_run run = { .sample = twice, .nsamples = 2 };
	int64_t machine, bench;
	const char *builds[] = { "R" };
	size_t seen[1] = { 0 };

	(void)state;
	assert_int_equal(wb_db_machine(db, "M2", "f", &machine, &err), 0);
	assert_int_equal(wb_db_bench(db, "H2", "b", "c", &bench, &err), 0);
	assert_int_equal(wb_db_build(db, "R", "T", &run.build, &err), 0);
	assert_int_equal(wb_db_round(db, bench, machine, "boot", 1, &run.round,
				     &err), 0);
	assert_int_equal(wb_db_add_run(db, &run, &err), -1);
	assert_int_equal(err.kind, WB_E_FATAL);
	assert_int_equal(wb_db_rounds(db, "H2", "M2", builds, 1, count_round,
				      seen, &err), 0);
	assert_int_equal(seen[0], 0);
	wb_db_close(db);
}

/* A round that ended as a whole is there as a whole, or not at all. */
static void test_round_is_one_transaction(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_db *db = open_store();
	struct wb_db_sample s = { .metric = "t", .unit = "ns", .value = 1 };
	struct wb_db_sample twice[] = { s, s };
	struct wb_db_run run[] = {
		{ .order = 0, .level = WB_LEVEL_S, .sample = &s,
		  .nsamples = 1 },
		{ .order = 1, .level = WB_LEVEL_S, .sample = twice,
		  .nsamples = 2 },
	};
	int64_t machine, bench;
	const char *builds[] = { "W" };
	size_t seen[1] = { 0 };

	(void)state;
	assert_int_equal(wb_db_machine(db, "M4", "f", &machine, &err), 0);
	assert_int_equal(wb_db_bench(db, "H4", "b", "c", &bench, &err), 0);
	assert_int_equal(wb_db_build(db, "W", "T", &run[0].build, &err), 0);
	run[1].build = run[0].build;
	assert_int_equal(wb_db_add_round(db, bench, machine, "boot", 1, run, 2,
					 NULL, &err), -1);
	assert_int_equal(err.kind, WB_E_FATAL);
	assert_int_equal(wb_db_rounds(db, "H4", "M4", builds, 1, count_round,
				      seen, &err), 0);
	assert_int_equal(seen[0], 0);
	wb_error_clear(&err);
	/* what failed left no transaction open */
	run[1].nsamples = 1;
	assert_int_equal(wb_db_add_round(db, bench, machine, "boot", 1, run, 2,
					 NULL, &err), 0);
	assert_int_equal(run[0].round, run[1].round);
	assert_int_equal(wb_db_rounds(db, "H4", "M4", builds, 1, count_round,
				      seen, &err), 0);
	assert_int_equal(seen[0], 2);
	wb_db_close(db);
}

/* A round that is discarded is there, and yet it does not count. */
static void test_mishap(void **state)
{
	struct wb_db_mishap slept = { "suspend", true };
	struct wb_db_mishap kept = { "steal", false };
	struct wb_error err = WB_ERROR_INIT;
	struct wb_db *db = open_store();
	struct wb_db_sample s = { .metric = "m", .unit = "", .value = 1 };
	struct wb_db_run run = {
		.sample = &s, .nsamples = 1, .usage = WB_DB_USAGE_UNKNOWN,
		.level = WB_LEVEL_S,
	};
	const char *builds[] = { "V" };
	int64_t machine, bench;
	size_t seen[1] = { 0 };
	struct wb_result r;

	(void)state;
	assert_int_equal(wb_db_machine(db, "M5", "f", &machine, &err), 0);
	assert_int_equal(wb_db_bench(db, "H5", "b", "c", &bench, &err), 0);
	assert_int_equal(wb_db_build(db, "V", "T", &run.build, &err), 0);
	assert_int_equal(wb_db_add_round(db, bench, machine, "boot", 1, &run, 1,
					 &slept, &err), 0);
	assert_int_equal(wb_db_add_round(db, bench, machine, "boot", 1, &run, 1,
					 &slept, &err), 0);
	assert_int_equal(wb_db_add_round(db, bench, machine, "boot", 1, &run, 1,
					 &kept, &err), 0);
	assert_int_equal(wb_db_round(db, bench, machine, "boot", 2, &run.round,
				     &err), 0);
	assert_int_equal(wb_db_add_run(db, &run, &err), 0);
	assert_int_equal(wb_db_end_round(db, run.round, &slept, &err), 0);
	assert_int_equal(wb_db_rounds(db, "H5", "M5", builds, 1, count_round,
				      seen, &err), 0);
	assert_int_equal(seen[0], 1);
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "base");
	wb_result_add_build(&r, 0, "V");
	assert_int_equal(wb_db_load(db, "H5", "b", "M5", &r, &err), 0);
	assert_int_equal(r.npoints, 1);
	assert_int_equal(r.nmishaps, 2);
	assert_string_equal(r.mishap[0].what, "suspend");
	assert_int_equal(r.mishap[0].discarded, 3);
	assert_int_equal(r.mishap[0].kept, 0);
	assert_string_equal(r.mishap[1].what, "steal");
	assert_int_equal(r.mishap[1].kept, 1);
	wb_result_clear(&r);
	/* of builds that are not asked for nothing is told */
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "base");
	wb_result_add_build(&r, 0, "elsewhere");
	assert_int_equal(wb_db_load(db, "H5", "b", "M5", &r, &err), 0);
	assert_int_equal(r.nmishaps, 0);
	wb_result_clear(&r);
	wb_db_close(db);
}

/* Passes come back as they were, for each column; a control stays apart. */
static void test_passes(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_db *db = open_store();
	const float log[] = { 0, -0.25f, 1e-6f, 3 };
	struct wb_db_sample s = { .metric = "t", .unit = "ns", .value = 8,
				  .iter = 4, .pass = log, .npasses = 4,
				  .mean = 9.5 };
	struct wb_db_run run = { .level = WB_LEVEL_S, .sample = &s,
				 .nsamples = 1 };
	int64_t machine, bench;
	struct wb_result r;
	size_t i;

	(void)state;
	assert_int_equal(wb_db_machine(db, "M3", "f", &machine, &err), 0);
	assert_int_equal(wb_db_bench(db, "H3", "b", "c", &bench, &err), 0);
	assert_int_equal(wb_db_build(db, "P", "T", &run.build, &err), 0);
	assert_int_equal(wb_db_round(db, bench, machine, "boot", 1, &run.round,
				     &err), 0);
	assert_int_equal(wb_db_add_run(db, &run, &err), 0);
	run.control = true;
	assert_int_equal(wb_db_add_run(db, &run, &err), 0);
	run.nsamples = 0;
	run.reason = "the control fails";
	assert_int_equal(wb_db_add_run(db, &run, &err), 0);
	assert_int_equal(wb_db_add_run(db, &run, &err), 0);
	wb_db_close(db);
	db = open_store();
	wb_result_init(&r);
	for (i = 0; i < 2; i++) {
		wb_result_add_column(&r, (int)i, "x");
		r.column[i].build = wb_xstrdup("P");
	}
	assert_int_equal(wb_db_load(db, "H3", "b", "M3", &r, &err), 0);
	assert_int_equal(r.nholes, 0);
	assert_int_equal(r.npoints, 2);
	assert_int_equal(r.npasses, 2);
	for (i = 0; i < 2; i++) {
		assert_int_equal(r.passes[i].column, i);
		assert_int_equal(r.passes[i].round, r.point[i].round);
		assert_int_equal(r.passes[i].n, 4);
		assert_memory_equal(r.passes[i].offset, log, sizeof(log));
		assert_true(r.passes[i].mean == 9.5);
	}
	wb_result_clear(&r);
	wb_db_close(db);
}

static void test_missing_store(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_db *db = (struct wb_db *)dir;

	(void)state;
	assert_int_equal(wb_db_open("/tmp/there-is-no-such-folder", false, &db,
				    &err), 0);
	assert_null(db);
}

/* Raw triples come back scaled; the least share of all runs is told. */
static void test_counters(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_db_counter c = { "cycles:u", WB_LEVEL_H, { 0, 0, 0 } };
	static const struct wb_pmu_count triple[] = {
		{ 1000, 40, 40 }, { 1000, 40, 10 }, { 0, 40, 0 },
	};
	struct wb_db_run run = {
		.level = WB_LEVEL_S, .wall = 0.5,
		.usage = WB_DB_USAGE_UNKNOWN, .counter = &c, .ncounters = 1,
	};
	struct wb_db *db = open_store();
	struct wb_result r;
	int64_t machine, bench;
	size_t i;

	(void)state;
	assert_int_equal(wb_db_machine(db, "MC", "f", &machine, &err), 0);
	assert_int_equal(wb_db_bench(db, "HC", "b", "c", &bench, &err), 0);
	assert_int_equal(wb_db_build(db, "BC", "T", &run.build, &err), 0);
	assert_int_equal(wb_db_round(db, bench, machine, "boot", 7, &run.round,
				     &err), 0);
	for (i = 0; i < 3; i++) {
		c.count = triple[i];
		assert_int_equal(wb_db_add_run(db, &run, &err), 0);
	}
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "base");
	r.column[0].build = wb_xstrdup("BC");
	assert_int_equal(wb_db_load(db, "HC", "b", "MC", &r, &err), 0);
	assert_int_equal(r.nmetrics, 1);
	assert_int_equal(r.metric[0].level, WB_LEVEL_H);
	assert_true(r.metric[0].counted == 0.25);
	/* the one that was never on the hardware is no number */
	assert_int_equal(r.npoints, 2);
	assert_true(r.point[0].value == 1000);
	assert_true(r.point[1].value == 4000);
	wb_result_clear(&r);
	wb_db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_broken_is_remembered),
		cmocka_unit_test(test_run_is_one_transaction),
		cmocka_unit_test(test_round_is_one_transaction),
		cmocka_unit_test(test_mishap),
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_missing_store),
		cmocka_unit_test(test_counters),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
