#ifndef WB_FORMAT_NOTES_H
#define WB_FORMAT_NOTES_H

#include "format-parts.h"

/*
 * The lines below a table: how much stands behind it (n, rounds, level, margin,
 * correction, tick, machine), what each row that is not plain has to say for
 * itself, and what is not shown. Not for use outside of format*.c.
 */
void wb_format_notes(const struct wb_view *v, const struct wb_format_options *o,
		     struct wb_buf *out);

#endif
