#ifndef WB_FORMAT_H
#define WB_FORMAT_H

#include "mmtests.h"
#include "table.h"

/*
 * A judged table as bytes. Each format is a pure function of the table and
 * the options: the same bytes each time, no clock, no terminal, no locale.
 *
 * Names (of prefixes, metrics, benches, units) and reasons may be anything, so
 * every format passes them through the function that makes them safe for it.
 * What is not known is "-" (a ratio to zero "n/a", an empty field in csv, null
 * in json), never 0.
 */
enum wb_format_kind {
	WB_FORMAT_TERMINAL, WB_FORMAT_PLAIN, WB_FORMAT_MARKDOWN,
	WB_FORMAT_MMTESTS, WB_FORMAT_CSV, WB_FORMAT_JSON, WB_FORMAT_HTML,
	WB_FORMAT_DELTA, WB_FORMAT_LKP_LIST, WB_FORMAT_LKP, WB_FORMAT_BENCHSTAT,
};

struct wb_format_options {
	enum wb_format_kind kind;
	const char *bench, *metric;	/* globs; NULL: what is judged */
	bool only_changed;
	/* the notes leave these to what stands around them */
	bool no_machine, no_trailers;
	size_t focus;		/* this column and what it is compared with
				   alone; 0: all */
	int width;		/* of the terminal */
	bool color, utf8;	/* of the terminal */
	/* of a page: how the stack is named, or NULL */
	const char *source;
	struct wb_page_facts {
		const char *lines;	/* wb_sample_pack() of the export */
		const char *data;	/* "sha256:HEX" of the export */
		const char *again;	/* arguments that name the stack, each
					   behind a blank; NULL: no store */
		const char *compiler;	/* a line */
		const char *build;	/* the command */
		const char *const *bench;	/* "NAME: COMMAND" */
		size_t nbenches;
	} page;			/* NULL, 0: not known */
	bool compat;		/* mmtests, lkp, lkp-list: their own bytes */
	/* mmtests */
	bool widths2016;
	bool no_compare;
	enum wb_rows rows;
	int decimals;		/* of a value */
};

void wb_format(const struct wb_table *t, const struct wb_format_options *o,
	       struct wb_buf *out);

/* A word of the command line; false when there is none such. */
bool wb_format_parse(const char *word, enum wb_format_kind *out);
bool wb_rows_parse(const char *word, enum wb_rows *out);
/* All words, "a, b, c", for an error. */
void wb_format_words(struct wb_buf *out);
void wb_rows_words(struct wb_buf *out);

#endif
