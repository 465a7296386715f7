/*
 * For LD_PRELOAD: kills wb before its KILL_AT-th call that changes what is on
 * the disk by name, as a power cut would. Only the process that was started
 * counts, not its children.
 */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pid_t me;
static long left;

__attribute__((constructor)) static void start(void)
{
	const char *at = getenv("KILL_AT");

	if (at && !strcmp(program_invocation_short_name, "wb")) {
		me = getpid();
		left = atol(at);
		unsetenv("KILL_AT");
	}
}

static void count(void)
{
	if (me && getpid() == me && --left == 0)
		kill(me, SIGKILL);
}

int rename(const char *from, const char *to)
{
	int (*real)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");

	count();
	return real(from, to);
}

int unlink(const char *path)
{
	int (*real)(const char *) = dlsym(RTLD_NEXT, "unlink");

	count();
	return real(path);
}

int fsync(int fd)
{
	int (*real)(int) = dlsym(RTLD_NEXT, "fsync");

	count();
	return real(fd);
}
