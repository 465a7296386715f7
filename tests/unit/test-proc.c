#include "check.h"
#include "env.h"
#include "proc-locked.h"
#include "proc.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* A child of a child, and a thread's, with a page locked and a pipe to wait. */
static void *start_locker(void *end)
{
	long page = sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, (size_t)page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ready[2];
	pid_t pid;
	char c;

	assert_true(p != MAP_FAILED);
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (!pid && !fork()) {
		close(((int *)end)[1]);
		c = mlock(p, (size_t)page) ? 'n' : 'y';
		if (write(ready[1], &c, 1) == 1)
			_exit((int)read(((int *)end)[0], &c, 1));
	} else if (!pid) {
		close(((int *)end)[1]);
		wait(NULL);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	close(ready[1]);
	munmap(p, (size_t)page);
	return c == 'y' ? end : NULL;
}

static void test_locked(void **state)
{
	int end[2];
	pthread_t t;
	void *may;

	(void)state;
	assert_int_equal(wb_locked_below(getpid()), -1);
	assert_int_equal(pipe(end), 0);
	/* a page is less than any limit */
	assert_non_null(start_locker(end));
	assert_int_equal(wb_locked_below(getpid()), sysconf(_SC_PAGESIZE));
	assert_int_equal(pthread_create(&t, NULL, start_locker, end), 0);
	pthread_join(t, &may);
	assert_non_null(may);
	assert_int_equal(wb_locked_below(getpid()), 2 * sysconf(_SC_PAGESIZE));
	close(end[0]);
	close(end[1]);
	while (wait(NULL) > 0)
		;
	assert_int_equal(wb_locked_below(getpid()), -1);
}

/* Only of what is measured, and while it lasts. */
static void test_locked_is_looked_at(void **state)
{
	const int cpu = sched_getcpu();
	struct wb_error err = WB_ERROR_INIT;
	struct wb_proc p = {
		.command = "sleep 0.2", .cwd = "/", .timeout = 20,
		.max_output = 1000, .interrupt_fd = -1,
	};
	struct wb_proc_result r;
	struct wb_env env;

	(void)state;
	wb_env_init(&env);
	p.env = env.v;
	wb_proc_result_init(&r);
	assert_int_equal(wb_proc_run(&p, &r, &err), 0);
	assert_int_equal(r.locked, -1);
	p.cpus = &cpu;
	p.ncpus = 1;
	assert_int_equal(wb_proc_run(&p, &r, &err), 0);
	assert_int_equal(r.end, WB_PROC_EXIT);
	assert_int_equal(r.locked, 0);
	wb_proc_result_clear(&r);
	wb_env_clear(&env);
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
		cmocka_unit_test(test_locked),
		cmocka_unit_test(test_locked_is_looked_at),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
