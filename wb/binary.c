#include "binary.h"
#include "delta.h"

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

int wb_binary_apply(const struct wb_binary *b, const char *old, size_t len,
		    struct wb_buf *out, struct wb_error *err)
{
	size_t from, to;

	if (b->kind == WB_BINARY_LITERAL) {
		wb_buf_add(out, b->data.ptr, b->data.len);
		return 0;
	}
	if (!wb_delta_sizes(b->data.ptr, b->data.len, &from, &to))
		return wb_fail(err, WB_E_FATAL, "the binary delta is damaged");
	if (from != len || to > WB_BINARY_MAX)
		return wb_fail(err, WB_E_FATAL, "the binary delta is for other "
			       "content");
	if (!wb_delta_apply(old, len, b->data.ptr, b->data.len, out))
		return wb_fail(err, WB_E_FATAL, "the binary delta is damaged");
	return 0;
}
