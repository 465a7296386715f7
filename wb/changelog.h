#ifndef WB_CHANGELOG_H
#define WB_CHANGELOG_H

#include "patch-file.h"

/*
 * A marked region in the words of a patch or of a cover letter, which is
 * replaced by a newer one and never piles up:
 *
 *	[ wb: measured ]
 *	...
 *	[ wb: end ]
 *
 * It stands above the trailers of the message, or below the line "---", where
 * it vanishes when the patch is applied. Nothing else of the words changes.
 */

/* Text (lines, no markers) into the words of a patch. NULL: take it out. */
void wb_changelog_put(struct wb_patch_file *f, const char *text, bool below);

/*
 * Into a letter 0/n: in place of the region, else of git's line "*** BLURB
 * HERE ***" (which stays below it, for there is more to say), else above what
 * git wrote at its end (shortlog, diffstat), else at its end.
 */
void wb_changelog_put_cover(struct wb_buf *letter, const char *text);

#endif
