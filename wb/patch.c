#include "patch-scan.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wb_scan_next(struct wb_scan *r)
{
	const char *nl;

	if (r->next == r->end)
		return false;
	nl = memchr(r->next, '\n', (size_t)(r->end - r->next));
	r->cur.p = r->next;
	r->cur.eol = nl != NULL;
	r->cur.len = (uint32_t)((nl ? nl : r->end) - r->next);
	r->next = nl ? nl + 1 : r->end;
	if (r->strip_cr && r->cur.len && r->cur.p[r->cur.len - 1] == '\r')
		r->cur.len--;
	r->line++;
	return true;
}

bool wb_scan_at(const struct wb_scan *r, const char *words,
		const char **rest)
{
	size_t n = strlen(words);

	if (r->cur.len < n || memcmp(r->cur.p, words, n))
		return false;
	if (rest)
		*rest = r->cur.p + n;
	return true;
}

bool wb_scan_sees(const struct wb_scan *r, const char *words)
{
	size_t n = strlen(words);

	return (size_t)(r->end - r->next) >= n && !memcmp(r->next, words, n);
}

int wb_scan_fail(const struct wb_scan *r, struct wb_error *err,
		 const char *fmt, ...)
{
	char reason[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason, sizeof(reason), fmt, ap);
	va_end(ap);
	return wb_fail(err, WB_E_FATAL, "%s:%zu: %s", r->name, r->line, reason);
}

static struct wb_section *new_section(struct wb_patch *p, size_t where)
{
	struct wb_section *s;

	p->section = wb_grow(p->section, p->nsections, &p->capsections,
			     sizeof(*p->section));
	s = &p->section[p->nsections++];
	memset(s, 0, sizeof(*s));
	wb_buf_init(&s->binary.data);
	s->first = p->nhunks;
	s->where = where;
	return s;
}

/* A name that leads out of the tree condemns the patch. */
static int tidy(const struct wb_scan *r, const struct wb_section *s,
		char *path, struct wb_error *err)
{
	char *raw;
	int ret = 0;

	if (!path)
		return 0;
	raw = wb_xstrdup(path);
	if (!wb_name_tidy(path))
		ret = wb_fail(err, WB_E_FATAL, "%s:%zu: refused: '%s' is not a "
			      "path inside the tree", r->name, s->where, raw);
	free(raw);
	return ret;
}

static void swap(void *a, void *b, size_t size)
{
	char t[sizeof(uint64_t) * 8];

	memcpy(t, a, size);
	memcpy(a, b, size);
	memcpy(b, t, size);
}

#define SWAP(x, y) swap(&(x), &(y), sizeof(x))

static char other_way(char op)
{
	return op == '-' ? '+' : op == '+' ? '-' : op;
}

static void reverse(struct wb_patch *p, struct wb_section *s)
{
	struct wb_hunk *h;
	size_t i, k;

	SWAP(s->old, s->new);
	SWAP(s->old_side, s->new_side);
	SWAP(s->old_mode, s->new_mode);
	SWAP(s->old_id, s->new_id);
	for (i = 0; i < s->n; i++) {
		h = &p->hunk[s->first + i];
		SWAP(h->old_start, h->new_start);
		SWAP(h->old_n, h->new_n);
		for (k = h->first; k < h->first + h->n; k++)
			p->line[k].op = other_way(p->line[k].op);
	}
}

/* The sides of a plain section, told by names, times and empty ranges. */
static void judge_sides(struct wb_patch *p, struct wb_section *s, bool old_none,
			bool new_none)
{
	const struct wb_hunk *h = &p->hunk[s->first];

	if (!h->old_n && !h->old_start)
		s->old_side = old_none ? WB_SIDE_NONE : WB_SIDE_EMPTY;
	if (!h->new_n && !h->new_start)
		s->new_side = new_none ? WB_SIDE_NONE : WB_SIDE_EMPTY;
}

