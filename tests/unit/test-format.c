#include "format-table.h"
#include "json.h"
#include "path.h"
#include "report.h"

#include <math.h>

static const enum wb_format_kind all_kinds[] = {
	WB_FORMAT_TERMINAL, WB_FORMAT_PLAIN, WB_FORMAT_MARKDOWN,
	WB_FORMAT_MMTESTS, WB_FORMAT_CSV, WB_FORMAT_JSON,
	WB_FORMAT_DELTA, WB_FORMAT_LKP_LIST, WB_FORMAT_LKP, WB_FORMAT_BENCHSTAT,
};

#define NKINDS (sizeof(all_kinds) / sizeof(all_kinds[0]))

static void test_no_control_byte_gets_out(void **state)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t i, k;

	(void)state;
	for (i = 0; i < NHOSTILE; i++) {
		make(&r, hostile[i], 100);
		make_commit(&r, 1, hostile[i]);
		for (k = 0; k < 2 * NKINDS; k++) {
			struct wb_format_options o = {
				.kind = all_kinds[k / 2], .utf8 = true,
				.width = 80, .compat = k % 2,
			};

			format(&r, &o, &out);
			check_bytes(&out, hostile[i], k,
				    o.kind == WB_FORMAT_LKP_LIST);
		}
		wb_result_clear(&r);
	}
	wb_buf_clear(&out);
}

static void test_broken_is_said_everywhere(void **state)
{
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	size_t k;

	(void)state;
	make(&r, "core.c:12: error", 100);
	for (k = 0; k < NKINDS; k++) {
		struct wb_format_options o = {
			.kind = all_kinds[k], .width = 80, .decimals = 2,
		};

		format(&r, &o, &out);
		if (!strstr(out.ptr, "broken"))
			fail_msg("format %zu does not say broken", k);
	}
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void check_json_row(const struct wb_json *row)
{
	static const char *const keys[] = {
		"bench", "metric", "unit", "better", "level", "index", "prefix",
		"tree", "against", "value", "n", "change", "low", "high",
		"verdict", "reason",
	};
	const char *word;
	int64_t index;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(wb_json_get(row, keys[i]));
	assert_true(wb_json_get_int(wb_json_get(row, "index"), &index));
	if (index)
		return;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(keys[i], "against") || !strcmp(keys[i], "verdict"))
			assert_false(wb_json_get_str(wb_json_get(row, keys[i]),
						     &word));
}

static void test_json_is_the_schema(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_JSON };
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	struct wb_json *doc, *rows;
	int64_t schema;
	size_t i;

	(void)state;
	make(&r, "\xff\033", 100);
	format(&r, &o, &out);
	assert_int_equal(wb_json_parse(out.ptr, out.len, &doc, &err), 0);
	assert_true(wb_json_get_int(wb_json_get(doc, "schema"), &schema));
	assert_int_equal(schema, 1);
	rows = wb_json_get(doc, "rows");
	assert_int_equal(wb_json_count(rows), 8);
	for (i = 0; i < 8; i++)
		check_json_row(wb_json_at(rows, i));
	wb_json_free(doc);
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void test_csv_has_all_digits(void **state)
{
	struct wb_format_options o = { .kind = WB_FORMAT_CSV };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	const char *line;
	size_t commas, i;

	(void)state;
	make(&r, "=a,\"b", 1.0 / 3);
	format(&r, &o, &out);
	assert_non_null(strstr(out.ptr, "\"'=a,\"\"b\""));
	assert_non_null(strstr(out.ptr, "0.33433"));
	for (line = out.ptr; *line; line = next(line)) {
		bool quoted = false;

		for (commas = 0, i = 0; line[i] != '\n'; i++) {
			quoted ^= line[i] == '"';
			commas += line[i] == ',' && !quoted;
		}
		assert_int_equal(commas, 23);
	}
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void test_globs(void **state)
{
	struct wb_format_options o = {
		.kind = WB_FORMAT_CSV, .metric = "alloc-odr0-?",
	};
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	load(&r, "six-columns");
	format(&r, &o, &out);
	assert_non_null(strstr(out.ptr, "alloc-odr0-1,"));
	assert_null(strstr(out.ptr, "alloc-odr0-64"));
	o.bench = "other";
	format(&r, &o, &out);
	assert_null(strstr(out.ptr, "alloc"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void test_report_errors(void **state)
{
	struct wb_report_options o = { .against = "nobody" };
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;

	(void)state;
	wb_result_init(&r);
	assert_int_equal(wb_report_text(&r, 0.005, &o, &out, &err), -1);
	assert_int_equal(err.kind, WB_E_JUDGE);
	make(&r, "x", 100);
	assert_int_equal(wb_report_text(&r, 0.005, &o, &out, &err), -1);
	assert_int_equal(err.kind, WB_E_USAGE);
	o.against = "x1";
	assert_int_equal(wb_report_text(&r, 0.005, &o, &out, &err), 0);
	assert_non_null(strstr(out.ptr, "from x1"));
	wb_result_clear(&r);
	wb_buf_clear(&out);
}

static void reason_is(const struct wb_result *r,
		      const struct wb_report_options *o, const char *want)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf out = WB_BUF_INIT;

	assert_int_equal(wb_report_text(r, 0.005, o, &out, &err), -1);
	assert_int_equal(err.kind, WB_E_JUDGE);
	assert_string_equal(err.msg, want);
	wb_buf_clear(&out);
}

/* A hole is to blame only when every prefix has one. */
static void test_why_nothing_was_measured(void **state)
{
	struct wb_report_options o = { .against = NULL };
	struct wb_result r;

	(void)state;
	wb_result_init(&r);
	wb_result_add_column(&r, 0, "base");
	wb_result_add_column(&r, 1, "one");
	reason_is(&r, &o, "nothing measured yet for the present builds and "
		  "benches; measure with 'wb run'");
	wb_result_add_hole(&r, 1, NULL, WB_HOLE_BROKEN, "build: exit 2");
	o.source = "a..b";
	reason_is(&r, &o, "nothing measured yet for the present builds and "
		  "benches; measure with 'wb run a..b'");
	wb_result_add_hole(&r, 0, "b", WB_HOLE_BROKEN, "crash");
	reason_is(&r, &o, "nothing measured: prefix 0 'base': crash");
	/* a hole of another bench is none of this one */
	o.format.bench = "c";
	reason_is(&r, &o, "nothing measured yet for the present builds and "
		  "benches; measure with 'wb run --bench=c a..b'");
	/* and so are its samples */
	wb_result_add_metric(&r, "b", "m");
	add(&r, 0, 0, 0, 1);
	reason_is(&r, &o, "nothing measured yet for the present builds and "
		  "benches; measure with 'wb run --bench=c a..b'");
	wb_result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_control_byte_gets_out),
		cmocka_unit_test(test_broken_is_said_everywhere),
		cmocka_unit_test(test_json_is_the_schema),
		cmocka_unit_test(test_csv_has_all_digits),
		cmocka_unit_test(test_globs),
		cmocka_unit_test(test_report_errors),
		cmocka_unit_test(test_why_nothing_was_measured),
	};

	return cmocka_run_group_tests_name("format", tests, NULL, NULL);
}
