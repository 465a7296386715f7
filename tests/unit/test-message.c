/* The words that come with a patch. */
#include "check.h"

#include "message.h"

#include <string.h>

struct row {
	const char *text, *subject, *author, *date;
	size_t ntrailers;
	const char *key, *value;	/* of the last trailer */
};

static const struct row rows[] = {
	{ "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 "
	  "2001\nFrom: Ada Marsh <ada@example.org>\nDate: Mon, 1 Jan 2024 "
	  "10:00:00 +0100\nSubject: [PATCH v2 3/7] mm: a long\n subject\n\n"
	  "Body: not a trailer, for this is a paragraph of words\nthat goes "
	  "on.\n\nAcked-by: Bo <bo@example.org>\nSigned-off-by: Ada Marsh\n"
	  " <ada@example.org>\n---\n f | 2 +-\n\n",
	  "mm: a long subject", "Ada Marsh <ada@example.org>",
	  "Mon, 1 Jan 2024 10:00:00 +0100", 2, "Signed-off-by",
	  "Ada Marsh <ada@example.org>" },
	{ "Subject: =?UTF-8?q?[PATCH]_Gr=C3=BC?= =?UTF-8?b?w59l?=\n"
	  "From: =?iso-8859-1?q?J=F6rg?= <j@example.org>\n\n",
	  "Gr\303\274\303\237e", "J\303\266rg <j@example.org>", NULL, 0,
	  NULL, NULL },
	{ "Description: short one\n more of it\n .\n and more\n"
	  "Author: Cy Rill <cy@example.org>\nLast-Update: 2024-01-01\n---\n",
	  "short one", "Cy Rill <cy@example.org>", "2024-01-01", 0, NULL,
	  NULL },
	{ "Description:\n the rest\n\nFirst words\n", "First words", NULL,
	  NULL, 0, NULL, NULL },
	{ "\nFix the frobnicator: it hangs.\n\nLong words.\n\n"
	  "Tested-by: X <x@example.org>\n", "Fix the frobnicator: it hangs.",
	  NULL, NULL, 1, "Tested-by", "X <x@example.org>" },
	{ "Note: this is prose\nof two lines\n", "Note: this is prose", NULL,
	  NULL, 0, NULL, NULL },
	{ "Subject: s\n\nSee\nhttp://example.org/x\nSigned-off-by: A\n", "s",
	  NULL, NULL, 1, "Signed-off-by", "A" },
	{ "Subject: s\n\nOne word: two\nand no trailer\n", "s", NULL, NULL, 0,
	  NULL, NULL },
	{ "Subject: [RFC][PATCH] [media] s\nFrom: List <l@example.org>\n\n"
	  "From: Ada <ada@example.org>\n\nwords\n", "[media] s",
	  "Ada <ada@example.org>", NULL, 0, NULL, NULL },
	{ "", "", NULL, NULL, 0, NULL, NULL },
	{ "\n\n", "", NULL, NULL, 0, NULL, NULL },
};

static void same(const char *got, const char *want)
{
	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
}

static void test_patches(void **state)
{
	struct wb_message m;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		wb_message_of_patch(&m, rows[i].text, strlen(rows[i].text));
		same(m.subject, rows[i].subject);
		same(m.author, rows[i].author);
		same(m.date, rows[i].date);
		assert_int_equal(m.ntrailers, rows[i].ntrailers);
		if (m.ntrailers) {
			same(m.trailer[m.ntrailers - 1].key, rows[i].key);
			same(m.trailer[m.ntrailers - 1].value, rows[i].value);
		}
		wb_message_clear(&m);
	}
}

static void test_commits(void **state)
{
	struct wb_message m;

	(void)state;
	wb_message_of_commit(&m, "one\ntwo\n\nwords\n\nFixes: 1234567\n");
	assert_string_equal(m.subject, "one two");
	assert_int_equal(m.ntrailers, 1);
	wb_message_clear(&m);
	wb_message_of_commit(&m, "area: subject\n");
	assert_string_equal(m.subject, "area: subject");
	assert_int_equal(m.ntrailers, 0);
	wb_message_clear(&m);
	wb_message_of_commit(&m, "");
	assert_string_equal(m.subject, "");
	wb_message_clear(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patches),
		cmocka_unit_test(test_commits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
