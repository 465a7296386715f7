#include "check.h"
#include "env.h"
#include "proc.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs a command with limits that a test can wait for. */
static struct wb_proc_result run(const char *command, double timeout,
				 size_t max, int interrupt_fd)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_proc p = {
		.command = command,
		.cwd = "/",
		.timeout = timeout,
		.max_output = max,
		.interrupt_fd = interrupt_fd,
	};
	struct wb_proc_result r;
	struct wb_env env;

	wb_env_init(&env);
	p.env = env.v;
	wb_proc_result_init(&r);
	assert_int_equal(wb_proc_run(&p, &r, &err), 0);
	wb_env_clear(&env);
	return r;
}

static void test_output_and_code(void **state)
{
	struct wb_proc_result r = run("echo out; echo err >&2; exit 3", 20,
				      1000, -1);

	(void)state;
	assert_int_equal(r.end, WB_PROC_EXIT);
	assert_int_equal(r.code, 3);
	assert_string_equal(r.out.ptr, "out\n");
	assert_string_equal(r.err.ptr, "err\n");
	assert_true(r.wall > 0);
	wb_proc_result_clear(&r);
}

static void test_signal(void **state)
{
	struct wb_proc_result r = run("kill -SEGV $$", 20, 1000, -1);

	(void)state;
	assert_int_equal(r.end, WB_PROC_SIGNAL);
	assert_int_equal(r.code, SIGSEGV);
	wb_proc_result_clear(&r);
}

static void test_timeout(void **state)
{
	struct wb_proc_result r = run("echo before; sleep 1000", 0.2, 1000, -1);

	(void)state;
	assert_int_equal(r.end, WB_PROC_TIMEOUT);
	assert_string_equal(r.out.ptr, "before\n");
	wb_proc_result_clear(&r);
}

static void test_flood(void **state)
{
	struct wb_proc_result r = run("yes", 60, 1 << 20, -1);

	(void)state;
	assert_int_equal(r.end, WB_PROC_FLOOD);
	assert_true(r.out.len <= 1 << 20);
	wb_proc_result_clear(&r);
}

/* Daemons that left the session are found and ended too. */
static void test_whole_tree_ends(void **state)
{
	char tag[16], cmd[256];
	struct wb_proc_result r;

	(void)state;
	snprintf(tag, sizeof(tag), "%d", 86400 + getpid());
	snprintf(cmd, sizeof(cmd), "setsid sh -c 'setsid sleep %s & setsid "
		 "sleep %s' >/dev/null 2>&1 & sleep %s & echo gone", tag, tag,
		 tag);
	r = run(cmd, 60, 1000, -1);
	assert_int_equal(r.end, WB_PROC_EXIT);
	wb_proc_result_clear(&r);
	/* everything was our descendant, so nothing is left to wait for */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	snprintf(cmd, sizeof(cmd), "ps -eo args | grep -q '^sleep %s'", tag);
	assert_int_not_equal(system(cmd), 0);
}

static void test_interrupt(void **state)
{
	struct wb_error err = WB_ERROR_INIT;
	int fd = wb_proc_interrupt_fd(&err);
	struct wb_proc_result r;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(wb_proc_interrupted(fd), 0);
	raise(SIGINT);
	r = run("sleep 1000", 60, 1000, fd);
	assert_int_equal(r.end, WB_PROC_INTERRUPT);
	assert_int_equal(r.code, SIGINT);
	wb_proc_fail_interrupted(r.code, &err);
	assert_int_equal(wb_error_exit_code(&err), 130);
	wb_proc_result_clear(&r);
	close(fd);
}

static void test_env(void **state)
{
	struct wb_env env;

	(void)state;
	setenv("GIT_DIR", "/x", 1);
	setenv("MAKEFLAGS", "-j", 1);
	wb_env_init(&env);
	wb_env_set(&env, "WB_NAME", "a");
	wb_env_pad(&env, 65536);
	assert_int_equal(wb_env_size(&env), 65536);
	wb_env_set(&env, "WB_NAME", "a much longer name");
	wb_env_pad(&env, 65536);
	assert_int_equal(wb_env_size(&env), 65536);
	for (size_t i = 0; i < env.n; i++) {
		assert_int_not_equal(strncmp(env.v[i], "GIT_DIR=", 8), 0);
		assert_int_not_equal(strncmp(env.v[i], "MAKEFLAGS=", 10), 0);
	}
	assert_null(env.v[env.n]);
	wb_env_clear(&env);
	unsetenv("GIT_DIR");
	unsetenv("MAKEFLAGS");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_output_and_code),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_flood),
		cmocka_unit_test(test_whole_tree_ends),
		cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_env),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
