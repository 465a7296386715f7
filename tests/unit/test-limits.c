#include "check.h"
#include "buf.h"
#include "limits.h"
#include "path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *read_all(const char *path)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	bool there;

	assert_int_equal(wb_path_read(path, 1 << 16, &text, &there, &err), 0);
	return there ? wb_buf_detach(&text) : NULL;
}

/* Of either version, in the group that was made. */
static char *limit_of(const char *dir, const char *v2, const char *v1)
{
	char *path = wb_xasprintf("%s/%s", dir, v2), *text;

	if (access(path, R_OK) < 0) {
		free(path);
		path = wb_xasprintf("%s/%s", dir, v1);
	}
	text = read_all(path);
	free(path);
	return text;
}

/* Where no group can be made, none is entered, and that is all there is. */
static void test_enter_leave(void **state)
{
	struct wb_config c = {
		.sandbox = WB_SANDBOX_AUTO, .sandbox_memory = 1u << 30,
		.sandbox_processes = 4321,
	};
	char *before = read_all("/proc/self/cgroup"), *now, *text;
	char *name = wb_xasprintf("/wb-box-%d", getpid());
	struct wb_limits l;
	char *dir;

	(void)state;
	wb_limits_enter(&l, &c);
	now = read_all("/proc/self/cgroup");
	assert_int_equal(strstr(now, name) != NULL, l.dir[0] || l.dir[1]);
	if (l.dir[0]) {
		text = limit_of(l.dir[0], "memory.max",
				"memory.limit_in_bytes");
		assert_string_equal(text, "1073741824\n");
		free(text);
	}
	if (l.dir[1]) {
		text = limit_of(l.dir[1], "pids.max", "pids.max");
		assert_string_equal(text, "4321\n");
		free(text);
	}
	dir = l.dir[0] ? wb_xstrdup(l.dir[0]) : NULL;
	wb_limits_leave(&l);
	free(now);
	now = read_all("/proc/self/cgroup");
	assert_string_equal(now, before);
	/* the group goes with it */
	if (dir)
		assert_int_equal(access(dir, F_OK), -1);
	free(dir);
	free(name);
	free(now);
	free(before);
}

static void test_off(void **state)
{
	struct wb_config c = { .sandbox = WB_SANDBOX_OFF };
	struct wb_limits l;

	(void)state;
	wb_limits_enter(&l, &c);
	assert_null(l.dir[0]);
	assert_null(l.dir[1]);
	wb_limits_leave(&l);
}

static void test_tasks(void **state)
{
	(void)state;
	assert_true(wb_limits_tasks() >= 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_enter_leave),
		cmocka_unit_test(test_off),
		cmocka_unit_test(test_tasks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
