#include "render.h"

#include <cmark.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char *print(cmark_node *doc, enum wb_render_format format, int width)
{
	switch (format) {
	case WB_RENDER_HTML:
		return cmark_render_html(doc, CMARK_OPT_DEFAULT);
	case WB_RENDER_MAN:
		return cmark_render_man(doc, CMARK_OPT_DEFAULT, width);
	case WB_RENDER_LATEX:
		return cmark_render_latex(doc, CMARK_OPT_DEFAULT, width);
	default:
		return cmark_render_commonmark(doc, CMARK_OPT_DEFAULT, width);
	}
}

/* Whether a link leads to a page, a mailbox or a place in this document. */
static bool is_place(const char *url)
{
	static const char *const scheme[] = { "http:", "https:", "mailto:" };
	size_t i;

	if (url[strcspn(url, ":/?#")] != ':')
		return true;
	for (i = 0; i < sizeof(scheme) / sizeof(scheme[0]); i++)
		if (!strncasecmp(url, scheme[i], strlen(scheme[i])))
			return true;
	return false;
}

/*
 * cmark leaves HTML and links that run a program out of HTML only; in the
 * other formats they would live on.
 */
static void drop_markup(cmark_node *doc)
{
	cmark_iter *it = cmark_iter_new(doc);
	cmark_node *node;

	while (cmark_iter_next(it) != CMARK_EVENT_DONE) {
		node = cmark_iter_get_node(it);
		switch (cmark_node_get_type(node)) {
		case CMARK_NODE_HTML_BLOCK:
		case CMARK_NODE_HTML_INLINE:
			/* the iterator stands behind a node without children */
			cmark_node_free(node);
			break;
		case CMARK_NODE_LINK:
		case CMARK_NODE_IMAGE:
			if (!is_place(cmark_node_get_url(node)))
				cmark_node_set_url(node, "");
			break;
		default:
			break;
		}
	}
	cmark_iter_free(it);
}

/* In LaTeX a code block ends where these words stand in it. */
static void keep_verbatim(cmark_node *doc)
{
	static const char words[] = "\\end{verbatim}";
	cmark_iter *it = cmark_iter_new(doc);
	struct wb_buf out = WB_BUF_INIT;
	const char *p, *at;
	cmark_node *node;

	while (cmark_iter_next(it) != CMARK_EVENT_DONE) {
		node = cmark_iter_get_node(it);
		if (cmark_node_get_type(node) != CMARK_NODE_CODE_BLOCK)
			continue;
		wb_buf_reset(&out);
		for (p = cmark_node_get_literal(node);
		     (at = strstr(p, words)); p = at + strlen(words)) {
			wb_buf_add(&out, p, (size_t)(at - p));
			wb_buf_addstr(&out, "\\end {verbatim}");
		}
		wb_buf_addstr(&out, p);
		cmark_node_set_literal(node, out.ptr);
	}
	wb_buf_clear(&out);
	cmark_iter_free(it);
}

static cmark_node *parse(const char *markdown, size_t len)
{
	cmark_node *doc = cmark_parse_document(markdown, len,
					       CMARK_OPT_VALIDATE_UTF8);

	drop_markup(doc);
	return doc;
}

/*
 * cmark's man pages have code blocks as they are, and a line of one that
 * begins with . or ' would be a command. A block's own backslashes are \e, so
 * nothing in it looks like the line that ends it.
 */
static void add_man(struct wb_buf *out, const char *text)
{
	bool code = false;
	size_t n;

	for (; *text; text += n) {
		n = strcspn(text, "\n");
		n += text[n] == '\n';
		if (wb_str_starts(text, "\\f[C]\n"))
			code = true;
		else if (wb_str_starts(text, "\\f[]\n"))
			code = false;
		else if (code && (*text == '.' || *text == '\''))
			wb_buf_addstr(out, "\\&");
		wb_buf_add(out, text, n);
	}
}

void wb_render(const char *markdown, size_t len, enum wb_render_format format,
	       int width, struct wb_buf *out)
{
	cmark_node *doc = parse(markdown, len);
	char *text;

	if (format == WB_RENDER_LATEX)
		keep_verbatim(doc);
	text = print(doc, format, width);
	if (format == WB_RENDER_MAN)
		add_man(out, text);
	else
		wb_buf_addstr(out, text);
	free(text);
	cmark_node_free(doc);
}

/* False: the node is nothing to a reader of text. */
static bool mark_of(cmark_node *node, enum wb_mark *mark)
{
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_DOCUMENT:
		*mark = WB_MARK_DOCUMENT;
		return true;
	case CMARK_NODE_BLOCK_QUOTE:
		*mark = WB_MARK_QUOTE;
		return true;
	case CMARK_NODE_LIST:
		*mark = WB_MARK_LIST;
		return true;
	case CMARK_NODE_ITEM:
		*mark = WB_MARK_ITEM;
		return true;
	case CMARK_NODE_PARAGRAPH:
		*mark = WB_MARK_PARAGRAPH;
		return true;
	case CMARK_NODE_HEADING:
		*mark = WB_MARK_HEADING;
		return true;
	case CMARK_NODE_EMPH:
		*mark = WB_MARK_EMPHASIS;
		return true;
	case CMARK_NODE_STRONG:
		*mark = WB_MARK_STRONG;
		return true;
	case CMARK_NODE_LINK:
		*mark = WB_MARK_LINK;
		return true;
	case CMARK_NODE_IMAGE:
		*mark = WB_MARK_IMAGE;
		return true;
	case CMARK_NODE_CODE_BLOCK:
		*mark = WB_MARK_CODE_BLOCK;
		return true;
	case CMARK_NODE_THEMATIC_BREAK:
		*mark = WB_MARK_RULE;
		return true;
	case CMARK_NODE_TEXT:
		*mark = WB_MARK_TEXT;
		return true;
	case CMARK_NODE_CODE:
		*mark = WB_MARK_CODE;
		return true;
	case CMARK_NODE_SOFTBREAK:
		*mark = WB_MARK_SOFT_BREAK;
		return true;
	case CMARK_NODE_LINEBREAK:
		*mark = WB_MARK_HARD_BREAK;
		return true;
	default:
		return false;
	}
}

static struct wb_mark_event describe(cmark_node *node, enum wb_mark mark,
				     bool enter)
{
	const char *text = cmark_node_get_literal(node);
	const char *url = cmark_node_get_url(node);

	return (struct wb_mark_event){
		.mark = mark,
		.enter = enter,
		.text = text ? text : "",
		.url = url ? url : "",
		.level = cmark_node_get_heading_level(node),
		.tight = cmark_node_get_list_tight(node),
		.ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST,
		.start = cmark_node_get_list_start(node),
	};
}

void wb_render_walk(const char *markdown, size_t len, wb_render_fn *fn,
		    void *arg)
{
	cmark_node *doc = parse(markdown, len);
	cmark_iter *it = cmark_iter_new(doc);
	struct wb_mark_event e;
	cmark_event_type type;
	enum wb_mark mark;

	while ((type = cmark_iter_next(it)) != CMARK_EVENT_DONE) {
		if (!mark_of(cmark_iter_get_node(it), &mark))
			continue;
		e = describe(cmark_iter_get_node(it), mark,
			     type == CMARK_EVENT_ENTER);
		fn(arg, &e);
	}
	cmark_iter_free(it);
	cmark_node_free(doc);
}
