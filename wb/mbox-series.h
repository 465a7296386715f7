#ifndef WB_MBOX_SERIES_H
#define WB_MBOX_SERIES_H

#include "buf.h"
#include "error.h"
#include "mbox.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The patches of a mailbox in the order they apply.
 *
 * A patch is a message with a diff that is no reply ("Re:"). Those whose
 * subject says [i/n] are ordered by i; of several versions the newest counts.
 * It must be whole, but a new version of single patches that answers the old
 * ones takes the rest from there. Patches without a number come in the order
 * of the mailbox, an answer behind what it answers. The same Message-ID twice
 * is one message.
 */
struct wb_mbox_patch {
	char *name;		/* as git format-patch names it, no .patch */
	char *shown;		/* what lines of it are counted in */
	size_t line;		/* lines there before the text */
	struct wb_buf text;	/* headers, blank line, body */
	bool flowed;		/* format=flowed, which breaks patches */
};

struct wb_mbox_series {
	struct wb_mbox_patch *patch;
	size_t n, cap;
};

int wb_mbox_series_make(struct wb_mbox_series *s, const struct wb_mbox *m,
			const char *shown, struct wb_error *err);
void wb_mbox_series_clear(struct wb_mbox_series *s);

#endif
