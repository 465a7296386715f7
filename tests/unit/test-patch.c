/* Reading patch files: sections, hunks, names, binary content. */
#include "check.h"

#include "patch.h"

#include <stdlib.h>
#include <string.h>

static const struct wb_patch_rules gnu = { .strip = 1 };
static const struct wb_patch_rules git = { .strip = 1, .git = true };
static const struct wb_patch_rules back = { .strip = 1, .reverse = true };

static int parse(struct wb_patch *p, const char *text,
		 const struct wb_patch_rules *r, struct wb_error *err)
{
	return wb_patch_parse(p, text, strlen(text), r, "p", err);
}

static void read_one(struct wb_patch *p, const char *text,
		     const struct wb_patch_rules *r)
{
	struct wb_error err = WB_ERROR_INIT;

	if (parse(p, text, r, &err) < 0)
		fail_msg("%s", err.msg);
}

static void test_plain(void **state)
{
	struct wb_patch p;
	const struct wb_section *s;
	const struct wb_hunk *h;

	(void)state;
	read_one(&p, "words\n--- a/d//./f\t2020-01-01 10:00:00\n+++ b/d/f\n"
		 "@@ -3,3 +3,4 @@ where\n c\n-x\n+y\n+z\n d\n-- \n2.0\n", &gnu);
	assert_int_equal(p.nsections, 1);
	s = &p.section[0];
	assert_string_equal(s->old, "d/f");
	assert_string_equal(s->new, "d/f");
	assert_false(s->git);
	assert_int_equal(s->where, 2);
	assert_int_equal(s->n, 1);
	h = &p.hunk[0];
	assert_int_equal(h->old_start, 3);
	assert_int_equal(h->new_n, 4);
	assert_int_equal(h->head, 1);
	assert_int_equal(h->tail, 1);
	assert_int_equal(h->where, 4);
	assert_int_equal(p.head, strlen("words\n"));
	assert_int_equal(p.added, 2);
	assert_int_equal(p.removed, 1);
	wb_patch_clear(&p);
}

/* GNU patch passes over hunks behind other text; the first is named. */
static void test_dropped(void **state)
{
	static const char text[] = "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-1\n+x\n"
		"words\n@@ -5 +5 @@\n-5\n+y\nwords\n@@ -9 +9 @@\n-9\n+z\n";
	struct wb_error err = WB_ERROR_INIT;
	struct wb_patch p;

	(void)state;
	read_one(&p, text, &gnu);
	assert_int_equal(p.nhunks, 1);
	assert_int_equal(p.dropped, 7);
	wb_patch_clear(&p);
	assert_int_equal(parse(&p, text, &git, &err), -1);
	assert_string_equal(err.msg, "p:7: a hunk without a file name above "
			    "it");
	wb_patch_clear(&p);
}

/* Stars in a text are no context diff. */
static void test_stars(void **state)
{
	struct wb_patch p;

	(void)state;
	read_one(&p, "*** words\nand more\n***************\n--- a/f\n"
		 "+++ b/f\n@@ -1 +1 @@\n-1\n+x\n", &gnu);
	assert_int_equal(p.nsections, 1);
	wb_patch_clear(&p);
}

static void test_reverse(void **state)
{
	struct wb_patch p;

	(void)state;
	read_one(&p, "--- /dev/null\n+++ b/f\n@@ -0,0 +1,2 @@\n+a\n+b\n",
		 &back);
	assert_int_equal(p.section[0].new_side, WB_SIDE_NONE);
	assert_null(p.section[0].new);
	assert_string_equal(p.section[0].old, "f");
	assert_int_equal(p.hunk[0].old_n, 2);
	assert_int_equal(p.line[0].op, '-');
	assert_int_equal(p.removed, 2);
	wb_patch_clear(&p);
}

