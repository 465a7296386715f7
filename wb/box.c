#include "box.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int wb_box_enter(const struct wb_box *b)
{
	size_t i;

	/* the user namespace first: it gives the right to enter the others */
	for (i = 0; i < WB_BOX_SPACES; i++)
		if (b->space[i] >= 0 && setns(b->space[i], 0) < 0)
			return -1;
	/* a mount namespace as well, for the run has a /proc of its own */
	return unshare(CLONE_NEWNS | CLONE_NEWPID);
}

/* When memory is short, the kernel is to end this before anything else. */
static void offer_to_oom(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	/* where it cannot be said, things are as they were */
	if (fd >= 0 && write(fd, "1000", 4) >= 0)
		close(fd);
}

int wb_box_settle(void)
{
	const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

	if (mount("proc", "/proc", "proc", flags, NULL) < 0)
		return -1;
	offer_to_oom();
	/*
	 * The kernel takes what root writes below /proc/sys by the user id
	 * alone, without any privilege: one line there, and it runs a program
	 * outside of every box.
	 */
	return mount(NULL, "/proc", NULL, MS_REMOUNT | MS_RDONLY | flags, NULL);
}

static void limit(__rlimit_resource_t what, uint64_t most)
{
	struct rlimit now;

	/* never more than there was */
	if (!most || getrlimit(what, &now) < 0 || now.rlim_max < most)
		return;
	now.rlim_cur = now.rlim_max = most;
	setrlimit(what, &now);
}

static int drop_privileges(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[2] = { { .effective = 0 } };
	unsigned long cap;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	/* root gets by exec whatever is left in the bounding set */
	for (cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	return (int)syscall(SYS_capset, &head, none);
}

int wb_box_confine(const struct wb_box *b)
{
	/* what wb was started with may lead anywhere */
	syscall(SYS_close_range, 3, ~0U, CLOSE_RANGE_CLOEXEC);
	/* keys in the session's ring are whoever started wb's */
	syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
	limit(RLIMIT_FSIZE, b->disk);
	limit(RLIMIT_NPROC, b->processes);
	limit(RLIMIT_DATA, b->memory);
	return drop_privileges();
}
