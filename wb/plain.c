#include "plain.h"

#include "render.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

enum { NESTED_MAX = 16 };

struct list {
	bool ordered, tight;
	int number;
};

/*
 * Text is collected word by word. A block begins with what its surroundings
 * put before a first line (lead) and before all later ones (hang).
 */
struct writer {
	struct wb_buf *out;
	size_t width;
	struct wb_buf lead, hang;
	struct wb_buf line, word;
	size_t line_width;
	size_t hang_mark[NESTED_MAX];	/* lengths of hang to go back to */
	size_t depth;
	struct list list[NESTED_MAX];
	size_t lists;		/* that are open; may exceed the array */
	bool close;		/* no blank line before the next block */
	int level;		/* of the heading in hand; 0: none */
	const char *url;	/* of the link in hand */
	struct wb_buf link_text;
};

/* ---- characters ---- */

static const struct {
	const char *sign, *ascii;
} spelled[] = {
	{ "\xc2\xb1", "+-" }, { "\xc2\xb5", "u" }, { "\xce\xbc", "u" },
	{ "\xe2\x86\x92", "->" }, { "\xe2\x80\x93", "-" },
	{ "\xe2\x80\x94", "--" }, { "\xe2\x80\x98", "'" },
	{ "\xe2\x80\x99", "'" }, { "\xe2\x80\x9c", "\"" },
	{ "\xe2\x80\x9d", "\"" }, { "\xe2\x80\xa6", "..." },
	{ "\xc2\xa0", " " }, { "\xc3\x97", "x" }, { "\xe2\x88\x92", "-" },
	{ "\xe2\x89\xa4", "<=" }, { "\xe2\x89\xa5", ">=" },
};

static void add_ascii(struct wb_buf *out, const char *s, size_t len)
{
	const char *end = s + len;
	size_t i;

	while (s < end) {
		for (i = 0; i < sizeof(spelled) / sizeof(spelled[0]); i++)
			if (wb_str_starts(s, spelled[i].sign))
				break;
		if (i < sizeof(spelled) / sizeof(spelled[0])) {
			wb_buf_addstr(out, spelled[i].ascii);
			s += strlen(spelled[i].sign);
		} else {
			wb_buf_addch(out, *s++);
		}
	}
}

/* "Acked-by: ...": nobody's word is made of text. */
static bool is_trailer(const char *line)
{
	size_t n = strcspn(line, ": \t\n");

	return line[n] == ':' && n > 3 && !strncmp(line + n - 3, "-by", 3);
}

/* A line that mail programs and "git am" take for something else. */
static bool is_hazard(const char *line)
{
	return *line == '#' || is_trailer(line) ||
	       wb_str_starts(line, "---") || wb_str_starts(line, "diff -") ||
	       wb_str_starts(line, "Index: ") || wb_str_starts(line, "From ");
}

/* A word that could make such a line if it were its first. */
static bool begins_hazard(const char *word)
{
	return *word == '#' || is_trailer(word) || wb_str_starts(word, "---") ||
	       !strcmp(word, "diff") || !strcmp(word, "Index:") ||
	       !strcmp(word, "From");
}

/* ---- lines ---- */

static void end_line(struct writer *w)
{
	size_t len;

	wb_buf_add(w->out, w->lead.ptr, w->lead.len);
	if (!w->lead.len && is_hazard(w->line.ptr))
		wb_buf_addstr(w->out, "| ");
	wb_buf_add(w->out, w->line.ptr, w->line.len);
	for (len = w->out->len; len && w->out->ptr[len - 1] == ' '; len--)
		;
	wb_buf_truncate(w->out, len);
	wb_buf_addch(w->out, '\n');
	wb_buf_reset(&w->line);
	wb_buf_reset(&w->lead);
	wb_buf_add(&w->lead, w->hang.ptr, w->hang.len);
	w->line_width = 0;
}

static void end_word(struct writer *w)
{
	size_t n = wb_text_width(w->word.ptr);

	if (!w->word.len)
		return;
	if (w->line.len &&
	    w->lead.len + w->line_width + 1 + n > w->width &&
	    !begins_hazard(w->word.ptr))
		end_line(w);
	if (w->line.len) {
		wb_buf_addch(&w->line, ' ');
		w->line_width++;
	}
	wb_buf_add(&w->line, w->word.ptr, w->word.len);
	w->line_width += n;
	wb_buf_reset(&w->word);
}

static void end_text(struct writer *w)
{
	end_word(w);
	if (w->line.len)
		end_line(w);
}

/* Between blocks stands an empty line, but not between tight items. */
static void begin_block(struct writer *w)
{
	if (w->out->len && !w->close && !wb_str_ends(w->out->ptr, "\n\n")) {
		/* a quote's mark goes on through its empty lines */
		const char *mark = strchr(w->hang.ptr, '>');
		if (mark)
			wb_buf_add(w->out, w->hang.ptr,
				   (size_t)(mark + 1 - w->hang.ptr));
		wb_buf_addch(w->out, '\n');
	}
	w->close = false;
}

static void add_text(struct writer *w, const char *text)
{
	struct wb_buf ascii = WB_BUF_INIT;
	const char *p;

	add_ascii(&ascii, text, strlen(text));
	for (p = ascii.ptr; *p; p++) {
		if (*p == ' ' || *p == '\n' || *p == '\t')
			end_word(w);
		else
			wb_buf_addch(&w->word, *p);
	}
	if (w->url)
		wb_buf_add(&w->link_text, ascii.ptr, ascii.len);
	wb_buf_clear(&ascii);
}

/* ---- blocks ---- */

