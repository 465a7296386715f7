#include "binary.h"

#include <stdint.h>
#include <string.h>

/* The digits of base 85 as git writes them, by value. */
static const char digits[] =
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	"!#$%&()*+-;<=>?@^_`{|}~";

/*
 * A line is a letter for the number of its bytes (A-Z 1 to 26, a-z 27 to 52)
 * and five digits for every four bytes, the last group filled up.
 */
bool wb_binary_line(struct wb_buf *out, const char *s, size_t len)
{
	size_t bytes, i, k;
	const char *digit;

	if (!len)
		return false;
	if (*s >= 'A' && *s <= 'Z')
		bytes = (size_t)(*s - 'A') + 1;
	else if (*s >= 'a' && *s <= 'z')
		bytes = (size_t)(*s - 'a') + 27;
	else
		return false;
	if (len - 1 != (bytes + 3) / 4 * 5)
		return false;
	for (i = 1; i < len; i += 5) {
		uint64_t word = 0;

		for (k = 0; k < 5; k++) {
			digit = s[i + k] ? strchr(digits, s[i + k]) : NULL;
			if (!digit)
				return false;
			word = word * 85 + (uint64_t)(digit - digits);
		}
		if (word > UINT32_MAX)
			return false;
		for (k = 4; k-- && bytes; bytes--)
			wb_buf_addch(out, (char)(word >> (8 * k)));
	}
	return true;
}

struct delta {
	const unsigned char *p, *end;
};

/* A number in groups of seven bits, lowest first. */
static bool read_size(struct delta *d, size_t *out)
{
	unsigned shift = 0;

	*out = 0;
	while (d->p < d->end && shift < 56) {
		*out |= (size_t)(*d->p & 0x7f) << shift;
		shift += 7;
		if (!(*d->p++ & 0x80))
			return true;
	}
	return false;
}

/* The bytes of a number that the low bits of which say are there. */
static bool read_some(struct delta *d, unsigned which, unsigned n, size_t *out)
{
	unsigned i;

	*out = 0;
	for (i = 0; i < n; i++) {
		if (!(which & 1u << i))
			continue;
		if (d->p == d->end)
			return false;
		*out |= (size_t)*d->p++ << (8 * i);
	}
	return true;
}

static bool step(struct delta *d, const char *old, size_t len,
		 struct wb_buf *out, size_t room)
{
	unsigned op = *d->p++;
	size_t from, n;

	if (!(op & 0x80)) {
		if (!op || op > (size_t)(d->end - d->p) || op > room)
			return false;
		wb_buf_add(out, d->p, op);
		d->p += op;
		return true;
	}
	if (!read_some(d, op & 0xf, 4, &from) ||
	    !read_some(d, op >> 4 & 7, 3, &n))
		return false;
	if (!n)
		n = 0x10000;
	if (from > len || n > len - from || n > room)
		return false;
	wb_buf_add(out, old + from, n);
	return true;
}

int wb_binary_apply(const struct wb_binary *b, const char *old, size_t len,
		    struct wb_buf *out, struct wb_error *err)
{
	struct delta d = { (const unsigned char *)b->data.ptr,
			   (const unsigned char *)b->data.ptr + b->data.len };
	size_t start = out->len, from, to;

	if (b->kind == WB_BINARY_LITERAL) {
		wb_buf_add(out, b->data.ptr, b->data.len);
		return 0;
	}
	if (!read_size(&d, &from) || !read_size(&d, &to))
		return wb_fail(err, WB_E_FATAL, "the binary delta is damaged");
	if (from != len || to > WB_BINARY_MAX)
		return wb_fail(err, WB_E_FATAL, "the binary delta is for other "
			       "content");
	while (d.p < d.end)
		if (!step(&d, old, len, out, start + to - out->len))
			break;
	if (d.p < d.end || out->len - start != to)
		return wb_fail(err, WB_E_FATAL, "the binary delta is damaged");
	return 0;
}
