#include "check.h"
#include "expect-edit.h"

#include <string.h>

enum what { RENAME, DROP, FOLD };

static const struct row {
	enum what what;
	const char *a, *b, *before, *after;
} rows[] = {
	{ RENAME, "one", "uno",
	  "; words\n[expect \"one\"]\n\tfixes = t\n[expect \"one-more\"]\n"
	  "\tfixes = u\n",
	  "; words\n[expect \"uno\"]\n\tfixes = t\n[expect \"one-more\"]\n"
	  "\tfixes = u\n" },
	/* with its ending, more than once, with a key behind it, odd blanks */
	{ RENAME, "one", "d/uno", " [EXPECT\t\"one.patch\" ] fixes = t # x\n"
	  "[expect \"two\"]\nfixes = one\n[expect \"one\"]\n",
	  " [EXPECT\t\"d/uno\" ] fixes = t # x\n"
	  "[expect \"two\"]\nfixes = one\n[expect \"d/uno\"]\n" },
	{ RENAME, "a\"b", "c", "[expect \"a\\\"b\"]\nfixes = t",
	  "[expect \"c\"]\nfixes = t" },
	/* other sections, and what is none */
	{ RENAME, "one", "uno", "[other \"one\"]\nfixes = t\n"
	  "[expect \"one\n[expect]\n",
	  "[other \"one\"]\nfixes = t\n[expect \"one\n[expect]\n" },
	/* a line that goes on is no header */
	{ RENAME, "one", "uno", "[expect \"two\"]\nfixes = a \\\n"
	  "[expect \"one\"]\n",
	  "[expect \"two\"]\nfixes = a \\\n[expect \"one\"]\n" },
	/* a comment does not go on */
	{ RENAME, "one", "uno", "; x \\\n[expect \"one\"]\nfixes = t\n",
	  "; x \\\n[expect \"uno\"]\nfixes = t\n" },
	{ DROP, "one", NULL, "; top\n[expect \"one\"]\n\tfixes = t\n"
	  "; why\n\tcosts = m\n"
	  "\n; of two\n[expect \"two\"]\n\tfixes = u\n",
	  "; top\n; why\n\n; of two\n[expect \"two\"]\n\tfixes = u\n" },
	{ DROP, "two", NULL, "[expect \"one\"]\nfixes = t\n"
	  "[expect \"two\"] fixes = a \\\nb\n",
	  "[expect \"one\"]\nfixes = t\n" },
	{ DROP, "one", NULL, "[expect \"one\"]\nfixes = t\n"
	  "[expect \"one.patch\"]\ncosts = m\n", "" },
	{ DROP, "base", NULL, "", "" },
	{ FOLD, "two", "one", "[expect \"one\"]\ncosts = m\n"
	  "[expect \"two\"]\nfixes = t\n",
	  "[expect \"one\"]\ncosts = m\n[expect \"one\"]\nfixes = t\n" },
	/* one breaks what the other fixes: neither does */
	{ FOLD, "two", "one", "[expect \"one\"]\nbreaks = t\n"
	  "[expect \"two\"]\nfixes = t # at last\nfixes = u\n",
	  "[expect \"one\"]\nfixes = u\n" },
	{ FOLD, "two", "one", "[expect \"one\"]\nFixes=t\n; kept\n"
	  "[expect \"two.patch\"]\n breaks = t\n[expect \"base\"]\n"
	  "breaks = t\n",
	  "; kept\n[expect \"base\"]\nbreaks = t\n" },
	{ FOLD, "two", "one", "[expect \"one\"]\nfixes = t\ncosts = t\n"
	  "[expect \"two\"]\nfixes = t\ncosts = u\n",
	  "[expect \"one\"]\nfixes = t\ncosts = t\n[expect \"one\"]\n"
	  "fixes = t\ncosts = u\n" },
	/* quotes are git's to read */
	{ FOLD, "two", "one", "[expect \"one\"]\nbreaks = \"t # 1\"\n"
	  "[expect \"two\"]\nfixes = \"t # 2\"\n",
	  "[expect \"one\"]\nbreaks = \"t # 1\"\n"
	  "[expect \"one\"]\nfixes = \"t # 2\"\n" },
	{ FOLD, "two", "one", "[expect \"one\"]\nbreaks = \"t\"\n"
	  "[expect \"two\"]\nfixes = t\n",
	  "[expect \"one\"]\nbreaks = \"t\"\n[expect \"one\"]\nfixes = t\n" },
};

static void test_rows(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];
		struct wb_buf text = WB_BUF_INIT;

		wb_buf_addstr(&text, r->before);
		if (r->what == RENAME)
			wb_expect_rename(&text, r->a, r->b);
		else if (r->what == DROP)
			wb_expect_drop(&text, r->a);
		else
			wb_expect_fold(&text, r->a, r->b);
		assert_string_equal(text.ptr, r->after);
		wb_buf_clear(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests_name("expect-edit", tests, NULL, NULL);
}