/* cur is the "--- " line of a plain section, or its hunk after "Index:". */
static int plain_section(struct wb_patch *p, struct wb_scan *r, char **index,
			 bool *more, struct wb_error *err)
{
	struct wb_name_form form = { r->rules->git, r->rules->strip };
	struct wb_name old = { .path = NULL }, new = { .path = NULL };
	struct wb_section *s = new_section(p, r->line);
	const char *rest;

	s->index = *index;
	*index = NULL;
	if (wb_scan_at(r, "--- ", &rest)) {
		wb_name_read(&old, rest, r->cur.len - 4, &form);
		wb_scan_next(r);
		wb_name_read(&new, r->cur.p + 4, r->cur.len - 4, &form);
		r->strip_cr = !r->rules->git && r->cur.len &&
			      r->cur.p[r->cur.len - 1] == '\r';
		wb_scan_next(r);
	}
	s->old = old.path;
	s->new = new.path;
	if (!s->old && !s->new && !s->index)
		return wb_fail(err, WB_E_FATAL, "%s:%zu: no file name is left "
			       "after taking off %d folder%s (-p%d)", r->name,
			       s->where, form.strip, form.strip == 1 ? "" : "s",
			       form.strip);
	if (wb_patch_hunks(p, r, s, more, err) < 0)
		return -1;
	judge_sides(p, s, old.null || old.epoch, new.null || new.epoch);
	return 0;
}

static bool is_plain(const struct wb_scan *r)
{
	struct wb_scan ahead = *r;

	return wb_scan_at(r, "--- ", NULL) && wb_scan_sees(r, "+++ ") &&
	       wb_scan_next(&ahead) && wb_scan_next(&ahead) &&
	       wb_patch_is_hunk(&ahead);
}

/* "5d", "3,7c", "12a": a command of ed, or a normal diff. */
static bool is_ed_command(const struct wb_line *l)
{
	size_t i = 0;

	while (i < l->len && (isdigit((unsigned char)l->p[i]) ||
			      (i && l->p[i] == ',')))
		i++;
	return i && i < l->len && strchr("acdis", l->p[i]) &&
	       (i + 1 == l->len || l->p[i] == 's' ||
		isdigit((unsigned char)l->p[i + 1]));
}

/*
 * Forms of patches that are not read must not pass for prose: the part of the
 * change that they carry would be lost without a word.
 */
static int refuse_other_forms(const struct wb_scan *r, bool *context,
			      bool *ed, struct wb_error *err)
{
	if (*context && wb_scan_at(r, "--- ", NULL) &&
	    wb_scan_sees(r, "***************"))
		return wb_scan_fail(r, err, "a context diff: make a unified "
				      "one (diff -u)");
	*context = wb_scan_at(r, "*** ", NULL);
	if (*ed && r->cur.len == 1 && *r->cur.p == '.')
		return wb_scan_fail(r, err, "refused: an ed script; make a "
				      "unified diff (diff -u)");
	*ed = *ed || is_ed_command(&r->cur);
	return 0;
}

static int stray_hunk(struct wb_patch *p, const struct wb_scan *r,
		      struct wb_error *err)
{
	if (r->rules->git || !p->nsections)
		return wb_scan_fail(r, err, "a hunk without a file name "
				      "above it");
	if (!p->dropped)
		p->dropped = r->line;
	return 0;
}

