#include "patch-file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ABBREV 12

void wb_patch_file_init(struct wb_patch_file *f)
{
	memset(f, 0, sizeof(*f));
	wb_buf_init(&f->head);
	wb_buf_init(&f->notes);
	wb_buf_init(&f->tail);
	f->abbrev = ABBREV;
}

void wb_patch_file_clear(struct wb_patch_file *f)
{
	wb_buf_clear(&f->head);
	wb_buf_clear(&f->notes);
	wb_buf_clear(&f->tail);
}

/* The line at p, with its newline if it has one. */
static size_t line_len(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	return (size_t)((nl ? nl + 1 : end) - p);
}

static bool begins(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - p) >= n && !memcmp(p, word, n);
}

static bool has(const char *p, size_t len, const char *word)
{
	return memmem(p, len, word, strlen(word)) != NULL;
}

/* A line that git's --stat or --summary printed. */
static bool is_stat(const char *p, size_t len)
{
	static const char *const words[] = {
		" create mode ", " delete mode ", " mode change ", " rename ",
		" copy ", " rewrite ",
	};
	size_t i;

	if (!len || *p != ' ')
		return false;
	if (has(p, len, " | ") || has(p, len, " file changed") ||
	    has(p, len, " files changed"))
		return true;
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (begins(p, p + len, words[i]))
			return true;
	return false;
}

static bool is_rule(const char *p, size_t len)
{
	return (len == 4 && !memcmp(p, "---\n", 4)) ||
	       (len == 5 && !memcmp(p, "---\r\n", 5));
}

static void split_front(struct wb_patch_file *f, const char *p,
			const char *end)
{
	size_t len;

	for (; p < end; p += len) {
		len = line_len(p, end);
		if (!f->rule && is_rule(p, len))
			f->rule = true;
		else if (!f->rule)
			wb_buf_add(&f->head, p, len);
		else if (!is_stat(p, len))
			wb_buf_add(&f->notes, p, len);
	}
	while (f->notes.len &&
	       isspace((unsigned char)f->notes.ptr[f->notes.len - 1]))
		wb_buf_truncate(&f->notes, f->notes.len - 1);
}

/* Where the text goes on behind the last hunk. */
static const char *behind(const struct wb_patch *p, const char *text,
			  const char *end)
{
	const struct wb_section *s = &p->section[p->nsections - 1];
	const struct wb_hunk *h;
	const struct wb_line *l;
	const char *at = text;
	size_t i;

	if (s->n) {
		h = &p->hunk[s->first + s->n - 1];
		l = &p->line[h->first + h->n - 1];
		at = l->p + l->len;
		at += line_len(at, end);
		if (begins(at, end, "\\ "))
			at += line_len(at, end);
		return at;
	}
	for (i = 1; i < s->where && at < end; i++)
		at += line_len(at, end);
	while (at < end && !begins(at, end, "-- \n"))
		at += line_len(at, end);
	return at;
}

static int digits_of(const char *p, const char *end)
{
	int n, most = 0;

	for (; p < end; p += line_len(p, end)) {
		if (!begins(p, end, "index "))
			continue;
		for (n = 0; p + 6 + n < end &&
		     isxdigit((unsigned char)p[6 + n]); n++)
			;
		if (n > most && p + 7 + n < end && p[6 + n] == '.')
			most = n;
	}
	return most;
}

void wb_patch_file_split(struct wb_patch_file *f, const char *text, size_t len,
			 const struct wb_patch *p)
{
	const char *end = text + len, *from;

	if (!p || !p->nsections) {
		split_front(f, text, end);
		return;
	}
	split_front(f, text, text + p->head);
	from = behind(p, text, end);
	wb_buf_add(&f->tail, from, (size_t)(end - from));
	f->abbrev = digits_of(text + p->head, from);
	if (f->abbrev < 4 || f->abbrev > 40)
		f->abbrev = ABBREV;
}

