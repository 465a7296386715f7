#include "check.h"
#include "buf.h"

#include <stdio.h>
#include <string.h>

/* Formatted text of every length around the one that fits at once. */
static void test_addf(void **state)
{
	struct wb_buf b = WB_BUF_INIT;
	char want[320];
	int n;

	(void)state;
	for (n = 0; n < 300; n++) {
		wb_buf_reset(&b);
		wb_buf_addch(&b, '<');
		wb_buf_addf(&b, "%*d%s", n, 7, ">");
		snprintf(want, sizeof(want), "<%*d>", n, 7);
		assert_int_equal(b.len, strlen(want));
		assert_string_equal(b.ptr, want);
	}
	wb_buf_clear(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
