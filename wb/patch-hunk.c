#include "patch-scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* No file has more lines than this, and sums of two stay in range. */
#define MAX_LINE ((size_t)1 << 31)
/* Lines of all hunks: what a patch of short lines may cost in memory. */
#define MAX_LINES ((size_t)8 << 20)

/* "N" or "N,M"; false when it is neither or a number is out of range. */
static bool read_range(const char **s, const char *end, size_t *start,
		       size_t *n)
{
	size_t *out = start;
	const char *p = *s;

	*n = 1;
	for (;;) {
		if (p == end || !isdigit((unsigned char)*p))
			return false;
		for (*out = 0; p < end && isdigit((unsigned char)*p); p++) {
			*out = *out * 10 + (size_t)(*p - '0');
			if (*out > MAX_LINE)
				return false;
		}
		if (out == n || p == end || *p != ',')
			break;
		out = n;
		p++;
	}
	*s = p;
	return true;
}

bool wb_patch_is_hunk(const struct wb_scan *r)
{
	const char *rest;

	return wb_scan_at(r, "@@ -", &rest) &&
	       rest < r->cur.p + r->cur.len && isdigit((unsigned char)*rest);
}

static bool read_head(const struct wb_scan *r, struct wb_hunk *h)
{
	const char *s = r->cur.p + 4, *end = r->cur.p + r->cur.len;

	if (!read_range(&s, end, &h->old_start, &h->old_n))
		return false;
	while (s < end && *s == ' ')
		s++;
	if (s == end || *s++ != '+')
		return false;
	if (!read_range(&s, end, &h->new_start, &h->new_n))
		return false;
	while (s < end && *s == ' ')
		s++;
	return end - s >= 2 && s[0] == '@' && s[1] == '@';
}

static void add_line(struct wb_patch *p, struct wb_hunk *h, char op,
		     struct wb_line text)
{
	p->line = wb_grow(p->line, p->nlines, &p->caplines, sizeof(*p->line));
	text.op = op;
	p->line[p->nlines++] = text;
	h->n++;
	if (op == '-')
		p->removed++;
	else if (op == '+')
		p->added++;
}

/*
 * What the line at hand means inside a hunk: ' ', '-', '+', '\\' or 0. Mail
 * takes the blank off an empty context line, and GNU patch also forgives it
 * when it was eaten before a tab.
 */
static char op_of(const struct wb_scan *r, struct wb_line *text)
{
	char c = r->cur.len ? *r->cur.p : '\n';

	*text = r->cur;
	if (c == '\n' || (c == '\t' && !r->rules->git))
		return ' ';
	if (c == '=' && !r->rules->git)
		c = ' ';
	if (!strchr(" -+\\", c))
		return 0;
	text->p++;
	text->len--;
	return c;
}

/*
 * The end of the file inside a hunk. GNU patch takes it that up to two empty
 * lines were cut off there; *done is false when that does not explain it.
 */
static void chopped(struct wb_patch *p, const struct wb_scan *r,
		    struct wb_hunk *h, size_t old, size_t new, bool *done)
{
	static const struct wb_line blank = { "", 0, true, ' ' };

	*done = !r->rules->git && old == new && new < 3;
	for (; *done && new; new--)
		add_line(p, h, ' ', blank);
}

/* The lines below the head, which is cur; cur is then the last of them. */
static int read_body(struct wb_patch *p, struct wb_scan *r,
		     struct wb_hunk *h, struct wb_error *err)
{
	size_t old = h->old_n, new = h->new_n;
	struct wb_line text;
	bool done;
	char op;

	while (old || new) {
		if (!wb_scan_next(r)) {
			chopped(p, r, h, old, new, &done);
			if (done)
				return 0;
			return wb_scan_fail(r, err, "the patch ends inside "
					      "the hunk of line %zu", h->where);
		}
		op = op_of(r, &text);
		if (op == '\\') {
			if (h->n)
				p->line[p->nlines - 1].eol = false;
			continue;
		}
		if (!op || (op != '+' && !old) || (op != '-' && !new))
			return wb_scan_fail(r, err, "the hunk of line %zu is "
					      "damaged or miscounts its lines",
					      h->where);
		if (p->nlines == MAX_LINES)
			return wb_scan_fail(r, err, "refused: more than %zu "
					    "lines in hunks", MAX_LINES);
		old -= op != '+';
		new -= op != '-';
		text.eol = true;
		add_line(p, h, op, text);
	}
	if (wb_scan_sees(r, "\\") && h->n) {
		wb_scan_next(r);
		p->line[p->nlines - 1].eol = false;
	}
	return 0;
}

static int measure(struct wb_patch *p, struct wb_scan *r, struct wb_hunk *h,
		   struct wb_error *err)
{
	const struct wb_line *l = h->n ? &p->line[h->first] : NULL;

	while (h->head < h->n && l[h->head].op == ' ')
		h->head++;
	if (h->head == h->n)
		return wb_scan_fail(r, err, "the hunk of line %zu changes "
				      "nothing", h->where);
	while (l[h->n - 1 - h->tail].op == ' ')
		h->tail++;
	return 0;
}

int wb_patch_hunks(struct wb_patch *p, struct wb_scan *r,
		   struct wb_section *s, bool *more, struct wb_error *err)
{
	struct wb_hunk *h;

	*more = true;
	while (*more && wb_patch_is_hunk(r)) {
		p->hunk = wb_grow(p->hunk, p->nhunks, &p->caphunks,
				  sizeof(*p->hunk));
		h = &p->hunk[p->nhunks++];
		*h = (struct wb_hunk){ .first = p->nlines, .where = r->line };
		s->n++;
		if (!read_head(r, h))
			return wb_scan_fail(r, err, "not a hunk: numbers "
					      "missing or out of range");
		if (read_body(p, r, h, err) < 0 || measure(p, r, h, err) < 0)
			return -1;
		*more = wb_scan_next(r);
	}
	return 0;
}
