#ifndef WB_REPORT_WRITE_H
#define WB_REPORT_WRITE_H

#include "config.h"
#include "format.h"
#include "git.h"
#include "opt.h"
#include "report-data.h"
#include "series.h"
#include "template-set.h"

/*
 * What a report becomes beside a table on the screen: text by a template, the
 * message of a patch, a cover letter, mails. All are made from one table.
 */
struct wb_report_job {
	const struct wb_table *t;
	struct wb_format_options format;
	struct wb_report_facts facts;
	struct wb_template_set templates;
	const struct wb_config *config;
	struct wb_git *git;		/* NULL: no repository */
	const struct wb_stack *stack;	/* NULL: samples of a file */
};

/*
 * A template filled and rendered: plain, markdown, html, man or latex (NULL:
 * plain).
 */
int wb_report_page(const struct wb_report_job *j, const char *name,
		   const char *render, struct wb_buf *out,
		   struct wb_error *err);

/* The same as plain text, of one column; 0: of all. */
int wb_report_fill(const struct wb_report_job *j, const char *name,
		   size_t column, struct wb_buf *out, struct wb_error *err);

/*
 * The table of each named patch goes into its message, above the trailers or,
 * below, under the line "---"; a table that is there is replaced. Only these
 * files of the quilt folder change, and the stack before stays a version of
 * it (edit.h). Prints what became of each patch.
 */
int wb_report_changelog(const struct wb_report_job *j,
			const struct wb_strlist *names, bool below, bool json,
			struct wb_error *err);

/* The cover's text, into the letter that file names; NULL: to out. */
int wb_report_cover(const struct wb_report_job *j, const char *file,
		    struct wb_buf *out, struct wb_error *err);

#endif
