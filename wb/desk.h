#ifndef WB_DESK_H
#define WB_DESK_H

#include "buf.h"
#include "env.h"
#include "error.h"
#include "git.h"

#include <stdbool.h>

/*
 * A desk: a small repository of wb's own beside the user's, in which the git
 * program does what it does best (diffs as text, mails, range-diff, adding
 * the files of a folder).
 *
 * It borrows the user's objects and has its own refs, index and
 * configuration: nothing that git does there is seen by the user, and nothing
 * that the user or the tree configured (attributes, filters, diff drivers,
 * formats) changes what git writes there. A scratch desk lies in the cache
 * folder and is gone when it is cleared; one in a named folder stays.
 */
struct wb_desk {
	struct wb_git *git;	/* the user's repository */
	char *dir;		/* the desk's git folder */
	char *work;		/* its work tree, NULL: none */
	bool scratch;
};

int wb_desk_scratch(struct wb_desk *d, struct wb_git *g, struct wb_error *err);

/* In dir, made anew; work (NULL: none) gets a file .git that names it. */
int wb_desk_make(struct wb_desk *d, struct wb_git *g, const char *dir,
		 const char *work, struct wb_error *err);
/* One that is there; nothing is looked at. */
void wb_desk_open(struct wb_desk *d, struct wb_git *g, const char *dir,
		  const char *work);
void wb_desk_clear(struct wb_desk *d);

/* Commits made in memory become visible to git in the desk. */
int wb_desk_save(struct wb_desk *d, const struct wb_oid *commits, size_t n,
		 struct wb_error *err);

/* The environment of a command at the desk. */
void wb_desk_env(const struct wb_desk *d, struct wb_env *env);

/*
 * Runs a line of sh, git in most cases, at the desk; what it prints is added
 * to out. Values go in through env, never into the line. What ends with
 * another code than 0 is an error with the first line that it said.
 */
int wb_desk_run(const struct wb_desk *d, const char *command,
		struct wb_env *env, struct wb_buf *out, struct wb_error *err);

#endif
