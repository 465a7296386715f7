/* Which prefix a word means. */
#include "check.h"

#include "series.h"

static struct wb_prefix prefix[] = {
	{ .name = "base" }, { .name = "front" }, { .name = "sub/two" },
	{ .name = "12" }, { .name = "123456789012" }, { .name = "x.patch" },
};

static struct wb_stack stack = {
	.source = "series", .prefix = prefix,
	.n = sizeof(prefix) / sizeof(*prefix),
};

static void test_find(void **state)
{
	static const struct {
		const char *word;
		int k;		/* -1: none */
	} t[] = {
		{ "base", 0 }, { "0", 0 }, { "front", 1 },
		{ "front.patch", 1 }, { "sub/two.patch", 2 }, { "2", 2 },
		/* a name is a name even when it is made of digits */
		{ "12", 3 }, { "123456789012", 4 }, { "4", 4 }, { "6", -1 },
		{ "x.patch", 5 }, { "x.patch.patch", 5 }, { "x", -1 },
		{ "base.patch", -1 }, { "", -1 }, { "1x", -1 }, { "-1", -1 },
	};
	struct wb_error err = WB_ERROR_INIT;
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		k = 99;
		if (wb_stack_find(&stack, NULL, t[i].word, &k, &err) < 0) {
			assert_int_equal(t[i].k, -1);
			assert_int_equal(err.kind, WB_E_FATAL);
		} else {
			if ((int)k != t[i].k)
				fail_msg("%s: %zu", t[i].word, k);
		}
	}
}

static void test_profiles(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	enum wb_profile p, q;

	(void)state;
	for (p = WB_PROFILE_STRICT; p <= WB_PROFILE_GIT; p++) {
		assert_int_equal(wb_profile_parse(wb_profile_word(p), &q, &err),
				 0);
		assert_int_equal(p, q);
	}
	assert_int_equal(wb_profile_parse("loose", &q, &err), -1);
	assert_int_equal(err.kind, WB_E_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_profiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
