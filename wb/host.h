#ifndef WB_HOST_H
#define WB_HOST_H

#include "buf.h"
#include "setting.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What of this machine makes numbers worse, and what to do about it.
 *
 * A finding names one thing, says what it is now and what that does to
 * numbers, and, where something can be done, the command that does it and the
 * one that takes it back. Some consist of settings (setting.h), which wb can
 * change by itself; of these a few are offered but not recommended, because
 * they change the machine for everyone who uses it: they are changed only when
 * they are asked for by name.
 *
 * Everything is read below a root, so that another machine's /proc and /sys
 * can be looked at, or a made-up one.
 */
enum wb_finding_state {
	WB_FINDING_GOOD,	/* nothing to do */
	WB_FINDING_NOTE,	/* to know; perhaps to do */
	WB_FINDING_BAD,		/* makes numbers worse */
};

struct wb_finding {
	const char *topic;	/* "governor" */
	enum wb_finding_state state;
	char *now;		/* "powersave on 8 CPUs" */
	const char *effect;	/* what it does to numbers; NULL: nothing */
	char *change, *undo;	/* commands for sh; NULL: there is none */
	struct wb_setting *setting;	/* what the change consists of */
	size_t nsettings, capsettings;
};

struct wb_findings {
	struct wb_finding *v;
	size_t n, cap;
};

/* cpu: the one that benches run on. */
void wb_host_look(const char *root, int cpu, struct wb_findings *out);
void wb_findings_clear(struct wb_findings *f);

const char *wb_finding_word(enum wb_finding_state s);	/* "good" ... */

#endif
