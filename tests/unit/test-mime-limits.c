#include "buf.h"
#include "check.h"
#include "mime-limits.h"

#include <stdio.h>
#include <string.h>

static const char *says(const struct wb_buf *mail, struct wb_error *err)
{
	*err = (struct wb_error)WB_ERROR_INIT;
	return wb_mime_limits(mail->ptr, mail->len, err) < 0 ? err->msg : "";
}

static void add(struct wb_buf *b, const char *text, size_t times)
{
	while (times--)
		wb_buf_addstr(b, text);
}

/* A head, then a text so many times, then an end. */
static const struct row {
	const char *head, *text;
	size_t times;
	const char *end, *says;
} rows[] = {
	{ "Subject: x\n\n", "a line\n", 100000, "", "" },
	{ "Subject: x\r\n\r\n", "a line of a mail of some length\r\n", 100000,
	  "", "" },
	{ "", "X: y\n", 250000, "\n", "refused: a header" },
	{ "", "X: y\n", 150000, "\nx\n", "" },
	/* the header of a part is one, and of a mail in a part */
	{ "Content-Type: multipart/mixed; boundary=b\n\n--b\n", "X: y\n",
	  250000, "\n--b--\n", "refused: a header" },
	{ "Content-Type: multipart/mixed;\n\tBoundary=\"b c\"\n\n--b c\n",
	  "X: y\n", 250000, "\n--b--\n", "refused: a header" },
	{ "Content-Type: message/rfc822\n\n", "X: y\n", 250000, "\n",
	  "refused: a header" },
	{ "Content-Type: multipart/digest; boundary=b\n\n--b\n\n", "X: y\n",
	  250000, "\n--b--\n", "refused: a header" },
	/* a line of a diff is none */
	{ "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n",
	  "--- a/f\n+++ b/f\n", 250000, "\n--b--\n", "" },
	/* deep, and wide */
	{ "", "Content-Type: message/rfc822\n\n", 90, "x\n", "" },
	{ "", "Content-Type: message/rfc822\n\n", 110, "x\n",
	  "refused: a mail of too many" },
	{ "", "CONTENT-TYPE : message/rfc822\n\n", 110, "x\n",
	  "refused: a mail of too many" },
	{ "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nx\n", 150,
	  "--b--\n", "" },
	{ "Content-Type: multipart/mixed; boundary=b\n\n", "--b\n\nx\n", 250,
	  "--b--\n", "refused: a mail of too many" },
	{ "Content-Type: multipart/mixed; charset=x; bOUNDARY = b\n\n",
	  "--b\n\nx\n", 250, "--b--\n", "refused: a mail of too many" },
	/* words about it are none */
	{ "Subject: boundary=x\n\n", "boundary=x boundary*0=y\n", 250, "", "" },
	/* what could be read in two ways */
	{ "Content-Type: multipart/mixed; boundary*0=a; boundary*1=b\n\n",
	  "--ab\n\n", 1, "", "refused: a boundary" },
	{ "Content-Type: multipart/mixed; boundary=\"a\\b\"\n\n", "--ab\n\n",
	  1, "", "refused: a boundary" },
	{ "Content-Type: multipart/mixed; boundary=(x)ab\n\n", "--ab\n\n", 1,
	  "", "refused: a boundary" },
	{ "Content-Type: multipart/mixed; boundary=\"ab\n\n", "--ab\n\n", 1,
	  "", "refused: a boundary" },
};

static void test_limits(void **state)
{
	struct wb_error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];
		struct wb_buf mail = WB_BUF_INIT;
		const char *said;

		add(&mail, r->head, 1);
		add(&mail, r->text, r->times);
		add(&mail, r->end, 1);
		said = says(&mail, &err);
		if (*r->says ? !wb_str_starts(said, r->says) : *said != '\0')
			fail_msg("row %zu: '%s', not '%s'", i, said, r->says);
		wb_buf_clear(&mail);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests_name("mime-limits", tests, NULL, NULL);
}
