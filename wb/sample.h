#ifndef WB_SAMPLE_H
#define WB_SAMPLE_H

#include "config.h"
#include "error.h"
#include "result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Samples as text.
 *
 * A sample line is one JSON object that states one number:
 *
 *	{"bench":"pagealloc","metric":"alloc-odr0-1","unit":"ns",
 *	 "better":"lower","value":41.2}
 *
 * Benches print such lines, and files of them carry results between people
 * and machines; there each line also says which prefix it belongs to. Input
 * is hostile until it has been read: what is not a finite number, not UTF-8,
 * or not what the line before it promised ends the reading with one line that
 * names the place, and never gives a wrong number.
 */

/* A line that says what it says, checked, but not yet put anywhere. */
struct wb_sample {
	const char *bench, *metric, *prefix, *unit;	/* NULL: not said */
	const char *tree, *build, *machine, *boot;	/* NULL: not said */
	enum wb_better better;
	enum wb_level level;
	const char *failed;	/* why a run gave no sample; then no metric */
	bool exact;
	bool control;		/* of the build's second run in the round */
	bool has_value, has_per;
	double value;
	int64_t per;		/* operations of a counting run */
	int64_t round, run, layout;	/* -1: not said */
	struct wb_json *json;	/* owns the strings above */
};

/*
 * Reads one line (without its newline). The strings live until
 * wb_sample_clear(), which is right after a failure too.
 */
int wb_sample_parse(struct wb_sample *s, const char *line, size_t len,
		    struct wb_error *err);
void wb_sample_clear(struct wb_sample *s);

/*
 * What one run of a bench printed, in the order of printing. A metric that
 * is there several times was measured in several slices of that one process.
 *
 * A number is either a value, or (in a counting run) the number of operations
 * that the whole run took: the caller divides its count by it.
 */
struct wb_reading_number {
	char *metric;
	char *unit;		/* "" unknown */
	enum wb_better better;
	enum wb_level level;	/* WB_LEVEL_UNKNOWN: the line did not say */
	bool exact;
	bool counted;		/* number is operations, from "per" */
	size_t line;		/* where it stood, from 1; 0: nowhere */
	double number;
};

struct wb_reading {
	struct wb_reading_number *v;
	size_t n, cap;
	size_t bytes;		/* of the names that were read */
	char *remark;		/* what a person should know, or NULL */
};

/*
 * Reads the output of a bench by its reader (the time reader reads no text).
 * Unit and direction that the text does not give
 * come from the configuration. Fails with WB_E_JUDGE and a reason that names
 * the line and what was found there; "printed no sample" is a reason of its
 * own. out is valid and to be cleared in any case.
 */
int wb_sample_read(enum wb_reader reader, const char *text, size_t len,
		   const struct wb_bench_config *bench, struct wb_reading *out,
		   struct wb_error *err);
void wb_reading_clear(struct wb_reading *r);

/* A remark on the numbers, for people; the first one stays. */
void wb_reading_remark(struct wb_reading *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds a number that was not read but made, as a value of unknown level. */
void wb_reading_add(struct wb_reading *r, const char *metric, const char *unit,
		    enum wb_better better, double value);

/* The metric that the last-number reader gives its number to. */
#define WB_LAST_NUMBER_METRIC "value"

/*
 * Reads a file of sample lines ("-" is stdin) into an empty result set. A
 * header object gives the order of prefixes and metrics and names what has no
 * samples; other names follow in first-seen order. Errors are
 * "FILE:LINE: what, what to do". A file without a single sample is WB_E_JUDGE.
 *
 * Which metrics are judged is left to the caller (wb_result_judge).
 */
int wb_sample_load(struct wb_result *r, const char *path, struct wb_error *err);

/*
 * The lines of a page: samples for a result set that has its columns, metrics
 * and holes already, and takes no others.
 */
int wb_sample_load_known(struct wb_result *r, const char *path,
			 const struct wb_buf *lines, struct wb_error *err);

/*
 * The samples of a result set as lines that the above reads back: the same
 * points, controls and passes, whatever they came from.
 */
void wb_sample_print(const struct wb_result *r, struct wb_buf *out);

#endif
