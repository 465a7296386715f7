#include "count-qemu.h"
#include "host-find.h"
#include "path.h"
#include "pmu.h"
#include "proc.h"

#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* What this process may do and has: control groups, rights, programs. */

/*
 * The value of a cgroup file, from this process's group up to the top: the
 * tightest limit may be any of them, the first that is one is told.
 */
static bool group_limit(const char *root, const char *mount, const char *group,
			const char *file, const char *none, struct wb_buf *out)
{
	char *dir = wb_xstrdup(group), *path, *up;
	bool hit = false;

	for (;;) {
		path = wb_xasprintf("%s%s/%s", mount,
				    strcmp(dir, "/") ? dir : "", file);
		hit = wb_setting_read(root, path, out) &&
		      strncmp(out->ptr, none, strlen(none));
		free(path);
		up = strrchr(dir, '/');
		if (hit || !up || !dir[1])
			break;
		up[up == dir] = '\0';
	}
	free(dir);
	return hit;
}

/* The group of a controller ("" is version 2) in /proc/self/cgroup. */
static char *group_of(const char *table, const char *controller)
{
	const char *line, *list, *path;
	size_t n = strlen(controller), len;

	for (line = table; *line; line += strcspn(line, "\n"),
	     line += *line == '\n') {
		list = strchr(line, ':');
		path = list ? strchr(list + 1, ':') : NULL;
		if (!path)
			break;
		for (list++; list <= path; list += len + 1) {
			len = strcspn(list, ",:");
			if (len == n && !memcmp(list, controller, n) &&
			    (n || path == list))
				return wb_xstrndup(path + 1,
						   strcspn(path + 1, "\n"));
		}
	}
	return NULL;
}

static void look_container(const char *root, struct wb_findings *f)
{
	struct wb_buf table = WB_BUF_INIT, v = WB_BUF_INIT, now = WB_BUF_INIT;
	char *two = NULL, *cpu = NULL, *memory = NULL;
	bool limited = false;

	if (wb_host_read(root, "proc/self/cgroup", &table)) {
		two = group_of(table.ptr, "");
		cpu = group_of(table.ptr, "cpu");
		memory = group_of(table.ptr, "memory");
	}
	if (two && group_limit(root, "sys/fs/cgroup", two, "cpu.max", "max",
			       &v))
		wb_buf_addf(&now, "CPU time %s us", v.ptr);
	else if (cpu && group_limit(root, "sys/fs/cgroup/cpu", cpu,
				    "cpu.cfs_quota_us", "-1", &v))
		wb_buf_addf(&now, "CPU time %s us a period", v.ptr);
	limited = now.len;
	if (two && group_limit(root, "sys/fs/cgroup", two, "memory.max",
			       "max", &v))
		wb_buf_addf(&now, "%smemory %s bytes", now.len ? ", " : "",
			    v.ptr);
	else if (memory && group_limit(root, "sys/fs/cgroup/memory", memory,
				       "memory.limit_in_bytes",
				       "9223372036854", &v))
		wb_buf_addf(&now, "%smemory %s bytes", now.len ? ", " : "",
			    v.ptr);
	wb_finding_add(f, "container", limited ? WB_FINDING_BAD :
		       now.len ? WB_FINDING_NOTE : WB_FINDING_GOOD,
		       now.len ? wb_xstrdup(now.ptr) :
		       wb_xstrdup("no limit of CPU time or memory"),
		       limited ? "a bench that has used its time stands still "
		       "until the next period: ask whoever runs the container "
		       "for whole CPUs" : now.len ? "a bench beyond it is "
		       "killed, and near it pages are reclaimed" : NULL);
	free(two);
	free(cpu);
	free(memory);
	wb_buf_clear(&table);
	wb_buf_clear(&v);
	wb_buf_clear(&now);
}

/*
 * The group of CPUs that wb.cpuset wants. A group that had its controller
 * before keeps it afterwards.
 */
static void make_group(const char *root, int cpu, struct wb_finding *i)
{
	struct wb_buf v = WB_BUF_INIT;
	bool on;

	if (wb_host_read(root, "sys/fs/cgroup/cgroup.controllers", &v) &&
	    strstr(v.ptr, "cpuset")) {
		on = wb_host_read(root, "sys/fs/cgroup/cgroup.subtree_control",
				  &v) && strstr(v.ptr, "cpuset");
		i->change = wb_xasprintf(
			"cd /sys/fs/cgroup && %smkdir wb && echo %d "
			">wb/cpuset.cpus && echo isolated "
			">wb/cpuset.cpus.partition && git config --global "
			"wb.cpuset $PWD/wb",
			on ? "" : "echo +cpuset >cgroup.subtree_control && ",
			cpu);
		i->undo = wb_xasprintf(
			"rmdir /sys/fs/cgroup/wb; %sgit config --global "
			"--unset wb.cpuset", on ? "" : "echo -cpuset "
			">/sys/fs/cgroup/cgroup.subtree_control; ");
	} else if (wb_host_read(root, "sys/fs/cgroup/cpuset/cpuset.cpus",
				&v)) {
		i->change = wb_xasprintf(
			"cd /sys/fs/cgroup/cpuset && mkdir wb && echo %d "
			">wb/cpuset.cpus && cat cpuset.mems >wb/cpuset.mems "
			"&& git config --global wb.cpuset $PWD/wb  # version "
			"1: keeps the bench in, not others out", cpu);
		i->undo = wb_xstrdup("rmdir /sys/fs/cgroup/cpuset/wb; git "
				     "config --global --unset wb.cpuset");
	}
	wb_buf_clear(&v);
}

