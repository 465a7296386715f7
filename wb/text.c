#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#define MARKS_MAX 3

struct range {
	uint32_t from, to;
};

/* Controls, what turns the direction of text, and what shows nothing. */
static const struct range unseen[] = {
	{ 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x34f, 0x34f },
	{ 0x600, 0x605 }, { 0x61c, 0x61c }, { 0x6dd, 0x6dd },
	{ 0x70f, 0x70f }, { 0x115f, 0x1160 }, { 0x17b4, 0x17b5 },
	{ 0x180b, 0x180f }, { 0x200b, 0x200f }, { 0x2028, 0x202e },
	{ 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfdd0, 0xfdef },
	{ 0xfe00, 0xfe0d }, { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 },
	{ 0xfff0, 0xfffc },
	{ 0xfffe, 0xffff }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
	{ 0xe0000, 0xe0fff },
};

/* Marks of the scripts in which names are likely, and those of any script. */
static const struct range marks[] = {
	{ 0x300, 0x36f }, { 0x483, 0x489 }, { 0x591, 0x5bd }, { 0x5bf, 0x5bf },
	{ 0x5c1, 0x5c2 }, { 0x5c4, 0x5c5 }, { 0x5c7, 0x5c7 },
	{ 0x610, 0x61a }, { 0x64b, 0x65f }, { 0x670, 0x670 },
	{ 0x6d6, 0x6dc }, { 0x6df, 0x6e4 }, { 0x6e7, 0x6e8 },
	{ 0x6ea, 0x6ed }, { 0x900, 0x902 }, { 0x93a, 0x93a },
	{ 0x93c, 0x93c }, { 0x941, 0x948 }, { 0x94d, 0x94d },
	{ 0x951, 0x957 }, { 0xe31, 0xe31 }, { 0xe34, 0xe3a },
	{ 0xe47, 0xe4e }, { 0x1ab0, 0x1ace }, { 0x1dc0, 0x1dff },
	{ 0x20d0, 0x20f0 }, { 0x302a, 0x302d }, { 0x3099, 0x309a },
	{ 0xfe0e, 0xfe0f }, { 0xfe20, 0xfe2f },
};

/* East Asian Wide and Fullwidth of Unicode, and the emoji that are. */
static const struct range wide[] = {
	{ 0x1100, 0x115e }, { 0x231a, 0x231b }, { 0x2329, 0x232a },
	{ 0x23e9, 0x23ec }, { 0x23f0, 0x23f0 }, { 0x23f3, 0x23f3 },
	{ 0x25fd, 0x25fe }, { 0x2614, 0x2615 }, { 0x2648, 0x2653 },
	{ 0x267f, 0x267f }, { 0x2693, 0x2693 }, { 0x26a1, 0x26a1 },
	{ 0x26aa, 0x26ab }, { 0x26bd, 0x26be }, { 0x26c4, 0x26c5 },
	{ 0x26ce, 0x26ce }, { 0x26d4, 0x26d4 }, { 0x26ea, 0x26ea },
	{ 0x26f2, 0x26f3 }, { 0x26f5, 0x26f5 }, { 0x26fa, 0x26fa },
	{ 0x26fd, 0x26fd }, { 0x2705, 0x2705 }, { 0x270a, 0x270b },
	{ 0x2728, 0x2728 }, { 0x274c, 0x274c }, { 0x274e, 0x274e },
	{ 0x2753, 0x2755 }, { 0x2757, 0x2757 }, { 0x2795, 0x2797 },
	{ 0x27b0, 0x27b0 }, { 0x27bf, 0x27bf }, { 0x2b1b, 0x2b1c },
	{ 0x2b50, 0x2b50 }, { 0x2b55, 0x2b55 }, { 0x2e80, 0x303e },
	{ 0x3041, 0x4dbf }, { 0x4e00, 0xa4c6 }, { 0xa960, 0xa97c },
	{ 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe10, 0xfe19 },
	{ 0xfe30, 0xfe6b }, { 0xff01, 0xff60 }, { 0xffe0, 0xffe6 },
	{ 0x16fe0, 0x18cff }, { 0x1b000, 0x1b2ff }, { 0x1f004, 0x1f004 },
	{ 0x1f0cf, 0x1f0cf }, { 0x1f18e, 0x1f18e }, { 0x1f191, 0x1f19a },
	{ 0x1f200, 0x1f320 }, { 0x1f32d, 0x1f335 }, { 0x1f337, 0x1f37c },
	{ 0x1f37e, 0x1f393 }, { 0x1f3a0, 0x1f3ca }, { 0x1f3cf, 0x1f3d3 },
	{ 0x1f3e0, 0x1f3f0 }, { 0x1f3f4, 0x1f3f4 }, { 0x1f3f8, 0x1f43e },
	{ 0x1f440, 0x1f440 }, { 0x1f442, 0x1f4fc }, { 0x1f4ff, 0x1f53d },
	{ 0x1f54b, 0x1f567 }, { 0x1f57a, 0x1f57a }, { 0x1f595, 0x1f596 },
	{ 0x1f5a4, 0x1f5a4 }, { 0x1f5fb, 0x1f64f }, { 0x1f680, 0x1f6c5 },
	{ 0x1f6cc, 0x1f6cc }, { 0x1f6d0, 0x1f6d2 }, { 0x1f6d5, 0x1f6df },
	{ 0x1f6eb, 0x1f6ec }, { 0x1f6f4, 0x1f6ff }, { 0x1f7e0, 0x1f7ff },
	{ 0x1f90c, 0x1f93a }, { 0x1f93c, 0x1f945 }, { 0x1f947, 0x1f9ff },
	{ 0x1fa70, 0x1faff }, { 0x20000, 0x3fffd },
};

#define IN(set, c) within(set, sizeof(set) / sizeof(set[0]), c)

static bool within(const struct range *v, size_t n, uint32_t c)
{
	size_t low = 0, high = n, i;

	while (low < high) {
		i = low + (high - low) / 2;
		if (c > v[i].to)
			low = i + 1;
		else if (c < v[i].from)
			high = i;
		else
			return true;
	}
	return false;
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
	if (!len || IN(unseen, c) || IN(marks, c))
		return 0;
	*places = IN(wide, c) ? 2 : 1;
	for (i = 0; i < MARKS_MAX; i++) {
		c = wb_utf8_point(s + len, &n);
		if (!n || IN(unseen, c) || !IN(marks, c))
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
