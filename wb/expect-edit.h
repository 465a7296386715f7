#ifndef WB_EXPECT_EDIT_H
#define WB_EXPECT_EDIT_H

#include "buf.h"

/*
 * The text of a file "expect" (expect.h) when patches of its stack get other
 * names or go. All but what is said of them stays byte for byte, and comments
 * stay in any case: nobody can tell which of them a section goes with.
 *
 * Names are those of patches, without ".patch"; a section may have it.
 */

/* What is said of `old` is said of `new`. */
void wb_expect_rename(struct wb_buf *text, const char *old, const char *new);

/* Nothing is said of `name` any more. */
void wb_expect_drop(struct wb_buf *text, const char *name);

/*
 * The two are one patch now: what is said of `high` is said of `low`. A test
 * that one of them breaks and the other fixes is the same before and after
 * both, so these two lines go.
 */
void wb_expect_fold(struct wb_buf *text, const char *high, const char *low);

#endif
