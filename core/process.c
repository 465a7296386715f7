/*
 * Asking the system about processes.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"

int pa_process = 1;

static int init_error;

static void take_own_number(void)
{
	__atomic_store_n(&pa_process, getpid(), __ATOMIC_RELAXED);
}

static void init(void)
{
	take_own_number();
	init_error = pthread_atfork(NULL, NULL, take_own_number);
}

int pa_process_init(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, init);
	return -init_error;
}

/* Open for a process as long as it, or what is left of it, is there. */
static int open_process(int process)
{
#ifdef SYS_pidfd_open
	return syscall(SYS_pidfd_open, process, 0);
#else
	errno = ENOSYS;
	return -1;
#endif
}

/*
 * One that ended and was not waited for can still be sent signals; only its
 * descriptor tells. Without descriptors it counts as gone when it is waited
 * for.
 */
bool pa_process_ended(int process)
{
	struct pollfd end = { .fd = open_process(process), .events = POLLIN };
	bool ended;

	if (end.fd < 0)
		return kill(process, 0) < 0 && errno == ESRCH;
	ended = poll(&end, 1, 0) == 1;
	close(end.fd);
	return ended;
}
