#include "mime-limits.h"
#include "buf.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct scan {
	const char *p, *end;	/* what is still to be read */
	const char *line;
	size_t len;		/* of the line, without its end */
	struct wb_buf type;	/* the content type being read */
	bool in_type;
	bool in_header;
	bool message;		/* the part is a mail: a header follows */
	bool digest;		/* parts without a type are mails */
	bool typed;		/* this header has a type */
	size_t types, parts, header;
	char **boundary;	/* "--" and the word */
	size_t n, cap;
};

static bool next(struct scan *s)
{
	const char *nl;

	if (s->p == s->end)
		return false;
	nl = memchr(s->p, '\n', (size_t)(s->end - s->p));
	s->line = s->p;
	s->p = nl ? nl + 1 : s->end;
	s->len = (size_t)((nl ? nl : s->end) - s->line);
	if (s->len && s->line[s->len - 1] == '\r')
		s->len--;
	return true;
}

static bool is_type(const struct scan *s)
{
	static const char name[] = "content-type";
	size_t n = strlen(name);

	if (s->len <= n || strncasecmp(s->line, name, n))
		return false;
	while (n < s->len && isblank((unsigned char)s->line[n]))
		n++;
	return n < s->len && s->line[n] == ':';
}

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define BARE LETTERS "0123456789'+_,-./:=?"

/*
 * The word of "boundary=WORD". One in pieces, with escapes or comments in it
 * is no mailer's, and could be read here otherwise than by the parser.
 */
static int take_boundary(struct scan *s, const char *p, struct wb_error *err)
{
	bool quoted;
	size_t n;

	p += strspn(p, " \t");
	if (*p != '=' && *p != '*')
		return 0;
	p += 1 + strspn(p + 1, " \t");
	quoted = *p == '"';
	p += quoted;
	n = strspn(p, quoted ? BARE "() " : BARE);
	if (p[-1] == '*' || (quoted ? p[n] != '"' : !strchr(" \t;", p[n])))
		return wb_fail(err, WB_E_FATAL, "refused: a boundary of parts "
			       "that no mailer writes");
	s->boundary = wb_grow(s->boundary, s->n, &s->cap,
			      sizeof(*s->boundary));
	s->boundary[s->n++] = wb_xasprintf("--%.*s", (int)n, p);
	return 0;
}

/* The content type is whole: what it says of what follows. */
static int end_type(struct scan *s, struct wb_error *err)
{
	const char *p = s->type.ptr;

	s->in_type = false;
	s->message |= strcasestr(p, "message/") != NULL;
	s->digest |= strcasestr(p, "digest") != NULL;
	while ((p = strcasestr(p, "boundary"))) {
		p += strlen("boundary");
		if (take_boundary(s, p, err) < 0)
			return -1;
	}
	wb_buf_reset(&s->type);
	return 0;
}

static bool is_boundary(const struct scan *s)
{
	size_t i, n;

	if (s->len < 2 || memcmp(s->line, "--", 2))
		return false;
	for (i = 0; i < s->n; i++) {
		n = strlen(s->boundary[i]);
		if (s->len >= n && !memcmp(s->line, s->boundary[i], n))
			return true;
	}
	return false;
}

static void begin_header(struct scan *s)
{
	s->in_header = true;
	s->message = s->typed = false;
}

static int take_line(struct scan *s, struct wb_error *err)
{
	if (s->in_type && (!s->len || !isblank((unsigned char)*s->line)) &&
	    end_type(s, err) < 0)
		return -1;
	if (is_type(s)) {
		s->in_type = s->typed = true;
		s->types++;
	}
	if (s->in_type) {
		wb_buf_add(&s->type, s->line, s->len);
		wb_buf_addch(&s->type, ' ');
	}
	if (is_boundary(s)) {
		s->parts++;
		begin_header(s);
	} else if (s->in_header && !s->len) {
		s->in_header = false;
		if (s->message || (s->digest && !s->typed))
			begin_header(s);
	} else if (s->in_header) {
		s->header += s->len + 1;
	}
	return 0;
}

int wb_mime_limits(const char *text, size_t len, struct wb_error *err)
{
	struct scan s = { .p = text, .end = text + len };
	size_t i;
	int ret = 0;

	wb_buf_init(&s.type);
	begin_header(&s);
	while (ret == 0 && next(&s)) {
		ret = take_line(&s, err);
		if (ret == 0 && s.header > WB_MIME_MAX_HEADERS)
			ret = wb_fail(err, WB_E_FATAL, "refused: a header of "
				      "more than %zu MB",
				      WB_MIME_MAX_HEADERS >> 20);
		if (ret == 0 && (s.types > WB_MIME_MAX_PARTS ||
				 s.parts > 2 * WB_MIME_MAX_PARTS))
			ret = wb_fail(err, WB_E_FATAL, "refused: a mail of "
				      "too many parts");
	}
	for (i = 0; i < s.n; i++)
		free(s.boundary[i]);
	free(s.boundary);
	wb_buf_clear(&s.type);
	return ret;
}
