#include "check.h"
#include "env.h"

#include <stdlib.h>
#include <string.h>

static const char *get(const struct wb_env *e, const char *name)
{
	size_t n = strlen(name), i;

	for (i = 0; i < e->n; i++)
		if (!strncmp(e->v[i], name, n) && e->v[i][n] == '=')
			return e->v[i] + n + 1;
	return NULL;
}

static bool is_token(const char *pair)
{
	return memmem(pair, strcspn(pair, "="), "TOKEN", 5) != NULL;
}

static bool is_any(const char *pair)
{
	return *pair;
}

static void test_drop(void **state)
{
	struct wb_env e;

	(void)state;
	setenv("MY_TOKEN_1", "secret", 1);
	setenv("TOKEN", "secret", 1);
	setenv("WORD", "TOKEN", 1);
	setenv("token", "lower", 1);
	wb_env_init(&e);
	wb_env_drop(&e, is_token);
	assert_null(get(&e, "MY_TOKEN_1"));
	assert_null(get(&e, "TOKEN"));
	assert_string_equal(get(&e, "WORD"), "TOKEN");
	assert_string_equal(get(&e, "token"), "lower");
	assert_null(e.v[e.n]);
	wb_env_set(&e, "MY_TOKEN_1", "again");
	assert_string_equal(get(&e, "MY_TOKEN_1"), "again");
	assert_null(e.v[e.n]);
	wb_env_drop(&e, is_any);
	assert_int_equal(e.n, 0);
	assert_null(e.v[0]);
	wb_env_clear(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
