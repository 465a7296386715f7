#include "check.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>

static void test_tidy(void **state)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
		{ "a/b", "a/b" }, { "./a/b/", "a/b" }, { "././a//", "a" },
		{ ".//a", "a" }, { "./", "" }, { "", "" }, { ".", "." },
		{ ".wbconfig", ".wbconfig" }, { "../a", "../a" }, { "/", "" },
	};
	char path[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		strcpy(path, rows[i].from);
		wb_path_tidy(path);
		assert_string_equal(path, rows[i].to);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tidy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
