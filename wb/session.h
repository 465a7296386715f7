#ifndef WB_SESSION_H
#define WB_SESSION_H

#include "desk.h"
#include "edit.h"

#include <stdbool.h>

/*
 * A patch that is open for editing: a folder with the tree that the patch
 * leads to, and its message, below the stack's state folder:
 *
 *	tree/		to edit, build and test in; a work tree of the desk
 *	git/		the desk: "git diff" in tree/ shows what is not yet in
 *			the patch, "git log" the stack below it
 *	message		what stands in front of the diff; may be edited
 *	message.orig	the same as it was
 *	session		what is open, written last
 *
 * One patch of a stack is open at a time. A new patch is open before it is in
 * the series: its first refresh puts it there.
 */
struct wb_session {
	bool open;
	char *name, *file;
	bool fresh;		/* not in the series yet */
	char *below;		/* fresh: the patch below it, "" for none */
	struct wb_oid from, to;	/* trees below and after, as last seen */
	struct wb_desk desk;
	char *message;		/* file names */
	char *original, *state;
};

int wb_session_load(struct wb_session *s, const struct wb_edit *e,
		    struct wb_error *err);
void wb_session_clear(struct wb_session *s);

/* Opens patch k; with file, a new patch above the first k. */
int wb_session_start(struct wb_session *s, struct wb_edit *e, size_t k,
		     const char *file, const struct wb_buf *head,
		     struct wb_error *err);

/*
 * The tree in the folder: all files but those that the tree's .gitignore
 * names and the patch does not have.
 */
int wb_session_tree(struct wb_session *s, struct wb_edit *e,
		    struct wb_oid *tree, struct wb_error *err);

/* The message, and whether it was edited. */
int wb_session_words(const struct wb_session *s, struct wb_buf *now,
		     struct wb_buf *before, struct wb_error *err);

/* Fails when something was edited that no refresh has seen. */
int wb_session_saved(struct wb_session *s, struct wb_edit *e,
		     struct wb_error *err);

/* The patch is now this; what is open stays open. */
int wb_session_update(struct wb_session *s, struct wb_edit *e, size_t k,
		      struct wb_error *err);

/* Takes it all away, saved or not. */
int wb_session_end(struct wb_session *s, struct wb_error *err);

#endif
