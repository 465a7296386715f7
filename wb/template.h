#ifndef WB_TEMPLATE_H
#define WB_TEMPLATE_H

#include "buf.h"
#include "error.h"
#include "json.h"

/*
 * Templates without logic: text with tags, filled from a JSON object. The tags
 * are those of mustache(5) that a report needs:
 *
 *	{{name}}		the value, escaped
 *	{{{name}}}, {{&name}}	the value as it is
 *	{{#name}}...{{/name}}	once for each element of a list, once for an
 *				object or another value that is there
 *	{{^name}}...{{/name}}	once when there is nothing
 *	{{>name}}		another template, indented as the tag is
 *	{{!...}}		nothing
 *
 * A name is looked up in the innermost section's value, then outwards; "a.b"
 * is b of the first a found; "." is the value itself. "Nothing" is a name that
 * is not there, null, false, an empty list or an empty string. A tag that does
 * not print (section, comment, partial) and stands alone on its line takes the
 * line with it. There are no lambdas and no other delimiters.
 *
 * Values are hostile: how they are escaped is the caller's choice of output
 * language, and a value is never read as a template.
 */
typedef void wb_template_escape_fn(struct wb_buf *out, const char *value);

/* So that a value is nothing but text wherever it stands in Markdown. */
void wb_template_escape_markdown(struct wb_buf *out, const char *value);
void wb_template_escape_html(struct wb_buf *out, const char *value);

struct wb_template_options {
	const char *name;	/* of the template, for messages */
	wb_template_escape_fn *escape;
	/*
	 * Adds the text of a partial. 1: there is one; 0: there is none, which
	 * prints nothing; -1: error. May be NULL.
	 */
	int (*partial)(void *arg, const char *name, struct wb_buf *text,
		       struct wb_error *err);
	void *arg;
};

/*
 * Adds the filled template to out. A tag that is not closed, or closes what
 * was not open, fails as "NAME:LINE: what" and adds nothing. Partials may nest
 * 32 deep.
 */
int wb_template_fill(const char *text, size_t len, const struct wb_json *data,
		     const struct wb_template_options *o, struct wb_buf *out,
		     struct wb_error *err);

#endif
