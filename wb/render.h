#ifndef WB_RENDER_H
#define WB_RENDER_H

#include "buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Markdown (CommonMark), read and rendered through cmark, whose header stays
 * in render.c. The parsed document is the report tree: every format is made
 * from it, and what cmark cannot make (mail, plain.h) from a walk over it.
 *
 * Markup in the text that is not Markdown (HTML) is left out, and so are links
 * that run a program: what comes from a patch is text.
 */
enum wb_render_format {
	WB_RENDER_HTML, WB_RENDER_MAN, WB_RENDER_LATEX, WB_RENDER_COMMONMARK,
};

/* width: of a line of man, LaTeX and CommonMark text; 0 does not wrap. */
void wb_render(const char *markdown, size_t len, enum wb_render_format format,
	       int width, struct wb_buf *out);

enum wb_mark {
	/* with content, entered and left */
	WB_MARK_DOCUMENT, WB_MARK_QUOTE, WB_MARK_LIST, WB_MARK_ITEM,
	WB_MARK_PARAGRAPH, WB_MARK_HEADING, WB_MARK_EMPHASIS, WB_MARK_STRONG,
	WB_MARK_LINK, WB_MARK_IMAGE,
	/* entered only */
	WB_MARK_CODE_BLOCK, WB_MARK_RULE, WB_MARK_TEXT, WB_MARK_CODE,
	WB_MARK_SOFT_BREAK, WB_MARK_HARD_BREAK,
};

struct wb_mark_event {
	enum wb_mark mark;
	bool enter;
	const char *text;	/* of text and code; "" else. Borrowed */
	const char *url;	/* of a link or an image; "" else. Borrowed */
	int level;		/* of a heading, from 1 */
	bool tight;		/* list: no blank line between items */
	bool ordered;		/* list */
	int start;		/* ordered list: number of the first item */
};

typedef void wb_render_fn(void *arg, const struct wb_mark_event *e);

/* Calls fn for each node in the order of the text. */
void wb_render_walk(const char *markdown, size_t len, wb_render_fn *fn,
		    void *arg);

#endif
