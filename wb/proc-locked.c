#include "proc-locked.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define PROCESSES_MAX 1024	/* that are looked at */

struct look {
	int64_t bytes;
	int left;
};

/* A process that is over has no such line. */
static void add_process(struct look *l, pid_t pid)
{
	char path[64], line[256];
	long long kib;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "VmLck: %lld", &kib) != 1)
			continue;
		l->bytes = (l->bytes < 0 ? 0 : l->bytes) + 1024 * kib;
		break;
	}
	if (f)
		fclose(f);
}

static void add_below(struct look *l, pid_t pid);

/* Each thread has a list of the processes that it started. */
static void add_children(struct look *l, pid_t pid, const char *thread)
{
	char path[320];
	int child;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/children", pid, thread);
	f = fopen(path, "re");
	while (f && l->left > 0 && fscanf(f, "%d", &child) == 1) {
		l->left--;
		add_process(l, child);
		add_below(l, child);
	}
	if (f)
		fclose(f);
}

static void add_below(struct look *l, pid_t pid)
{
	struct dirent *e;
	char path[64];
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	d = opendir(path);
	while (d && (e = readdir(d)))
		if (*e->d_name != '.')
			add_children(l, pid, e->d_name);
	if (d)
		closedir(d);
}

int64_t wb_locked_below(pid_t pid)
{
	struct look l = { .bytes = -1, .left = PROCESSES_MAX };

	add_below(&l, pid);
	return l.bytes;
}
