#ifndef WB_LETTER_H
#define WB_LETTER_H

#include "buf.h"

/*
 * A message to be sent: a plain text in one part, as git send-email takes it
 * and a mailing list keeps it. Date and Message-ID are left to who sends it.
 */
struct wb_letter {
	const char *from;	/* "Name <mail>" */
	const char *to, *cc;	/* lists of addresses; NULL: none */
	const char *subject;
	const char *reply_to;	/* Message-ID without <>; NULL: none */
	const char *thread;	/* that of the thread's first; NULL: none */
	const char *body;
};

/* Headers in 7 bit; the body is 7 bit if it is ASCII, else 8 bit UTF-8. */
void wb_letter_print(const struct wb_letter *l, struct wb_buf *out);

#endif
