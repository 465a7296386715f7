#ifndef WB_READER_H
#define WB_READER_H

#include "json.h"
#include "sample.h"

/*
 * Inside of the readers (sample.h is the outside): one function a format,
 * one file a family of formats, and what they share.
 *
 * A reader adds the numbers it finds to an empty reading and says of each what
 * the format says: metric, unit, direction, level. It fails with WB_E_JUDGE
 * and one line that names the place (a line, or an entry of a document) when
 * the text is not its format, is cut off, or reports a failure of what was
 * measured. What a format marks as not measured is left out: it is missing,
 * and never a number. Finding nothing is no failure here; the caller says so.
 *
 * The same metric several times in one output means slices of one process.
 *
 * The text is bounded (OUTPUT_MAX of trial.c) and hostile: what a reader does
 * is linear in its length, and names that repeat a part of the text, such as
 * "PACKAGE.BENCHMARK", are bounded by wb_reading_new().
 */
typedef int wb_reader_fn(struct wb_reading *r, const char *text,
			 const char *end, const struct wb_bench_config *bench,
			 struct wb_error *err);

wb_reader_fn wb_read_samples;		/* sample-read.c */
wb_reader_fn wb_read_lines;		/* reader-lines.c */
wb_reader_fn wb_read_last_number;
wb_reader_fn wb_read_google;		/* reader-google.c */
wb_reader_fn wb_read_hyperfine;		/* reader-hyperfine.c */
wb_reader_fn wb_read_go;		/* reader-go.c */
wb_reader_fn wb_read_perf;		/* reader-perf.c */
wb_reader_fn wb_read_ktap;		/* reader-ktap.c */
wb_reader_fn wb_read_mmtests;		/* reader-mmtests.c */

/* ---- lines and words ---- */

struct wb_reader_line {
	const char *ptr;	/* without blanks at both ends */
	size_t len;
	size_t indent;		/* blanks that stood before ptr */
	unsigned number;	/* from 1; set it to 0 before the first */
};

/* The next line that is not blank; *text moves behind it. */
bool wb_line_next(const char **text, const char *end, struct wb_reader_line *l);
bool wb_line_starts(const struct wb_reader_line *l, const char *word);

/* "line 3: WANTED, found '...'" */
int wb_line_bad(const struct wb_reader_line *l, struct wb_error *err,
		const char *wanted);

/* Length of the word at or behind p, 0 at the end; *p moves to its start. */
size_t wb_token(const char **p, const char *end);

/* Whether a whole word is one finite decimal number. */
bool wb_token_number(const char *p, size_t len, double *out);

/* Whether a word stands for a number that is none: nan, -inf, 1e400. */
bool wb_token_not_finite(const char *p, size_t len);

/* ---- numbers ---- */

/*
 * One number more, with what the configuration says of it. line is where it
 * stands, 0 in a document. NULL, and WB_E_JUDGE, when the name is too long, or
 * there are too many of them.
 */
struct wb_reading_number *wb_reading_new(struct wb_reading *r,
					 const struct wb_bench_config *bench,
					 const char *metric, size_t len,
					 size_t line, struct wb_error *err);
void wb_reading_set_unit(struct wb_reading_number *n, const char *unit,
			 size_t len);

/* ---- JSON ---- */

/*
 * The JSON document that begins with the first line that starts with '{' and
 * fills the rest of the text. Talk before it is skipped; anything else fails,
 * with the line of the text. program is what should have printed it.
 */
int wb_reader_document(const char *text, const char *end, const char *program,
		       struct wb_json **out, struct wb_error *err);

/*
 * A number of a JSON value that a double holds as a finite one, and a time, as
 * a number that is not negative. place and key are for the message.
 */
int wb_reader_time(const struct wb_json *v, const char *place, const char *key,
		   double *out, struct wb_error *err);
int wb_reader_number(const struct wb_json *v, const char *place,
		     const char *key, double *out, struct wb_error *err);

#endif
