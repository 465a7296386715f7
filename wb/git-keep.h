#ifndef WB_GIT_KEEP_H
#define WB_GIT_KEEP_H

#include "git.h"

#include <stddef.h>

/*
 * What wb keeps in a repository: commits that hold the prefixes of a stack,
 * and the refs below refs/wb that keep them from git gc.
 *
 * A commit is made in memory like any other object; saving writes it with all
 * that it needs and the repository lacks, as one pack. A pack that no ref
 * comes to name, because wb was killed, is garbage that git gc takes away.
 */

/* parent NULL: a root. ident: "Name <mail> SECONDS +ZONE". */
int wb_git_commit(struct wb_git *g, const struct wb_oid *tree,
		  const struct wb_oid *parent, const char *ident,
		  const char *message, struct wb_oid *out,
		  struct wb_error *err);

/* dir: a folder for packs; NULL: that of the repository. */
int wb_git_save(struct wb_git *g, const struct wb_oid *commits, size_t n,
		const char *dir, struct wb_error *err);

/*
 * Makes or moves a ref, whose name begins with "refs/wb/". The caller holds
 * the lock of the stack that it belongs to.
 */
int wb_git_set_ref(struct wb_git *g, const char *name, const struct wb_oid *id,
		   struct wb_error *err);

/* The commit that the ref names: 1, 0 when there is no such ref, -1. */
int wb_git_ref(struct wb_git *g, const char *name, struct wb_oid *out,
	       struct wb_error *err);

/* The message of a commit, malloc'ed. */
int wb_git_message(struct wb_git *g, const struct wb_oid *commit, char **out,
		   struct wb_error *err);

/* Calls fn for each entry of the tree, folders included as "DIR/NAME"s. */
typedef int wb_git_file_fn(void *arg, const char *path,
			   const struct wb_oid *blob, struct wb_error *err);
int wb_git_files(struct wb_git *g, const struct wb_oid *tree,
		 wb_git_file_fn *fn, void *arg, struct wb_error *err);

#endif
