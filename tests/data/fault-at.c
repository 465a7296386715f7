/*
 * For LD_PRELOAD: what may happen to wb between two lines of its own. Counts
 * the calls of its main process that change a file: write, pwrite, ftruncate,
 * fsync, rename, unlink, mkdir.
 *
 *	KILL_AT=N	kill -9 before call N
 *	FULL_AT=N	the disk is full from call N on (ENOSPC)
 *	COUNT_IN=FILE	how many there were
 *	CLOCK_JUMPS=1	the time of day leaps by a day, there and back
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static pid_t me;
static long calls, kill_at, full_at;
static const char *count_in;
static int jumps;

static long number(const char *name)
{
	const char *s = getenv(name);

	return s ? atol(s) : 0;
}

__attribute__((constructor)) static void start(void)
{
	if (strcmp(program_invocation_short_name, "wb"))
		return;
	me = getpid();
	kill_at = number("KILL_AT");
	full_at = number("FULL_AT");
	jumps = number("CLOCK_JUMPS") != 0;
	count_in = getenv("COUNT_IN");
	unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) static void end(void)
{
	FILE *f = me && getpid() == me && count_in ? fopen(count_in, "w") : NULL;

	if (f) {
		me = 0;
		fprintf(f, "%ld\n", calls);
		fclose(f);
	}
}

/* Whether the call is to fail. */
static int count(void)
{
	if (!me || getpid() != me)
		return 0;
	calls++;
	if (calls == kill_at)
		kill(me, SIGKILL);
	if (!full_at || calls < full_at)
		return 0;
	errno = ENOSPC;
	return 1;
}

static int is_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *p, size_t n)
{
	return is_file(fd) && count() ? -1 : REAL(write)(fd, p, n);
}

ssize_t pwrite64(int fd, const void *p, size_t n, off64_t at)
{
	return is_file(fd) && count() ? -1 : REAL(pwrite64)(fd, p, n, at);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	return is_file(fd) && count() ? -1 : REAL(pwrite)(fd, p, n, at);
}

int ftruncate64(int fd, off64_t n)
{
	return count() ? -1 : REAL(ftruncate64)(fd, n);
}

int fsync(int fd)
{
	return count() ? -1 : REAL(fsync)(fd);
}

int fdatasync(int fd)
{
	return count() ? -1 : REAL(fdatasync)(fd);
}

int rename(const char *from, const char *to)
{
	return count() ? -1 : REAL(rename)(from, to);
}

int mkdir(const char *path, mode_t mode)
{
	return count() ? -1 : REAL(mkdir)(path, mode);
}

/* What is taken away needs no room. */
int unlink(const char *path)
{
	long full = full_at;

	full_at = 0;
	count();
	full_at = full;
	return REAL(unlink)(path);
}

/* A day ahead, a day back, from call to call. */
static time_t leap(void)
{
	static int odd;

	odd = !odd;
	return jumps && me && getpid() == me ? (odd ? 86400 : -86400) : 0;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	int ret = REAL(clock_gettime)(id, ts);

	if (id == CLOCK_REALTIME)
		ts->tv_sec += leap();
	return ret;
}

int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
	int ret = REAL(gettimeofday)(tv, tz);

	tv->tv_sec += leap();
	return ret;
}

time_t time(time_t *out)
{
	time_t now = REAL(time)(NULL) + leap();

	if (out)
		*out = now;
	return now;
}
