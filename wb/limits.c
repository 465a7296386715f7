#include "limits.h"
#include "buf.h"
#include "path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#define TEXT_MAX (1 << 20)
#define PREFIX "wb-box-"	/* then a PID */

/* What bounds what, in version 2 and in version 1. */
struct knob {
	const char *controller, *v2, *v1;
};

static const struct knob knobs[] = {
	{ "memory", "memory.max", "memory.limit_in_bytes" },
	{ "pids", "pids.max", "pids.max" },
};

#define KNOBS (sizeof(knobs) / sizeof(knobs[0]))

static char *text_of(const char *path)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	bool there;

	/* what cannot be read sets no limit */
	if (wb_path_read(path, TEXT_MAX, &text, &there, &ignored) < 0)
		wb_buf_reset(&text);
	return wb_buf_detach(&text);
}

/* A word of a list with commas. */
static bool has_word(const char *list, size_t len, const char *word)
{
	const char *end = list + len, *next;

	for (; list < end; list = next + 1) {
		next = memchr(list, ',', (size_t)(end - list));
		if (!next)
			next = end;
		if ((size_t)(next - list) == strlen(word) &&
		    !memcmp(list, word, strlen(word)))
			return true;
	}
	return false;
}

/*
 * Where the hierarchy of a controller is mounted: of version 1 when one has
 * it, else of version 2 (*v2).
 */
static char *mount_of(const char *controller, bool *v2)
{
	char *text = text_of("/proc/self/mounts"), *line, *save = NULL;
	char dir[256], type[32], opts[512], *found = NULL;

	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "%*s %255s %31s %511s", dir, type, opts) != 3)
			continue;
		if (!strcmp(type, "cgroup") &&
		    has_word(opts, strlen(opts), controller)) {
			free(found);
			found = wb_xstrdup(dir);
			*v2 = false;
			break;
		}
		if (!strcmp(type, "cgroup2") && !found) {
			found = wb_xstrdup(dir);
			*v2 = true;
		}
	}
	free(text);
	return found;
}

/* wb's own group in the hierarchy of a controller; "" is version 2. */
static char *own_group(const char *controller)
{
	char *text = text_of("/proc/self/cgroup"), *line, *save = NULL;
	char *list, *path, *found = NULL;

	for (line = strtok_r(text, "\n", &save); line && !found;
	     line = strtok_r(NULL, "\n", &save)) {
		list = strchr(line, ':');
		path = list ? strchr(list + 1, ':') : NULL;
		if (path && (*controller ?
			     has_word(list + 1, (size_t)(path - list - 1),
				      controller) : path == list + 1))
			found = wb_xstrdup(path + 1);
	}
	free(text);
	return found ? found : wb_xstrdup("");
}

static void remove_stale(const char *parent)
{
	DIR *d = opendir(parent);
	struct dirent *e;
	char *dir;
	int pid;

	while (d && (e = readdir(d))) {
		if (sscanf(e->d_name, PREFIX "%d", &pid) != 1 || pid <= 0 ||
		    kill(pid, 0) == 0 || errno != ESRCH)
			continue;
		dir = wb_xasprintf("%s/%s", parent, e->d_name);
		rmdir(dir);
		free(dir);
	}
	if (d)
		closedir(d);
}

static bool set(const char *dir, const char *file, uint64_t value)
{
	char *path = wb_xasprintf("%s/%s", dir, file);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	char text[24];
	int n = snprintf(text, sizeof(text), "%llu",
			 (unsigned long long)value);
	bool done = fd >= 0 && write(fd, text, (size_t)n) == n;

	if (fd >= 0)
		close(fd);
	free(path);
	return done;
}

static uint64_t machine_memory(void)
{
	struct sysinfo s;

	return sysinfo(&s) < 0 ? 0 : (uint64_t)s.totalram * s.mem_unit;
}

/* The one who writes 0 moves. */
static bool move_to(const char *dir)
{
	return set(dir, "cgroup.procs", 0);
}

static char *make_folder(const char *parent)
{
	char *dir = wb_xasprintf("%s/" PREFIX "%d", parent, getpid());

	if (mkdir(dir, 0755) == 0)
		return dir;
	free(dir);
	return NULL;
}

/* A folder of its own in the hierarchy of a knob, with wb in it. */
static bool enter(struct wb_limits *l, size_t i, uint64_t value, bool *v2)
{
	const struct knob *k = &knobs[i];
	char *mount = mount_of(k->controller, v2), *own;

	if (!mount)
		return false;
	own = own_group(*v2 ? "" : k->controller);
	l->from[i] = wb_xasprintf("%s%s", mount, own);
	/* of version 2 only the root may have processes and limits below */
	l->dir[i] = NULL;
	remove_stale(*v2 ? mount : l->from[i]);
	l->dir[i] = make_folder(*v2 ? mount : l->from[i]);
	free(own);
	free(mount);
	if (l->dir[i] && set(l->dir[i], *v2 ? k->v2 : k->v1, value) &&
	    move_to(l->dir[i]))
		return true;
	if (l->dir[i])
		rmdir(l->dir[i]);
	free(l->dir[i]);
	l->dir[i] = NULL;
	return false;
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
		set(l->dir[0], knobs[1].v2, value[1]);
	else if (!v2)
		enter(l, 1, value[1], &v2);
	/* on a number that was set somebody may rely */
	if (!done && c->sandbox_memory)
		wb_warn("wb.sandbox-memory: no control group can be made here: "
			"memory is not bounded");
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

uint64_t wb_limits_tasks(void)
{
	char *text = text_of("/proc/loadavg");
	unsigned long long n = 0;

	if (sscanf(text, "%*s %*s %*s %*u/%llu", &n) != 1)
		n = 0;
	free(text);
	return n;
}
