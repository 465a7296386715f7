#ifndef WB_MIME_H
#define WB_MIME_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Mail, read through GMime, whose header stays in mime.c.
 */

/*
 * The value of a mail header as UTF-8 text, appended: encoded words decoded,
 * folded lines joined by one blank, bytes that are no UTF-8 read by GMime's
 * guess.
 */
void wb_mime_decode(const char *value, size_t len, struct wb_buf *out);

/*
 * The other way, appended: a header's value in 7 bit. Of addresses ("Name
 * <mail>, ..."; encoded names are fine) nothing when there is none in value.
 */
void wb_mime_add_text(struct wb_buf *out, const char *value);
void wb_mime_add_addresses(struct wb_buf *out, const char *value);

/*
 * One message. body has its text parts one after the other with their
 * transfer encoding undone and nothing else: their bytes are those that were
 * sent, whatever charset they are in, for a patch is bytes. as_is: the
 * message is one plain text without an encoding, so what stands in it is what
 * was sent. HTML is left out.
 */
struct wb_mime_mail {
	char *id, *reply_to;	/* without <>; NULL: none */
	char *subject, *from, *date;	/* decoded; NULL: none */
	char *to, *cc;		/* decoded; NULL: none */
	struct wb_buf body;
	bool as_is;
	bool flowed;		/* format=flowed */
};

int wb_mime_read(struct wb_mime_mail *m, const char *text, size_t len,
		 struct wb_error *err);
void wb_mime_clear(struct wb_mime_mail *m);

#endif