/* "index OLD..NEW[ MODE]" with shorter ids. */
static void add_index(struct wb_buf *out, const char *p, size_t len, int n)
{
	if (len < 6 + 40 + 2 + 40) {
		wb_buf_add(out, p, len);
		return;
	}
	wb_buf_addf(out, "index %.*s..%.*s", n, p + 6, n, p + 6 + 42);
	wb_buf_add(out, p + 6 + 82, len - 6 - 82);
}

static void add_diff(struct wb_buf *out, const char *p, const char *end, int n)
{
	size_t len;

	for (; p < end; p += len) {
		len = line_len(p, end);
		/* binary content is checked against its full ids */
		if (begins(p, end, "index ") &&
		    !begins(p + len, end, "GIT binary patch"))
			add_index(out, p, len, n);
		else
			wb_buf_add(out, p, len);
	}
}

void wb_patch_file_join(const struct wb_patch_file *f, const char *diff,
			size_t len, struct wb_buf *out)
{
	const char *end = diff + len, *p = diff;

	wb_buf_add(out, f->head.ptr, f->head.len);
	if (f->rule) {
		wb_buf_addstr(out, "---\n");
		wb_buf_add(out, f->notes.ptr, f->notes.len);
		wb_buf_addstr(out, f->notes.len ? "\n\n" : "");
	} else {
		/* no place for a diffstat, which nobody asked for */
		while (p < end && !begins(p, end, "diff --git "))
			p += line_len(p, end);
	}
	add_diff(out, p, end, f->abbrev);
	wb_buf_add(out, f->tail.ptr, f->tail.len);
}

/* ---- words ------------------------------------------------------------ */

static bool is_ascii(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s >= 0x80)
			return false;
	return true;
}

/* Splits an ident into who and RFC 2822's date. */
static void add_date(struct wb_buf *out, const char *secs)
{
	char text[64], *rest;
	long long t = strtoll(secs, &rest, 10);
	long zone = strtol(rest, NULL, 10);
	time_t at;
	struct tm tm;

	at = (time_t)(t + (zone / 100 * 60 + zone % 100) * 60);
	gmtime_r(&at, &tm);
	strftime(text, sizeof(text), "%a, %e %b %Y %H:%M:%S", &tm);
	/* git writes the day without a leading blank */
	if (text[5] == ' ')
		memmove(text + 5, text + 6, strlen(text + 5));
	wb_buf_addf(out, "Date: %s %+05ld\n", text, zone);
}

void wb_patch_file_head(struct wb_buf *out, const char *ident,
			const char *message)
{
	const char *mail = strrchr(ident, '>');
	size_t subject = strcspn(message, "\n");
	const char *body = message + subject;

	body += strspn(body, "\n");
	wb_buf_addf(out, "From %040d Mon Sep 17 00:00:00 2001\n", 0);
	wb_buf_addf(out, "From: %.*s\n", (int)(mail + 1 - ident), ident);
	add_date(out, mail + 1);
	wb_buf_addf(out, "Subject: [PATCH] %.*s\n", (int)subject, message);
	if (!is_ascii(ident) || !is_ascii(message))
		wb_buf_addstr(out, "MIME-Version: 1.0\nContent-Type: "
			      "text/plain; charset=UTF-8\n"
			      "Content-Transfer-Encoding: 8bit\n");
	wb_buf_addf(out, "\n%s", body);
	if (*body && !wb_str_ends(body, "\n"))
		wb_buf_addch(out, '\n');
}

static bool key_at(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && (isalnum((unsigned char)*q) || *q == '-'))
		q++;
	return q > p && q < end && *q == ':';
}

