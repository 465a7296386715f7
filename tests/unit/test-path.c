#include "check.h"
#include "path.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_tidy(void **state)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
		{ "a/b", "a/b" }, { "./a/b/", "a/b" }, { "././a//", "a" },
		{ ".//a", "a" }, { "./", "" }, { "", "" }, { ".", "." },
		{ ".wbconfig", ".wbconfig" }, { "../a", "../a" }, { "/", "" },
	};
	char path[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		strcpy(path, rows[i].from);
		wb_path_tidy(path);
		assert_string_equal(path, rows[i].to);
	}
}

/* A program is a file that may be executed, in any directory of PATH. */
static void test_program(void **state)
{
	char dir[] = "/tmp/wb-path.XXXXXX", path[64], *before;
	struct wb_error err = WB_ERROR_INIT;
	static const struct {
		const char *name;
		mode_t mode;
	} files[] = { { "one/text", 0644 }, { "two/tool", 0755 } };
	size_t i;
	int fd;

	(void)state;
	before = strdup(getenv("PATH"));
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/one/tool", dir);
	assert_int_equal(wb_path_make(path, &err), 0);
	snprintf(path, sizeof(path), "%s/two", dir);
	assert_int_equal(wb_path_make(path, &err), 0);
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, files[i].name);
		fd = open(path, O_CREAT | O_WRONLY, files[i].mode);
		assert_true(fd >= 0);
		assert_int_equal(fchmod(fd, files[i].mode), 0);
		close(fd);
	}

	snprintf(path, sizeof(path), "%s/one", dir);
	setenv("PATH", path, 1);
	assert_false(wb_path_program("tool"));
	assert_false(wb_path_program("text"));
	snprintf(path, sizeof(path), "%s/one:%s/two", dir, dir);
	setenv("PATH", path, 1);
	assert_true(wb_path_program("tool"));
	unsetenv("PATH");
	assert_false(wb_path_program("tool"));

	setenv("PATH", before, 1);
	free(before);
	assert_int_equal(wb_path_remove(dir, &err), 0);
}

/* What is no file stays, and gets the bytes; a file is replaced. */
static void test_put(void **state)
{
	char dir[] = "/tmp/wb-path.XXXXXX", pipe[64], link[64], file[64];
	struct wb_error err = WB_ERROR_INIT;
	char got[8] = "";
	struct stat st;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(pipe, sizeof(pipe), "%s/pipe", dir);
	snprintf(link, sizeof(link), "%s/link", dir);
	snprintf(file, sizeof(file), "%s/file", dir);
	assert_int_equal(mkfifo(pipe, 0600), 0);
	assert_int_equal(symlink("pipe", link), 0);
	fd = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(wb_path_put(pipe, "one", 3, &err), 0);
	assert_int_equal(wb_path_put(link, "two", 3, &err), 0);
	assert_int_equal(read(fd, got, sizeof(got)), 6);
	assert_memory_equal(got, "onetwo", 6);
	assert_int_equal(wb_path_take_back(link, &err), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(lstat(pipe, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));

	assert_int_equal(wb_path_put(file, "longer", 6, &err), 0);
	assert_int_equal(wb_path_put(file, "one", 3, &err), 0);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_size, 3);
	assert_int_equal(wb_path_take_back(file, &err), 0);
	assert_int_equal(access(file, F_OK), -1);
	assert_int_equal(wb_path_take_back(file, &err), 0);
	assert_int_equal(wb_path_put("", "one", 3, &err), -1);
	assert_string_equal(err.msg, "the name of a file to write is empty");
	wb_error_clear(&err);
	close(fd);
	assert_int_equal(wb_path_remove(dir, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tidy),
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_put),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
