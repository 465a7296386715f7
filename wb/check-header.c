#include "check.h"
#include "words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SUBJECT_MAX 75
#define BODY_MAX 75

/* Characters of UTF-8. */
static size_t width(const char *p, size_t n)
{
	size_t w = 0;

	for (; n; p++, n--)
		w += ((unsigned char)*p & 0xc0) != 0x80;
	return w;
}

static void check_subject(struct wb_check *c, size_t k,
			  const struct wb_message *m)
{
	const char *s = m->subject, *colon = strstr(s, ": ");
	size_t n = strlen(s);

	if (!n) {
		wb_check_add(c, WB_CHECK_HEADER, k, "no subject");
		return;
	}
	if (width(s, n) > SUBJECT_MAX)
		wb_check_add(c, WB_CHECK_HEADER, k, "the subject has %zu "
			     "characters; %d at most", width(s, n),
			     SUBJECT_MAX);
	if (s[n - 1] == '.')
		wb_check_add(c, WB_CHECK_HEADER, k, "the subject ends in a "
			     "full stop");
	if (!colon || colon == s)
		wb_check_add(c, WB_CHECK_HEADER, k, "the subject does not "
			     "begin with an area (\"area: what changes\")");
}

static void check_author(struct wb_check *c, size_t k,
			 const struct wb_message *m)
{
	const char *lt = m->author ? strchr(m->author, '<') : NULL;

	if (!m->author)
		wb_check_add(c, WB_CHECK_HEADER, k, "no author (From:)");
	else if (!lt || lt == m->author || !strchr(lt, '@') ||
		 !strchr(lt, '>'))
		wb_check_add(c, WB_CHECK_HEADER, k, "the author is not \"Name "
			     "<mail>\": %s", m->author);
	if (!m->date)
		wb_check_add(c, WB_CHECK_HEADER, k, "no date");
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

static void check_trailers(struct wb_check *c, size_t k,
			   const struct wb_message *m, bool wanted)
{
	size_t i;

	if (wanted && !signed_by_author(m))
		wb_check_add(c, WB_CHECK_HEADER, k, "no Signed-off-by of its "
			     "author");
	if (wanted && m->ntrailers &&
	    !is_signoff(&m->trailer[m->ntrailers - 1]))
		wb_check_add(c, WB_CHECK_HEADER, k, "%s stands behind the last "
			     "Signed-off-by",
			     m->trailer[m->ntrailers - 1].key);
	for (i = 0; i < m->ntrailers; i++)
		if (!*m->trailer[i].value)
			wb_check_add(c, WB_CHECK_HEADER, k, "%s says nothing",
				     m->trailer[i].key);
}

/* Addresses, quoted output and trailers cannot be broken. */
static bool may_be_long(const char *p, size_t n)
{
	return isspace((unsigned char)*p) || *p == '>' || *p == '|' ||
	       memmem(p, n, "://", 3) || !memchr(p, ' ', n);
}

static void check_body(struct wb_check *c, size_t k, const struct wb_buf *head)
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
			wb_check_add(c, WB_CHECK_HEADER, k, "line %zu has %zu "
				     "columns; %d at most", line, width(p, n),
				     BODY_MAX);
	}
	if (body && !text)
		wb_check_add(c, WB_CHECK_HEADER, k, "no text that says why");
}

static void check_name(struct wb_check *c, size_t k, const char *name)
{
	size_t n = strspn(name, "0123456789");

	if (n && name[n] == '-')
		wb_check_add(c, WB_CHECK_HEADER, k, "a number in its name: the "
			     "order is said by the series file alone");
}

void wb_check_headers(struct wb_check *c)
{
	struct wb_message *m = wb_xcalloc(c->edit.n, sizeof(*m));
	bool wanted = false;
	size_t k, i;

	for (k = 0; k < c->edit.n; k++) {
		const struct wb_buf *h = &c->edit.patch[k].parts.head;

		wb_message_of_patch(&m[k], h->ptr, h->len);
		/* a project that signs off signs off everything */
		for (i = 0; i < m[k].ntrailers; i++)
			wanted |= is_signoff(&m[k].trailer[i]);
	}
	for (k = 0; k < c->edit.n; k++) {
		check_subject(c, k + 1, &m[k]);
		check_author(c, k + 1, &m[k]);
		check_body(c, k + 1, &c->edit.patch[k].parts.head);
		check_trailers(c, k + 1, &m[k], wanted);
		check_name(c, k + 1, c->edit.patch[k].name);
		wb_message_clear(&m[k]);
	}
	c->looked[WB_CHECK_HEADER] = c->edit.n;
	free(m);
}
