#ifndef WB_MESSAGE_H
#define WB_MESSAGE_H

#include <stddef.h>

/*
 * The words that come with a patch: what it is called, who wrote it, when,
 * and the trailers of its last paragraph.
 *
 * In a patch file they stand before the diff, as a mail (git format-patch),
 * as DEP-3 fields (Description, Author) or as plain text whose first line is
 * the subject. A commit has them in its message.
 */
struct wb_trailer {
	char *key, *value;
};

struct wb_message {
	char *subject;		/* never NULL; without [PATCH ...] */
	char *author, *date;	/* NULL: not said */
	/* of a mail, as they stand there; NULL: not said */
	char *full;		/* the subject with [PATCH ...] */
	char *id, *reply_to, *to, *cc;
	struct wb_trailer *trailer;
	size_t ntrailers, captrailers;
};

/* The part of a patch file before its diff. */
void wb_message_of_patch(struct wb_message *m, const char *text, size_t len);

/* A commit's message; author and date are left NULL. */
void wb_message_of_commit(struct wb_message *m, const char *text);

void wb_message_clear(struct wb_message *m);

#endif
