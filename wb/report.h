#ifndef WB_REPORT_H
#define WB_REPORT_H

#include "format.h"
#include "result.h"

/*
 * From a result set to the bytes a user asked for: judge it, choose a format,
 * fit the terminal.
 */
struct wb_report_options {
	bool json, color;	/* as main resolved them */
	const char *against;	/* "prev" (NULL), "base", or any column */
	enum wb_test test;
	const char *source;	/* of the stack, as it was given; may be NULL */
	struct wb_format_options format;	/* zeroes: a terminal table */
};

/*
 * The table alone, to be cleared by the caller; errors as below. r must live
 * as long.
 */
int wb_report_judge(const struct wb_result *r, double margin,
		    const struct wb_report_options *o, struct wb_table *t,
		    struct wb_error *err);

/*
 * margin: a ratio, within which a change is "same". Fails with WB_E_JUDGE when
 * nothing was measured of the benches that are asked for, with WB_E_USAGE for
 * an unknown column.
 */
int wb_report_text(const struct wb_result *r, double margin,
		   const struct wb_report_options *o, struct wb_buf *out,
		   struct wb_error *err);

/* The same, to stdout and never through a pager. */
int wb_report_print(const struct wb_result *r, double margin,
		    const struct wb_report_options *o, struct wb_error *err);

/* A page of Markdown; also of a result set without samples. */
void wb_report_markdown(const struct wb_result *r, double margin,
			struct wb_buf *out);

#endif
