#include "check.h"
#include "json.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static void is(const char *s, enum wb_text_kind how, const char *wanted)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_text_add(&b, s, how);
	assert_string_equal(b.ptr, wanted);
	wb_buf_clear(&b);
}

static void test_what_is_printable(void **state)
{
	static const struct {
		const char *text, *wanted;
	} e[] = {
		{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
		{ "\033[31m\a\t\r\n\x7f",
		  "\\x1b[31m\\x07\\x09\\x0d\\x0a\\x7f" },
		/* C1 controls: raw and in UTF-8 */
		{ "\x9b", "\\x9b" }, { "\xc2\x9b", "\\xc2\\x9b" },
		/* no UTF-8: cut off, overlong, a surrogate, too large */
		{ "\xe2\x82", "\\xe2\\x82" }, { "\xc0\xaf", "\\xc0\\xaf" },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
		/* direction: U+202E, U+2066, U+061C, U+200F */
		{ "\xe2\x80\xae", "\\xe2\\x80\\xae" },
		{ "\xe2\x81\xa6", "\\xe2\\x81\\xa6" },
		{ "\xd8\x9c", "\\xd8\\x9c" },
		{ "\xe2\x80\x8f", "\\xe2\\x80\\x8f" },
		/* nothing to see: U+200B, U+00AD, U+FEFF, U+3164, U+E0041 */
		{ "\xe2\x80\x8b", "\\xe2\\x80\\x8b" },
		{ "\xc2\xad", "\\xc2\\xad" },
		{ "\xef\xbb\xbf", "\\xef\\xbb\\xbf" },
		{ "\xe3\x85\xa4", "\\xe3\\x85\\xa4" },
		{ "\xf3\xa0\x81\x81", "\\xf3\\xa0\\x81\\x81" },
		/* a line of its own: U+2028 */
		{ "\xe2\x80\xa8", "\\xe2\\x80\\xa8" },
		/* up to 3 marks stand upon a character, none upon nothing */
		{ "e\xcc\x81", "e\xcc\x81" }, { "\xcc\x81", "\\xcc\\x81" },
		{ "a\xcc\x81\xcc\x82\xcc\x83\xcc\x84",
		  "a\xcc\x81\xcc\x82\xcc\x83\\xcc\\x84" },
		{ "\xe2\x9a\xa0\xef\xb8\x8f", "\xe2\x9a\xa0\xef\xb8\x8f" },
		/* a circle around, U+20DD */
		{ "a\xe2\x83\x9d", "a\xe2\x83\x9d" },
		{ "\xe2\x83\x9d", "\\xe2\\x83\\x9d" },
		/* a mark of any script: Tamil's pulli, U+0BCD */
		{ "\xe0\xae\x95\xe0\xaf\x8d", "\xe0\xae\x95\xe0\xaf\x8d" },
		/* the sign of what was none */
		{ "\xef\xbf\xbd", "\xef\xbf\xbd" },
		{ "a\\b", "a\\b" }, { "", "" },
	};
	size_t i;
	char *copy;

	(void)state;
	for (i = 0; i < sizeof(e) / sizeof(e[0]); i++) {
		is(e[i].text, WB_TEXT_UTF8, e[i].wanted);
		/* what is safe is safe, and stays as it is */
		is(e[i].wanted, WB_TEXT_UTF8, e[i].wanted);
		copy = wb_text_dup(e[i].text);
		assert_string_equal(copy, e[i].wanted);
		free(copy);
	}
	is("e\xcc\x81 \xc3\xbc", WB_TEXT_ASCII, "e\\xcc\\x81 \\xc3\\xbc");
	is("a b\xc3\xbc", WB_TEXT_WORD, "a\\x20b\xc3\xbc");
	is("", WB_TEXT_WORD, "-");
	is("\\x1b\033", WB_TEXT_EXACT, "\\x5cx1b\\x1b");
}

static void test_places(void **state)
{
	static const struct {
		const char *text;
		size_t places;
	} e[] = {
		{ "", 0 }, { "abc", 3 }, { "gr\xc3\xbc\xc3\x9f", 4 },
		{ "e\xcc\x81", 1 }, { "\xe6\x97\xa5\xe6\x9c\xac", 4 },
		{ "\xef\xbc\xa1", 2 }, { "\xf0\x9f\x9a\x80", 2 },
		{ "\xea\xb0\x80", 2 }, { "\xe3\x82\xab\xe3\x82\x99", 2 },
		{ "\xce\xb1", 1 }, { "\xe2\x94\x82", 1 },
	};
	struct wb_buf b = WB_BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(e) / sizeof(e[0]); i++)
		assert_int_equal(wb_text_width(e[i].text), e[i].places);
	/* half of a wide character is none of it, and no mark is torn off */
	assert_int_equal(wb_text_fit("\xe6\x97\xa5\xe6\x9c\xac", 3), 3);
	assert_int_equal(wb_text_fit("e\xcc\x81x", 1), 3);
	assert_int_equal(wb_text_fit("abc", 9), 3);
	wb_buf_addstr(&b, "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e");
	wb_text_cut(&b, 6);
	assert_int_equal(b.len, 9);
	wb_text_cut(&b, 5);
	assert_string_equal(b.ptr, "\xe6\x97\xa5...");
	wb_buf_reset(&b);
	wb_text_pad(&b, "\xe6\x97\xa5", 4, true);
	wb_text_pad(&b, "e\xcc\x81", 3, false);
	wb_text_pad(&b, "long", 2, false);
	assert_string_equal(b.ptr, "  \xe6\x97\xa5" "e\xcc\x81  long");
	wb_buf_clear(&b);
}

/* JSON tells the same and is safe to look at. */
static void test_json_escapes(void **state)
{
	static const char text[] = "\xe2\x80\xae\xc2\x9b\x7f\033"
				   "gr\xc3\xbc\xc3\x9f\xf3\xa0\x81\x81";
	struct wb_buf b = WB_BUF_INIT;
	struct wb_error err = WB_ERROR_INIT;
	struct wb_json *v = wb_json_str(text), *back;
	const char *s;

	(void)state;
	wb_json_print(v, &b, 0);
	assert_string_equal(b.ptr, "\"\\u202e\\u009b\\u007f\\u001B"
			    "gr\xc3\xbc\xc3\x9f\\udb40\\udc41\"");
	assert_int_equal(wb_json_parse(b.ptr, b.len, &back, &err), 0);
	assert_true(wb_json_get_str(back, &s));
	assert_string_equal(s, text);
	wb_json_free(v);
	wb_json_free(back);
	wb_buf_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_printable),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_json_escapes),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
