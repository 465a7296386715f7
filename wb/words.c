#include "words.h"
#include "message.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t line_len(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	return (size_t)((nl ? nl + 1 : end) - p);
}

static bool blank(const char *p, size_t len)
{
	while (len && isspace((unsigned char)p[len - 1]))
		len--;
	return !len;
}

/* "Key: value" */
static bool trailer(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && (isalnum((unsigned char)p[n]) || p[n] == '-'))
		n++;
	return n && n + 1 < len && p[n] == ':' && p[n + 1] != '/';
}

static size_t find_body(const char *p, const char *end)
{
	const char *from = p;
	bool subject = false;
	size_t len;

	for (; p < end; p += len) {
		len = line_len(p, end);
		if (blank(p, len))
			return subject ? (size_t)(p + len - from) : 0;
		subject |= len > 8 && !strncasecmp(p, "Subject:", 8);
	}
	return subject ? (size_t)(end - from) : 0;
}

void wb_words_parts(const struct wb_buf *head, size_t *body, size_t *trailers)
{
	const char *p = head->ptr, *end = p + head->len, *par = end;
	bool gap = true, all = false;
	size_t len;

	*body = find_body(p, end);
	for (p += *body; p < end; p += len) {
		len = line_len(p, end);
		if (blank(p, len)) {
			gap = true;
			continue;
		}
		if (gap) {
			par = p;
			all = true;
		}
		all = all && (trailer(p, len) || (!gap && isblank(*p)));
		gap = false;
	}
	/* the first line of what is no mail is its subject */
	if (!all || (!*body && par == head->ptr))
		par = end;
	*trailers = (size_t)(par - head->ptr);
}

static bool has_line(const char *p, const char *end, const char *line,
		     size_t n)
{
	size_t len;

	for (; p < end; p += len) {
		len = line_len(p, end);
		if (len == n && !memcmp(p, line, n))
			return true;
	}
	return false;
}

static void trim_end(struct wb_buf *b)
{
	while (b->len && isspace((unsigned char)b->ptr[b->len - 1]))
		wb_buf_truncate(b, b->len - 1);
}

/* Paragraphs are parted by one blank line. */
static void add_part(struct wb_buf *out, const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	if (end > p) {
		wb_buf_addstr(out, "\n\n");
		wb_buf_add(out, p, (size_t)(end - p));
	}
}

void wb_words_join(struct wb_buf *head, const struct wb_buf *other)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_message m;
	const char *own, *end, *p;
	size_t body, trailers, obody, otrailers, len;

	wb_message_of_patch(&m, other->ptr, other->len);
	wb_words_parts(head, &body, &trailers);
	wb_words_parts(other, &obody, &otrailers);
	wb_buf_add(&out, head->ptr, trailers);
	trim_end(&out);
	if (*m.subject)
		add_part(&out, m.subject, m.subject + strlen(m.subject));
	/* what is no mail begins with its subject, which stands there now */
	if (!obody)
		obody = line_len(other->ptr, other->ptr + other->len);
	if (otrailers > obody)
		add_part(&out, other->ptr + obody, other->ptr + otrailers);
	wb_buf_addstr(&out, "\n\n");
	own = head->ptr + trailers;
	end = head->ptr + head->len;
	wb_buf_add(&out, own, (size_t)(end - own));
	p = other->ptr + otrailers;
	for (; p < other->ptr + other->len; p += len) {
		len = line_len(p, other->ptr + other->len);
		if (!has_line(own, end, p, len))
			wb_buf_add(&out, p, len);
	}
	trim_end(&out);
	wb_buf_addch(&out, '\n');
	wb_buf_clear(head);
	*head = out;
	wb_message_clear(&m);
}

/* The name in a "Depends-on: NAME" line, NULL when the line is none. */
static const char *dependence(const char *p, size_t len, size_t *n)
{
	static const char key[] = "Depends-on:";
	const char *end = p + len;

	if (len < sizeof(key) || strncasecmp(p, key, sizeof(key) - 1))
		return NULL;
	p += sizeof(key) - 1;
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	*n = (size_t)(end - p);
	if (*n > 6 && !memcmp(end - 6, ".patch", 6))
		*n -= 6;
	return *n ? p : NULL;
}

bool wb_words_depend(struct wb_buf *head, const char *old, const char *new)
{
	const char *p = head->ptr, *end = p + head->len, *name;
	struct wb_buf out = WB_BUF_INIT;
	size_t len, n = 0;
	bool found = false;

	for (; p < end; p += len) {
		len = line_len(p, end);
		name = dependence(p, len, &n);
		if (name && n == strlen(old) && !memcmp(name, old, n)) {
			found = true;
			if (new)
				wb_buf_addf(&out, "%.*s%s\n", (int)(name - p),
					    p, new);
		} else {
			wb_buf_add(&out, p, len);
		}
	}
	wb_buf_clear(head);
	*head = out;
	return found;
}

char *wb_words_dependence(const struct wb_buf *head, size_t n)
{
	const char *p = head->ptr, *end = p + head->len, *name;
	size_t len, k = 0;

	for (; p < end; p += len) {
		len = line_len(p, end);
		name = dependence(p, len, &k);
		if (name && !n--)
			return wb_xstrndup(name, k);
	}
	return NULL;
}
