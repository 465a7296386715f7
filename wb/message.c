#include "message.h"
#include "buf.h"
#include "mime.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct span {
	const char *p, *end;
};

/* The first line of s, without its end; s then begins behind it. */
static bool take_line(struct span *s, struct span *line)
{
	const char *nl;

	if (s->p == s->end)
		return false;
	nl = memchr(s->p, '\n', (size_t)(s->end - s->p));
	line->p = s->p;
	line->end = nl ? nl : s->end;
	s->p = nl ? nl + 1 : s->end;
	while (line->end > line->p && isspace((unsigned char)line->end[-1]))
		line->end--;
	return true;
}

static bool is_blank(const struct span *l)
{
	return l->p == l->end;
}

static bool is_folded(const struct span *l)
{
	return l->p < l->end && (*l->p == ' ' || *l->p == '\t');
}

/* The length of "Key" in "Key: value" or "Key : value", 0 when it is none. */
static size_t key_len(const struct span *l, const char **value)
{
	const char *p = l->p, *colon;

	while (p < l->end && (isalnum((unsigned char)*p) || *p == '-'))
		p++;
	for (colon = p; colon < l->end && *colon == ' ';)
		colon++;
	if (p == l->p || colon == l->end || *colon != ':')
		return 0;
	/* "http://..." is an address */
	if (l->end - colon > 2 && colon[1] == '/' && colon[2] == '/')
		return 0;
	*value = colon + 1;
	return (size_t)(p - l->p);
}

static bool is_key(const struct span *l, size_t n, const char *key)
{
	return strlen(key) == n && !strncasecmp(l->p, key, n);
}

static char *decoded(const char *p, const char *end)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_mime_decode(p, (size_t)(end - p), &b);
	return wb_buf_detach(&b);
}

static void set(char **field, char *value)
{
	free(*field);
	*field = value;
}

/* Takes "[PATCH v2 3/7] " and the like off the front. */
static void strip_tags(char *subject)
{
	static const char *const words[] = { "PATCH", "RFC", "RESEND" };
	char *close, *from = subject;
	bool tag = true;
	size_t i;

	while (tag && *from == '[' && (close = strchr(from, ']'))) {
		*close = '\0';
		tag = false;
		for (i = 0; i < sizeof(words) / sizeof(*words); i++)
			tag |= strcasestr(from, words[i]) != NULL;
		*close = ']';
		if (tag)
			from = close + 1 + strspn(close + 1, " ");
	}
	memmove(subject, from, strlen(from) + 1);
}

enum { SUBJECT, AUTHOR, DATE, ID, REPLY_TO, TO, CC, NRANKS };

struct field {
	const char *key;
	size_t offset;
	int slot;		/* of the ranks */
	int rank;		/* a stronger word replaces a weaker one */
};

static const struct field fields[] = {
	{ "Subject", offsetof(struct wb_message, subject), SUBJECT, 2 },
	{ "Description", offsetof(struct wb_message, subject), SUBJECT, 1 },
	{ "From", offsetof(struct wb_message, author), AUTHOR, 2 },
	{ "Author", offsetof(struct wb_message, author), AUTHOR, 1 },
	{ "Date", offsetof(struct wb_message, date), DATE, 2 },
	{ "Last-Update", offsetof(struct wb_message, date), DATE, 1 },
	{ "Message-ID", offsetof(struct wb_message, id), ID, 1 },
	{ "In-Reply-To", offsetof(struct wb_message, reply_to), REPLY_TO, 1 },
	{ "To", offsetof(struct wb_message, to), TO, 1 },
	{ "Cc", offsetof(struct wb_message, cc), CC, 1 },
};

/* One field, lines..end with its folded lines; false when it is unknown. */
static bool take_field(struct wb_message *m, int *ranks, const struct span *l,
		       const char *end)
{
	const char *value;
	size_t n = key_len(l, &value), i;
	char **to;

	for (i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (!is_key(l, n, fields[i].key))
			continue;
		to = (char **)((char *)m + fields[i].offset);
		/* a description goes on below its first line, which is ours */
		if (!strcmp(fields[i].key, "Description"))
			end = l->end;
		if (fields[i].rank > ranks[fields[i].slot]) {
			ranks[fields[i].slot] = fields[i].rank;
			set(to, decoded(value, end));
		}
		/* the others stand in texts that are no mail as well */
		return fields[i].slot <= DATE;
	}
	return false;
}

/*
 * Reads the fields at the front of s, which then begins behind them. A block
 * in which no field is known is text that happens to hold a colon: then s is
 * left as it is.
 */
static void take_fields(struct wb_message *m, struct span *s)
{
	struct span rest = *s, line, folded, ahead;
	bool known = false;
	int ranks[NRANKS] = { 0 };
	const char *value;

	while (rest.p < rest.end) {
		ahead = rest;
		take_line(&ahead, &line);
		if (is_blank(&line)) {
			rest = ahead;
			break;
		}
		if (!key_len(&line, &value))
			break;
		rest = ahead;
		while (take_line(&ahead, &folded) && is_folded(&folded))
			rest = ahead;
		known |= take_field(m, ranks, &line, rest.p);
	}
	if (known)
		*s = rest;
}

