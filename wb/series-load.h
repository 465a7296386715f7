#ifndef WB_SERIES_LOAD_H
#define WB_SERIES_LOAD_H

#include "series-memory.h"
#include "series.h"

/*
 * What the files series*.c share: a stack while it is loaded. Each source of
 * stacks has its file, which adds prefixes in their order.
 */
struct wb_loading {
	struct wb_stack *stack;
	struct wb_git *git;
	const struct wb_stack_options *o;
	struct wb_apply_rules rules;
	struct wb_overlay *overlay;
	size_t stopped;		/* the prefix that did not apply, 0: none */
	const struct wb_memory *known;	/* how it all applied, or NULL */
};

/* A patch and how to read it. */
struct wb_load_patch {
	const char *name;
	const char *shown;	/* for reasons: "SHOWN:LINE: ..." */
	const char *text;
	size_t len, line;	/* lines of shown before the text */
	int strip;
	bool reverse;
};

int wb_load_quilt(struct wb_loading *l, const char *dir, struct wb_error *err);

/*
 * What the user told quilt holds where wb is to do as quilt does: changes the
 * rules; *list is the name of the series file, malloc'ed.
 */
int wb_load_quilt_rules(const struct wb_stack_options *o,
			struct wb_apply_rules *rules, char **list,
			struct wb_error *err);
int wb_load_mbox(struct wb_loading *l, struct wb_error *err);
int wb_load_range(struct wb_loading *l, const char *dots, struct wb_error *err);
int wb_load_stgit(struct wb_loading *l, struct wb_error *err);
int wb_load_revisions(struct wb_loading *l, struct wb_error *err);

/* The tree that patches are put on: HEAD's or a folder's, less --exclude. */
int wb_load_base(struct wb_loading *l, struct wb_oid *tree,
		 struct wb_error *err);
/* A tree less what --exclude names. */
int wb_load_exclude(struct wb_loading *l, struct wb_oid *tree,
		    struct wb_error *err);

/* Prefix 0, on which patches are then put. */
void wb_load_start(struct wb_loading *l, const struct wb_oid *base);
struct wb_prefix *wb_load_add(struct wb_loading *l, const char *name);

/*
 * The next prefix from a patch. The stack stops at the first that does not
 * apply; why (set: the patch could not even be read) is then its reason.
 */
void wb_load_patch(struct wb_loading *l, const struct wb_load_patch *p,
		   struct wb_error *why);

/*
 * quilt keeps in .pc what files were before each applied patch: puts them back
 * in *tree, and takes .pc out of it. The applied patches must be the first of
 * q's, or it cannot be known what the stack stands on.
 */
struct wb_quilt;
int wb_load_unapply(struct wb_git *g, const struct wb_quilt *q,
		    struct wb_oid *tree, struct wb_error *err);

#endif