/* The body behind a mail's header; NULL when the head is no mail. */
static const char *mail_body(const char *p, const char *end)
{
	bool subject = false;
	size_t len;

	if (begins(p, end, "From ") && p + 5 < end)
		p += line_len(p, end);
	for (; p < end; p += len) {
		len = line_len(p, end);
		if (*p == '\n' || *p == '\r')
			return subject ? p + len : NULL;
		if (!key_at(p, end) && *p != ' ' && *p != '\t')
			return NULL;
		subject |= begins(p, end, "Subject:");
	}
	return subject ? end : NULL;
}

/* The head's text below its subject. */
static void add_body(struct wb_buf *out, const struct wb_patch_file *f)
{
	const char *p = f->head.ptr, *end = p + f->head.len, *body;

	body = mail_body(p, end);
	if (body) {
		while (body < end && *body == '\n')
			body++;
		/* the author's line of a mail that another one sent */
		if (begins(body, end, "From: ") && strchr(body, '@'))
			body += line_len(body, end);
	} else {
		body = p;
		if (!begins(p, end, "Description:") &&
		    !begins(p, end, "From:") && !begins(p, end, "Author:"))
			body += line_len(p, end);
	}
	while (body < end && isspace((unsigned char)*body))
		body++;
	while (end > body && isspace((unsigned char)end[-1]))
		end--;
	if (end > body) {
		wb_buf_addch(out, '\n');
		wb_buf_add(out, body, (size_t)(end - body));
		wb_buf_addch(out, '\n');
	}
}

static bool seconds_of(const char *date, long long *secs, long *zone)
{
	static const char *const forms[] = {
		"%d %b %Y %H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d",
	};
	struct tm tm;
	const char *rest;
	size_t i;

	date += strspn(date, " \t");
	/* the day of the week says nothing, and strptime looks long for it */
	if (isalpha((unsigned char)*date) && strcspn(date, ",") == 3)
		date += 4;
	date += strspn(date, " \t");
	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		memset(&tm, 0, sizeof(tm));
		rest = strptime(date, forms[i], &tm);
		if (!rest)
			continue;
		*zone = strtol(rest, NULL, 10);
		if (*zone < -1400 || *zone > 1400)
			*zone = 0;
		*secs = (long long)timegm(&tm) -
			(*zone / 100 * 60 + *zone % 100) * 60;
		return true;
	}
	return false;
}

/* "Name <mail>" as a commit may have it. */
static char *plain_author(const char *author)
{
	struct wb_buf b = WB_BUF_INIT;
	const char *lt = strrchr(author, '<'), *p = author;
	const char *end = lt ? lt : author + strlen(author);

	while (p < end && (*p == '"' || isspace((unsigned char)*p)))
		p++;
	while (end > p && (end[-1] == '"' || isspace((unsigned char)end[-1])))
		end--;
	for (; p < end; p++)
		if (*p != '\\' && *p != '<' && *p != '>' && *p != '\n')
			wb_buf_addch(&b, *p);
	if (lt)
		wb_buf_addf(&b, " %.*s>", (int)strcspn(lt, ">\n"), lt);
	else
		wb_buf_addstr(&b, " <>");
	return wb_buf_detach(&b);
}

void wb_patch_file_words(const struct wb_patch_file *f, const char *fallback,
			 char **message, char **ident)
{
	struct wb_buf text = WB_BUF_INIT;
	struct wb_message m;
	long long secs;
	long zone;
	char *who;

	wb_message_of_patch(&m, f->head.ptr, f->head.len);
	wb_buf_addf(&text, "%s\n", m.subject);
	add_body(&text, f);
	*message = wb_buf_detach(&text);
	if (!m.author) {
		*ident = wb_xstrdup(fallback);
	} else {
		who = plain_author(m.author);
		if (!m.date || !seconds_of(m.date, &secs, &zone))
			*ident = wb_xasprintf("%s%s", who,
					      strrchr(fallback, '>') + 1);
		else
			*ident = wb_xasprintf("%s %lld %+05ld", who, secs,
					      zone);
		free(who);
	}
	wb_message_clear(&m);
}
