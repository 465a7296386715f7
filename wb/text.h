#ifndef WB_TEXT_H
#define WB_TEXT_H

#include "buf.h"

#include <stddef.h>

/*
 * Words of other people (names, reasons, subjects) on their way to somebody's
 * eyes: they may hold anything, and must not be able to do anything. What is
 * printable is decided here and nowhere else: for tables, lists, remarks and
 * errors, for templates and for what a program reads.
 *
 * A character is printable when it is UTF-8, takes a place and leaves the text
 * around it alone: no control, no mark that turns the direction of text, none
 * that shows nothing. Up to 3 marks may stand upon it, as in e and U+0301, and
 * go where it goes. Wide characters take two places.
 */
enum wb_text_kind {
	WB_TEXT_UTF8 = 1,	/* what is not printable becomes \xNN */
	WB_TEXT_ASCII = 2,	/* and what is not ASCII */
	WB_TEXT_WORD = 4,	/* and blanks too: one word, "-" for none */
	WB_TEXT_EXACT = 8,	/* and backslashes: it can be read back */
};

/* Adds a name or a reason that can neither move a cursor nor end a line. */
void wb_text_add(struct wb_buf *out, const char *s, enum wb_text_kind how);

/* The same of WB_TEXT_UTF8, malloc'ed. */
char *wb_text_dup(const char *s);

/* A line on stdout, its newline added: words of other people may be in it. */
void wb_text_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Bytes of the printable character at s with the marks upon it, and the places
 * it takes; 0 when there is none (places is 1 then, for want of better).
 */
size_t wb_text_step(const char *s, size_t *places);

/* Places on the terminal that text of wb_text_add() takes. */
size_t wb_text_width(const char *s);

/* Bytes of s that take at most so many places. */
size_t wb_text_fit(const char *s, size_t width);

/* Cuts text that is wider, so that it ends in "...". */
void wb_text_cut(struct wb_buf *text, size_t width);

/* Adds s and blanks up to width, in front of it or behind. */
void wb_text_pad(struct wb_buf *out, const char *s, size_t width, bool right);

#endif
