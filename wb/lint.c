#include "lint.h"
#include "message.h"
#include "words.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SUBJECT_MAX 75
#define BODY_MAX 75

static void found(struct wb_lint *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void found(struct wb_lint *l, const char *fmt, ...)
{
	struct wb_buf text = WB_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	wb_buf_vaddf(&text, fmt, ap);
	va_end(ap);
	l->v = wb_grow(l->v, l->n, &l->cap, sizeof(*l->v));
	l->v[l->n++] = wb_buf_detach(&text);
}

/* Characters of UTF-8. */
static size_t width(const char *p, size_t n)
{
	size_t w = 0;

	for (; n; p++, n--)
		w += ((unsigned char)*p & 0xc0) != 0x80;
	return w;
}

static void check_subject(struct wb_lint *l, const struct wb_message *m)
{
	const char *s = m->subject, *colon = strstr(s, ": ");
	size_t n = strlen(s);

	if (!n) {
		found(l, "no subject");
		return;
	}
	if (width(s, n) > SUBJECT_MAX)
		found(l, "the subject has %zu characters; %d at most",
		      width(s, n), SUBJECT_MAX);
	if (s[n - 1] == '.')
		found(l, "the subject ends in a full stop");
	if (!colon || colon == s)
		found(l, "the subject does not begin with an area (\"area: "
		      "what changes\")");
}

static void check_author(struct wb_lint *l, const struct wb_message *m)
{
	const char *lt = m->author ? strchr(m->author, '<') : NULL;

	if (!m->author)
		found(l, "no author (From:)");
	else if (!lt || lt == m->author || !strchr(lt, '@') ||
		 !strchr(lt, '>'))
		found(l, "the author is not \"Name <mail>\": %s", m->author);
	if (!m->date)
		found(l, "no date");
}

static bool is_signoff(const struct wb_trailer *t)
{
	return !strcasecmp(t->key, "Signed-off-by");
}

/* The address of "Name <mail>", and its length. */
static const char *mail_of(const char *who, size_t *n)
{
	const char *lt = strchr(who, '<');

	who = lt ? lt + 1 : who;
	*n = strcspn(who, ">");
	return who;
}

static bool signed_by_author(const struct wb_message *m)
{
	size_t i, a = 0, b;
	const char *author = m->author ? mail_of(m->author, &a) : "", *who;

	for (i = 0; i < m->ntrailers; i++) {
		if (!is_signoff(&m->trailer[i]))
			continue;
		who = mail_of(m->trailer[i].value, &b);
		if (a == b && !strncasecmp(author, who, a))
			return true;
	}
	return false;
}

static void check_trailers(struct wb_lint *l, const struct wb_message *m,
			   bool wanted)
{
	size_t i;

	if (wanted && !signed_by_author(m))
		found(l, "no Signed-off-by of its author");
	if (wanted && m->ntrailers &&
	    !is_signoff(&m->trailer[m->ntrailers - 1]))
		found(l, "%s stands behind the last Signed-off-by",
		      m->trailer[m->ntrailers - 1].key);
	for (i = 0; i < m->ntrailers; i++)
		if (!*m->trailer[i].value)
			found(l, "%s says nothing", m->trailer[i].key);
}

/* Addresses, quoted output and trailers cannot be broken. */
static bool may_be_long(const char *p, size_t n)
{
	return isspace((unsigned char)*p) || *p == '>' || *p == '|' ||
	       memmem(p, n, "://", 3) || !memchr(p, ' ', n);
}

static void check_body(struct wb_lint *l, const struct wb_buf *head)
{
	const char *p, *end, *nl;
	size_t body, trailers, line = 1, n;
	bool text = false;

	wb_words_parts(head, &body, &trailers);
	for (p = head->ptr; p < head->ptr + body; p++)
		line += *p == '\n';
	end = head->ptr + trailers;
	for (p = head->ptr + body; p < end; p = nl + 1, line++) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl ? nl : end;
		n = (size_t)(nl - p);
		text |= n && !isspace((unsigned char)*p);
		if (n && width(p, n) > BODY_MAX && !may_be_long(p, n))
			found(l, "line %zu has %zu columns; %d at most", line,
			      width(p, n), BODY_MAX);
	}
	if (body && !text)
		found(l, "no text that says why");
}

static void check_name(struct wb_lint *l, const char *name)
{
	size_t n = strspn(name, "0123456789");

	if (n && name[n] == '-')
		found(l, "a number in its name: the order is said by the "
		      "series file alone");
}

void wb_lint_head(struct wb_lint *l, const struct wb_buf *head,
		  const char *name, bool signs_off)
{
	struct wb_message m;

	wb_message_of_patch(&m, head->ptr, head->len);
	check_subject(l, &m);
	check_author(l, &m);
	check_body(l, head);
	check_trailers(l, &m, signs_off);
	if (name)
		check_name(l, name);
	wb_message_clear(&m);
}

bool wb_lint_signs_off(const struct wb_buf *head)
{
	struct wb_message m;
	bool signs = false;
	size_t i;

	wb_message_of_patch(&m, head->ptr, head->len);
	for (i = 0; i < m.ntrailers; i++)
		signs |= is_signoff(&m.trailer[i]);
	wb_message_clear(&m);
	return signs;
}

void wb_lint_clear(struct wb_lint *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->v[i]);
	free(l->v);
	memset(l, 0, sizeof(*l));
}
