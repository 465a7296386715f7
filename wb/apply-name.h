#ifndef WB_APPLY_NAME_H
#define WB_APPLY_NAME_H

#include "overlay.h"
#include "patch.h"

/*
 * Which file a plain section means, out of the names it gives. GNU patch asks
 * which of them exist; git goes by the names alone. *path is borrowed from s.
 */
int wb_apply_pick_name(struct wb_overlay *ov, const struct wb_section *s,
		       bool git, const char **path, struct wb_error *err);

#endif
