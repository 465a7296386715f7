#ifndef WB_TEXT_H
#define WB_TEXT_H

#include "buf.h"

#include <stddef.h>

/*
 * Words of other people (names, reasons, subjects) on their way to somebody's
 * eyes: they may hold anything, and must not be able to do anything.
 */
enum wb_text_kind {
	WB_TEXT_BYTES = 0,	/* control bytes become \xNN, no more */
	WB_TEXT_UTF8 = 1,	/* what is not printable UTF-8 becomes \xNN */
	WB_TEXT_ASCII = 2,	/* what is not printable ASCII becomes \xNN */
	WB_TEXT_WORD = 4,	/* and blanks too: one word, "-" for none */
};

/* Adds a name or a reason that can neither move a cursor nor end a line. */
void wb_text_add(struct wb_buf *out, const char *s, enum wb_text_kind how);

/* Places on the terminal that text of wb_text_add() takes. */
size_t wb_text_width(const char *s);

/* Cuts text that is wider, so that it ends in "...". */
void wb_text_cut(struct wb_buf *text, size_t width);

#endif
