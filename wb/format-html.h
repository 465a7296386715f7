#ifndef WB_FORMAT_HTML_H
#define WB_FORMAT_HTML_H

#include "format-parts.h"

/*
 * The parts of a report's page. For format-html*.c only.
 */

/* A line of text of anybody, safe to be looked at and escaped. */
void wb_html_put(struct wb_buf *out, const char *text);

/* What a page shows in its plots and its heat table. */
bool wb_html_shows(const struct wb_table *t, size_t metric);

/* A sign beside the word, for colour alone says nothing to some eyes. */
const char *wb_html_sign(enum wb_verdict v);

/* A patch's name and, behind it, its subject. */
void wb_html_patch(const struct wb_column *c, struct wb_buf *out);

/* The series at a glance: patches by metrics. */
void wb_html_heat(const struct wb_table *t, struct wb_buf *out);

/* All numbers of a patch. */
void wb_html_numbers(const struct wb_table *t, size_t column,
		     struct wb_buf *out);

/*
 * How blind the machine was; what was not measured, and why; the machine, the
 * builds, and how to do it once more.
 */
void wb_html_aa(const struct wb_table *t, struct wb_buf *out);
void wb_html_holes(const struct wb_table *t, struct wb_buf *out);
void wb_html_machine(const struct wb_table *t,
		     const struct wb_format_options *o, struct wb_buf *out);

#endif
