#ifndef WB_GIT_H
#define WB_GIT_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A git repository, read through libgit2, whose header stays in git*.c.
 *
 * wb reads the user's objects and never writes among them: objects that it
 * makes (blobs and trees of prefixes) live in memory, in a backend of their
 * own that is asked first, until something asks to keep them. Nothing here
 * touches the work tree, the index, a ref or a reflog.
 *
 * Objects are named by 40 hex digits. Paths inside trees are bytes, relative,
 * with '/' between their parts.
 */
struct wb_git;

struct wb_oid {
	char hex[41];
};

/*
 * Opens the repository that dir (NULL: the current folder) lies in, the way
 * git finds it: GIT_DIR, a .git folder or file upwards, a bare repository.
 * One clear line for what libgit2 cannot open: another object format (sha256),
 * an unknown extension, a repository of another user (safe.directory).
 */
int wb_git_open(const char *dir, struct wb_git **out, struct wb_error *err);

/* A place for objects only, in memory, for folders that are no repository. */
int wb_git_open_memory(struct wb_git **out, struct wb_error *err);

void wb_git_free(struct wb_git *g);	/* NULL is fine */

const char *wb_git_common_dir(const struct wb_git *g);	/* no final '/' */
/* Of this work tree, with its final '/'. */
const char *wb_git_dir(const struct wb_git *g);
/* What git calls this linked work tree; NULL: it is the main one. */
const char *wb_git_worktree(const struct wb_git *g);
const char *wb_git_workdir(const struct wb_git *g);	/* NULL when bare */

/* Any revision to the id of its commit or tree. */
int wb_git_commit_of(struct wb_git *g, const char *rev, struct wb_oid *out,
		     struct wb_error *err);
int wb_git_tree_of(struct wb_git *g, const char *rev, struct wb_oid *out,
		   struct wb_error *err);

/* What stands at path in tree: 1 found, 0 nothing there, -1 error. */
int wb_git_entry(struct wb_git *g, const struct wb_oid *tree, const char *path,
		 uint32_t *mode, struct wb_oid *id, struct wb_error *err);

/* A blob's bytes, appended. */
int wb_git_read_blob(struct wb_git *g, const struct wb_oid *id,
		     struct wb_buf *out, struct wb_error *err);

/*
 * Keeps a blob in memory. from: the blob that it was made of, so that versions
 * of a large file do not take their size each; NULL when there is none.
 */
struct wb_git_bytes {
	const struct wb_oid *id;
	const char *data;
	size_t len;
};

int wb_git_write_blob(struct wb_git *g, const void *data, size_t len,
		      const struct wb_git_bytes *from, struct wb_oid *out,
		      struct wb_error *err);

/*
 * A tree with some entries changed. A path names what it changes: "a/b" a
 * file, link or submodule, "a/b/" a folder. Mode 0 takes the entry out (no
 * error when there is none); any other mode puts id there. Folders above are
 * made as needed and dropped when nothing is left in them, as git does, and
 * only folders on the way are rewritten.
 *
 * The caller sees to it that no path is named twice, that nothing is changed
 * below a folder that is itself changed, and that no file comes to stand
 * where a folder stays, or the reverse. The changes are sorted in place. tree
 * NULL is a tree without entries.
 */
struct wb_git_change {
	const char *path;
	uint32_t mode;
	struct wb_oid id;
};

int wb_git_update(struct wb_git *g, const struct wb_oid *tree,
		  struct wb_git_change *change, size_t n, struct wb_oid *out,
		  struct wb_error *err);

/*
 * The tree that "git add -A -f" and "git write-tree" would make of a plain
 * folder without attributes or end-of-line change: .git and empty folders
 * are left out, and so is what skip names (paths in dir). Only trees are kept
 * in memory; a blob is read from its file when it is asked for. Once a handle.
 */
int wb_git_import(struct wb_git *g, const char *dir, const char *const *skip,
		  size_t nskip, struct wb_oid *out, struct wb_error *err);

