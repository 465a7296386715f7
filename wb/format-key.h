#ifndef WB_FORMAT_KEY_H
#define WB_FORMAT_KEY_H

#include "format-parts.h"

/*
 * What a layout of other programs needs below it to be honest: n, units,
 * directions and levels, which prefix is broken and why, ticks, the A/A floor
 * and what cannot be seen, what is not shown. 72 columns of ASCII. Not for use
 * outside of format*.c.
 */
void wb_format_key(const struct wb_view *v, struct wb_buf *out);

/* "[-0.2,+0.4]%" of two ratios, "-" when they are not known; malloc'ed. */
char *wb_format_key_interval(double low, double high, double margin);

/* One line of prose below such a table. */
void wb_format_key_line(const char *text, struct wb_buf *out);

/* The benches of which nothing was measured. */
void wb_format_key_unmeasured(const struct wb_table *t,
			      const struct wb_format_options *o,
			      struct wb_buf *out);

/*
 * A layout with a table a bench: add is called for each bench that was
 * measured, with an empty line between two; below stands, but for the bytes of
 * another program (compat), what was not measured.
 */
typedef void wb_format_table_fn(const struct wb_view *v,
				const struct wb_format_options *o,
				struct wb_buf *out);
void wb_format_key_tables(const struct wb_table *t,
			  const struct wb_format_options *o,
			  wb_format_table_fn *add, struct wb_buf *out);

/*
 * The name of a column as one word of at most width places; or, when it is
 * longer, "[k]", with the name in the lines that wb_format_key() adds when it
 * is given the same width. malloc'ed.
 */
enum { WB_KEY_NAME = 22 };
char *wb_format_key_name(const struct wb_view *v, size_t column);
void wb_format_key_legend(const struct wb_view *v, struct wb_buf *out);

#endif
