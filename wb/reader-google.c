/*
 * google-benchmark's --benchmark_format=json.
 *
 * An entry of "benchmarks" is a repetition or an aggregate of repetitions.
 * Repetitions are slices of one process, under the benchmark's run name; an
 * aggregate counts only where there are no repetitions, and then the median
 * alone. The number is the clock that the benchmark runs by: cpu_time, or
 * real_time where its name says so. Rates that the library makes become
 * metrics of their own, and so do counters, of which nobody says whether more
 * is better.
 */
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "google-benchmark (--benchmark_format=json)"

/* Keys of an entry that are no counters. */
static bool is_counter(const char *key)
{
	static const char *const fixed[] = {
		"family_index", "per_family_instance_index", "repetitions",
		"repetition_index", "threads", "iterations", "real_time",
		"cpu_time", "rms", "allocs_per_iter", "max_bytes_used",
		"total_allocated_bytes", "net_heap_growth", NULL,
	};
	size_t i;

	for (i = 0; fixed[i] && strcmp(fixed[i], key); i++)
		;
	return !fixed[i];
}

static const char *text_of(const struct wb_json *entry, const char *key)
{
	const char *s = NULL;

	wb_json_get_str(wb_json_get(entry, key), &s);
	return s;
}

/* By which of its two clocks the benchmark is timed. */
static const char *clock_of(const char *name)
{
	return strstr(name, "/real_time") || strstr(name, "/manual_time") ?
		"real_time" : "cpu_time";
}

static int add_counters(struct wb_reading *r, const struct wb_json *entry,
			const char *name, const char *place,
			const struct wb_bench_config *bench,
			struct wb_error *err)
{
	struct wb_reading_number *n;
	const struct wb_json *v;
	const char *key = NULL;
	double number;
	char *metric;
	bool rate;

	while ((key = wb_json_key(entry, key))) {
		v = wb_json_get(entry, key);
		if (!is_counter(key) || !wb_json_get_num(v, &number))
			continue;
		if (wb_reader_number(v, place, key, &number, err) < 0)
			return -1;
		metric = wb_xasprintf("%s:%s", name, key);
		n = wb_reading_new(r, bench, metric, strlen(metric), 0, err);
		free(metric);
		if (!n)
			return -1;
		n->number = number;
		rate = wb_str_ends(key, "_per_second");
		if (!rate)
			continue;
		metric = wb_xasprintf("%.*s/s", (int)(strlen(key) -
				      strlen("_per_second")), key);
		wb_reading_set_unit(n, metric, strlen(metric));
		n->better = WB_BETTER_HIGHER;
		free(metric);
	}
	return 0;
}

static int add_entry(struct wb_reading *r, const struct wb_json *entry,
		     const char *name, const struct wb_bench_config *bench,
		     struct wb_error *err)
{
	const char *unit = text_of(entry, "time_unit");
	struct wb_reading_number *n;
	char place[160];
	double number;

	snprintf(place, sizeof(place), "benchmark '%.120s'", name);
	if (wb_reader_time(wb_json_get(entry, clock_of(name)), place,
			   clock_of(name), &number, err) < 0)
		return -1;
	if (!unit)
		return wb_fail(err, WB_E_JUDGE, "%s: no \"time_unit\"", place);
	n = wb_reading_new(r, bench, name, strlen(name), 0, err);
	if (!n)
		return -1;
	n->number = number;
	n->better = WB_BETTER_LOWER;
	wb_reading_set_unit(n, unit, strlen(unit));
	return add_counters(r, entry, name, place, bench, err);
}

/* 1: this entry counts, 0: it does not, -1: the benchmark failed. */
static int select_entry(const struct wb_json *entry, bool aggregates,
			struct wb_error *err)
{
	const char *type = text_of(entry, "run_type");
	const char *what = text_of(entry, "aggregate_name");
	bool yes = false;

	if (wb_json_get_bool(wb_json_get(entry, "error_occurred"), &yes) && yes)
		return wb_fail(err, WB_E_JUDGE, "benchmark '%.120s' failed: "
			       "%.120s", text_of(entry, "name") ?: "?",
			       text_of(entry, "error_message") ?:
			       "no reason given");
	if (wb_json_get_bool(wb_json_get(entry, "skipped"), &yes) && yes)
		return 0;
	if (aggregates)
		return what && !strcmp(what, "median");
	return !type || !strcmp(type, "iteration");
}

static int read_entries(struct wb_reading *r, const struct wb_json *list,
			bool aggregates, const struct wb_bench_config *bench,
			struct wb_error *err)
{
	const struct wb_json *entry;
	const char *name;
	int rc;
	size_t i;

	for (i = 0; i < wb_json_count(list); i++) {
		entry = wb_json_at(list, i);
		rc = select_entry(entry, aggregates, err);
		if (rc < 0)
			return -1;
		if (!rc)
			continue;
		name = text_of(entry, "run_name") ?: text_of(entry, "name");
		if (!name)
			return wb_fail(err, WB_E_JUDGE,
				       "benchmarks[%zu]: no \"name\"", i);
		if (add_entry(r, entry, name, bench, err) < 0)
			return -1;
	}
	return 0;
}

int wb_read_google(struct wb_reading *r, const char *text, const char *end,
		   const struct wb_bench_config *bench, struct wb_error *err)
{
	const struct wb_json *list;
	struct wb_json *doc = NULL;
	int ret = -1;

	if (wb_reader_document(text, end, PROGRAM, &doc, err) < 0)
		return -1;
	list = wb_json_get(doc, "benchmarks");
	if (!wb_json_is_array(list)) {
		wb_fail(err, WB_E_JUDGE, "no JSON of %s: no list "
			"\"benchmarks\"", PROGRAM);
		goto out;
	}
	ret = read_entries(r, list, false, bench, err);
	if (!ret && !r->n)
		ret = read_entries(r, list, true, bench, err);
out:
	wb_json_free(doc);
	return ret;
}
