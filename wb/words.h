#ifndef WB_WORDS_H
#define WB_WORDS_H

#include "buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Changing what stands in front of a diff, a head as patch-file.h has it,
 * without touching more of it than asked for.
 */

/*
 * Where the parts of a head begin: the text below the header of a mail (or
 * the whole, when the head is none), and the paragraph of trailers that ends
 * it (head->len when there is none).
 */
void wb_words_parts(const struct wb_buf *head, size_t *body, size_t *trailers);

/* Adds the subject, text and trailers of other; a trailer that is there is
 * not repeated. */
void wb_words_join(struct wb_buf *head, const struct wb_buf *other);

/* "Depends-on: OLD" to NEW, or away when new is NULL; whether it was there. */
bool wb_words_depend(struct wb_buf *head, const char *old, const char *new);

/* The n-th name behind "Depends-on:" (from 0), malloc'ed; NULL: no more. */
char *wb_words_dependence(const struct wb_buf *head, size_t n);

#endif
