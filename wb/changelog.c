#include "changelog.h"
#include "words.h"

#include <ctype.h>
#include <string.h>

#define BEGIN "[ wb: measured ]"
#define END "[ wb: end ]"

/* Bytes of the line end at p; 0: the line goes on, or the text ends. */
static size_t eol_at(const char *p)
{
	return *p == '\n' ? 1 : *p == '\r' && p[1] == '\n' ? 2 : 0;
}

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return p + (*p == '\n');
}

/* Where this very line stands (whole), or one that begins so; NULL: nowhere. */
static const char *find_line(const char *p, const char *line, bool whole)
{
	size_t n = strlen(line);

	for (; *p; p = next_line(p))
		if (wb_str_starts(p, line) &&
		    (!whole || !p[n] || eol_at(p + n)))
			return p;
	return NULL;
}

/* The region's first line; *end is where the text behind it begins. */
static const char *find_region(const char *text, const char **end)
{
	const char *from = find_line(text, BEGIN, true);

	/* a beginning without an end is what somebody edited: it stays */
	*end = from ? find_line(from, END, true) : NULL;
	if (!*end)
		return NULL;
	*end = next_line(*end);
	return from;
}

/* What the lines of b end in. */
static const char *eol_of(const struct wb_buf *b)
{
	const char *nl = strchr(b->ptr, '\n');

	return nl && nl > b->ptr && nl[-1] == '\r' ? "\r\n" : "\n";
}

static bool ends_blank(const struct wb_buf *b)
{
	return wb_str_ends(b->ptr, "\n\n") || wb_str_ends(b->ptr, "\n\r\n") ||
	       !strcmp(b->ptr, "\n") || !strcmp(b->ptr, "\r\n");
}

/* Takes the region out, and the blank line that parted it from the rest. */
static void cut_region(struct wb_buf *b)
{
	const char *to, *from = find_region(b->ptr, &to);
	struct wb_buf out = WB_BUF_INIT;

	if (!from)
		return;
	wb_buf_add(&out, b->ptr, (size_t)(from - b->ptr));
	if (*to)
		to += eol_at(to);
	else if (ends_blank(&out))	/* it stood at the end, so did this */
		wb_buf_truncate(&out, out.len - strlen(eol_of(b)));
	wb_buf_addstr(&out, to);
	wb_buf_clear(b);
	*b = out;
}

/* Lines of text, with another end. */
static void add_lines(struct wb_buf *out, const char *text, const char *eol)
{
	size_t n;

	for (; *text; text = next_line(text)) {
		n = strcspn(text, "\n");
		wb_buf_add(out, text, n);
		wb_buf_addstr(out, eol);
	}
}

/* The region as a paragraph of its own in front of at. */
static void insert(struct wb_buf *b, size_t at, const char *text)
{
	struct wb_buf out = WB_BUF_INIT;
	const char *eol = eol_of(b);

	wb_buf_add(&out, b->ptr, at);
	if (out.len && !wb_str_ends(out.ptr, "\n"))
		wb_buf_addstr(&out, eol);
	if (out.len && !ends_blank(&out))
		wb_buf_addstr(&out, eol);
	add_lines(&out, BEGIN, eol);
	add_lines(&out, text, eol);
	add_lines(&out, END, eol);
	if (b->ptr[at] && !eol_at(b->ptr + at))
		wb_buf_addstr(&out, eol);
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
	while (f->notes.len && strchr("\r\n", f->notes.ptr[f->notes.len - 1]))
		wb_buf_truncate(&f->notes, f->notes.len - 1);
	if (!text || below)
		return;
	wb_words_parts(&f->head, &body, &trailers);
	insert(&f->head, trailers, text);
	/* what is no mail ends where its diff begins */
	if (trailers == f->head.len && !f->rule)
		wb_buf_addstr(&f->head, eol_of(&f->head));
}

/* Where git's own part of the letter begins: "Name (n):" above a list. */
static const char *find_shortlog(const char *p)
{
	const char *end, *q;

	for (; *p; p = next_line(p)) {
		end = p + strcspn(p, "\r\n");
		q = end;
		if (q - p > 4 && q[-1] == ':' && q[-2] == ')') {
			q -= 2;
			while (q > p && isdigit((unsigned char)q[-1]))
				q--;
			if (q > p && q[-1] == '(' &&
			    wb_str_starts(next_line(p), "  "))
				return p;
		}
	}
	return NULL;
}

void wb_changelog_put_cover(struct wb_buf *letter, const char *text)
{
	const char *end, *at = find_region(letter->ptr, &end);
	size_t place;

	if (at) {
		place = (size_t)(at - letter->ptr);
		cut_region(letter);
		insert(letter, place < letter->len ? place : letter->len,
		       text);
		return;
	}
	at = find_line(letter->ptr, "*** BLURB HERE ***", true);
	if (at)
		at = next_line(at);
	if (!at)
		at = find_shortlog(letter->ptr);
	if (!at)
		at = find_line(letter->ptr, "-- ", true);
	insert(letter, at ? (size_t)(at - letter->ptr) : letter->len, text);
}
