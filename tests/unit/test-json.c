#include "check.h"
#include "json.h"

#include <math.h>
#include <string.h>

static void test_print(void **state)
{
	struct wb_json *o = wb_json_object();
	struct wb_buf b = WB_BUF_INIT;

	(void)state;
	wb_json_set(o, "z", wb_json_str("a\"\n\xff\xc3\xa9"));
	wb_json_set(o, "a", wb_json_int(INT64_MAX));
	wb_json_set(o, "nan", wb_json_num(NAN));
	wb_json_set(o, "none", NULL);
	wb_json_set(o, "half", wb_json_num(0.5));
	wb_json_print(o, &b, 0);
	assert_string_equal(b.ptr, "{\"z\":\"a\\\"\\n\xef\xbf\xbd\xc3\xa9\","
			    "\"a\":9223372036854775807,\"nan\":null,"
			    "\"none\":null,\"half\":0.5}");
	wb_json_free(o);
	wb_buf_clear(&b);
}

static void test_parse_refuses(void **state)
{
	static const char *const bad[] = {
		"", "{", "{\"a\":1,\"a\":2}", "{\"a\":1}x", "[1e400]", "nan",
		"{\"a\":\"\xff\"}", "[1,]", "\"\\ud800\"",
	};
	struct wb_error err = WB_ERROR_INIT;
	struct wb_json *v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(wb_json_parse(bad[i], strlen(bad[i]), &v,
					       &err), -1);
}

static void test_types(void **state)
{
	static const char text[] = "{\"n\":1.5,\"i\":3,\"s\":\"x\",\"b\":true,"
				   "\"z\":null}";
	struct wb_error err = WB_ERROR_INIT;
	struct wb_json *v;
	const char *s = NULL;
	int64_t i = 0;
	double d = 0;
	bool b = false;

	(void)state;
	assert_int_equal(wb_json_parse(text, strlen(text), &v, &err), 0);
	assert_true(wb_json_get_num(wb_json_get(v, "n"), &d) && d == 1.5);
	assert_true(wb_json_get_num(wb_json_get(v, "i"), &d) && d == 3);
	assert_false(wb_json_get_int(wb_json_get(v, "n"), &i));
	assert_true(wb_json_get_str(wb_json_get(v, "s"), &s));
	assert_string_equal(s, "x");
	assert_false(wb_json_get_num(wb_json_get(v, "s"), &d));
	assert_true(wb_json_get_bool(wb_json_get(v, "b"), &b) && b);
	assert_true(wb_json_is_null(wb_json_get(v, "z")));
	assert_false(wb_json_is_null(wb_json_get(v, "s")));
	assert_null(wb_json_get(v, "none"));
	assert_false(wb_json_is_null(NULL));
	wb_json_free(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_parse_refuses),
		cmocka_unit_test(test_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