/*
 * The commits from..to by first parents, oldest first, a merge being one
 * step. base is where the chain leaves what can be reached from `from`. With
 * WB_GIT_FULL_HISTORY every commit of from..to is a step, parents before
 * their children, and base is where the two histories part.
 */
struct wb_git_step {
	struct wb_oid commit, tree;
	char *name;		/* of a stack that names its patches; or NULL */
	char *message, *author, *date;
	int files, added, removed;	/* when diffstat was asked for */
};

struct wb_git_range {
	struct wb_oid base, base_tree;
	struct wb_git_step *step;
	size_t n, cap;
};

enum wb_git_range_how {
	WB_GIT_DIFFSTAT = 1,
	WB_GIT_FULL_HISTORY = 2,
};

int wb_git_range(struct wb_git *g, const char *from, const char *to,
		 unsigned how, struct wb_git_range *out, struct wb_error *err);
void wb_git_range_clear(struct wb_git_range *r);

/* The branch in hand, malloc'ed; NULL: none. */
char *wb_git_branch(struct wb_git *g);

/*
 * Where others get this repository: the URL of its remote origin, without a
 * user or a password. NULL: none, or a place that is this machine's.
 */
char *wb_git_origin(struct wb_git *g);

/* The parents of a commit, malloc'ed. */
int wb_git_parents(struct wb_git *g, const char *rev, struct wb_oid **out,
		   size_t *n, struct wb_error *err);

/*
 * The applied patches of a StGit stack on branch (NULL: that of HEAD), under
 * their StGit names. Reads what StGit 1 and later keep in refs/stacks/, what
 * 0.x kept in a branch NAME.stgit, and the files and refs/patches/ of before.
 */
int wb_git_stgit(struct wb_git *g, const char *branch, unsigned how,
		 struct wb_git_range *out, struct wb_error *err);

/*
 * The tree that "git add -A" and "git write-tree" would make of the work tree
 * and a copy of the index: tracked files as they are and new ones that are not
 * ignored. Nothing is written, and no filter program runs.
 */
int wb_git_wip(struct wb_git *g, struct wb_oid *tree, struct wb_error *err);

/*
 * The tree that has at path what `from` has there (nothing when from has
 * nothing there, or is NULL); *out may be the same object as tree.
 */
int wb_git_graft(struct wb_git *g, const struct wb_oid *tree,
		 const struct wb_oid *from, const char *path,
		 struct wb_oid *out, struct wb_error *err);

/*
 * Objects of another repository of wb's (desk.h) can be read from here on.
 * What was made there is no object of the user's. One a handle: a second call
 * changes nothing.
 */
int wb_git_borrow(struct wb_git *g, const char *objects, struct wb_error *err);

/*
 * Writes the files of tree into dir, which exists and is empty: bytes as they
 * are (no filter, no end-of-line change), modes 644 and 755, links as links,
 * a submodule as an empty folder. No link is followed.
 */
int wb_git_export(struct wb_git *g, const struct wb_oid *tree,
		  const char *dir, struct wb_error *err);

/*
 * What differs between two trees, hunk by hunk and without context: *_at is
 * the first line of it in the file of before and of now, counted from 1, of
 * *_n lines (0: none, and it lies behind that line). The texts are the whole
 * files, borrowed during the call, NULL where there is no such file. Binary
 * files have no hunks.
 */
struct wb_git_hunk {
	const char *path;	/* of now, or of the file that went */
	const char *old, *new;
	size_t old_len, new_len;
	int old_at, old_n, new_at, new_n;
};
typedef void wb_git_hunk_fn(void *arg, const struct wb_git_hunk *h);
int wb_git_hunks(struct wb_git *g, const struct wb_oid *from,
		 const struct wb_oid *to, wb_git_hunk_fn *fn, void *arg,
		 struct wb_error *err);

/*
 * The first path below one of `paths` (words separated by blanks; NULL: any)
 * whose content in the work tree or the index is not that of HEAD, malloc'ed;
 * NULL when there is none. Nothing is refreshed or written.
 */
int wb_git_uncommitted(struct wb_git *g, const char *paths, char **first,
		       struct wb_error *err);

#endif
