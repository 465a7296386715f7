#include "changelog.h"
#include "words.h"

#include <ctype.h>
#include <string.h>

#define BEGIN "[ wb: measured ]"
#define END "[ wb: end ]"

/* Where a line that begins with `line` stands; NULL: there is none. */
static const char *find_line(const char *p, const char *line)
{
	while (p && *p) {
		if (wb_str_starts(p, line))
			return p;
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	return NULL;
}

static bool is_blank(const char *p)
{
	return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

/*
 * Takes the region out, and the blank line that parted it from what follows.
 * A beginning without an end is what somebody edited: it stays.
 */
static void cut_region(struct wb_buf *b)
{
	const char *from = find_line(b->ptr, BEGIN), *to;
	struct wb_buf out = WB_BUF_INIT;

	to = from ? find_line(from, END) : NULL;
	if (!to)
		return;
	to += strcspn(to, "\n");
	to += *to == '\n';
	if (is_blank(to))
		to = strchr(to, '\n') + 1;
	wb_buf_add(&out, b->ptr, (size_t)(from - b->ptr));
	/* it stood at the end, and so did the blank line before it */
	if (!*to && wb_str_ends(out.ptr, "\n\n"))
		wb_buf_truncate(&out, out.len - 1);
	wb_buf_addstr(&out, to);
	wb_buf_clear(b);
	*b = out;
}

static void add_region(struct wb_buf *out, const char *text)
{
	wb_buf_addstr(out, BEGIN "\n");
	wb_buf_addstr(out, text);
	if (!wb_str_ends(text, "\n"))
		wb_buf_addch(out, '\n');
	wb_buf_addstr(out, END "\n");
}

/* The region as a paragraph of its own in front of at. */
static void insert(struct wb_buf *b, size_t at, const char *text)
{
	struct wb_buf out = WB_BUF_INIT;

	wb_buf_add(&out, b->ptr, at);
	if (out.len && !wb_str_ends(out.ptr, "\n"))
		wb_buf_addch(&out, '\n');
	if (out.len && !wb_str_ends(out.ptr, "\n\n"))
		wb_buf_addch(&out, '\n');
	add_region(&out, text);
	if (b->ptr[at] && !is_blank(b->ptr + at))
		wb_buf_addch(&out, '\n');
	wb_buf_addstr(&out, b->ptr + at);
	wb_buf_clear(b);
	*b = out;
}

void wb_changelog_put(struct wb_patch_file *f, const char *text, bool below)
{
	size_t body, trailers;

	cut_region(&f->head);
	cut_region(&f->notes);
	if (text && below) {
		f->rule = true;
		insert(&f->notes, f->notes.len, text);
	}
	/* what parts them from the diffstat is not part of the notes */
	while (wb_str_ends(f->notes.ptr, "\n"))
		wb_buf_truncate(&f->notes, f->notes.len - 1);
	if (!text || below)
		return;
	wb_words_parts(&f->head, &body, &trailers);
	insert(&f->head, trailers, text);
	/* what is no mail ends where its diff begins */
	if (trailers == f->head.len && !f->rule)
		wb_buf_addch(&f->head, '\n');
}

/* Where git's own part of the letter begins: "Name (n):" above a list. */
static const char *find_shortlog(const char *p)
{
	const char *end, *q;

	for (; p && *p; p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL) {
		end = p + strcspn(p, "\n");
		q = end;
		if (q - p > 4 && q[-1] == ':' && q[-2] == ')') {
			q -= 2;
			while (q > p && isdigit((unsigned char)q[-1]))
				q--;
			if (q > p && q[-1] == '(' && wb_str_starts(end,
								   "\n  "))
				return p;
		}
	}
	return NULL;
}

void wb_changelog_put_cover(struct wb_buf *letter, const char *text)
{
	const char *at = find_line(letter->ptr, BEGIN);
	size_t place;

	if (at && find_line(at, END)) {
		place = (size_t)(at - letter->ptr);
		cut_region(letter);
		insert(letter, place < letter->len ? place : letter->len,
		       text);
		return;
	}
	at = find_line(letter->ptr, "*** BLURB HERE ***");
	if (at)
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 :
		     at + strlen(at);
	if (!at)
		at = find_shortlog(letter->ptr);
	if (!at)
		at = find_line(letter->ptr, "-- \n");
	insert(letter, at ? (size_t)(at - letter->ptr) : letter->len, text);
}
