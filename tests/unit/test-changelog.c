#include "changelog.h"
#include "check.h"

#include <string.h>

static void head_is(const char *before, const char *text, const char *after)
{
	struct wb_patch_file f;

	wb_patch_file_init(&f);
	f.rule = true;
	wb_buf_addstr(&f.head, before);
	wb_changelog_put(&f, text, false);
	assert_string_equal(f.head.ptr, after);
	/* once more: the same */
	if (text) {
		wb_changelog_put(&f, text, false);
		assert_string_equal(f.head.ptr, after);
	}
	wb_changelog_put(&f, NULL, false);
	assert_string_equal(f.head.ptr, before);
	assert_int_equal(f.notes.len, 0);
	wb_patch_file_clear(&f);
}

#define MAIL "From: A <a@example.org>\nSubject: [PATCH] s\n\n"
#define REGION "[ wb: measured ]\nfast\n[ wb: end ]\n"

static void test_place(void **state)
{
	(void)state;
	head_is(MAIL "Why.\n\nSigned-off-by: A <a@example.org>\n", "fast\n",
		MAIL "Why.\n\n" REGION "\nSigned-off-by: A <a@example.org>\n");
	head_is(MAIL "Signed-off-by: A <a@example.org>\n", "fast",
		MAIL REGION "\nSigned-off-by: A <a@example.org>\n");
	head_is(MAIL "Why.\n", "fast\n", MAIL "Why.\n\n" REGION);
	/* a quilt header without a mail's */
	head_is("a subject\n\nWhy.\n\nCc: B <b@example.org>\n", "fast\n",
		"a subject\n\nWhy.\n\n" REGION "\nCc: B <b@example.org>\n");
}

#define CRLF_MAIL "From: A <a@example.org>\r\nSubject: [PATCH] s\r\n\r\n"
#define CRLF_REGION "[ wb: measured ]\r\nfast\r\n[ wb: end ]\r\n"

/* Heads as people make them: nothing but the region comes and goes. */
static void test_odd_heads(void **state)
{
	(void)state;
	/* lines keep their ends */
	head_is(CRLF_MAIL "Why.\r\n\r\nCc: B <b@example.org>\r\n", "fast\n",
		CRLF_MAIL "Why.\r\n\r\n" CRLF_REGION
		"\r\nCc: B <b@example.org>\r\n");
	head_is(CRLF_MAIL "Why.\r\n", "fast\n",
		CRLF_MAIL "Why.\r\n\r\n" CRLF_REGION);
	/* an mbox's line, a header of two lines */
	head_is("From 0123 Mon Sep 17 00:00:00 2001\nFrom: A <a@x>\n"
		"Subject: [PATCH] s\n that goes on\n\nWhy.\n\n"
		"Acked-by: B <b@x>\n", "fast\n",
		"From 0123 Mon Sep 17 00:00:00 2001\nFrom: A <a@x>\n"
		"Subject: [PATCH] s\n that goes on\n\nWhy.\n\n" REGION
		"\nAcked-by: B <b@x>\n");
	/* trailers that go on, indented ones that are text, two paragraphs */
	head_is(MAIL "Why.\n\nFixes: 012345678901 (\"a\n b\")\nCc: B <b@x>\n",
		"fast\n", MAIL "Why.\n\n" REGION
		"\nFixes: 012345678901 (\"a\n b\")\nCc: B <b@x>\n");
	head_is(MAIL "Why.\n\n  Acked-by: B <b@x>\n", "fast\n",
		MAIL "Why.\n\n  Acked-by: B <b@x>\n\n" REGION);
	head_is(MAIL "Cc: C <c@x>\n\nAcked-by: B <b@x>\n", "fast\n",
		MAIL "Cc: C <c@x>\n\n" REGION "\nAcked-by: B <b@x>\n");
	/* tables and diffs that stand there */
	head_is(MAIL "k  value\n0  1\n\n  diff --git a/x b/x\n  @@ -1 +1 @@\n\n"
		"Acked-by: B <b@x>\n", "fast\n",
		MAIL "k  value\n0  1\n\n  diff --git a/x b/x\n  @@ -1 +1 @@\n\n"
		REGION "\nAcked-by: B <b@x>\n");
	/* the marks in somebody's sentence are no marks */
	head_is(MAIL "[ wb: measured ] stands above the table, and\n"
		"[ wb: end ] below it.\n", "fast\n",
		MAIL "[ wb: measured ] stands above the table, and\n"
		"[ wb: end ] below it.\n\n" REGION);
}

static void test_newer_text(void **state)
{
	struct wb_patch_file f;

	(void)state;
	wb_patch_file_init(&f);
	wb_buf_addstr(&f.head, MAIL "Why.\n\n[ wb: measured ]\nold\nolder\n"
		      "[ wb: end ]\n\nAcked-by: B <b@example.org>\n");
	wb_changelog_put(&f, "fast\n", false);
	assert_string_equal(f.head.ptr, MAIL "Why.\n\n" REGION
			    "\nAcked-by: B <b@example.org>\n");
	wb_changelog_put(&f, "fast\n", true);
	assert_string_equal(f.head.ptr, MAIL "Why.\n\n"
			    "Acked-by: B <b@example.org>\n");
	assert_string_equal(f.notes.ptr, "[ wb: measured ]\nfast\n"
			    "[ wb: end ]");
	assert_true(f.rule);
	wb_changelog_put(&f, "fast\n", false);
	assert_int_equal(f.notes.len, 0);
	wb_patch_file_clear(&f);
}

/* A beginning alone is what somebody edited. */
static void test_no_end(void **state)
{
	struct wb_patch_file f;

	(void)state;
	wb_patch_file_init(&f);
	wb_buf_addstr(&f.head, MAIL "[ wb: measured ]\nmine\n\nCc: B <b@x>\n");
	wb_changelog_put(&f, "fast\n", false);
	assert_non_null(strstr(f.head.ptr, "\nmine\n"));
	wb_patch_file_clear(&f);
}

static void cover_is(const char *before, const char *after)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_buf_addstr(&b, before);
	wb_changelog_put_cover(&b, "fast\n");
	assert_string_equal(b.ptr, after);
	wb_changelog_put_cover(&b, "fast\n");
	assert_string_equal(b.ptr, after);
	wb_buf_clear(&b);
}

static void test_cover(void **state)
{
	(void)state;
	cover_is(MAIL "*** BLURB HERE ***\n\nA B (2):\n  one\n  two\n",
		 MAIL "*** BLURB HERE ***\n\n" REGION
		 "\nA B (2):\n  one\n  two\n");
	cover_is(MAIL "My text.\n\nA B (1):\n  one\n",
		 MAIL "My text.\n\n" REGION "\nA B (1):\n  one\n");
	cover_is(MAIL "My text.\n-- \n2.39\n",
		 MAIL "My text.\n\n" REGION "\n-- \n2.39\n");
	cover_is(MAIL "My text.\n", MAIL "My text.\n\n" REGION);
	/* one that was moved stays where it is */
	cover_is(MAIL "One.\n\n[ wb: measured ]\nold\n[ wb: end ]\n\nTwo.\n",
		 MAIL "One.\n\n" REGION "\nTwo.\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_odd_heads),
		cmocka_unit_test(test_newer_text),
		cmocka_unit_test(test_no_end),
		cmocka_unit_test(test_cover),
	};

	return cmocka_run_group_tests_name("changelog", tests, NULL, NULL);
}
