/* One text as a delta to another: what is made of it, and how large it is. */
#include "check.h"

#include "delta.h"

#include <stdlib.h>
#include <string.h>

struct row {
	const char *old, *new;
};

static const struct row rows[] = {
	{ "", "" }, { "a", "" }, { "", "a" }, { "abc", "abc" },
	{ "abcabc", "abc" }, { "abc", "abcabc" }, { "aXb", "aYb" },
	{ "aaaa", "aaaaaaaa" }, { "xyz", "abc" },
};

static void check(const char *old, size_t nold, const char *new, size_t nnew,
		  size_t most)
{
	struct wb_buf delta = WB_BUF_INIT, out = WB_BUF_INIT;
	size_t from, to;

	wb_delta_make(old, nold, new, nnew, &delta);
	assert_true(wb_delta_sizes(delta.ptr, delta.len, &from, &to));
	assert_int_equal(from, nold);
	assert_int_equal(to, nnew);
	assert_true(wb_delta_apply(old, nold, delta.ptr, delta.len, &out));
	assert_int_equal(out.len, nnew);
	assert_memory_equal(out.ptr, new, nnew);
	if (delta.len > most)
		fail_msg("%zu bytes, %zu at most", delta.len, most);
	/* for no other text, and nothing may be missing */
	assert_false(wb_delta_apply(old, nold + 1, delta.ptr, delta.len, &out));
	if (nnew)
		assert_false(wb_delta_apply(old, nold, delta.ptr,
					    delta.len - 1, &out));
	wb_buf_clear(&delta);
	wb_buf_clear(&out);
}

static void test_rows(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check(rows[i].old, strlen(rows[i].old), rows[i].new,
		      strlen(rows[i].new), 20);
}

static unsigned seed = 11;

static unsigned roll(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % n;
}

/* Edits all over a text: what they touch is in the delta, not the rest. */
static void test_edits(void **state)
{
	enum { SIZE = 200000, EDITS = 40 };
	char *old = malloc(SIZE), *new = malloc(2 * SIZE);
	int round, i, edits;
	size_t n, at, len, letters;

	(void)state;
	for (round = 0; round < 60; round++) {
		/* few letters: the same blocks stand in many places */
		letters = round % 3 ? 250 : 2;
		for (i = 0; i < SIZE; i++)
			old[i] = (char)roll((unsigned)letters);
		memcpy(new, old, SIZE);
		n = SIZE;
		edits = (int)roll(EDITS);
		for (i = 0; i < edits; i++) {
			at = roll((unsigned)n - 200);
			len = roll(100);
			if (roll(2)) {
				memmove(new + at + len, new + at, n - at);
				memset(new + at, i, len);
				n += len;
			} else {
				memmove(new + at, new + at + len, n - at - len);
				n -= len;
			}
		}
		check(old, SIZE, new, n, letters > 2 ?
		      400 * (size_t)edits + 30 : SIZE);
	}
	free(old);
	free(new);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_edits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