static void nest(struct writer *w, const char *lead, const char *hang)
{
	if (w->depth < NESTED_MAX)
		w->hang_mark[w->depth] = w->hang.len;
	w->depth++;
	if (w->depth > NESTED_MAX)
		return;
	wb_buf_addstr(&w->lead, lead);
	wb_buf_addstr(&w->hang, hang);
}

static void unnest(struct writer *w)
{
	w->depth--;
	if (w->depth < NESTED_MAX)
		wb_buf_truncate(&w->hang, w->hang_mark[w->depth]);
	wb_buf_reset(&w->lead);
	wb_buf_add(&w->lead, w->hang.ptr, w->hang.len);
}

static struct list *list_in_hand(struct writer *w)
{
	return &w->list[(w->lists < NESTED_MAX ? w->lists : NESTED_MAX) - 1];
}

static void begin_item(struct writer *w)
{
	struct list *l = list_in_hand(w);
	char mark[32] = "- ", blank[32];
	size_t n;

	if (l->ordered)
		snprintf(mark, sizeof(mark), "%d. ", l->number++);
	n = strlen(mark);
	memset(blank, ' ', n);
	blank[n] = '\0';
	begin_block(w);
	nest(w, mark, blank);
	w->close = true;
}

static void put_code(struct writer *w, const char *text)
{
	const char *end;

	begin_block(w);
	for (; *text; text = *end ? end + 1 : end) {
		end = text + strcspn(text, "\n");
		add_ascii(&w->line, text, (size_t)(end - text));
		end_line(w);
	}
}

static void end_heading(struct writer *w)
{
	size_t from, n;

	end_text(w);
	from = w->out->len - 1;
	while (from && w->out->ptr[from - 1] != '\n')
		from--;
	n = wb_text_width(w->out->ptr + from) - 1;
	if (w->level <= 2 && n) {
		wb_buf_add(w->out, w->hang.ptr, w->hang.len);
		wb_buf_fill(w->out, w->level == 1 ? '=' : '~', n);
		wb_buf_addch(w->out, '\n');
	}
	w->level = 0;
}

static void end_link(struct writer *w)
{
	/* <https://example.org> says it already */
	if (*w->url && strcmp(w->url, w->link_text.ptr)) {
		end_word(w);
		wb_buf_addf(&w->word, "<%s>", w->url);
	}
	w->url = NULL;
	wb_buf_reset(&w->link_text);
}

static void begin_list(struct writer *w, const struct wb_mark_event *e)
{
	w->lists++;
	*list_in_hand(w) = (struct list){ e->ordered, e->tight, e->start };
}

static void enter(struct writer *w, const struct wb_mark_event *e)
{
	switch (e->mark) {
	case WB_MARK_QUOTE:
		begin_block(w);
		nest(w, "> ", "> ");
		w->close = true;
		break;
	case WB_MARK_LIST:
		begin_list(w, e);
		break;
	case WB_MARK_ITEM:
		begin_item(w);
		break;
	case WB_MARK_HEADING:
		begin_block(w);
		w->level = e->level;
		break;
	case WB_MARK_PARAGRAPH:
		begin_block(w);
		break;
	case WB_MARK_CODE_BLOCK:
		put_code(w, e->text);
		break;
	case WB_MARK_RULE:
		begin_block(w);
		wb_buf_addstr(&w->line, "* * *");
		end_line(w);
		break;
	case WB_MARK_TEXT:
	case WB_MARK_CODE:
		add_text(w, e->text);
		break;
	case WB_MARK_SOFT_BREAK:
		end_word(w);
		break;
	case WB_MARK_HARD_BREAK:
		end_text(w);
		break;
	case WB_MARK_EMPHASIS:
		wb_buf_addch(&w->word, '_');
		break;
	case WB_MARK_STRONG:
		wb_buf_addch(&w->word, '*');
		break;
	case WB_MARK_LINK:
	case WB_MARK_IMAGE:
		w->url = e->url;
		break;
	default:
		break;
	}
}

static void leave(struct writer *w, const struct wb_mark_event *e)
{
	switch (e->mark) {
	case WB_MARK_QUOTE:
		w->close = false;
		unnest(w);
		break;
	case WB_MARK_LIST:
		w->lists--;
		w->close = false;
		break;
	case WB_MARK_ITEM:
		unnest(w);
		w->close = list_in_hand(w)->tight;
		break;
	case WB_MARK_HEADING:
		end_heading(w);
		break;
	case WB_MARK_PARAGRAPH:
		end_text(w);
		w->close = w->lists && list_in_hand(w)->tight;
		break;
	case WB_MARK_EMPHASIS:
		wb_buf_addch(&w->word, '_');
		break;
	case WB_MARK_STRONG:
		wb_buf_addch(&w->word, '*');
		break;
	case WB_MARK_LINK:
	case WB_MARK_IMAGE:
		end_link(w);
		break;
	default:
		break;
	}
}

static void visit(void *arg, const struct wb_mark_event *e)
{
	if (e->enter)
		enter(arg, e);
	else
		leave(arg, e);
}

void wb_plain(const char *markdown, size_t len, size_t width,
	      struct wb_buf *out)
{
	struct wb_buf text = WB_BUF_INIT;
	struct writer w = {
		.out = &text, .width = width,
		.lead = WB_BUF_INIT, .hang = WB_BUF_INIT,
		.line = WB_BUF_INIT, .word = WB_BUF_INIT,
		.link_text = WB_BUF_INIT,
	};

	wb_render_walk(markdown, len, visit, &w);
	wb_buf_add(out, text.ptr, text.len);
	wb_buf_clear(&text);
	wb_buf_clear(&w.lead);
	wb_buf_clear(&w.hang);
	wb_buf_clear(&w.line);
	wb_buf_clear(&w.word);
	wb_buf_clear(&w.link_text);
}
