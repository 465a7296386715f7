#ifndef WB_DELTA_H
#define WB_DELTA_H

#include "buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * One text as what it shares with another and what it adds to that, in the
 * form that git has for it in its packs and binary patches: the sizes of the
 * two texts, then steps that copy bytes of the old one or add new ones.
 *
 * Making one takes a pass over both texts: what they share at both ends is
 * found by comparing, what lies between by the hashes of blocks of the old
 * one (as rsync does). The old text is under 4 GiB.
 */
void wb_delta_make(const char *old, size_t nold, const char *new, size_t nnew,
		   struct wb_buf *out);

/* The sizes that it speaks of; false: it is damaged. */
bool wb_delta_sizes(const char *delta, size_t len, size_t *nold, size_t *nnew);

/* Appends the new text, or some of it; false: this is no delta for old. */
bool wb_delta_apply(const char *old, size_t nold, const char *delta,
		    size_t len, struct wb_buf *out);

#endif
