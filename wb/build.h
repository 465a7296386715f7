#ifndef WB_BUILD_H
#define WB_BUILD_H

#include "error.h"
#include "git.h"
#include "plan.h"

#include <stdbool.h>

/*
 * Builds of prefixes, cached by build id in $XDG_CACHE_HOME/wb/build/ID:
 *
 *	tree/	the prefix's files; the cwd of build and bench (WB_TREE)
 *	out/	products (WB_BUILD)
 *	log	what the build printed
 *	ok	there only when the build succeeded, written last
 *
 * A layout is another build of the same files: the command is told by WB_LAYOUT
 * to lay the code out differently, for where a loop happens to lie can move a
 * number by more than a patch does (wbconfig(5) has the recipe).
 *
 * All paths have the same length, whatever the prefix. A folder without "ok"
 * is what an interrupted or failed build left; it is made anew. A lock per
 * folder keeps two wb from building the same thing at once.
 */
struct wb_build {
	char *dir;		/* .../build/ID */
	char *tree, *out;	/* folders in it */
	size_t layout;		/* WB_LAYOUT; 0: plain */
	struct wb_sandbox *box;	/* from wb_build_box() on; NULL: none */
	bool boxed;
};

/* The folder of a build id; nothing is looked at or made. */
int wb_build_locate(struct wb_build *b, const char *id, size_t layout,
		    struct wb_error *err);
void wb_build_clear(struct wb_build *b);

/*
 * Makes the box that commands of this build run in (sandbox.h), once; the
 * folder must be there. Where there can be no box it stays NULL.
 */
int wb_build_box(struct wb_build *b, const struct wb_plan *p, struct wb_git *g,
		 struct wb_error *err);

/* Whether it is built. */
bool wb_build_done(const struct wb_build *b);

struct wb_build_outcome {
	bool cached;		/* it was there already */
	char *broken;		/* malloc'ed reason, NULL: it is built */
	double seconds;
};

/*
 * Builds prefix k in a layout unless it is there. A build that fails is no
 * error of this call but an outcome; its reason is one line with the first
 * error of the log and the log's path.
 */
int wb_build_make(const struct wb_plan *p, size_t k, size_t layout,
		  struct wb_git *g, int interrupt_fd,
		  struct wb_build_outcome *out, struct wb_error *err);

/* The variables that wb(1) lists, but WB_CPU, WB_SEED and WB_COUNT. */
struct wb_env;
void wb_build_env(struct wb_env *env, const struct wb_plan *p, size_t k,
		  struct wb_git *g, const struct wb_build *b);

#endif
