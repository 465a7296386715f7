/* Where hunks go, and what the file is then. */
#include "check.h"

#include "place.h"

#include <string.h>

static const struct wb_place_rules strict = { .offset = false };
static const struct wb_place_rules exact = { .offset = true };
static const struct wb_place_rules quilt = { .offset = true, .fuzz = 2 };
static const struct wb_place_rules git = { .offset = true, .git = true };

struct setting {
	struct wb_patch patch;
	struct wb_text text;
	struct wb_placer placer;
};

/* hunks: what follows the two name lines */
static void begin(struct setting *s, const char *file, const char *hunks,
		  const struct wb_place_rules *rules, struct wb_buf *buf)
{
	static const struct wb_patch_rules how = { .strip = 1 };
	struct wb_error err = WB_ERROR_INIT;

	wb_buf_reset(buf);
	wb_buf_addf(buf, "--- a/f\n+++ b/f\n%s", hunks);
	if (wb_patch_parse(&s->patch, buf->ptr, buf->len, &how, "p", &err) < 0)
		fail_msg("%s", err.msg);
	memset(&s->text, 0, sizeof(s->text));
	assert_true(wb_text_split(&s->text, file, strlen(file)));
	wb_placer_init(&s->placer, &s->patch, &s->text, rules);
}

static void end(struct setting *s)
{
	wb_placer_clear(&s->placer);
	wb_text_clear(&s->text);
	wb_patch_clear(&s->patch);
}

struct row {
	const char *file, *hunks;
	const struct wb_place_rules *rules;
	const char *result;	/* NULL: a hunk has no place */
	long offset;		/* of the last hunk */
	size_t fuzz;
};

static const struct row rows[] = {
	{ "a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", &strict,
	  "a\nx\nc\n", 0, 0 },
	{ "0\na\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", &strict,
	  NULL, 0, 0 },
	{ "0\na\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n", &exact,
	  "0\na\nx\nc\n", 1, 0 },
	/* equally far: the later place */
	{ "b\n-\nb\n", "@@ -2 +2 @@\n-b\n+x\n", &exact, "b\n-\nx\n", 1, 0 },
	{ "b\n-\nb\n", "@@ -2 +2 @@\n-b\n+x\n", &strict, NULL, 0, 0 },
	/* a wrong outer line: fuzz, and the file's own line stays */
	{ "1\n2\n3\n4\n5\n",
	  "@@ -1,5 +1,5 @@\n ?\n 2\n-3\n+x\n 4\n ?\n", &exact, NULL, 0, 0 },
	{ "1\n2\n3\n4\n5\n",
	  "@@ -1,5 +1,5 @@\n ?\n 2\n-3\n+x\n 4\n ?\n", &quilt,
	  "1\n2\nx\n4\n5\n", 0, 1 },
	/* short context ties a hunk to the start or the end */
	{ "0\na\nb\nc\n", "@@ -1,2 +1,3 @@\n+x\n a\n b\n", &exact, NULL, 0, 0 },
	{ "a\nb\nc\nd\n", "@@ -1,2 +1,3 @@\n a\n b\n+x\n", &exact, NULL, 0, 0 },
	{ "a\nb\n", "@@ -1,2 +1,3 @@\n a\n b\n+x\n", &exact,
	  "a\nb\nx\n", 0, 0 },
	/* the first offset carries on; hunks keep their order */
	{ "0\na\nb\nc\nd\ne\n",
	  "@@ -1 +1 @@\n-a\n+x\n@@ -4 +4 @@\n-d\n+y\n", &exact,
	  "0\nx\nb\nc\ny\ne\n", 1, 0 },
	{ "a\nb\nc\n", "@@ -3 +3 @@\n-c\n+y\n@@ -1 +1 @@\n-a\n+x\n", &exact,
	  NULL, 0, 0 },
	{ "a\nb\nc\nd\ne\nf\ng\n",
	  "@@ -5,3 +5,3 @@\n e\n-f\n+y\n g\n@@ -2,3 +2,3 @@\n b\n-c\n+x\n d\n",
	  &git, "a\nb\nx\nd\ne\ny\ng\n", 0, 0 },
	/* git: lines that a hunk covered are closed to the next */
	{ "a\nb\nc\nd\ne\n",
	  "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n@@ -3,3 +3,3 @@\n c\n-d\n+y\n e\n",
	  &git, NULL, 0, 0 },
	{ "a\nb\nc\nd\ne\n",
	  "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n@@ -3,3 +3,3 @@\n c\n-d\n+y\n e\n",
	  &quilt, "a\nx\nc\ny\ne\n", 0, 0 },
	/* git: the end of the file is where the hunks so far have left it */
	{ "a\nb\na\n", "@@ -1 +0,0 @@\n-a\n@@ -2 +1,0 @@\n-b\n", &git,
	  NULL, 0, 0 },
	{ "b\na\n", "@@ -2 +1,0 @@\n-a\n@@ -2 +1,0 @@\n-b\n", &git,
	  "", -1, 0 },
	/* git: what comes where a line was taken out does not bring it back */
	{ "t\na\na\n", "@@ -2 +1,0 @@\n-a\n@@ -3,0 +3,2 @@\n+x\n+y\n", &git,
	  "t\na\nx\ny\n", -1, 0 },
	{ "t\na\n", "@@ -2 +1,0 @@\n-a\n@@ -2,0 +2 @@\n+x\n"
	  "@@ -2,0 +3 @@\n+y\n", &git, "t\nx\ny\n", -1, 0 },
	{ "a\n", "@@ -1 +0,0 @@\n-a\n@@ -0,0 +1 @@\n+x\n", &git,
	  "x\n", 0, 0 },
	/* newlines are part of lines */
	{ "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n", &exact, NULL, 0, 0 },
	{ "a\nb", "@@ -1,2 +1,2 @@\n-a\n+c\n b\n\\ No newline\n", &exact,
	  "c\nb", 0, 0 },
	{ "a", "@@ -1,0 +2 @@\n+b\n", &exact, "a\nb\n", 0, 0 },
	{ "", "@@ -0,0 +1,2 @@\n+a\n+b\n", &exact, "a\nb\n", 0, 0 },
	{ "a\n", "@@ -1 +0,0 @@\n-a\n", &strict, "", 0, 0 },
};

