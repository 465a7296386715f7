/* Trees in memory: entries, changes, overlays, files. */
#include "check.h"

#include "buf.h"
#include "git-memory.h"
#include "git.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct wb_git *git;
static struct wb_error err;

static void must(int code)
{
	if (code < 0)
		fail_msg("%s", err.msg);
}

static int set_up(void **state)
{
	(void)state;
	return wb_git_open_memory(&git, &err);
}

static int tear_down(void **state)
{
	(void)state;
	wb_git_free(git);
	return 0;
}

/* A tree made of files that hold their own names; words end with NULL. */
static struct wb_oid tree_of(const char *const *path)
{
	struct wb_git_change c[16];
	struct wb_oid tree;
	size_t n = 0;

	for (; *path; path++, n++) {
		c[n] = (struct wb_git_change){ *path, 0100644, { "" } };
		must(wb_git_write_blob(git, *path, strlen(*path), NULL,
				       &c[n].id, &err));
	}
	must(wb_git_update(git, NULL, c, n, &tree, &err));
	return tree;
}

#define TREE(...) tree_of((const char *const[]){ __VA_ARGS__, NULL })

static char *temp_dir(void)
{
	const char *top = getenv("TMPDIR");
	char *dir = wb_xasprintf("%s/wb-git.XXXXXX", top ? top : "/tmp");

	assert_non_null(mkdtemp(dir));
	return dir;
}

static void assert_same(struct wb_oid a, struct wb_oid b)
{
	assert_string_equal(a.hex, b.hex);
}

static void test_entry(void **state)
{
	struct wb_oid t = TREE("a", "a-b", "b/c/d", "b.c"), id;
	uint32_t mode;

	(void)state;
	assert_int_equal(wb_git_entry(git, &t, "b/c/d", &mode, &id, &err), 1);
	assert_int_equal(mode, 0100644);
	assert_int_equal(wb_git_entry(git, &t, "b/c", &mode, &id, &err), 1);
	assert_int_equal(mode, 040000);
	assert_int_equal(wb_git_entry(git, &t, "b/", &mode, &id, &err), 1);
	assert_int_equal(wb_git_entry(git, &t, "", &mode, &id, &err), 1);
	assert_same(id, t);
	assert_int_equal(wb_git_entry(git, &t, "a/c", &mode, &id, &err), 0);
	assert_int_equal(wb_git_entry(git, &t, "c", &mode, &id, &err), 0);
	assert_int_equal(wb_git_entry(git, &t, "b/c/d/e", &mode, &id, &err), 0);
}

static void test_update(void **state)
{
	struct wb_oid t = TREE("a", "a-b", "a.c/x", "b/c/d", "b/e"), out;
	struct wb_git_change gone[] = {
		{ "b/c/d", 0, { "" } }, { "a.c/x", 0, { "" } },
		{ "nothere/x", 0, { "" } },
	};
	struct wb_git_change folder = { "b/", 0, { "" } };

	(void)state;
	must(wb_git_update(git, &t, gone, 3, &out, &err));
	assert_same(out, TREE("a", "a-b", "b/e"));
	must(wb_git_update(git, &t, &folder, 1, &out, &err));
	assert_same(out, TREE("a", "a-b", "a.c/x"));
	must(wb_git_update(git, &t, NULL, 0, &out, &err));
	assert_same(out, t);
}

static void test_graft(void **state)
{
	struct wb_oid t = TREE("a/b", "a/c", "d"), from, out;

	(void)state;
	from = TREE("a/b/x", "d/e/f", "n/o");
	must(wb_git_graft(git, &t, &from, "n", &out, &err));
	assert_same(out, TREE("a/b", "a/c", "d", "n/o"));
	must(wb_git_graft(git, &t, &from, "d/e/f", &out, &err));
	assert_same(out, TREE("a/b", "a/c", "d/e/f"));
	must(wb_git_graft(git, &t, &from, "a/b/", &out, &err));
	assert_same(out, TREE("a/b/x", "a/c", "d"));
	must(wb_git_graft(git, &from, &t, "a", &out, &err));
	assert_same(out, TREE("a/b", "a/c", "d/e/f", "n/o"));
	must(wb_git_graft(git, &t, &from, "nothere", &out, &err));
	assert_same(out, t);
	must(wb_git_graft(git, &t, &from, "a/c", &out, &err));
	assert_same(out, TREE("a/b", "d"));
	must(wb_git_graft(git, &t, NULL, "a", &out, &err));
	assert_same(out, TREE("d"));
}

