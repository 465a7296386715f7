#ifndef WB_GIT_CONFIG_H
#define WB_GIT_CONFIG_H

#include "config.h"
#include "error.h"
#include "git.h"

/*
 * The files of git-config syntax, read through libgit2 into config.h's
 * entries: system and global files (where git itself looks for them), then
 * .wbconfig, then .git/config. g may be NULL: then only the first two.
 *
 * .wbconfig is read once, its bytes are kept in c->project (what wb trust
 * looks at is what is used), and it may not include other files.
 */
int wb_git_config_read(struct wb_config *c, struct wb_git *g,
		       struct wb_error *err);

/*
 * The configuration c as it would be with the .wbconfig of a revision, or with
 * none when that has none; settled. rev NULL: a copy. To be cleared also after
 * a failure.
 */
int wb_git_config_at(struct wb_config *out, const struct wb_config *c,
		     struct wb_git *g, const char *rev, struct wb_error *err);

/*
 * Adds the entries of one file in git's syntax, as the project's; shown is
 * its name for people.
 */
int wb_git_config_file(struct wb_config *c, const char *path,
		       const char *shown, struct wb_error *err);

/*
 * The work tree that a repository of wb's own (desk.h) belongs to, malloc'ed;
 * NULL for any other repository.
 */
char *wb_git_config_home(struct wb_git *g);

#endif
