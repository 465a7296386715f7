#include "check.h"
#include "bisect-profile.h"
#include "json.h"

#include <math.h>
#include <string.h>

static const char text[] =
	"#define N 3\n"				/* 1 */
	"static int early(int a);\n"
	"\n"
	"static int early(int a)\n"
	"{\n"					/* 5 */
	"	late(a);\n"
	"out:\n"
	"	return a;\n"
	"}\n"
	"\n"					/* 10 */
	"int\n"
	"late(int a,\n"
	"     int b)\n"
	"{\n"
	"	return early(a) + b;\n"		/* 15 */
	"}\n";

static void hunk(struct wb_bisect_shares *s, int at, int n)
{
	wb_bisect_shares_hunk(s, &(struct wb_git_hunk){
		.path = "a.c", .new = text, .new_len = strlen(text),
		.new_at = at, .new_n = n,
	});
}

static void fill(struct wb_bisect_shares *s)
{
	memset(s, 0, sizeof(*s));
	wb_bisect_shares_add(s, "early", 0.4, false);
	wb_bisect_shares_add(s, "early", 0.3, true);
	wb_bisect_shares_add(s, "late.part.0", 0.6, false);
	wb_bisect_shares_add(s, "late.part.0", 0.7, true);
	wb_bisect_shares_add(s, "main", 1, false);
	wb_bisect_shares_add(s, "main", 1, true);
	wb_bisect_shares_add(s, "fresh", 0.2, true);
}

static size_t hunks_of(const struct wb_bisect_shares *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (!strcmp(s->v[i].name, name))
			return s->v[i].nhunks;
	return 99;
}

/* Which line belongs to which function. */
static void test_lines(void **state)
{
	static const struct {
		int at, n;
		size_t early, late, elsewhere;
	} want[] = {
		{ 1, 1, 0, 0, 1 },	/* above all */
		{ 2, 1, 0, 0, 1 },	/* a declaration is none */
		{ 4, 1, 1, 0, 0 },	/* the line it begins with */
		{ 6, 1, 1, 0, 0 },	/* a call is the caller's */
		{ 8, 1, 1, 0, 0 },	/* behind a label */
		{ 12, 1, 0, 1, 0 },	/* its name on a line of its own */
		{ 15, 1, 0, 1, 0 },
		{ 6, 10, 1, 1, 0 },	/* one hunk, two functions */
		{ 16, 9, 0, 1, 0 },	/* longer than the file */
	};
	struct wb_bisect_shares s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		fill(&s);
		hunk(&s, want[i].at, want[i].n);
		assert_int_equal(hunks_of(&s, "early"), want[i].early);
		assert_int_equal(hunks_of(&s, "late.part.0"), want[i].late);
		assert_int_equal(s.nelsewhere, want[i].elsewhere);
		assert_int_equal(hunks_of(&s, "main"), 0);
		wb_bisect_shares_clear(&s);
	}
}

/* Lines that went are looked up where they were. */
static void test_removed(void **state)
{
	struct wb_bisect_shares s;

	(void)state;
	fill(&s);
	wb_bisect_shares_hunk(&s, &(struct wb_git_hunk){
		.path = "a.c", .old = text, .old_len = strlen(text),
		.old_at = 15, .old_n = 1, .new_at = 14, .new = "", .new_n = 0,
	});
	assert_int_equal(hunks_of(&s, "late.part.0"), 1);
	assert_int_equal(hunks_of(&s, "early"), 0);
	assert_int_equal(s.nelsewhere, 0);
	wb_bisect_shares_clear(&s);
}

/* By the size of the move; alike, what a hunk touches comes first. */
static void test_order(void **state)
{
	struct wb_bisect_shares s;

	(void)state;
	fill(&s);
	wb_bisect_shares_sort(&s);
	assert_string_equal(s.v[0].name, "fresh");
	assert_true(isnan(s.v[0].before) && s.v[0].after == 0.2);
	assert_string_equal(s.v[1].name, "early");
	assert_string_equal(s.v[2].name, "late.part.0");
	assert_string_equal(s.v[3].name, "main");
	hunk(&s, 15, 1);
	wb_bisect_shares_sort(&s);
	assert_string_equal(s.v[1].name, "late.part.0");
	assert_string_equal(s.v[1].hunk[0], "a.c:15");
	wb_bisect_shares_clear(&s);
}

/* A table has a heading and rows, or there is none. */
static void test_print(void **state)
{
	static const struct {
		const char *profile, *says;
	} rows[] = {
		{ "{\"before\":100,\"after\":100,\"functions\":[]}",
		  "    instructions under callgrind: +0.000 %\n"
		  "    no function's share of them moved\n" },
		{ "{\"functions\":[{\"name\":\"f\",\"before\":0.25,"
		  "\"after\":0.5,\"hunks\":[]}]}",
		  "      before    after  function with its callees, "
		  "hunks that touch it\n     25.00 %  50.00 %  f\n" },
	};
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf out = WB_BUF_INIT;
	struct wb_json *p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(wb_json_parse(rows[i].profile,
					       strlen(rows[i].profile), &p,
					       &err), 0);
		wb_buf_reset(&out);
		wb_bisect_profile_print(p, &out);
		assert_string_equal(out.ptr, rows[i].says);
		wb_json_free(p);
	}
	wb_buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_removed),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
