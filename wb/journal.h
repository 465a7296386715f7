#ifndef WB_JOURNAL_H
#define WB_JOURNAL_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Changing several files of a folder as one: after a crash at any point the
 * folder has all the old files or, once somebody has called
 * wb_journal_finish(), all the new ones.
 *
 * New content is first written beside, in STATE/next, and synced; then the
 * journal, which says what goes where, appears at STATE/journal in one step.
 * From then on the change has happened: it is carried out file by file, each
 * by a rename, and can be carried out again from the start. The journal goes
 * when all is done.
 *
 * Whoever calls holds the lock of the state folder.
 */
struct wb_journal_item {
	const char *file;	/* below the folder */
	const struct wb_buf *text;	/* NULL: the file goes */
};

int wb_journal_commit(const char *state, const char *dir,
		      const struct wb_journal_item *item, size_t n,
		      struct wb_error *err);

/* Whether a change is half carried out. */
bool wb_journal_pending(const char *state);

/* Carries out what is left of it; nothing to do is no error. */
int wb_journal_finish(const char *state, struct wb_error *err);

#endif
