#ifndef WB_MIME_H
#define WB_MIME_H

#include "buf.h"

#include <stddef.h>

/*
 * The value of a mail header as UTF-8 text, appended: encoded words decoded,
 * folded lines joined by one blank, bytes that are no UTF-8 read by GMime's
 * guess. Through GMime, whose header stays in mime.c.
 */
void wb_mime_decode(const char *value, size_t len, struct wb_buf *out);

#endif
