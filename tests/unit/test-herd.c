#include "check.h"
#include "cgroup.h"
#include "herd.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void reap_all(void)
{
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

/* Forks and exits for ever: whoever looks for its number comes too late. */
static void run_away(void)
{
	for (;;) {
		setsid();
		if (fork())
			_exit(0);
	}
}

/* Where no group can be made, a child is one like any other. */
static void test_none(void **state)
{
	struct wb_herd h = { .fd = -1 };
	pid_t pid = wb_herd_fork(&h);
	int status;

	(void)state;
	if (!pid)
		_exit(7);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WEXITSTATUS(status), 7);
	wb_herd_end(&h);
	wb_herd_close(&h);
}

static void test_end(void **state)
{
	struct wb_herd h;
	char *path;
	int status, i;
	pid_t pid;

	(void)state;
	wb_herd_open(&h, NULL);
	if (h.fd < 0) {
		print_message("# SKIPPED: no control group of version 2 can be "
			      "made here\n");
		wb_herd_close(&h);
		return;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (i = 0; i < 8; i++) {
		pid = wb_herd_fork(&h);
		assert_true(pid >= 0);
		if (!pid)
			run_away();
	}
	pid = wb_herd_fork(&h);
	if (!pid) {
		signal(SIGTERM, SIG_IGN);
		for (;;)
			pause();
	}
	usleep(50000);
	wb_herd_end(&h);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	/* all others end as well, or this would */
	reap_all();
	path = strdup(h.dir);
	assert_int_equal(access(path, F_OK), 0);
	wb_herd_close(&h);
	assert_int_equal(access(path, F_OK), -1);
	free(path);
}

static void test_stale(void **state)
{
	char dir[] = "/tmp/wb-test-herd-XXXXXX", path[64];
	pid_t gone = fork();

	(void)state;
	if (!gone)
		_exit(0);
	waitpid(gone, NULL, 0);
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/wb-herd-%d", dir, gone);
	assert_int_equal(mkdir(path, 0700), 0);
	wb_cgroup_remove_stale(dir, "wb-other");
	assert_int_equal(access(path, F_OK), 0);
	wb_cgroup_remove_stale(dir, "wb-herd");
	assert_int_equal(access(path, F_OK), -1);
	/* of one that lives */
	snprintf(path, sizeof(path), "%s/wb-herd-%d", dir, getpid());
	assert_int_equal(mkdir(path, 0700), 0);
	wb_cgroup_remove_stale(dir, "wb-herd");
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_stale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
