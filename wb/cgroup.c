#include "cgroup.h"
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
#include <unistd.h>

#define TEXT_MAX (1 << 20)

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

char *wb_cgroup_mount(const char *controller, bool *v2)
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

char *wb_cgroup_own(const char *controller)
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

char *wb_cgroup_make(const char *parent, const char *prefix)
{
	char *dir = wb_xasprintf("%s/%s-%d", parent, prefix, getpid());

	if (mkdir(dir, 0755) == 0)
		return dir;
	free(dir);
	return NULL;
}

void wb_cgroup_remove_stale(const char *parent, const char *prefix)
{
	DIR *d = opendir(parent);
	size_t n = strlen(prefix);
	struct dirent *e;
	char *dir;
	int pid;

	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, prefix, n) || e->d_name[n] != '-')
			continue;
		pid = atoi(e->d_name + n + 1);
		if (pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH)
			continue;
		dir = wb_xasprintf("%s/%s", parent, e->d_name);
		rmdir(dir);
		free(dir);
	}
	if (d)
		closedir(d);
}

bool wb_cgroup_set(const char *dir, const char *file, uint64_t value)
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