static void test_rows(void **state)
{
	struct wb_buf buf = WB_BUF_INIT, out = WB_BUF_INIT;
	struct wb_spot spot = { .hunk = NULL };
	struct setting s;
	size_t i, k;
	bool placed;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		begin(&s, rows[i].file, rows[i].hunks, rows[i].rules, &buf);
		placed = true;
		for (k = 0; k < s.patch.nhunks && placed; k++)
			placed = wb_place(&s.placer, &s.patch.hunk[k], &spot);
		if (placed != (rows[i].result != NULL))
			fail_msg("row %zu: placed %d", i, placed);
		if (placed) {
			wb_buf_reset(&out);
			wb_place_render(&s.placer, &out);
			assert_string_equal(out.ptr, rows[i].result);
			assert_int_equal(spot.offset, rows[i].offset);
			assert_int_equal(spot.fuzz, rows[i].fuzz);
		}
		end(&s);
	}
	wb_buf_clear(&buf);
	wb_buf_clear(&out);
}

static void test_nearest(void **state)
{
	struct wb_buf buf = WB_BUF_INIT;
	struct wb_near_miss miss;
	struct wb_spot spot;
	struct setting s;

	(void)state;
	begin(&s, "-\n-\na\nb\n?\nd\n",
	      "@@ -1,4 +1,4 @@\n a\n b\n-c\n+x\n d\n", &exact, &buf);
	assert_false(wb_place(&s.placer, &s.patch.hunk[0], &spot));
	wb_place_nearest(&s.placer, &s.patch.hunk[0], &miss);
	assert_int_equal(miss.at, 2);
	assert_int_equal(miss.agree, 3);
	assert_int_equal(miss.of, 4);
	end(&s);
	wb_buf_clear(&buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_nearest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
