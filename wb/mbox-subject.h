#ifndef WB_MBOX_SUBJECT_H
#define WB_MBOX_SUBJECT_H

#include "buf.h"

#include <stdbool.h>

/*
 * What the subject of a patch mail says: "[PATCH v2 3/7] words". version is 1
 * and i, n are 0 when it does not say.
 */
struct wb_mbox_subject {
	int version;
	long i, n;
	bool reply;		/* "Re: ..." */
	const char *words;	/* behind the brackets */
};

void wb_mbox_subject_read(struct wb_mbox_subject *s, const char *subject);

/* The file name that git format-patch gives, without ".patch", appended. */
void wb_mbox_subject_name(const struct wb_mbox_subject *s, long number,
			  struct wb_buf *out);

#endif
