#include "expect-edit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum kind { NOTE, HEADER, KEY };

struct line {
	const char *p;
	size_t len;		/* with its newline */
	enum kind kind;
	bool gone;
	char *name;		/* of a section's lines: the patch, or NULL */
	size_t from, to;	/* of a header: where the name stands */
	bool alone;		/* of a header: no key behind it */
};

struct lines {
	struct line *v;
	size_t n, cap;
};

static const char *past_blanks(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p;
}

/* [expect "NAME"]: the name without its escapes and a final ".patch" */
static void read_header(struct line *l, const char *p, const char *end)
{
	static const char word[] = "expect";
	struct wb_buf name = WB_BUF_INIT;
	size_t n = strlen(word);

	p = past_blanks(p + 1, end);
	if ((size_t)(end - p) < n || strncasecmp(p, word, n))
		return;
	p = past_blanks(p + n, end);
	if (p == end || *p != '"')
		return;
	l->from = (size_t)(++p - l->p);
	for (; p < end && *p != '"'; p++) {
		p += *p == '\\' && p + 1 < end;
		wb_buf_addch(&name, *p);
	}
	l->to = (size_t)(p - l->p);
	if (name.len > 6 && wb_str_ends(name.ptr, ".patch"))
		wb_buf_truncate(&name, name.len - 6);
	p = memchr(p, ']', (size_t)(end - p));
	p = p ? past_blanks(p + 1, end) : end;
	l->alone = p == end || *p == '#' || *p == ';';
	if (p < end || l->alone)
		l->name = wb_buf_detach(&name);
	wb_buf_clear(&name);
}

static void read_lines(struct lines *x, const struct wb_buf *text)
{
	const char *p = text->ptr, *stop = p + text->len, *end, *s;
	const char *section = NULL;
	bool goes_on = false;
	struct line *l;

	for (; p < stop; p = end) {
		end = memchr(p, '\n', (size_t)(stop - p));
		end = end ? end + 1 : stop;
		x->v = wb_grow(x->v, x->n, &x->cap, sizeof(*x->v));
		l = &x->v[x->n++];
		*l = (struct line){ .p = p, .len = (size_t)(end - p) };
		s = past_blanks(p, end);
		if (goes_on) {
			l->kind = KEY;
		} else if (s < end && *s == '[') {
			l->kind = HEADER;
			read_header(l, s, end);
			section = l->name;
		} else if (s < end && *s != '#' && *s != ';') {
			l->kind = KEY;
		}
		if (l->kind == KEY)
			l->name = wb_xstrdup(section);
		goes_on = l->kind != NOTE && end - p > 1 &&
			  end[-1] == '\n' && end[-2] == '\\';
	}
}

static bool of(const struct line *l, const char *name)
{
	return l->name && !strcmp(l->name, name);
}

static void set_name(const struct line *l, const char *name,
		     struct wb_buf *out)
{
	wb_buf_add(out, l->p, l->from);
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			wb_buf_addch(out, '\\');
		wb_buf_addch(out, *name);
	}
	wb_buf_add(out, l->p + l->to, l->len - l->to);
}

/* The lines that are left, with headers of `old` naming `new`; frees them. */
static void write_lines(struct lines *x, struct wb_buf *text, const char *old,
			const char *new)
{
	struct wb_buf out = WB_BUF_INIT;
	size_t i;

	for (i = 0; i < x->n; i++) {
		const struct line *l = &x->v[i];

		if (!l->gone && new && l->kind == HEADER && of(l, old))
			set_name(l, new, &out);
		else if (!l->gone)
			wb_buf_add(&out, l->p, l->len);
	}
	for (i = 0; i < x->n; i++)
		free(x->v[i].name);
	free(x->v);
	wb_buf_clear(text);
	*text = out;
}

/* "KEY = VALUE" without quotes, escapes and what else git would undo. */
static bool plain(const struct line *l, char **key, char **value)
{
	const char *end = l->p + l->len, *p = past_blanks(l->p, end), *s = p;
	const char *stop;

	while (s < end && (isalnum((unsigned char)*s) || *s == '-'))
		s++;
	stop = s;
	s = past_blanks(s, end);
	if (l->kind != KEY || s == end || *s != '=')
		return false;
	*key = wb_xstrndup(p, (size_t)(stop - p));
	s = past_blanks(s + 1, end);
	for (p = s; p < end && *p != '#' && *p != ';'; p++)
		;
	while (p > s && isspace((unsigned char)p[-1]))
		p--;
	*value = wb_xstrndup(s, (size_t)(p - s));
	if (**value && !strpbrk(*value, "\"\\"))
		return true;
	free(*key);
	free(*value);
	return false;
}

/* One breaks the test that the other fixes. */
static bool opposite(const struct line *a, const struct line *b)
{
	char *key[2], *value[2];
	bool yes;

	if (!plain(a, &key[0], &value[0]))
		return false;
	if (!plain(b, &key[1], &value[1])) {
		free(key[0]);
		free(value[0]);
		return false;
	}
	yes = !strcmp(value[0], value[1]) &&
	      (strcasecmp(key[0], "fixes") ? !strcasecmp(key[0], "breaks") &&
	       !strcasecmp(key[1], "fixes") : !strcasecmp(key[1], "breaks"));
	free(key[0]);
	free(key[1]);
	free(value[0]);
	free(value[1]);
	return yes;
}

/* A header of `name` with no key left behind it goes. */
static void drop_bare(struct lines *x, const char *name)
{
	size_t i, k;

	for (i = 0; i < x->n; i++) {
		if (x->v[i].kind != HEADER || !of(&x->v[i], name) ||
		    !x->v[i].alone)
			continue;
		for (k = i + 1; k < x->n && x->v[k].kind != HEADER; k++)
			if (x->v[k].kind == KEY && !x->v[k].gone)
				break;
		x->v[i].gone = k == x->n || x->v[k].kind == HEADER;
	}
}

void wb_expect_rename(struct wb_buf *text, const char *old, const char *new)
{
	struct lines x = { NULL, 0, 0 };

	read_lines(&x, text);
	write_lines(&x, text, old, new);
}

void wb_expect_drop(struct wb_buf *text, const char *name)
{
	struct lines x = { NULL, 0, 0 };
	size_t i;

	read_lines(&x, text);
	for (i = 0; i < x.n; i++)
		x.v[i].gone = of(&x.v[i], name);
	write_lines(&x, text, NULL, NULL);
}

void wb_expect_fold(struct wb_buf *text, const char *high, const char *low)
{
	struct lines x = { NULL, 0, 0 };
	bool met = false;
	size_t i, k;

	read_lines(&x, text);
	for (i = 0; i < x.n; i++) {
		for (k = 0; k < x.n && of(&x.v[i], high); k++) {
			if (!of(&x.v[k], low) ||
			    !opposite(&x.v[i], &x.v[k]))
				continue;
			x.v[i].gone = x.v[k].gone = met = true;
		}
	}
	if (met) {
		drop_bare(&x, high);
		drop_bare(&x, low);
	}
	write_lines(&x, text, high, low);
}
