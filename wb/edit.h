#ifndef WB_EDIT_H
#define WB_EDIT_H

#include "desk.h"
#include "git.h"
#include "patch-file.h"
#include "quilt.h"
#include "series.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Changing a quilt folder: load it, say what the stack shall be, save.
 *
 * The patches are in the order wanted. Each has what it was (file, text, the
 * trees before and after it, if it applied) and what it shall be: its place,
 * its name, a tree that it shall lead to, other words in front. Building
 * finds the trees of the new stack: a patch that still starts from the tree
 * it started from leads where it led; one that does not is put on what is
 * below it now, with offsets but without fuzz. One that does not go in stops
 * everything, and nothing is changed.
 *
 * Saving writes what has changed, and that alone: the texts are made anew from
 * their two trees, so that they are exact, with head, notes and signature
 * kept byte for byte. The old stack and the new one are kept as versions
 * (version.h), the files change as one (journal.h), and a stack that somebody
 * else changed since it was loaded is left alone.
 */
struct wb_edit_patch {
	char *file, *name;	/* as they shall be */
	long was;		/* index in quilt.entry; -1: a new patch */
	struct wb_buf old;	/* the text of the file */
	struct wb_patch patch;	/* the same, read; points into old */
	bool readable;		/* .patch is valid */
	char *why;		/* why it did not apply, or NULL */
	char *inexact;		/* the first hunk that did not fit, or NULL */
	struct wb_patch_file parts;
	bool known;		/* .from and .to: it applied */
	struct wb_oid from, to;

	bool fixed;		/* it shall lead to .want */
	struct wb_oid want;
	bool rewrite;		/* other words, or made exact */
	bool moved;		/* it was put on another tree */
	bool nonempty;		/* it must not come to change nothing */

	struct wb_oid before, after;	/* built */
	struct wb_buf text;	/* built, when .changed */
	bool changed;		/* the file gets another content */
};

struct wb_edit {
	struct wb_git *git;	/* borrowed */
	char *dir;		/* the folder, absolute */
	char *key;		/* how versions name it: its path in the tree */
	char *state;		/* wb/edit/KEY */
	int lock;
	struct wb_quilt quilt;
	struct wb_buf series;	/* the text of the series file */
	struct wb_buf expect;	/* the file "expect" as it shall be */
	struct wb_buf expected;	/* and as it is; "" when there is none */
	struct wb_oid base, head;	/* tree of the base, commit of HEAD */
	struct wb_oid stamp;	/* of the folder's files */
	struct wb_oid tip;	/* the stack as commits, as it was opened */
	size_t ntip;		/* how many of its patches apply */
	struct wb_edit_patch *patch;
	size_t n, cap;
	size_t fuzz;		/* context that may differ on another tree */
	const struct wb_oid *end;	/* where it must lead, or NULL */
};

/*
 * Loads and locks. o->source NULL: the default stack; it must be a quilt
 * folder. A change that a killed wb left half done is completed first.
 */
int wb_edit_open(struct wb_edit *e, struct wb_git *g,
		 const struct wb_stack_options *o, struct wb_error *err);
void wb_edit_close(struct wb_edit *e);

/*
 * Locks alone: for keeping a stack that wb_stack_load() loads meanwhile. There
 * are no patches in e then, only where the folder is and what lies in it.
 */
int wb_edit_hold(struct wb_edit *e, struct wb_git *g,
		 const struct wb_stack_options *o, struct wb_error *err);

/* Fails when somebody changed the folder since it was opened or held. */
int wb_edit_unchanged(struct wb_edit *e, struct wb_error *err);

/* The same for reading only: no lock is taken, nothing is made. */
int wb_edit_read(struct wb_edit *e, struct wb_git *g,
		 const struct wb_stack_options *o, struct wb_error *err);

/* For readers of the folder: completes what a killed wb left half done. */
int wb_edit_recover(struct wb_git *g, const char *dir, struct wb_error *err);

/* Index of the patch that word names: a name, with ".patch" or not, or 1..n */
int wb_edit_find(const struct wb_edit *e, const char *word, size_t *k,
		 struct wb_error *err);

/* -1 with its reason unless the patches before k apply. */
int wb_edit_need(const struct wb_edit *e, size_t k, struct wb_error *err);

/* Puts patch k on what ov holds, as build would. */
int wb_edit_put_on(struct wb_edit *e, struct wb_edit_patch *p,
		   struct wb_overlay *ov, struct wb_error *err);

/* The tree below patch k of a stack that was not changed yet. */
const struct wb_oid *wb_edit_below(const struct wb_edit *e, size_t k);

/* A new patch at k, which takes a copy of file (with ".patch"). */
struct wb_edit_patch *wb_edit_insert(struct wb_edit *e, size_t k,
				     const char *file);
void wb_edit_remove(struct wb_edit *e, size_t k);
void wb_edit_move(struct wb_edit *e, size_t from, size_t to);

/* A name that a patch may get: no blank, no "..", not taken. Adds .patch. */
int wb_edit_new_file(const struct wb_edit *e, const char *name, char **file,
		     struct wb_error *err);

/* Finds the trees and the texts of the stack as it shall be. */
int wb_edit_build(struct wb_edit *e, struct wb_error *err);

/* The diff of each pair of trees ("diff-tree --stat --summary -p"). */
int wb_edit_texts(struct wb_git *g, struct wb_edit_patch **patch, size_t n,
		  struct wb_error *err);

/* The series file as it shall be. */
void wb_edit_series(const struct wb_edit *e, struct wb_buf *out);

/*
 * Writes it; build comes first. *changed is the number of files written or
 * removed. what: a word on what was done, for the version.
 */
int wb_edit_save(struct wb_edit *e, const char *what, size_t *changed,
		 struct wb_error *err);

/*
 * The file "expect" of the folder, "" when there is none. It follows what is
 * done to the stack and is kept with it, unless a patch has that name.
 */
int wb_edit_expect(const char *dir, const struct wb_quilt *q,
		   struct wb_buf *out, struct wb_error *err);

/* Whether that file changes. */
bool wb_edit_expects(const struct wb_edit *e);

/* The trees of the folder's files: what a version keeps (edit-save.c). */
int wb_edit_stamp(struct wb_git *g, const char *dir, const struct wb_quilt *q,
		  struct wb_oid *out, struct wb_error *err);

#endif