static void look_isolation(const char *root, int cpu, struct wb_findings *f)
{
	struct wb_buf v = WB_BUF_INIT;

	if (wb_setting_read(root, "sys/devices/system/cpu/isolated", &v) &&
	    v.len)
		wb_finding_add(f, "isolation", WB_FINDING_GOOD,
			       wb_xasprintf("CPUs %s (benches run on %d)",
					    v.ptr, cpu), NULL);
	else
		make_group(root, cpu, wb_finding_add(f, "isolation",
			WB_FINDING_NOTE, wb_xstrdup("no CPU is kept free"),
			"other tasks may be put beside the bench; "
			"SCHED_FIFO keeps them off while it runs"));
	wb_buf_clear(&v);
}

static void look_fifo(struct wb_findings *f)
{
	struct wb_finding *r;

	if (wb_proc_can_fifo()) {
		wb_finding_add(f, "fifo", WB_FINDING_GOOD,
			       wb_xstrdup("allowed"), NULL);
		return;
	}
	r = wb_finding_add(f, "fifo", WB_FINDING_BAD,
			   wb_xstrdup("SCHED_FIFO is not allowed to this "
				      "user"),
			   "on a busy machine a fifth of all half-millisecond "
			   "slices is preempted");
	r->change = wb_xstrdup("sudo prlimit --rtprio=10 --pid $$");
	r->undo = wb_xstrdup("sudo prlimit --rtprio=0 --pid $$");
}

/* The right to lock without limit, or to lift the limit. */
static bool lock_right(void)
{
	const unsigned long long rights = 1ull << CAP_IPC_LOCK |
					  1ull << CAP_SYS_RESOURCE;
	static const char key[] = "\nCapEff:";
	struct wb_buf v = WB_BUF_INIT;
	const char *at = NULL;
	bool right;

	if (wb_host_read("", "proc/self/status", &v))
		at = strstr(v.ptr, key);
	right = at && (strtoull(at + strlen(key), NULL, 16) & rights);
	wb_buf_clear(&v);
	return right;
}

static void look_mlock(struct wb_findings *f)
{
	struct rlimit limit;
	struct wb_finding *r;

	if (lock_right() || getrlimit(RLIMIT_MEMLOCK, &limit) < 0 ||
	    limit.rlim_max == RLIM_INFINITY) {
		wb_finding_add(f, "mlock", WB_FINDING_GOOD,
			       wb_xstrdup("benches may lock their memory"),
			       NULL);
		return;
	}
	r = wb_finding_add(f, "mlock", WB_FINDING_NOTE,
			   wb_xasprintf("at most %llu KiB may be locked",
					(unsigned long long)limit.rlim_max >>
					10),
			   "benches do not lock their memory: a page that was "
			   "put out comes back inside a timed region");
	r->change = wb_xstrdup("sudo prlimit --memlock=unlimited --pid $$");
	r->undo = wb_xasprintf("sudo prlimit --memlock=%llu:%llu --pid $$",
			       (unsigned long long)limit.rlim_cur,
			       (unsigned long long)limit.rlim_max);
}

static void look_counters(struct wb_findings *f)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_pmu_event e;
	bool narrowed;

	if (wb_pmu_encode("instructions:u", &e, &err) < 0 ||
	    wb_pmu_try(&e, &narrowed, &err) < 0)
		wb_finding_add(f, "counters", WB_FINDING_NOTE,
			       wb_xasprintf("none: %s", err.msg),
			       "level H is missing; instruction counts (level "
			       "I) tell patches apart instead");
	else
		wb_finding_add(f, "counters", WB_FINDING_GOOD,
			       wb_xstrdup("hardware counters open"), NULL);
}

void wb_host_limits(const char *root, int cpu, struct wb_findings *f)
{
	look_container(root, f);
	look_isolation(root, cpu, f);
	/* rights of this process, wherever the rest is looked at */
	look_fifo(f);
	look_mlock(f);
	look_counters(f);
}

static void look_program(struct wb_findings *f, const char *topic,
			 const char *program, const char *package,
			 const char *without)
{
	struct wb_finding *p;

	if (wb_path_program(program)) {
		wb_finding_add(f, topic, WB_FINDING_GOOD, wb_xstrdup("there"),
			       NULL);
		return;
	}
	p = wb_finding_add(f, topic, WB_FINDING_NOTE, wb_xstrdup("not there"),
			   without);
	p->change = wb_xasprintf("sudo apt-get install %s", package);
	p->undo = wb_xasprintf("sudo apt-get remove %s", package);
}

void wb_host_programs(struct wb_findings *f)
{
	static const struct {
		const char *name, *package, *without;
	} program[] = {
		{ "valgrind", "valgrind",
		  "no exact instruction counts (level I)" },
		{ "bwrap", "bubblewrap",
		  "commands of strangers cannot be shut in" },
		{ "gnuplot", "gnuplot-nox", "no pictures" },
		{ "ccache", "ccache", "each prefix is compiled from nothing" },
		{ "ld.lld", "lld", "no shuffled sections for layouts" },
		{ "perf", "linux-perf", "no sampled profiles" },
	};
	char *emulator = wb_qemu_program();
	size_t i;

	for (i = 0; i < sizeof(program) / sizeof(*program); i++)
		look_program(f, program[i].name, program[i].name,
			     program[i].package, program[i].without);
	look_program(f, "qemu-user", emulator, "qemu-user",
		     "no instruction counts at about full speed");
	free(emulator);
}
