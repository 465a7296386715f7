#include "buf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char wb_buf_empty[1];

void *wb_xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		abort();
	return p;
}

void *wb_xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		abort();
	return p;
}

void *wb_xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		abort();
	return p;
}

char *wb_xstrdup(const char *s)
{
	return s ? wb_xstrndup(s, strlen(s)) : NULL;
}

char *wb_xstrndup(const char *s, size_t n)
{
	char *copy = wb_xmalloc(n + 1);

	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

char *wb_xasprintf(const char *fmt, ...)
{
	struct wb_buf b = WB_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	wb_buf_vaddf(&b, fmt, ap);
	va_end(ap);
	return wb_buf_detach(&b);
}

void *wb_grow(void *vec, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return vec;
	*cap = *cap ? 2 * *cap : 8;
	assert(*cap < (size_t)-1 / 2 / size);
	return wb_xrealloc(vec, *cap * size);
}

void wb_buf_init(struct wb_buf *b)
{
	b->ptr = wb_buf_empty;
	b->len = b->cap = 0;
}

void wb_buf_clear(struct wb_buf *b)
{
	if (b->cap)
		free(b->ptr);
	wb_buf_init(b);
}

void wb_buf_reset(struct wb_buf *b)
{
	wb_buf_truncate(b, 0);
}

void wb_buf_reserve(struct wb_buf *b, size_t more)
{
	size_t need = b->len + more + 1;

	assert(need > b->len);
	if (need <= b->cap)
		return;
	if (need < 2 * b->cap)
		need = 2 * b->cap;
	b->ptr = wb_xrealloc(b->cap ? b->ptr : NULL, need);
	b->ptr[b->len] = '\0';
	b->cap = need;
}

void wb_buf_add(struct wb_buf *b, const void *data, size_t len)
{
	if (!len)
		return;
	wb_buf_reserve(b, len);
	memcpy(b->ptr + b->len, data, len);
	b->len += len;
	b->ptr[b->len] = '\0';
}

void wb_buf_addstr(struct wb_buf *b, const char *s)
{
	wb_buf_add(b, s, strlen(s));
}

void wb_buf_addch(struct wb_buf *b, char c)
{
	wb_buf_add(b, &c, 1);
}

void wb_buf_fill(struct wb_buf *b, char c, size_t n)
{
	if (!n)
		return;
	wb_buf_reserve(b, n);
	memset(b->ptr + b->len, c, n);
	b->len += n;
	b->ptr[b->len] = '\0';
}

void wb_buf_vaddf(struct wb_buf *b, const char *fmt, va_list ap)
{
	char text[128];		/* most of what is printed is shorter */
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	assert(n >= 0);
	if ((size_t)n < sizeof(text)) {
		wb_buf_add(b, text, (size_t)n);
	} else {
		wb_buf_reserve(b, (size_t)n);
		vsnprintf(b->ptr + b->len, (size_t)n + 1, fmt, again);
		b->len += (size_t)n;
	}
	va_end(again);
}

void wb_buf_addf(struct wb_buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	wb_buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void wb_buf_truncate(struct wb_buf *b, size_t len)
{
	assert(len <= b->len);
	b->len = len;
	if (b->cap)
		b->ptr[len] = '\0';
}

char *wb_buf_detach(struct wb_buf *b)
{
	char *s = b->cap ? b->ptr : wb_xstrdup("");

	wb_buf_init(b);
	return s;
}

void wb_buf_addquoted(struct wb_buf *out, const char *word)
{
	wb_buf_addch(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			wb_buf_addstr(out, "'\\''");
		else
			wb_buf_addch(out, *word);
	}
	wb_buf_addch(out, '\'');
}

bool wb_str_starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

bool wb_str_ends(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && !memcmp(s + n - m, suffix, m);
}

size_t wb_utf8_len(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 :
		   s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	size_t i;

	for (i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* overlong forms, surrogates, and beyond U+10FFFF */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

uint32_t wb_utf8_point(const char *s, size_t *n)
{
	const unsigned char *p = (const unsigned char *)s;
	uint32_t c;
	size_t i;

	*n = wb_utf8_len(s);
	c = *n < 2 ? p[0] : p[0] & (0xffu >> (*n + 1));
	for (i = 1; i < *n; i++)
		c = c << 6 | (p[i] & 0x3f);
	return c;
}

bool wb_str_is_utf8(const char *s)
{
	size_t n;

	for (; *s; s += n) {
		n = wb_utf8_len(s);
		if (!n)
			return false;
	}
	return true;
}
