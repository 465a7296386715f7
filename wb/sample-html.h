#ifndef WB_SAMPLE_HTML_H
#define WB_SAMPLE_HTML_H

#include "buf.h"
#include "error.h"
#include "result.h"

#include <stdbool.h>

/*
 * Results that a report page carries (format-html.c). Nothing else of the page
 * is looked at.
 */

/* Whether a file begins like a page; false for what cannot be read. */
bool wb_sample_is_html(const char *path);

/* Into an empty result set, with what the page judged. */
int wb_sample_load_html(struct wb_result *r, const char *path,
			struct wb_error *err);

/*
 * Sample lines packed to stand in a page (gzip, base64), and out of a page: of
 * wb export, where the page was made from a store.
 */
void wb_sample_pack(const struct wb_buf *lines, struct wb_buf *out);
int wb_sample_unpack(const char *path, const char *page, struct wb_buf *out,
		     struct wb_error *err);

#endif
