#include "text.h"

#include <glib.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#define MARKS_MAX 3

/* Letters and marks by their type, and yet nothing is shown. */
static bool blank(uint32_t c)
{
	return c == 0x34f || c == 0x115f || c == 0x1160 || c == 0x17b4 ||
	       c == 0x17b5 || (c >= 0x180b && c <= 0x180f) || c == 0x3164 ||
	       (c >= 0xfe00 && c <= 0xfe0d) || c == 0xffa0 ||
	       (c >= 0xe0100 && c <= 0xe01ef);
}

/* Controls, what turns the direction of text, and what shows nothing. */
static bool unseen(uint32_t c)
{
	switch (g_unichar_type(c)) {
	case G_UNICODE_CONTROL:
	case G_UNICODE_FORMAT:
	case G_UNICODE_UNASSIGNED:
	case G_UNICODE_SURROGATE:
	case G_UNICODE_LINE_SEPARATOR:
	case G_UNICODE_PARAGRAPH_SEPARATOR:
		return true;
	default:
		return blank(c);
	}
}

static bool is_mark(uint32_t c)
{
	GUnicodeType type = g_unichar_type(c);

	return type == G_UNICODE_NON_SPACING_MARK ||
	       type == G_UNICODE_ENCLOSING_MARK;
}

size_t wb_text_step(const char *s, size_t *places)
{
	size_t len, n, i;
	uint32_t c;

	*places = 1;
	/* most text is ASCII, and no mark follows */
	if (*s >= ' ' && *s < 0x7f && !(s[1] & 0x80))
		return 1;
	c = wb_utf8_point(s, &len);
	if (!len || unseen(c) || is_mark(c))
		return 0;
	*places = g_unichar_iswide(c) ? 2 : 1;
	for (i = 0; i < MARKS_MAX; i++) {
		c = wb_utf8_point(s + len, &n);
		if (!n || unseen(c) || !is_mark(c))
			break;
		len += n;
	}
	return len;
}

void wb_text_add(struct wb_buf *out, const char *s, enum wb_text_kind how)
{
	size_t n, places;

	if (!*s && (how & WB_TEXT_WORD))
		wb_buf_addch(out, '-');
	for (; *s; s += n ? n : 1) {
		n = wb_text_step(s, &places);
		if (((how & WB_TEXT_ASCII) && (*s & 0x80)) ||
		    ((how & WB_TEXT_WORD) && *s == ' ') ||
		    ((how & WB_TEXT_EXACT) && *s == '\\'))
			n = 0;
		else if (n && (how & WB_TEXT_ASCII))
			n = 1;		/* the marks upon it are none */
		if (n)
			wb_buf_add(out, s, n);
		else
			wb_buf_addf(out, "\\x%02x", (unsigned char)*s);
	}
}

char *wb_text_dup(const char *s)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_text_add(&b, s, WB_TEXT_UTF8);
	return wb_buf_detach(&b);
}

void wb_text_print(const char *fmt, ...)
{
	struct wb_buf raw = WB_BUF_INIT, safe = WB_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	wb_buf_vaddf(&raw, fmt, ap);
	va_end(ap);
	wb_text_add(&safe, raw.ptr, WB_TEXT_UTF8);
	puts(safe.ptr);
	wb_buf_clear(&raw);
	wb_buf_clear(&safe);
}

size_t wb_text_fit(const char *s, size_t width)
{
	size_t i, n, places, used = 0;

	for (i = 0; s[i]; i += n ? n : 1) {
		n = wb_text_step(s + i, &places);
		if (used + places > width)
			break;
		used += places;
	}
	return i;
}

size_t wb_text_width(const char *s)
{
	size_t n, places, used = 0;

	for (; *s; s += n ? n : 1) {
		n = wb_text_step(s, &places);
		used += places;
	}
	return used;
}

void wb_text_cut(struct wb_buf *text, size_t width)
{
	if (wb_text_width(text->ptr) <= width)
		return;
	wb_buf_truncate(text, wb_text_fit(text->ptr, width > 3 ? width - 3 :
					  0));
	wb_buf_fill(text, '.', width < 3 ? width : 3);
}

void wb_text_pad(struct wb_buf *out, const char *s, size_t width, bool right)
{
	size_t n = wb_text_width(s), pad = n < width ? width - n : 0;

	if (right)
		wb_buf_fill(out, ' ', pad);
	wb_buf_addstr(out, s);
	if (!right)
		wb_buf_fill(out, ' ', pad);
}
