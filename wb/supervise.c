#include "supervise.h"
#include "box.h"
#include "herd.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *text)
{
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(126);
}

/* What a command is started with; the descriptors are its own. */
struct start {
	const struct wb_proc *p;
	cpu_set_t cpus;
	int in, out, err;
	int group;		/* cgroup.procs of p->group, or -1 */
	struct wb_herd herd;	/* outside of a box */
};

/* In a box the folder is out of sight, so it is opened before. */
static int open_group(const struct wb_proc *p)
{
	int at, fd;

	if (!p->group)
		return -1;
	at = open(p->group, O_DIRECTORY | O_CLOEXEC);
	fd = openat(at, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	close(at);
	return fd;
}

/*
 * A bench may lock its memory (mlockall is not inherited, so it has to do so
 * itself): no limit where wb may lift it, else as far as it goes. A control
 * group bounds locked memory like any other.
 */
static void allow_lock(void)
{
	struct rlimit now, none = { RLIM_INFINITY, RLIM_INFINITY };

	if (setrlimit(RLIMIT_MEMLOCK, &none) == 0 ||
	    getrlimit(RLIMIT_MEMLOCK, &now) < 0)
		return;
	now.rlim_cur = now.rlim_max;
	setrlimit(RLIMIT_MEMLOCK, &now);
}

/*
 * The command until exec. It may borrow its parent's memory (vfork), so it
 * makes system calls only: no allocation, no stdio, nothing written but its
 * locals. go is a descriptor to wait for, or -1.
 */
static void child(const struct start *s, int go)
{
	const struct wb_proc *p = s->p;
	struct sched_param param = { .sched_priority = WB_FIFO_PRIORITY };
	struct rlimit rt = {
		.rlim_cur = (rlim_t)(p->rt_limit * 1e6),
		.rlim_max = (rlim_t)(p->rt_limit * 1e6) + 1000000,
	};
	sigset_t none;
	char byte;

	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(s->in >= 0 ? s->in : open("/dev/null", O_RDONLY), STDIN_FILENO);
	dup2(s->out, STDOUT_FILENO);
	dup2(s->err, STDERR_FILENO);
	/* the one who writes 0 enters; in a herd below it, it is in there */
	if (p->group && !s->herd.below && write(s->group, "0", 1) < 0) {
		say("cannot enter the control group of wb.cpuset\n");
		_exit(127);
	}
	if (p->cpus) {
		/* a CPU that was there when wb began may be gone */
		if (sched_setaffinity(0, sizeof(s->cpus), &s->cpus) < 0) {
			say("cannot be pinned: its CPU is not allowed or "
			    "gone\n");
			_exit(127);
		}
		allow_lock();
	}
	if (p->rt_limit > 0)
		setrlimit(RLIMIT_RTTIME, &rt);
	if (p->fifo)
		sched_setscheduler(0, SCHED_FIFO, &param);
	if (chdir(p->cwd) < 0) {
		say("cannot enter the working directory\n");
		_exit(127);
	}
	/* the counters are opened meanwhile; without them, an end of file */
	if (go >= 0 && read(go, &byte, 1) < 0)
		_exit(126);
	/* only now, for what is above may need the right to it */
	if (p->box && wb_box_confine(p->box) < 0) {
		say("cannot be confined in its sandbox\n");
		_exit(127);
	}
	execve("/bin/sh", (char *const[]){ "sh", "-c", (char *)p->command,
					   NULL }, p->env);
	say("cannot run /bin/sh\n");
	_exit(127);
}

/* Our children by the kernel's own list; at most max of them. */
static size_t children(pid_t *pid, size_t max)
{
	char path[64];
	size_t n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	f = fopen(path, "re");
	if (!f)
		return 0;
	while (n < max && fscanf(f, "%d", &pid[n]) == 1)
		n++;
	fclose(f);
	return n;
}

/*
 * Ends every process that has become our child. Ending one hands us its own
 * children (we are the subreaper), hence the loop. All are stopped before any
 * is waited for, so that a process that forks as fast as it can loses.
 */
static void sweep(void)
{
	pid_t pid[1024];
	size_t n, i;

	while ((n = children(pid, 1024))) {
		for (i = 0; i < n; i++)
			kill(pid[i], SIGKILL);
		for (i = 0; i < n; i++)
			waitpid(pid[i], NULL, 0);
	}
}

/*
 * Starts the command with its counters. They can only be opened on a process
 * that is there and has not called exec, so it waits for a pipe to close; a
 * child of vfork could not wait.
 */
static pid_t start_counted(const struct start *s, int *fd)
{
	int go[2];
	pid_t pid;

	if (pipe2(go, O_CLOEXEC) < 0)
		return -1;
	pid = s->herd.fd >= 0 ? wb_herd_fork(&s->herd) : fork();
	if (!pid) {
		close(go[1]);
		child(s, go[0]);
	}
	if (pid > 0)
		wb_pmu_open(s->p->event, s->p->nevents, pid, fd);
	close(go[0]);
	close(go[1]);
	return pid;
}

/*
 * Waits until the command is over or SIGTERM comes, and tells. On the way it
 * reaps whatever else has become a child.
 */
static void await(pid_t pid, const sigset_t *set, int *fd,
		  size_t nevents, int report)
{
	struct wb_verdict v = { .status = 0 };
	struct rusage usage;
	pid_t got;
	int status;

	while (sigwaitinfo(set, NULL) != SIGTERM) {
		while ((got = wait4(-1, &status, WNOHANG, &usage)) > 0) {
			if (got != pid)
				continue;
			v.status = status;
			v.usage = usage;
			wb_pmu_read(fd, nevents, v.count);
			if (write(report, &v, sizeof(v)) < 0)
				_exit(1);
			return;
		}
	}
}

static void manage(const struct start *s, const sigset_t *set, int report)
{
	int fd[WB_PMU_MAX];
	pid_t pid;

	if (s->p->nevents)
		pid = start_counted(s, fd);
	else if (!(pid = s->herd.fd >= 0 ? wb_herd_fork(&s->herd) : vfork()))
		child(s, -1);
	if (pid > 0)
		await(pid, set, fd, s->p->nevents, report);
}

/* A box that cannot be entered ends the command before it begins. */
static void tell_failure(int err, int report)
{
	static const char text[] = "cannot enter the sandbox\n";
	struct wb_verdict v = { .status = 127 << 8 };

	if (write(err, text, strlen(text)) < 0 ||
	    write(report, &v, sizeof(v)) < 0)
		_exit(1);
}

/* In a box: an init does the managing, and takes all with it. */
static void manage_boxed(const struct start *s, const sigset_t *set,
			 int report)
{
	pid_t init = -1;

	if (wb_box_enter(s->p->box) == 0)
		init = fork();
	if (init < 0) {
		tell_failure(s->err, report);
		return;
	}
	if (!init) {
		/* by the death of the one between wb and us */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (wb_box_settle() < 0)
			tell_failure(s->err, report);
		else
			manage(s, set, report);
		_exit(0);
	}
	while (sigwaitinfo(set, NULL) != SIGTERM)
		if (waitpid(init, NULL, WNOHANG) == init)
			return;
	/* its whole namespace is gone when this returns */
	kill(init, SIGKILL);
	waitpid(init, NULL, 0);
}

void wb_supervise(const struct wb_proc *p, int in, int out, int err,
		  int report, pid_t parent)
{
	struct start s = {
		.p = p, .in = in, .out = out, .err = err, .herd = { .fd = -1 },
	};
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* out of wb's process group: Ctrl-C is wb's to answer */
	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(0);
	CPU_ZERO(&s.cpus);
	for (i = 0; i < p->ncpus; i++)
		CPU_SET((size_t)p->cpus[i], &s.cpus);
	s.group = open_group(p);
	if (p->box) {
		manage_boxed(&s, &set, report);
	} else {
		wb_herd_open(&s.herd, p->group);
		manage(&s, &set, report);
		wb_herd_end(&s.herd);
	}
	sweep();
	wb_herd_close(&s.herd);
	_exit(0);
}