static void test_git_names(void **state)
{
	static const struct {
		const char *text, *old, *new;
	} t[] = {
		{ "diff --git a/x y b/x y\nold mode 100644\n"
		  "new mode 100755\n", "x y", "x y" },
		{ "diff --git \"a/\\303\\251\" \"b/\\303\\251\"\n"
		  "old mode 100644\nnew mode 100755\n",
		  "\303\251", "\303\251" },
		{ "diff --git a/f b/g\nrename from f\nrename to g\n",
		  "f", "g" },
		{ "diff --git a/n b/n\nnew file mode 100644\n", NULL, "n" },
		{ "diff --git a/n b/n\ndeleted file mode 100644\n",
		  "n", NULL },
		{ "diff --git a/b a/b b/b a/b\nold mode 100644\n"
		  "new mode 100755\n", "b a/b", "b a/b" },
	};
	struct wb_patch p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		read_one(&p, t[i].text, &gnu);
		assert_int_equal(p.nsections, 1);
		if (t[i].old)
			assert_string_equal(p.section[0].old, t[i].old);
		else
			assert_null(p.section[0].old);
		if (t[i].new)
			assert_string_equal(p.section[0].new, t[i].new);
		else
			assert_null(p.section[0].new);
		wb_patch_clear(&p);
	}
}

static void test_prose_is_no_section(void **state)
{
	struct wb_patch p;

	(void)state;
	read_one(&p, "see diff --git below\ndiff --git a/x b/y\n--- foo\n"
		 "+++ bar\n\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", &gnu);
	assert_int_equal(p.nsections, 1);
	assert_string_equal(p.section[0].old, "f");
	wb_patch_clear(&p);
}

static void test_no_newline(void **state)
{
	struct wb_patch p;

	(void)state;
	read_one(&p, "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n"
		 "\\ No newline at end of file\n+b\n", &gnu);
	assert_false(p.line[0].eol);
	assert_true(p.line[1].eol);
	wb_patch_clear(&p);
}

static void test_carriage_returns(void **state)
{
	static const char text[] = "--- a/f\r\n+++ b/f\r\n@@ -1 +1 @@\r\n"
				   "-a\r\n+b\r\n";
	struct wb_patch p;

	(void)state;
	read_one(&p, text, &gnu);
	assert_int_equal(p.line[0].len, 1);
	wb_patch_clear(&p);
	read_one(&p, text, &git);
	assert_int_equal(p.line[0].len, 2);
	assert_string_equal(p.section[0].new, "f");
	wb_patch_clear(&p);
}

static void test_epoch(void **state)
{
	static const char *const times[] = {
		"1970-01-01 00:00:00.000000000 +0000",
		"1970-01-01 05:30:00.000000000 +0530",
		"1969-12-31 19:00:00 -0500",
		"Thu Jan  1 00:00:00 1970",
	};
	struct wb_buf text = WB_BUF_INIT;
	struct wb_patch p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(times) / sizeof(*times); i++) {
		wb_buf_reset(&text);
		wb_buf_addf(&text, "--- a/f\t%s\n+++ b/f\n@@ -0,0 +1 @@\n+a\n",
			    times[i]);
		read_one(&p, text.ptr, &gnu);
		assert_int_equal(p.section[0].old_side, WB_SIDE_NONE);
		wb_patch_clear(&p);
	}
	wb_buf_clear(&text);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *text, *reason;
		bool git;
	} t[] = {
		{ "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n",
		  "p:1: refused: '../x'", false },
		{ "--- a/.Git/x\n+++ b/.Git/x\n@@ -1 +1 @@\n-a\n+b\n",
		  "p:1: refused: '.Git/x'", false },
		{ "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n-a\n+b\n",
		  "p:5: the patch ends inside the hunk of line 3", true },
		{ "--- a/f\n+++ b/f\n@@ -1 +1,9 @@\n-a\n+b\n",
		  "p:5: the patch ends inside", false },
		{ "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n-b\n",
		  "p:5: the hunk of line 3 is damaged", false },
		{ "--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n a\n",
		  "changes nothing", false },
		{ "@@ -1 +1 @@\n-a\n+b\n", "p:1: a hunk without", false },
		{ "words\n", "p:1: no unified diff", false },
		{ "--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n",
		  "p:1: no file name is left", false },
		{ "*** a/f\n--- b/f\n***************\n",
		  "p:2: a context diff", false },
		{ "diff --git a/f b/f\nnew file mode 100644\n"
		  "deleted file mode 100644\n", "p:1: the header", false },
		{ "diff --git a/f b/g\nrename from f\nrename to g\n"
		  "new file mode 100644\n", "p:1: the header", false },
		{ "3d\n.\n", "p:2: refused: an ed script", false },
	};
	struct wb_error err = WB_ERROR_INIT;
	struct wb_patch p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		if (!parse(&p, t[i].text, t[i].git ? &git : &gnu, &err))
			fail_msg("taken: %s", t[i].text);
		if (!strstr(err.msg, t[i].reason))
			fail_msg("'%s' is not in '%s'", t[i].reason, err.msg);
		wb_patch_clear(&p);
		wb_error_clear(&err);
	}
}

