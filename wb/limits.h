#ifndef WB_LIMITS_H
#define WB_LIMITS_H

#include "config.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A control group, of version 1 or 2, that bounds the memory and the processes
 * of all commands together, whatever they start. It can be made by root as a
 * rule, and by others where a group above theirs was delegated; where not,
 * there is none, and a number that was set (wb.sandbox-memory) bounds each
 * process by itself (box.c).
 *
 * wb is in the group itself, and what it starts is so from its first moment:
 * moving a process into a group takes the kernel some 10 ms, which is nothing
 * once and too much for every run of a bench. When memory is short in there,
 * a command ends and not wb (box.c).
 *
 * A group that a killed wb left behind is empty and goes with the next call.
 */
#define WB_LIMITS_GROUPS 2	/* memory, processes: in version 1 two */

struct wb_limits {
	char *dir[WB_LIMITS_GROUPS];	/* made and entered, or NULL */
	char *from[WB_LIMITS_GROUPS];	/* where wb was before */
};

/* As wb.sandbox-memory and -processes say; nothing where wb.sandbox is off. */
void wb_limits_enter(struct wb_limits *l, const struct wb_config *c);
void wb_limits_leave(struct wb_limits *l);

/* Whether wb is in such a group, which bounds memory. */
bool wb_limits_hold_memory(void);

/* Tasks that run on this machine; 0: not known. */
uint64_t wb_limits_tasks(void);

#endif
