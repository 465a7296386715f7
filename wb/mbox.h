#ifndef WB_MBOX_H
#define WB_MBOX_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A mailbox, taken apart into messages.
 *
 * A mailbox is one file in which each message begins with a line "From ...";
 * or a Maildir, a folder with cur/ and new/, one file a message; or a file
 * that is a single message. A "From " line counts only when it ends in a time
 * and a year, a blank line or nothing stands before it and a header behind:
 * prose that begins with the word does not cut a message in two.
 *
 * CR LF becomes LF, as git mailsplit does it.
 */
struct wb_mbox_message {
	char *file;		/* where it stands, for reasons */
	size_t line;		/* lines of that file before it */
	const char *text;	/* headers first, without the "From " line */
	size_t len;
};

struct wb_mbox {
	struct wb_mbox_message *message;
	size_t n, cap;
	struct wb_buf *text;	/* of each file */
	size_t ntexts, captexts;
};

/* path "-": standard input. Names that end in .gz and the like are packed. */
int wb_mbox_read(struct wb_mbox *m, const char *path, struct wb_error *err);
void wb_mbox_clear(struct wb_mbox *m);

/*
 * One file's worth of messages; text is taken over. raw: CR LF stays what it
 * is, for what came by no mail.
 */
int wb_mbox_add(struct wb_mbox *m, const char *file, struct wb_buf *text,
		bool raw, struct wb_error *err);

#endif