static void test_cut_anywhere(void **state)
{
	static const char text[] =
		"Subject: x\n\ndiff --git a/f b/g\nsimilarity index 90%\n"
		"rename from f\nrename to g\nindex 123..456 100644\n--- a/f\n"
		"+++ b/g\n@@ -1,2 +1,2 @@\n a\n-b\n"
		"\\ No newline at end of file\n+c\nIndex: h\n@@ -1 +1 @@\n"
		"-a\n+b\ndiff --git a/b b/b\nGIT binary patch\nliteral 3\n"
		"KcmZQzWME(b1B3tp0J8u9\n\n";
	struct wb_error err = WB_ERROR_INIT;
	struct wb_patch p;
	char *copy;
	size_t n, i;

	(void)state;
	/* exact allocations: a read past the end shows under ASan */
	for (n = 0; n <= strlen(text); n++) {
		copy = malloc(n ? n : 1);
		memcpy(copy, text, n);
		for (i = 0; i < 3; i++) {
			wb_patch_parse(&p, copy, n, i == 0 ? &gnu : i == 1 ?
				       &git : &back, "p", &err);
			wb_patch_clear(&p);
		}
		free(copy);
	}
}

static void test_tidy(void **state)
{
	static const struct {
		const char *in, *out;
	} t[] = {
		{ "a/b", "a/b" }, { "./a//b/./c", "a/b/c" },
		{ "a/.gitignore", "a/.gitignore" }, { "...", "..." },
		{ "/a", NULL }, { "a/..", NULL }, { "a/.git", NULL },
		{ ".", NULL }, { "a/../../b", NULL }, { ".gIt/x", NULL },
	};
	char path[40];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		strncpy(path, t[i].in, sizeof(path) - 1);
		path[sizeof(path) - 1] = '\0';
		assert_int_equal(wb_name_tidy(path), t[i].out != NULL);
		if (t[i].out)
			assert_string_equal(path, t[i].out);
	}
}

static void test_delta_bounds(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *result;	/* NULL: damaged */
	} t[] = {
		{ "\4\4\x90\4", 4, "abcd" },		/* copy all */
		{ "\4\6\x90\4\2xy", 7, "abcdxy" },
		{ "\4\4\x91\1\4", 5, NULL },		/* past the end */
		{ "\4\4\x90\3", 4, NULL },		/* too short */
		{ "\4\2\x90\4", 4, NULL },		/* too long */
		{ "\5\4\x90\4", 4, NULL },		/* other content */
		{ "\4\4\0", 3, NULL },			/* no such step */
		{ "\4\4\5ab", 5, NULL },		/* cut off */
		{ "\4\4\x9f", 3, NULL },
		{ "\xff\xff\xff", 3, NULL },
	};
	struct wb_binary b = { WB_BINARY_DELTA, WB_BUF_INIT };
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf out = WB_BUF_INIT;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(*t); i++) {
		wb_buf_clear(&b.data);
		wb_buf_add(&b.data, t[i].bytes, t[i].len);
		wb_buf_reset(&out);
		assert_int_equal(wb_binary_apply(&b, "abcd", 4, &out, &err),
				 t[i].result ? 0 : -1);
		if (t[i].result)
			assert_string_equal(out.ptr, t[i].result);
	}
	wb_buf_clear(&b.data);
	wb_buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_dropped),
		cmocka_unit_test(test_stars),
		cmocka_unit_test(test_reverse),
		cmocka_unit_test(test_git_names),
		cmocka_unit_test(test_prose_is_no_section),
		cmocka_unit_test(test_no_newline),
		cmocka_unit_test(test_carriage_returns),
		cmocka_unit_test(test_epoch),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_tidy),
		cmocka_unit_test(test_delta_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