/* Reads all sections; cur is the first line. */
static int read_sections(struct wb_patch *p, struct wb_scan *r,
			 const char *text, struct wb_error *err)
{
	bool more = wb_scan_next(r), context = false, ed = false;
	const char *start = NULL, *rest;
	char *index = NULL;
	struct wb_name name;
	int ret = 0;

	while (more && ret == 0) {
		bool git = wb_scan_at(r, "diff --git ", NULL);
		bool plain = !git && (is_plain(r) || (index &&
					wb_patch_is_hunk(r)));

		if (git || plain || wb_scan_at(r, "Index: ", NULL))
			start = start ? start : r->cur.p;
		r->strip_cr = false;
		if (git) {
			free(index);
			index = NULL;
			ret = wb_patch_git(p, r, new_section(p, r->line),
					   &more, err);
			continue;
		}
		if (plain) {
			ret = plain_section(p, r, &index, &more, err);
			continue;
		}
		if (wb_scan_at(r, "Index: ", &rest)) {
			free(index);
			wb_name_read(&name, rest, r->cur.len - 7,
				     &(struct wb_name_form){ false,
				     r->rules->strip });
			index = name.path;
		} else if (wb_patch_is_hunk(r)) {
			ret = stray_hunk(p, r, err);
		} else {
			ret = refuse_other_forms(r, &context, &ed, err);
		}
		more = wb_scan_next(r);
	}
	free(index);
	p->head = (size_t)((start ? start : r->end) - text);
	return ret;
}

static int finish(struct wb_patch *p, const struct wb_scan *r,
		  struct wb_error *err)
{
	struct wb_section *s;
	size_t i;

	for (i = 0; i < p->nsections; i++) {
		s = &p->section[i];
		if (tidy(r, s, s->old, err) < 0 ||
		    tidy(r, s, s->new, err) < 0 ||
		    tidy(r, s, s->index, err) < 0)
			return -1;
		if (!r->rules->reverse)
			continue;
		if (s->copy)
			return wb_fail(err, WB_E_FATAL, "%s:%zu: a copy cannot "
				       "be undone with -R", r->name, s->where);
		reverse(p, s);
	}
	if (r->rules->reverse)
		SWAP(p->added, p->removed);
	return 0;
}

/*
 * Words that stand before a diff, with none to follow: fields at the start, as
 * of a mail or DEP-3, and no line that a diff begins with.
 */
static bool is_head(const char *text, size_t len)
{
	static const char *const marks[] = {
		"diff ", "--- ", "+++ ", "*** ", "@@ ", "Index: ",
		"GIT binary patch", "Binary files ",
	};
	const char *p = text, *end = text + len, *nl;
	size_t i;

	if (len > 5 && !memcmp(p, "From ", 5) && memchr(p, '\n', len))
		p = (const char *)memchr(p, '\n', len) + 1;
	while (p < end && (isalnum((unsigned char)*p) || *p == '-'))
		p++;
	if (p == end || *p != ':')
		return false;
	for (p = text; p < end; p = nl ? nl + 1 : end) {
		for (i = 0; i < sizeof(marks) / sizeof(*marks); i++)
			if ((size_t)(end - p) >= strlen(marks[i]) &&
			    !memcmp(p, marks[i], strlen(marks[i])))
				return false;
		nl = memchr(p, '\n', (size_t)(end - p));
	}
	return true;
}

int wb_patch_parse(struct wb_patch *p, const char *text, size_t len,
		   const struct wb_patch_rules *rules, const char *name,
		   struct wb_error *err)
{
	struct wb_scan r = {
		.next = text, .end = text + len, .name = name, .rules = rules,
		.line = rules->line,
	};

	memset(p, 0, sizeof(*p));
	if (!len)
		return 0;
	if (len > UINT32_MAX)
		return wb_fail(err, WB_E_FATAL, "%s: too large", name);
	if (read_sections(p, &r, text, err) < 0 || finish(p, &r, err) < 0)
		return -1;
	if (!p->nsections && !(rules->header_only && is_head(text, len)))
		return wb_fail(err, WB_E_FATAL, "%s:%zu: no unified diff in "
			       "it (%zu lines read)%s", name, rules->line + 1,
			       r.line - rules->line, is_head(text, len) ?
			       "; --allow-header-only takes it" : "");
	return 0;
}

void wb_patch_clear(struct wb_patch *p)
{
	size_t i;

	for (i = 0; i < p->nsections; i++) {
		free(p->section[i].old);
		free(p->section[i].new);
		free(p->section[i].index);
		wb_buf_clear(&p->section[i].binary.data);
	}
	free(p->section);
	free(p->hunk);
	free(p->line);
	memset(p, 0, sizeof(*p));
}
