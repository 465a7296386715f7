/* Packs of objects in memory: git makes the same index of them. */
#include "check.h"

#include "buf.h"
#include "git-memory.h"
#include "git-pack.h"
#include "git.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VERSIONS 250	/* of one file: deltas, with whole ones between */

static struct wb_git *git;
static struct wb_error err;
static char *dir;

static int set_up(void **state)
{
	const char *top = getenv("TMPDIR");

	(void)state;
	dir = wb_xasprintf("%s/wb-pack.XXXXXX", top ? top : "/tmp");
	return mkdtemp(dir) ? wb_git_open_memory(&git, &err) : -1;
}

static int tear_down(void **state)
{
	int ret = wb_path_remove(dir, &err);

	(void)state;
	free(dir);
	wb_git_free(git);
	return ret;
}

static struct wb_oid blob(const struct wb_buf *b,
			  const struct wb_git_bytes *from)
{
	struct wb_oid id;

	assert_int_equal(wb_git_write_blob(git, b->ptr, b->len, from, &id,
					   &err), 0);
	return id;
}

/* Versions of a file of 40 KB, an empty blob, and a tree. */
static size_t fill(struct wb_git_packed *p)
{
	struct wb_git_change c = { .path = "f", .mode = 0100644 };
	struct wb_buf text = WB_BUF_INIT;
	struct wb_git_bytes was;
	struct wb_oid id, tree;
	char *old;
	size_t i, n = 0;

	id = blob(&text, NULL);
	wb_oid_to_raw(&id, p[n++].raw);
	for (i = 0; i < 2000; i++)
		wb_buf_addf(&text, "line %zu of this file\n", i);
	for (i = 0; i < VERSIONS; i++) {
		old = wb_xstrndup(text.ptr, text.len);
		was = (struct wb_git_bytes){ &id, old, text.len };
		memcpy(text.ptr + 20 * i, "changed", 7);
		id = blob(&text, i ? &was : NULL);
		wb_oid_to_raw(&id, p[n++].raw);
		free(old);
	}
	c.id = id;
	assert_int_equal(wb_git_update(git, NULL, &c, 1, &tree, &err), 0);
	wb_oid_to_raw(&tree, p[n++].raw);
	wb_buf_clear(&text);
	return n;
}

/* The exit code of a line of sh in the folder. */
static int sh(const char *line)
{
	char *all = wb_xasprintf("cd '%s' && { %s; } >out 2>&1", dir, line);
	int ret = system(all);

	free(all);
	return ret;
}

static void test_index(void **state)
{
	struct wb_git_packed p[VERSIONS + 2];
	size_t n = fill(p);

	(void)state;
	assert_int_equal(wb_git_pack_write(git, p, n, dir, &err), 0);
	assert_int_equal(sh("git init -q --bare repo && "
			    "git index-pack --strict -o own.idx pack-*.pack "
			    "&& cmp own.idx pack-*.idx"), 0);
	assert_int_equal(sh("test $(git verify-pack -v pack-*.idx | "
			    "grep -c '^[0-9a-f]\\{40\\} ') = 252"), 0);
	/* most of the versions are told by what differs from another */
	assert_int_equal(sh("test $(git verify-pack -v pack-*.idx | "
			    "awk 'NF == 7' | wc -l) -gt 200"), 0);
	assert_int_equal(sh("test $(stat -c %a pack-* | sort -u) = 444"), 0);
	assert_int_not_equal(sh("ls tmp_*"), 0);
}

static void test_content(void **state)
{
	struct wb_git_packed p[VERSIONS + 2];
	struct wb_oid id;
	char *line;
	size_t n = fill(p), i;

	(void)state;
	assert_int_equal(wb_git_pack_write(git, p, n, dir, &err), 0);
	assert_int_equal(sh("git init -q --bare repo && "
			    "cp pack-* repo/objects/pack/"), 0);
	for (i = 0; i + 1 < n; i += 50) {
		wb_oid_from_raw(&id, p[i].raw);
		line = wb_xasprintf("git -C repo cat-file blob %s | "
				    "git hash-object --stdin | grep -x %s",
				    id.hex, id.hex);
		assert_int_equal(sh(line), 0);
		free(line);
	}
}

/* A delta must not stand for what the pack does not hold. */
static void test_part(void **state)
{
	struct wb_git_packed p[VERSIONS + 2];

	(void)state;
	fill(p);
	assert_int_equal(wb_git_pack_write(git, &p[7], 1, dir, &err), 0);
	assert_int_equal(sh("git verify-pack pack-*.idx"), 0);
}

static void test_no_folder(void **state)
{
	struct wb_git_packed p[VERSIONS + 2];
	char *none = wb_xasprintf("%s/none", dir);
	size_t n = fill(p);

	(void)state;
	assert_int_equal(wb_git_pack_write(git, p, n, none, &err), -1);
	assert_non_null(strstr(err.msg, "none"));
	assert_int_not_equal(sh("ls pack-* tmp_*"), 0);
	wb_error_clear(&err);
	free(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_index, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_content, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_part, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_folder, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
