#ifndef WB_PLAIN_H
#define WB_PLAIN_H

#include "buf.h"

#include <stddef.h>

/*
 * Markdown as the plain text of a mail, to be read as it is and to survive its
 * way: prose is wrapped at a width, code blocks (tables, commands) are kept
 * line by line, links are printed behind their text.
 *
 * What mail programs and "git am" would take for something else is kept from
 * the beginning of a line: "---", "diff -", "Index: ", "#", "From ", and
 * trailers ("Acked-by:"), which are nobody's when they come from here. In prose
 * the word joins the line before; a code block's line gets "| " before it. No
 * line ends in a blank. Signs that would make a mail 8bit for no good reason
 * are spelled in ASCII: +-, u, ->, quotes and dashes; names keep their letters.
 */
enum { WB_PLAIN_WIDTH = 72 };

void wb_plain(const char *markdown, size_t len, size_t width,
	      struct wb_buf *out);

#endif
