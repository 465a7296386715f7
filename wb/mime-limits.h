#ifndef WB_MIME_LIMITS_H
#define WB_MIME_LIMITS_H

#include "error.h"

#include <stddef.h>

/*
 * What a mail may be before it is given to a MIME parser.
 *
 * GMime calls itself for each level of parts, and needs a kilobyte or so for
 * a part and half of one for a line of a header: a mail of a few megabytes can
 * take all the memory that there is. So the parts and the bytes of headers are
 * counted first, in one pass, and rather too many than too few: a line counts
 * as one of a header wherever a parser might take it for that.
 */
#define WB_MIME_MAX_PARTS 100
#define WB_MIME_MAX_HEADERS ((size_t)1 << 20)	/* bytes, of all parts */

/* -1 with a reason that begins with "refused: " when it is more. */
int wb_mime_limits(const char *text, size_t len, struct wb_error *err);

#endif
