#include "journal.h"
#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "wb journal 1\n"
#define MAX_JOURNAL ((size_t)16 << 20)
#define MAX_FILE ((size_t)64 << 20)

static char *in(const char *dir, const char *name)
{
	return wb_xasprintf("%s/%s", dir, name);
}

static int sync_folder(const char *dir, struct wb_error *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int ret = 0;

	if (fd < 0)
		return wb_fail_errno(err, "%s", dir);
	/* EINVAL: a file system that has no such thing */
	if (fsync(fd) < 0 && errno != EINVAL)
		ret = wb_fail_errno(err, "%s", dir);
	close(fd);
	return ret;
}

/* The folder of a path, which has a '/' in it. */
static char *folder_of(const char *path)
{
	return wb_xstrndup(path, (size_t)(strrchr(path, '/') - path));
}

/*
 * One file takes its place. The name on the way is always the same, so that a
 * second try leaves nothing of the first.
 */
static int place(const char *path, const struct wb_buf *text,
		 struct wb_error *err)
{
	char *dir = folder_of(path), *tmp;
	const char *base = path + strlen(dir) + 1;
	int fd = -1, ret = -1;
	size_t done = 0;
	ssize_t n;

	tmp = wb_xasprintf("%s/.%s.wb-new", dir, base);
	if (wb_path_make(dir, err) < 0)
		goto out;
	fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
		  0666);
	if (fd < 0) {
		wb_fail_errno(err, "%s", tmp);
		goto out;
	}
	while (done < text->len) {
		n = write(fd, text->ptr + done, text->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			wb_fail_errno(err, "%s", tmp);
			goto out;
		}
		done += (size_t)n;
	}
	if (fsync(fd) < 0 || rename(tmp, path) < 0) {
		wb_fail_errno(err, "%s", path);
		goto out;
	}
	ret = sync_folder(dir, err);
out:
	if (fd >= 0)
		close(fd);
	free(tmp);
	free(dir);
	return ret;
}

static int take_away(const char *path, struct wb_error *err)
{
	char *dir = folder_of(path);
	int ret = 0;

	if (unlink(path) < 0 && errno != ENOENT)
		ret = wb_fail_errno(err, "%s", path);
	else if (!access(dir, F_OK))
		ret = sync_folder(dir, err);
	free(dir);
	return ret;
}

static int put_line(const char *next, const char *dir, const char *number,
		    const char *file, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	char *from = in(next, number), *to = in(dir, file);
	bool there;
	int ret;

	ret = wb_path_read(from, MAX_FILE, &text, &there, err);
	if (ret == 0 && !there)
		ret = wb_fail(err, WB_E_FATAL, "%s: missing", from);
	if (ret == 0)
		ret = place(to, &text, err);
	free(to);
	free(from);
	wb_buf_clear(&text);
	return ret;
}

/* "dir DIR", then "put NUMBER FILE" and "remove FILE" lines. */
static int carry_out(const char *next, char *line, struct wb_error *err)
{
	char *end, *dir = NULL, *file, *path;
	int ret = 0;

	for (; ret == 0 && *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			return wb_fail(err, WB_E_FATAL, "damaged: no end");
		*end = '\0';
		if (wb_str_starts(line, "dir ")) {
			dir = line + 4;
		} else if (dir && wb_str_starts(line, "put ") &&
			   (file = strchr(line + 4, ' '))) {
			*file++ = '\0';
			ret = put_line(next, dir, line + 4, file, err);
		} else if (dir && wb_str_starts(line, "remove ")) {
			path = in(dir, line + 7);
			ret = take_away(path, err);
			free(path);
		} else {
			ret = wb_fail(err, WB_E_FATAL, "damaged: %.40s", line);
		}
	}
	return ret;
}

bool wb_journal_pending(const char *state)
{
	char *file = in(state, "journal");
	bool yes = !access(file, F_OK);

	free(file);
	return yes;
}

int wb_journal_finish(const char *state, struct wb_error *err)
{
	char *file = in(state, "journal"), *next = in(state, "next");
	struct wb_buf text = WB_BUF_INIT;
	bool there;
	int ret = -1;

	if (wb_path_read(file, MAX_JOURNAL, &text, &there, err) < 0)
		goto out;
	if (there) {
		if (!wb_str_starts(text.ptr, HEAD)) {
			wb_fail(err, WB_E_FATAL, "%s: of another wb", file);
			goto out;
		}
		if (carry_out(next, text.ptr + strlen(HEAD), err) < 0) {
			wb_fail_at(err, "%s", file);
			goto out;
		}
		if (unlink(file) < 0) {
			wb_fail_errno(err, "%s", file);
			goto out;
		}
	}
	ret = wb_path_remove(next, err);
out:
	wb_buf_clear(&text);
	free(next);
	free(file);
	return ret;
}

int wb_journal_commit(const char *state, const char *dir,
		      const struct wb_journal_item *item, size_t n,
		      struct wb_error *err)
{
	char *next = in(state, "next"), *file = in(state, "journal"), *to;
	struct wb_buf text = WB_BUF_INIT;
	size_t i;
	int ret = -1;

	/* what a killed wb left is of no use without a journal */
	if (wb_path_remove(next, err) < 0 || wb_path_make(next, err) < 0)
		goto out;
	wb_buf_addf(&text, HEAD "dir %s\n", dir);
	for (i = 0; i < n; i++) {
		if (!item[i].text) {
			wb_buf_addf(&text, "remove %s\n", item[i].file);
			continue;
		}
		wb_buf_addf(&text, "put %zu %s\n", i, item[i].file);
		to = wb_xasprintf("%s/%zu", next, i);
		ret = wb_path_write(to, item[i].text->ptr, item[i].text->len,
				    err);
		free(to);
		if (ret < 0)
			goto out;
	}
	ret = -1;
	if (sync_folder(next, err) < 0 ||
	    wb_path_write(file, text.ptr, text.len, err) < 0 ||
	    sync_folder(state, err) < 0)
		goto out;
	ret = wb_journal_finish(state, err);
out:
	wb_buf_clear(&text);
	free(file);
	free(next);
	return ret;
}