static void test_export(void **state)
{
	struct wb_oid t = TREE("a", "b/c/d"), again;
	struct wb_git_change more[] = {
		{ "run", 0100755, { "" } }, { "link", 0120000, { "" } },
		{ "sub", 0160000,
		  { "1234567890123456789012345678901234567890" } },
	};
	char *dir = temp_dir(), target[8];
	struct wb_git *folder;
	struct stat st;

	(void)state;
	must(wb_git_write_blob(git, "#!\r\n", 4, NULL, &more[0].id, &err));
	must(wb_git_write_blob(git, "b/c", 3, NULL, &more[1].id, &err));
	must(wb_git_update(git, &t, more, 3, &t, &err));
	must(wb_git_export(git, &t, dir, &err));
	assert_int_equal(chdir(dir), 0);
	assert_int_equal(stat("run", &st), 0);
	assert_int_equal(st.st_mode & 0700, 0700);
	assert_int_equal(readlink("link", target, sizeof(target)), 3);
	assert_int_equal(rmdir("sub"), 0);
	/* where something stands nothing is written */
	assert_int_equal(wb_git_export(git, &t, dir, &err), -1);
	assert_non_null(strstr(err.msg, "a: File exists"));
	assert_int_equal(rmdir("sub"), -1);
	/* the way back gives the same tree, but for the submodule */
	more[0] = (struct wb_git_change){ "sub", 0, { "" } };
	must(wb_git_update(git, &t, more, 1, &t, &err));
	must(wb_git_open_memory(&folder, &err));
	must(wb_git_import(folder, dir, NULL, 0, &again, &err));
	assert_same(again, t);
	wb_git_free(folder);
	assert_int_equal(chdir("/"), 0);
	must(wb_path_remove(dir, &err));
	free(dir);
}

static void test_no_bad_names(void **state)
{
	static const char *const bad[] = {
		"a/../b", ".git/x", "x/.GIT/y", "./a",
	};
	char *dir = temp_dir();
	struct wb_oid t;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		t = TREE(bad[i]);
		assert_int_equal(wb_git_export(git, &t, dir, &err), -1);
		assert_non_null(strstr(err.msg, "no tree may hold"));
	}
	must(wb_path_remove(dir, &err));
	free(dir);
}

static void test_missing(void **state)
{
	struct wb_oid no = { "1234567890123456789012345678901234567890" };
	struct wb_buf out = WB_BUF_INIT;
	uint32_t mode;
	struct wb_oid id;

	(void)state;
	assert_int_equal(wb_git_read_blob(git, &no, &out, &err), -1);
	assert_non_null(strstr(err.msg, "is missing"));
	assert_int_equal(wb_git_entry(git, &no, "a", &mode, &id, &err), -1);
	assert_int_equal(wb_git_tree_of(git, "HEAD", &id, &err), -1);
}

/* Versions of a large file take little room and read back as they were. */
static void test_versions(void **state)
{
	enum { SIZE = 1 << 20, VERSIONS = 250 };
	char *text = wb_xmalloc(SIZE);
	struct wb_git_memory *m = wb_git_memory(git);
	struct wb_git_bytes from = { .len = SIZE };
	struct wb_oid id[VERSIONS], again;
	unsigned char raw[WB_GIT_RAW];
	struct wb_git_kept kept;
	struct wb_buf old = WB_BUF_INIT, got = WB_BUF_INIT;
	size_t stored = 0;
	int i, k;

	(void)state;
	for (i = 0; i < SIZE; i++)
		text[i] = (char)(i * 2654435761u >> 13);
	for (i = 0; i < VERSIONS; i++) {
		wb_buf_reset(&old);
		wb_buf_add(&old, text, SIZE);
		/* both ends and the middle: no one stretch holds them all */
		text[i] = text[SIZE / 2 + 7 * i] = text[SIZE - 1 - i] = 'x';
		from.id = i ? &id[i - 1] : NULL;
		from.data = old.ptr;
		must(wb_git_write_blob(git, text, SIZE, i ? &from : NULL,
				       &id[i], &err));
		wb_oid_to_raw(&id[i], raw);
		assert_true(wb_git_memory_kept(m, raw, &kept));
		stored += kept.stored;
	}
	/* three whole ones, the others a few bytes each */
	assert_in_range(stored, 3 * SIZE, 4 * SIZE);
	for (k = 0; k < VERSIONS; k++) {
		/* in no order, and each as it was */
		i = k * 97 % VERSIONS;
		wb_buf_reset(&got);
		must(wb_git_read_blob(git, &id[i], &got, &err));
		assert_int_equal(got.len, SIZE);
		assert_int_equal(got.ptr[i], 'x');
		assert_int_equal(got.ptr[SIZE - 1 - i], 'x');
		wb_git_object_hash(WB_GIT_BLOB, got.ptr, got.len, raw);
		wb_oid_from_raw(&again, raw);
		assert_string_equal(again.hex, id[i].hex);
	}
	free(text);
	wb_buf_clear(&old);
	wb_buf_clear(&got);
}

/* One name for two contents is an attack, whoever gave it to them. */
static void test_same_name(void **state)
{
	struct wb_git_memory *m = wb_git_memory(git);
	unsigned char raw[WB_GIT_RAW] = "12345678901234567890";

	(void)state;
	must(wb_git_memory_put(m, raw, WB_GIT_BLOB, "one", 3, NULL, &err));
	must(wb_git_memory_put(m, raw, WB_GIT_BLOB, "one", 3, NULL, &err));
	assert_int_equal(wb_git_memory_put(m, raw, WB_GIT_BLOB, "two", 3, NULL,
					   &err), -1);
	assert_non_null(strstr(err.msg, "the same SHA-1"));
	wb_error_clear(&err);
	assert_int_equal(wb_git_memory_put(m, raw, WB_GIT_TREE, "one", 3, NULL,
					   &err), -1);
	wb_error_clear(&err);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entry),
		cmocka_unit_test(test_update),
		cmocka_unit_test(test_graft),
		cmocka_unit_test(test_export),
		cmocka_unit_test(test_no_bad_names),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_same_name),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
