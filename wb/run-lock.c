#include "run.h"
#include "buf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int wb_run_lock(const struct wb_git *g, struct wb_error *err)
{
	char *file = wb_xasprintf("%s/wb/run.lock", wb_git_common_dir(g));
	char pid[32] = "";
	int fd;

	fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0) {
		wb_fail_errno(err, "%s", file);
	} else if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (read(fd, pid, sizeof(pid) - 1) < 0)
			pid[0] = '\0';
		wb_fail(err, WB_E_FATAL, "another 'wb run' (pid %.*s) measures "
			"in this repository: wait for it, or stop it first",
			(int)strspn(pid, "0123456789"), pid);
		close(fd);
		fd = -1;
	} else if (ftruncate(fd, 0) < 0 ||
		   dprintf(fd, "%d\n", getpid()) < 0) {
		wb_fail_errno(err, "%s", file);
		close(fd);
		fd = -1;
	}
	free(file);
	return fd;
}
