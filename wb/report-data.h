#ifndef WB_REPORT_DATA_H
#define WB_REPORT_DATA_H

#include "format.h"
#include "json.h"

/*
 * A judged table as the data of a template (template.h). Texts are safe to be
 * shown: what moves a cursor or turns the direction of text is \xNN. Tables
 * are code blocks already, each line behind four blanks, which no content can
 * close: {{{table}}} takes them as they are.
 *
 *	sentence	"1 faster, 2 unclear of 3 patches" of judged metrics
 *	table		the plain tables with all notes but the machine
 *	patches		a list of objects, one for each prefix but the base:
 *		number, name, subject, table (of it alone)
 *		claims	a list: bench, metric, unit, verdict, change (text with
 *			interval), n (text), line (all of it, one line)
 *		trailers	a list: key, value, line, number (of the
 *			patch), given (somebody else's word, such as Acked-by)
 *		said		whether any is given
 *		broken, measured	why not, as text; whether
 *	trailers, said	of all patches
 *	machine, compiler, source, version	texts, if they are known
 *	data		"sha256:HEX", to be taken as it is
 *	blind		a list: bench, metric, visible (percent): what cannot
 *			be measured here is smaller
 *	missing		a list: bench, why
 *	benches		a list of texts, "NAME: COMMAND"
 *	commands	a list of lines that measure and show it again
 *
 * What is not known is not there.
 */
struct wb_report_facts {
	const char *source;	/* of the stack; NULL: the default, or a file */
	const char *compiler;	/* a line; NULL: unknown or nothing is built */
	const char *data;	/* "sha256:HEX" of the samples; NULL: a file */
	const char *const *command;	/* of benches: "NAME: COMMAND" */
	size_t ncommands;
};

struct wb_json *wb_report_data(const struct wb_table *t,
			       const struct wb_format_options *o,
			       const struct wb_report_facts *facts);

/* The object of one patch, with all but "patches" of the document in it. */
struct wb_json *wb_report_data_of(const struct wb_table *t,
				  const struct wb_format_options *o,
				  const struct wb_report_facts *facts,
				  size_t column);

/* A text of somebody else, safe to be shown. */
struct wb_json *wb_report_string(const char *s);

/* Whether any metric of the column has a sample and nothing of it is broken. */
bool wb_report_measured(const struct wb_table *t, size_t column);

#endif
