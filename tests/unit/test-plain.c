#include "check.h"
#include "plain.h"
#include "render.h"

#include <string.h>

static void check(const char *markdown, size_t width, const char *wanted)
{
	struct wb_buf out = WB_BUF_INIT;

	wb_plain(markdown, strlen(markdown), width, &out);
	assert_string_equal(out.ptr, wanted);
	wb_buf_clear(&out);
}

static void test_prose(void **state)
{
	(void)state;
	check("# One\n\nwords that are wrapped\nat the width\n\n## Two *b*\n",
	      20, "One\n===\n\nwords that are\nwrapped at the width\n\n"
	      "Two _b_\n~~~~~~~\n");
	check("a  \nb\n\n***\n\n**c** `d e`\n", 72,
	      "a\nb\n\n* * *\n\n*c* d e\n");
	/* a word that is longer than a line stays whole */
	check("a https://example.org/very/long b\n", 12,
	      "a\nhttps://example.org/very/long\nb\n");
}

static void test_lists(void **state)
{
	(void)state;
	check("- one two three\n- b\n\n  x\n- c\n", 10,
	      "- one two\n  three\n\n- b\n\n  x\n\n- c\n");
	check("- a\n- b\n  1. c\n  2. d\n- e\n\nf\n", 72,
	      "- a\n- b\n  1. c\n  2. d\n- e\n\nf\n");
	check("> a b\n>\n> c\n", 5, "> a b\n>\n> c\n");
	check("> - a\n> - b\n\nc", 72, "> - a\n> - b\n\nc\n");
}

static void test_code_is_kept(void **state)
{
	(void)state;
	check("x\n\n```\nk  name   a\n   0 base  1\n\n  y   \n```\n", 8,
	      "x\n\nk  name   a\n   0 base  1\n\n  y\n");
	check("- a\n\n      code\n", 72, "- a\n\n  code\n");
}

static void test_links(void **state)
{
	(void)state;
	check("see [the page](https://example.org/p), <https://example.org>\n",
	      72, "see the page <https://example.org/p>, "
	      "https://example.org\n");
}

static void test_ascii(void **state)
{
	(void)state;
	check("1 \xc2\xb1 2 \xc2\xb5s \xe2\x86\x92 Zo\xc3\xab \xe2\x80\x93\n",
	      72, "1 +- 2 us -> Zo\xc3\xab -\n");
}

/* No line may begin with what git am, mbox or an editor's clean-up eat. */
static void test_hazards(void **state)
{
	(void)state;
	check("```\n--- a\n# b\nFrom c\ndiff -u\nIndex: d\ndifferent\n```\n",
	      72, "| --- a\n| # b\n| From c\n| diff -u\n| Index: d\n"
	      "different\n");
	check("Time goes by From here on --- and #1 too\n", 10,
	      "Time goes\nby From\nhere on ---\nand #1 too\n");
	check("From here\n", 72, "| From here\n");
}

static void test_deep(void **state)
{
	struct wb_buf text = WB_BUF_INIT, out = WB_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		wb_buf_fill(&text, ' ', 2 * i);
		wb_buf_addstr(&text, "- > x\n");
	}
	wb_plain(text.ptr, text.len, 72, &out);
	assert_true(out.len > 80);
	wb_buf_clear(&text);
	wb_buf_clear(&out);
}

/* ---- what cmark renders ---- */

static void test_markup_is_left_out(void **state)
{
	static const char text[] =
		"a <script>alert(1)</script> b\n\n"
		"<div onclick=x>\nc\n</div>\n\n"
		"[l](javascript:x) [m](JavaScript:y) [n](data:text/html,z) "
		"[o](https://example.org/?a:b) [p](#here)\n";
	static const enum wb_render_format format[] = {
		WB_RENDER_HTML, WB_RENDER_MAN, WB_RENDER_LATEX,
		WB_RENDER_COMMONMARK,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(format) / sizeof(format[0]); i++) {
		struct wb_buf out = WB_BUF_INIT;
		wb_render(text, strlen(text), format[i], 0, &out);
		assert_null(strstr(out.ptr, "<script"));
		assert_null(strstr(out.ptr, "onclick"));
		assert_null(strcasestr(out.ptr, "javascript:"));
		assert_null(strstr(out.ptr, "data:"));
		if (format[i] != WB_RENDER_MAN)
			assert_non_null(strstr(out.ptr, "example.org/?a:b"));
		assert_non_null(strstr(out.ptr, "alert"));
		wb_buf_clear(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prose),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_code_is_kept),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_hazards),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_markup_is_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
