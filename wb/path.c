#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void wb_path_tidy(char *path)
{
	const char *from = path;
	size_t n;

	while (from[0] == '.' && from[1] == '/') {
		from += 2;
		from += strspn(from, "/");
	}
	n = strlen(from);
	while (n && from[n - 1] == '/')
		n--;
	memmove(path, from, n);
	path[n] = '\0';
}

int wb_path_make(const char *dir, struct wb_error *err)
{
	char *path = wb_xstrdup(dir), *p = path;
	int ret = -1;

	do {
		p = strchr(p + 1, '/');
		if (p)
			*p = '\0';
		if (mkdir(path, 0777) < 0 && errno != EEXIST) {
			wb_fail_errno(err, "%s", path);
			goto out;
		}
		if (p)
			*p = '/';
	} while (p);
	ret = 0;
out:
	free(path);
	return ret;
}

static char *xdg_dir(const char *env, const char *fallback,
		     struct wb_error *err)
{
	const char *xdg = getenv(env), *home = getenv("HOME");
	char *dir;

	/* the XDG rule: a relative path is as good as none */
	if (xdg && *xdg == '/') {
		dir = wb_xasprintf("%s/wb", xdg);
	} else if (home && *home) {
		dir = wb_xasprintf("%s/%s/wb", home, fallback);
	} else {
		wb_fail(err, WB_E_FATAL, "neither HOME nor %s is set", env);
		return NULL;
	}
	return dir;
}

char *wb_path_config_dir(struct wb_error *err)
{
	return xdg_dir("XDG_CONFIG_HOME", ".config", err);
}

char *wb_path_cache_dir(struct wb_error *err)
{
	return xdg_dir("XDG_CACHE_HOME", ".cache", err);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *at)
{
	(void)st;
	(void)at;
	/* a build may leave folders that cannot be searched or written */
	if (type == FTW_DP)
		return rmdir(path);
	return unlink(path);
}

static int open_folder(const char *path, const struct stat *st, int type,
		       struct FTW *at)
{
	(void)at;
	if ((type == FTW_D || type == FTW_DNR) && (st->st_mode & 0700) != 0700)
		return chmod(path, 0700);
	return 0;
}

int wb_path_remove(const char *path, struct wb_error *err)
{
	if (nftw(path, open_folder, 32, FTW_PHYS | FTW_MOUNT) < 0 &&
	    errno == ENOENT)
		return 0;
	if (nftw(path, remove_one, 32, FTW_PHYS | FTW_MOUNT | FTW_DEPTH) != 0)
		return wb_fail_errno(err, "%s: cannot be removed", path);
	return 0;
}

static int read_file(const char *path, int flags, size_t max,
		     struct wb_buf *out, bool *there, struct wb_error *err)
{
	char chunk[16384];
	struct stat st;
	size_t got = 0;
	ssize_t n;
	int fd, ret = -1;

	*there = false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (fd < 0)
		return wb_fail_errno(err, "%s", path);
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		wb_fail(err, WB_E_FATAL, "%s: not a regular file", path);
		goto out;
	}
	while ((n = read(fd, chunk, sizeof(chunk))) > 0) {
		got += (size_t)n;
		if (got > max) {
			wb_fail(err, WB_E_FATAL, "%s: larger than %zu bytes",
				path, max);
			goto out;
		}
		wb_buf_add(out, chunk, (size_t)n);
	}
	if (n < 0) {
		wb_fail_errno(err, "%s", path);
		goto out;
	}
	*there = true;
	ret = 0;
out:
	close(fd);
	return ret;
}

int wb_path_read(const char *path, size_t max, struct wb_buf *out, bool *there,
		 struct wb_error *err)
{
	return read_file(path, 0, max, out, there, err);
}

int wb_path_read_theirs(const char *path, size_t max, struct wb_buf *out,
			bool *there, struct wb_error *err)
{
	return read_file(path, O_NOFOLLOW, max, out, there, err);
}

static int write_all(int fd, const char *data, size_t len)
{
	ssize_t n;

	while (len) {
		n = write(fd, data, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

int wb_path_write(const char *path, const void *data, size_t len,
		  struct wb_error *err)
{
	char *tmp = wb_xasprintf("%s.tmp-XXXXXX", path);
	mode_t mask = umask(0);
	int fd, ret = -1;

	umask(mask);
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd < 0) {
		wb_fail_errno(err, "%s", path);
		goto out;
	}
	if (write_all(fd, data, len) < 0 || fchmod(fd, 0666 & ~mask) < 0 ||
	    fsync(fd) < 0 || rename(tmp, path) < 0) {
		wb_fail_errno(err, "%s", path);
		unlink(tmp);
		goto out;
	}
	ret = 0;
out:
	if (fd >= 0)
		close(fd);
	free(tmp);
	return ret;
}

/*
 * What is at path when it is no file that could be replaced: a descriptor to
 * write to, else -1. Of /dev/stdout that is stdout itself, which may lead to a
 * file, and of which others hold the same place in it.
 */
static int open_stream(const char *path)
{
	struct stat st, own;
	int fd;

	if (stat(path, &st) < 0)
		return -1;
	for (fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (!fstat(fd, &own) && own.st_dev == st.st_dev &&
		    own.st_ino == st.st_ino)
			return fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) ? -1 :
	       open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
}

int wb_path_put(const char *path, const void *data, size_t len,
		struct wb_error *err)
{
	int fd = open_stream(path), ret = 0;

	if (!*path)
		return wb_fail(err, WB_E_USAGE, "the name of a file to write "
			       "is empty");
	if (fd < 0)
		return wb_path_write(path, data, len, err);
	if (fflush(stdout) || write_all(fd, data, len) < 0)
		ret = wb_fail_errno(err, "%s", path);
	close(fd);
	return ret;
}

int wb_path_can_put(const char *path, struct wb_error *err)
{
	struct stat st;
	char *tmp;
	int fd;

	if (!*path)
		return wb_fail(err, WB_E_USAGE, "the name of a file to write "
			       "is empty");
	/* opening a pipe, and closing it, would be the end for its reader */
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return !S_ISDIR(st.st_mode) ? 0 :
		       wb_fail(err, WB_E_FATAL, "%s: is a folder", path);
	tmp = wb_xasprintf("%s.tmp-XXXXXX", path);
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd < 0) {
		wb_fail_errno(err, "%s", path);
	} else {
		close(fd);
		unlink(tmp);
	}
	free(tmp);
	return fd < 0 ? -1 : 0;
}

int wb_path_take_back(const char *path, struct wb_error *err)
{
	int fd = open_stream(path);

	if (fd >= 0)
		close(fd);
	else if (unlink(path) < 0 && errno != ENOENT)
		return wb_fail_errno(err, "%s", path);
	return 0;
}

bool wb_path_program(const char *name)
{
	const char *path = getenv("PATH"), *end;
	struct wb_buf file = WB_BUF_INIT;
	struct stat st;
	bool there = false;

	while (path && *path && !there) {
		end = path + strcspn(path, ":");
		wb_buf_reset(&file);
		wb_buf_addf(&file, "%.*s/%s", (int)(end - path), path,
			    name);
		/* a directory can be "executed", too */
		there = !stat(file.ptr, &st) && S_ISREG(st.st_mode) &&
			!access(file.ptr, X_OK);
		path = *end ? end + 1 : end;
	}
	wb_buf_clear(&file);
	return there;
}