/* "From 0123...cdef Mon Sep 17 00:00:00 2001" */
static bool is_mbox_line(const struct span *l)
{
	const char *p = l->p + 5;

	if (l->end - l->p <= 45 || memcmp(l->p, "From ", 5))
		return false;
	while (p < l->p + 45 && isxdigit((unsigned char)*p))
		p++;
	return p == l->p + 45 && *p == ' ';
}

/* Blank lines, and the line that begins each message of a mailbox. */
static void skip_front(struct span *s)
{
	struct span rest = *s, line;

	while (take_line(&rest, &line)) {
		if (!is_blank(&line) && !is_mbox_line(&line))
			break;
		*s = rest;
	}
}

/* Up to a line "---", below which there is no message any more. */
static void cut_at_rule(struct span *s)
{
	struct span rest = *s, line;
	const char *p = s->p;

	while (take_line(&rest, &line)) {
		if (line.end - line.p == 3 && !memcmp(line.p, "---", 3)) {
			s->end = p;
			return;
		}
		p = rest.p;
	}
}

static bool made_by_git(const struct span *l)
{
	static const char *const words[] = {
		"Signed-off-by: ", "(cherry picked from commit ",
	};
	size_t i;

	for (i = 0; i < 2; i++)
		if ((size_t)(l->end - l->p) > strlen(words[i]) &&
		    !memcmp(l->p, words[i], strlen(words[i])))
			return true;
	return false;
}

/*
 * A paragraph holds trailers when all its lines are such, or when git made
 * one of them and a quarter are: the rule of git interpret-trailers.
 */
static bool has_trailers(struct span s)
{
	size_t yes = 0, no = 0;
	struct span line;
	bool git = false, after = false;
	const char *value;

	while (take_line(&s, &line)) {
		if (after && is_folded(&line))
			continue;
		git |= made_by_git(&line);
		after = key_len(&line, &value) > 0 || made_by_git(&line);
		yes += after;
		no += !after;
	}
	return yes && (!no || (git && 3 * yes >= no));
}

static void take_trailers(struct wb_message *m, struct span s)
{
	struct span line, folded, ahead;
	const char *value;
	size_t n;

	while (take_line(&s, &line)) {
		ahead = s;
		while (take_line(&ahead, &folded) && is_folded(&folded))
			s = ahead;
		n = key_len(&line, &value);
		if (!n)
			continue;
		m->trailer = wb_grow(m->trailer, m->ntrailers, &m->captrailers,
				     sizeof(*m->trailer));
		m->trailer[m->ntrailers++] = (struct wb_trailer){
			wb_xstrndup(line.p, n), decoded(value, s.p),
		};
	}
}

/* The last paragraph of s; *first: it is also the first one. */
static struct span last_paragraph(struct span s, bool *first)
{
	struct span par = { s.p, s.p }, line;
	bool blank = true;

	*first = true;
	while (take_line(&s, &line)) {
		if (is_blank(&line)) {
			blank = true;
			continue;
		}
		if (blank) {
			*first = par.p == par.end;
			par.p = line.p;
		}
		par.end = line.end;
		blank = false;
	}
	return par;
}

/* The first paragraph as one line. */
static char *first_paragraph(struct span s)
{
	const char *from, *to;
	struct span line;

	while (take_line(&s, &line) && is_blank(&line))
		;
	from = to = line.p;
	do {
		if (is_blank(&line))
			break;
		to = line.end;
	} while (take_line(&s, &line));
	return decoded(from, to);
}

void wb_message_of_patch(struct wb_message *m, const char *text, size_t len)
{
	struct span s = { text, text + len }, par, line, rest;
	bool first, own_subject;

	memset(m, 0, sizeof(*m));
	skip_front(&s);
	take_fields(m, &s);
	cut_at_rule(&s);
	skip_front(&s);
	rest = s;
	/* a From line that begins the body names the author, not the sender */
	if (m->author && take_line(&rest, &line) && line.end - line.p > 6 &&
	    !memcmp(line.p, "From: ", 6)) {
		set(&m->author, decoded(line.p + 6, line.end));
		s = rest;
	}
	rest = s;
	if (m->subject && !*m->subject)
		set(&m->subject, NULL);
	own_subject = m->subject != NULL;
	if (!own_subject && take_line(&rest, &line))
		m->subject = decoded(line.p, line.end);
	if (!m->subject)
		m->subject = wb_xstrdup("");
	m->full = wb_xstrdup(m->subject);
	strip_tags(m->subject);
	par = last_paragraph(s, &first);
	if ((own_subject || !first) && has_trailers(par))
		take_trailers(m, par);
}

void wb_message_of_commit(struct wb_message *m, const char *text)
{
	struct span s = { text, text + strlen(text) }, par;
	bool first;

	memset(m, 0, sizeof(*m));
	m->subject = s.p < s.end ? first_paragraph(s) : wb_xstrdup("");
	par = last_paragraph(s, &first);
	if (!first && has_trailers(par))
		take_trailers(m, par);
}

void wb_message_clear(struct wb_message *m)
{
	size_t i;

	for (i = 0; i < m->ntrailers; i++) {
		free(m->trailer[i].key);
		free(m->trailer[i].value);
	}
	free(m->trailer);
	free(m->subject);
	free(m->author);
	free(m->date);
	free(m->full);
	free(m->id);
	free(m->reply_to);
	free(m->to);
	free(m->cc);
	memset(m, 0, sizeof(*m));
}
