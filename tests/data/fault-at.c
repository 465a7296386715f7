/*
 * For LD_PRELOAD: what may happen to wb between two lines of its own. Counts
 * the calls of its main process that change a file: write, pwrite, ftruncate,
 * fsync, rename, unlink, mkdir.
 *
 *	KILL_AT=N	kill -9 before call N
 *	FULL_AT=N	the disk is full from call N on (ENOSPC)
 *	COUNT_IN=FILE	how many there were
 *	CLOCK_JUMPS=1	the time of day leaps by a day, there and back
 *	SLEPT_AT=N	the machine sleeps for an hour before look N at
 *			CLOCK_BOOTTIME, of which all clocks but the monotonic
 *			one know
 *	SET_AT=N	the clock is set by a day before that look
 *	STOLEN=FILE	what /proc/stat says, line by line: N words of steal of
 *			every CPU, one for each time it is read; the last one
 *			for all times after
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
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
static const char *count_in, *stolen;
static int jumps;
static long looks, slept_at, set_at, stats;

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
	slept_at = number("SLEPT_AT");
	set_at = number("SET_AT");
	stolen = getenv("STOLEN");
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

/* Since the machine slept, or the clock was set. */
static time_t moved(clockid_t id)
{
	time_t by = 0;

	if (!me || getpid() != me)
		return 0;
	if (id == CLOCK_BOOTTIME)
		looks++;
	if (slept_at && looks >= slept_at)
		by += id == CLOCK_MONOTONIC ? 0 : 3600;
	if (set_at && looks >= set_at)
		by += id == CLOCK_REALTIME ? 86400 : 0;
	return by;
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	int ret = REAL(clock_gettime)(id, ts);

	if (id == CLOCK_REALTIME)
		ts->tv_sec += leap();
	if (id == CLOCK_REALTIME || id == CLOCK_BOOTTIME)
		ts->tv_sec += moved(id);
	return ret;
}

/* A /proc/stat of many CPUs with the next number of ticks stolen from each. */
static int open_stat(void)
{
	char path[] = "/tmp/wb-fault-XXXXXX";
	FILE *list = fopen(stolen, "re"), *f;
	long ticks = 0, i;
	int fd;

	stats++;
	for (i = 0; list && i < stats && fscanf(list, "%ld", &ticks) == 1; i++)
		;
	if (list)
		fclose(list);
	fd = mkstemp(path);
	f = fdopen(dup(fd), "w");
	for (i = 0; i < 64; i++)
		fprintf(f, "cpu%ld 1 0 1 9 0 0 0 %ld 0 0\n", i, ticks);
	fclose(f);
	lseek(fd, 0, SEEK_SET);
	unlink(path);
	return fd;
}

int open(const char *path, int flags, ...)
{
	mode_t mode;
	va_list ap;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	if (me && getpid() == me && stolen && !strcmp(path, "/proc/stat"))
		return open_stat();
	return REAL(open)(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	mode_t mode;
	va_list ap;

	va_start(ap, flags);
	mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return open(path, flags, mode);
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
