#ifndef WB_FORMAT_NOTES_H
#define WB_FORMAT_NOTES_H

#include "format-parts.h"

/*
 * Lines below the tables. Not for use outside of format*.c.
 *
 * Of a bench: its ticks where they matter, what each row that is not plain has
 * to say for itself, what the machine did (format-machine.c), and what is not
 * shown. Of the document: how much stands
 * behind its changes (rounds, margin, correction), what value and change are,
 * the machine, and the benches of which nothing was measured.
 */
void wb_format_notes(const struct wb_view *v, const struct wb_format_options *o,
		     struct wb_buf *out);
void wb_format_ticks(const struct wb_view *v, const struct wb_format_options *o,
		     struct wb_buf *out);
void wb_format_machine(const struct wb_view *v,
		       const struct wb_format_options *o, struct wb_buf *out);
void wb_format_summary(const struct wb_table *t,
		       const struct wb_format_options *o, struct wb_buf *out);

#endif
