/*
 * hyperfine's --export-json: every run of every command, in seconds.
 *
 * The runs of a command are slices of one process. A run that did not end
 * with 0 did not do the work, so its time is none.
 */
#include "reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM "hyperfine (--export-json)"

/* A command as a metric's name: one word, as tables and globs want it. */
static char *name_of(const char *command)
{
	char *name = wb_xstrdup(command), *p;

	for (p = name; *p; p++)
		if (isspace((unsigned char)*p) || iscntrl((unsigned char)*p))
			*p = '_';
	return name;
}

static int check_exits(const struct wb_json *result, size_t runs,
		       const char *place, struct wb_error *err)
{
	const struct wb_json *codes = wb_json_get(result, "exit_codes");
	int64_t code;
	size_t i;

	if (!codes)
		return 0;
	if (wb_json_count(codes) != runs)
		return wb_fail(err, WB_E_JUDGE, "%s: %zu times but %zu exit "
			       "codes", place, runs, wb_json_count(codes));
	for (i = 0; i < runs; i++) {
		if (!wb_json_get_int(wb_json_at(codes, i), &code))
			return wb_fail(err, WB_E_JUDGE, "%s: run %zu was "
				       "killed", place, i + 1);
		if (code)
			return wb_fail(err, WB_E_JUDGE, "%s: run %zu ended "
				       "with exit code %d", place, i + 1,
				       (int)code);
	}
	return 0;
}

static int add_result(struct wb_reading *r, const struct wb_json *result,
		      size_t at, const struct wb_bench_config *bench,
		      struct wb_error *err)
{
	const struct wb_json *times = wb_json_get(result, "times");
	struct wb_reading_number *n;
	const char *command = NULL;
	char place[160], *name;
	size_t i, runs = wb_json_count(times);
	double number;

	if (!wb_json_get_str(wb_json_get(result, "command"), &command))
		return wb_fail(err, WB_E_JUDGE, "results[%zu]: no \"command\"",
			       at);
	snprintf(place, sizeof(place), "command '%.120s'", command);
	if (!runs)
		return wb_fail(err, WB_E_JUDGE, "%s: no list \"times\"",
			       place);
	if (check_exits(result, runs, place, err) < 0)
		return -1;
	name = name_of(command);
	for (i = 0; i < runs; i++) {
		if (wb_reader_time(wb_json_at(times, i), place, "times",
				   &number, err) < 0 ||
		    !(n = wb_reading_new(r, bench, name, strlen(name), 0, err)))
			break;
		n->number = number;
		n->better = WB_BETTER_LOWER;
		wb_reading_set_unit(n, "s", 1);
	}
	free(name);
	return i == runs ? 0 : -1;
}

int wb_read_hyperfine(struct wb_reading *r, const char *text, const char *end,
		      const struct wb_bench_config *bench, struct wb_error *err)
{
	const struct wb_json *list;
	struct wb_json *doc = NULL;
	int ret = 0;
	size_t i;

	if (wb_reader_document(text, end, PROGRAM, &doc, err) < 0)
		return -1;
	list = wb_json_get(doc, "results");
	if (!wb_json_is_array(list))
		ret = wb_fail(err, WB_E_JUDGE, "no JSON of %s: no list "
			      "\"results\"", PROGRAM);
	for (i = 0; i < wb_json_count(list) && !ret; i++)
		ret = add_result(r, wb_json_at(list, i), i, bench, err);
	wb_json_free(doc);
	return ret;
}
