#ifndef WB_QUILT_RC_H
#define WB_QUILT_RC_H

#include "error.h"

#include <stdbool.h>

/*
 * What a user of quilt has set for it: in the environment, and in the file
 * that $QUILTRC names, ~/.quiltrc or /etc/quilt.quiltrc, which quilt has its
 * shell execute. Here it is never executed: of its lines only plain
 * assignments QUILT_NAME=VALUE count, without expansions, and only outside of
 * conditions, loops and functions. Later ones win; the file wins over the
 * environment, as in quilt.
 */
struct wb_quilt_rc {
	char *patches;		/* QUILT_PATCHES: the folder; "patches" */
	char *series;		/* QUILT_SERIES: the file in it; "series" */
	int fuzz;		/* of QUILT_PATCH_OPTS; -1: not said */
	bool remove_empty;	/* likewise, -E */
};

int wb_quilt_rc_read(struct wb_quilt_rc *rc, struct wb_error *err);
void wb_quilt_rc_clear(struct wb_quilt_rc *rc);

/* One file's text, for tests and the reader above. */
void wb_quilt_rc_parse(struct wb_quilt_rc *rc, const char *text,
		       const char *shown);

#endif
