#ifndef WB_VERSION_H
#define WB_VERSION_H

#include "edit.h"

/*
 * Versions of a stack, kept by refs so that git gc leaves them:
 *
 *	refs/wb/stack/KEY/vN	a commit a prefix, on the commit that was HEAD
 *	refs/wb/files/KEY/vN	a commit whose tree is the quilt folder's files
 *
 * The first is for reading (git log, git range-diff, wb series diff), the
 * second for putting files back byte for byte. Both or none; the second is
 * made last. Versions are only ever added.
 */

/* The stack as it was opened: kept unless the last version is the same. */
int wb_version_keep_old(struct wb_edit *e, struct wb_error *err);

/* The stack that was built; what: a word on what was done. */
int wb_version_keep_new(struct wb_edit *e, const struct wb_buf *series,
			const char *what, struct wb_error *err);

/*
 * A stack that was loaded, with its trees, while e held its folder; *n is the
 * number of the version, which is the last one if that is the same on the same
 * commit. What applies of the stack is kept.
 */
int wb_version_keep_stack(struct wb_edit *e, const struct wb_stack *s,
			  size_t *n, struct wb_error *err);

/* The commits of the stack, in memory: the last, and how many there are. */
int wb_version_commits(struct wb_edit *e, bool built, struct wb_oid *tip,
		       size_t *n, struct wb_error *err);

/* The number of the last version, 0: there is none. */
int wb_version_last(struct wb_git *g, const char *key, size_t *n,
		    struct wb_error *err);

/*
 * Puts back the files of the version before the one that the folder holds;
 * *back is its number.
 */
int wb_version_undo(struct wb_edit *e, size_t *back, size_t *changed,
		    struct wb_error *err);

/* "vN" of a stack as a range that wb_stack_load() takes, malloc'ed. */
int wb_version_range(struct wb_git *g, const char *key, size_t n, char **range,
		     struct wb_error *err);

#endif
