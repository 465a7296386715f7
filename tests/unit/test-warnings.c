/* Which warnings of a build are new. */
#include "check.h"
#include "warnings.h"

#include <string.h>

static const char log_text[] =
	"cc -c a.c\n"
	"/b/tree/src/a.c:3:7: warning: unused variable 'x' [-Wunused]\n"
	"   3 | int x;\n"
	"src/a.c: In function 'f':\n"
	"src/b.h:12: warning: one\n"
	"src/b.h:90: warning: one\n"
	"ld: warning: no place at all\n"
	"warning: nor here\n"
	"x:: warning: nor here\n"
	":4: warning: nor here\n"
	"c:5:6:7: warning: two numbers in front";

static void test_read(void **state)
{
	struct wb_warnings w;

	(void)state;
	wb_warnings_read(&w, log_text, "/b/tree");
	assert_int_equal(w.n, 4);
	assert_string_equal(w.v[0].file, "c:5");
	assert_int_equal(w.v[0].line, 6);
	assert_string_equal(w.v[0].text, "two numbers in front");
	assert_string_equal(w.v[1].file, "src/a.c");
	assert_int_equal(w.v[1].line, 3);
	assert_string_equal(w.v[1].text, "unused variable 'x' [-Wunused]");
	assert_string_equal(w.v[2].file, "src/b.h");
	wb_warnings_clear(&w);
	wb_warnings_read(&w, "", NULL);
	assert_int_equal(w.n, 0);
	wb_warnings_clear(&w);
}

/* A line moves, an order changes: not new. The same once more: new. */
static void test_fresh(void **state)
{
	struct wb_warnings old, now, fresh = { .n = 0 };

	(void)state;
	wb_warnings_read(&old, "a:1: warning: x\nb:1: warning: y\n"
			 "b:7: warning: z\n", NULL);
	wb_warnings_read(&now, "b:2: warning: y\na:9: warning: x\n"
			 "a:11: warning: x\nc:1: warning: y\n", NULL);
	wb_warnings_fresh(&now, &old, &fresh);
	assert_int_equal(fresh.n, 2);
	assert_string_equal(fresh.v[0].file, "a");
	assert_string_equal(fresh.v[1].file, "c");
	assert_int_equal(now.n, 2);
	wb_warnings_clear(&fresh);
	wb_warnings_clear(&now);
	/* two that are gone stand before one that stayed */
	wb_warnings_read(&now, "b:3: warning: z\n", NULL);
	wb_warnings_fresh(&now, &old, &fresh);
	assert_int_equal(fresh.n, 0);
	assert_int_equal(now.n, 1);
	wb_warnings_clear(&fresh);
	wb_warnings_clear(&now);
	wb_warnings_clear(&old);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_fresh),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
