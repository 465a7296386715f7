#include "herd.h"
#include "cgroup.h"
#include "buf.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "wb-herd"
#define TRIES 100		/* of 1 ms, for the dead to leave the group */

static bool is_v2(const char *dir)
{
	struct statfs s;

	return statfs(dir, &s) == 0 && s.f_type == CGROUP2_SUPER_MAGIC;
}

/* wb's own group; NULL where there is no version 2. */
static char *own(void)
{
	bool v2 = false;
	char *mount = wb_cgroup_mount("", &v2), *group, *dir;

	if (!mount)
		return NULL;
	group = wb_cgroup_own("");
	dir = wb_xasprintf("%s%s", mount, strcmp(group, "/") ? group : "");
	free(group);
	free(mount);
	return dir;
}

void wb_herd_open(struct wb_herd *h, const char *group)
{
	char *parent;

	*h = (struct wb_herd){ .fd = -1 };
	h->below = group && is_v2(group);
	parent = h->below ? wb_xstrdup(group) : own();
	if (!parent)
		return;
	wb_cgroup_remove_stale(parent, PREFIX);
	h->dir = wb_cgroup_make(parent, PREFIX);
	if (h->dir)
		h->fd = open(h->dir, O_DIRECTORY | O_CLOEXEC);
	if (h->fd < 0)
		wb_herd_close(h);
	free(parent);
}

pid_t wb_herd_fork(const struct wb_herd *h)
{
	struct clone_args a = {
		.flags = CLONE_INTO_CGROUP, .exit_signal = SIGCHLD,
		.cgroup = (unsigned long long)h->fd,
	};
	long pid = syscall(SYS_clone3, &a, sizeof(a));

	/* an older kernel, or a filter of calls: it is swept up one by one */
	return pid < 0 ? fork() : (pid_t)pid;
}

void wb_herd_end(struct wb_herd *h)
{
	if (h->fd >= 0)
		wb_cgroup_set(h->dir, "cgroup.kill", 1);
}

void wb_herd_close(struct wb_herd *h)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int i;

	for (i = 0; h->dir && rmdir(h->dir) < 0 && errno == EBUSY && i < TRIES;
	     i++)
		nanosleep(&pause, NULL);
	if (h->fd >= 0)
		close(h->fd);
	free(h->dir);
	*h = (struct wb_herd){ .fd = -1 };
}
