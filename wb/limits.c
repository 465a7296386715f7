#include "limits.h"
#include "buf.h"
#include "cgroup.h"
#include "path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define PREFIX "wb-box"
#define LOADAVG_MAX 4096

/* What bounds what, in version 2 and in version 1. */
struct knob {
	const char *controller, *v2, *v1;
};

static const struct knob knobs[] = {
	{ "memory", "memory.max", "memory.limit_in_bytes" },
	{ "pids", "pids.max", "pids.max" },
};

#define KNOBS (sizeof(knobs) / sizeof(knobs[0]))

static uint64_t machine_memory(void)
{
	struct sysinfo s;

	return sysinfo(&s) < 0 ? 0 : (uint64_t)s.totalram * s.mem_unit;
}

/* The one who writes 0 moves. */
static bool move_to(const char *dir)
{
	return wb_cgroup_set(dir, "cgroup.procs", 0);
}

/* A group below parent that bounds, with wb in it; NULL: it cannot be. */
static char *enter_below(const char *parent, const char *file, uint64_t value)
{
	char *dir;

	wb_cgroup_remove_stale(parent, PREFIX);
	dir = wb_cgroup_make(parent, PREFIX);
	if (dir && wb_cgroup_set(dir, file, value) && move_to(dir))
		return dir;
	if (dir)
		rmdir(dir);
	free(dir);
	return NULL;
}

/*
 * In the hierarchy of a knob. In version 2 a group that has processes, as wb's
 * own has, gives no limits to groups below it, so the ones above it are tried,
 * the nearest first: of a user's session some are the user's.
 */
static bool enter(struct wb_limits *l, size_t i, uint64_t value, bool *v2)
{
	const struct knob *k = &knobs[i];
	char *mount = wb_cgroup_mount(k->controller, v2), *own, *up, *parent;

	if (!mount)
		return false;
	own = wb_cgroup_own(*v2 ? "" : k->controller);
	l->from[i] = wb_xasprintf("%s%s", mount, own);
	if (!*v2)
		l->dir[i] = enter_below(l->from[i], k->v1, value);
	while (*v2 && !l->dir[i] && (up = strrchr(own, '/'))) {
		*up = '\0';
		parent = wb_xasprintf("%s%s", mount, own);
		l->dir[i] = enter_below(parent, k->v2, value);
		free(parent);
	}
	free(own);
	free(mount);
	return l->dir[i] != NULL;
}

void wb_limits_enter(struct wb_limits *l, const struct wb_config *c)
{
	const uint64_t value[KNOBS] = {
		c->sandbox_memory ? c->sandbox_memory
				  : machine_memory() / 4 * 3,
		(uint64_t)c->sandbox_processes,
	};
	bool v2 = false, done;

	memset(l, 0, sizeof(*l));
	if (c->sandbox == WB_SANDBOX_OFF)
		return;
	done = enter(l, 0, value[0], &v2);
	/* one folder of version 2 has all knobs */
	if (done && v2)
		wb_cgroup_set(l->dir[0], knobs[1].v2, value[1]);
	else if (!v2)
		enter(l, 1, value[1], &v2);
	/* on a number that was set somebody may rely */
	if (!done && c->sandbox_memory)
		wb_warn("wb.sandbox-memory: no control group can be made here: "
			"it bounds each process, and not all together");
}

void wb_limits_leave(struct wb_limits *l)
{
	size_t i;

	for (i = 0; i < WB_LIMITS_GROUPS; i++) {
		if (l->dir[i] && move_to(l->from[i]))
			rmdir(l->dir[i]);
		free(l->dir[i]);
		free(l->from[i]);
	}
	memset(l, 0, sizeof(*l));
}

bool wb_limits_hold_memory(void)
{
	bool v2 = false, hold;
	char *mount = wb_cgroup_mount("memory", &v2), *own;

	if (!mount)
		return false;
	own = wb_cgroup_own(v2 ? "" : "memory");
	hold = strstr(own, "/" PREFIX "-") != NULL;
	free(own);
	free(mount);
	return hold;
}

uint64_t wb_limits_tasks(void)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	unsigned long long n = 0;
	bool there;

	if (wb_path_read("/proc/loadavg", LOADAVG_MAX, &text, &there,
			 &ignored) < 0 ||
	    sscanf(text.ptr, "%*s %*s %*s %*u/%llu", &n) != 1)
		n = 0;
	wb_buf_clear(&text);
	return n;
}
