#include "check.h"
#include "buf.h"
#include "opt.h"

#include <stdlib.h>
#include <string.h>

struct fields {
	bool flag, off;
	const char *str;
	int num;
	double time, share;
	struct wb_strlist list;
};

static const struct wb_opt opts[] = {
	WB_OPT_FLAG('f', "flag", struct fields, flag, "a flag"),
	WB_OPT_NOFLAG(0, "no-off", struct fields, off, "unset"),
	WB_OPT_STR('s', "str", struct fields, str, "S", "a word"),
	WB_OPT_INT('n', "num", struct fields, num, "N", "a number"),
	WB_OPT_DURATION('t', "time", struct fields, time, "T", "a time"),
	WB_OPT_RATIO('r', "share", struct fields, share, "R", "a share"),
	WB_OPT_LIST('l', "list", struct fields, list, "L", "many"),
	WB_OPT_END
};

/* Parses the words of line; the fields start as they are in *f. */
static int parse(struct fields *f, const char *line, char **words, int *n,
		 struct wb_error *err)
{
	static char copy[256];
	struct wb_opt_layer layer = { opts, f };
	char *argv[32] = { "wb" }, *save = NULL, *w;
	enum wb_opt_help help = WB_OPT_NO_HELP;
	int argc = 1, i, rc;

	strncpy(copy, line, sizeof(copy) - 1);
	for (w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	rc = wb_opt_parse(argc, argv, &layer, 1, 0, &help, n, err);
	for (i = 0; !rc && words && i < *n; i++)
		words[i] = argv[1 + i];
	return rc;
}

static void test_fields(void **state)
{
	struct fields f = { .off = true };
	struct wb_error err = WB_ERROR_INIT;
	char *words[8];
	int n;

	(void)state;
	assert_int_equal(parse(&f, "-f a --no-off --str=x --num 7 b -t 1h30m "
			       "--share=0.5% -l p --list q -- --flag", words,
			       &n, &err), 0);
	assert_true(f.flag);
	assert_false(f.off);
	assert_string_equal(f.str, "x");
	assert_int_equal(f.num, 7);
	assert_true(f.time == 5400);
	assert_true(f.share == 0.005);
	assert_int_equal(f.list.n, 2);
	assert_string_equal(f.list.v[1], "q");
	assert_int_equal(n, 3);
	assert_string_equal(words[0], "a");
	assert_string_equal(words[2], "--flag");
	free(f.list.v);
}

static void test_refusals(void **state)
{
	static const char *const bad[] = {
		"--nope", "-x", "--num", "--num=", "--num=1x", "--num=-1",
		"--num=99999999999", "--time=1y", "--time=", "--time=-3",
		"--time=nan", "--time=1e999", "--share=2", "--share=1%%",
		"--share=inf", "--flag=1",
	};
	struct wb_error err = WB_ERROR_INIT;
	struct fields f;
	size_t i;
	int n;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		memset(&f, 0, sizeof(f));
		wb_error_clear(&err);
		assert_int_equal(parse(&f, bad[i], NULL, &n, &err), -1);
		assert_int_equal(err.kind, WB_E_USAGE);
		assert_true(strlen(err.msg) > 0);
	}
}

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		double seconds;
	} row[] = {
		{ "0", 0 }, { "90", 90 }, { "1.5s", 1.5 }, { "10m", 600 },
		{ "1h30m", 5400 }, { "2d", 172800 }, { "1m30", 90 },
	};
	struct wb_error err = WB_ERROR_INIT;
	double t;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		assert_int_equal(wb_parse_duration(row[i].text, &t, &err), 0);
		assert_true(t == row[i].seconds);
	}
}

static void test_bytes(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} row[] = {
		{ "1", 1 }, { "4096", 4096 }, { "1K", 1024 }, { "1.5K", 1536 },
		{ "20M", 20971520 }, { "8G", 8589934592 },
		{ "1T", 1099511627776 },
	};
	static const char *const bad[] = {
		"", "0", "-1", "M", "5m", "5MB", "5 M", "1e30", "9999T", "0.1",
		"nan", "0x10",
	};
	struct wb_error err = WB_ERROR_INIT;
	uint64_t n = 7;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		assert_int_equal(wb_parse_bytes(row[i].text, &n, &err), 0);
		assert_true(n == row[i].bytes);
	}
	n = 7;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		wb_error_clear(&err);
		assert_int_equal(wb_parse_bytes(bad[i], &n, &err), -1);
		assert_int_equal(err.kind, WB_E_USAGE);
		assert_non_null(strstr(err.msg, "is not a size"));
		assert_true(n == 7);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_durations),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
