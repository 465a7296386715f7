#ifndef WB_APPLY_H
#define WB_APPLY_H

#include "overlay.h"
#include "patch.h"
#include "place.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Applying a patch to a tree in memory: all of it, or nothing.
 *
 * What other tools do with a patch that does not fit exactly differs; rules
 * says which of them to follow. Nothing that deviates passes in silence: each
 * hunk that went somewhere else or lost context on its way is reported.
 */
struct wb_apply_rules {
	struct wb_place_rules place;
	bool git;		/* names and sides of plain sections as git */
	bool remove_empty;	/* a file left empty goes (patch -E) */
	bool stubs;		/* "Binary files differ" changes nothing */
	bool header_only;	/* a head without a diff changes nothing */
};

/* A hunk that did not go in exactly. */
struct wb_shift {
	char *path;
	size_t hunk;		/* number in its section, from 1 */
	size_t where;		/* line of the patch file */
	size_t line;		/* of the file, from 1, where it went */
	long offset;
	size_t fuzz;
};

struct wb_applied {
	struct wb_shift *shift;
	size_t n, cap;
	size_t stubs;		/* binary changes without content, skipped */
	size_t dropped;		/* line of a hunk that GNU patch passes over */
};

/* name is that of the patch file, for reasons: "NAME:LINE: ...". */
int wb_apply(struct wb_overlay *ov, const struct wb_patch *p,
	     const struct wb_apply_rules *r, const char *name,
	     struct wb_applied *out, struct wb_error *err);
void wb_applied_clear(struct wb_applied *a);

#endif
