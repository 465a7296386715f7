#ifndef WB_RESTACK_H
#define WB_RESTACK_H

#include "config.h"
#include "edit.h"
#include "session.h"

#include <stdbool.h>

/*
 * One change of a stack, from opening it to telling what was done: the frame
 * that all commands share which change one.
 */
struct wb_restack_options {
	const char *series;	/* NULL: wb.series */
	const char *profile;	/* NULL: wb.profile */
	int fuzz;		/* for patches that come to stand elsewhere */
	bool undo;		/* put the last change back instead */
};

struct wb_restack {
	struct wb_edit edit;
	struct wb_session session;
	struct wb_oid end;	/* what edit.end may point to */
	bool json;
};

int wb_restack_open(struct wb_restack *r, struct wb_git *g,
		    const struct wb_config *c,
		    const struct wb_restack_options *o, bool json,
		    struct wb_error *err);
void wb_restack_close(struct wb_restack *r);

/*
 * Nothing edited may get lost: fails when something was, else closes the open
 * patch, which is about to change.
 */
int wb_restack_settle(struct wb_restack *r, struct wb_error *err);

/* Builds, saves and prints what became of each patch. */
int wb_restack_finish(struct wb_restack *r, const char *what,
		      struct wb_error *err);

int wb_restack_undo(struct wb_restack *r, struct wb_error *err);

#endif
