#include "git-object.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A tree as files in a folder. Every name is made in a folder that this walk
 * made or was given, through its descriptor, and only where nothing stands:
 * so no link, made by the tree or put there by someone else, can lead out.
 */
#define MAX_DEPTH 200	/* one open folder each */

static bool good_name(const struct wb_tree_entry *e)
{
	if (!e->len || memchr(e->name, '/', e->len))
		return false;
	if (!strcmp(e->name, ".") || !strcmp(e->name, ".."))
		return false;
	return strcasecmp(e->name, ".git") != 0;
}

static int write_file(int dir, const struct wb_tree_entry *e, const char *data,
		      size_t len, struct wb_error *err)
{
	mode_t mode = e->mode & 0100 ? 0755 : 0644;
	ssize_t n = 0;
	int fd;

	fd = openat(dir, e->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
		    O_CLOEXEC, mode);
	if (fd < 0)
		return wb_fail_errno(err, "%s", e->name);
	for (; len; data += n, len -= (size_t)n) {
		n = write(fd, data, len);
		if (n < 0 && errno == EINTR)
			n = 0;
		else if (n < 0)
			break;
	}
	if (n < 0 || close(fd) < 0) {
		wb_fail_errno(err, "%s", e->name);
		if (n < 0)
			close(fd);
		return -1;
	}
	return 0;
}

static int write_link(int dir, const struct wb_tree_entry *e, const char *data,
		      size_t len, struct wb_error *err)
{
	struct wb_buf target = WB_BUF_INIT;
	int ret = 0;

	wb_buf_add(&target, data, len);
	if (strlen(target.ptr) != len)
		ret = wb_fail(err, WB_E_FATAL, "%s: a link to a name with a "
			      "NUL byte", e->name);
	else if (symlinkat(target.ptr, dir, e->name) < 0)
		ret = wb_fail_errno(err, "%s", e->name);
	wb_buf_clear(&target);
	return ret;
}

static int write_blob(struct wb_git *g, int dir, const struct wb_tree_entry *e,
		      struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	int ret;

	if (wb_git_object_read(g, e->raw, WB_GIT_BLOB, &o, err) < 0)
		return wb_fail_at(err, "%s", e->name);
	if (e->mode == WB_MODE_LINK)
		ret = write_link(dir, e, o.data, o.len, err);
	else
		ret = write_file(dir, e, o.data, o.len, err);
	wb_git_object_release(g, &o);
	return ret;
}

static int export_tree(struct wb_git *g, const unsigned char *raw, int dir,
		       int depth, struct wb_error *err);

static int write_folder(struct wb_git *g, int dir,
			const struct wb_tree_entry *e, int depth,
			struct wb_error *err)
{
	int fd, ret = 0;

	if (mkdirat(dir, e->name, 0755) < 0)
		return wb_fail_errno(err, "%s", e->name);
	if (e->mode == WB_MODE_COMMIT)
		return 0;
	fd = openat(dir, e->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
		    O_CLOEXEC);
	if (fd < 0)
		return wb_fail_errno(err, "%s", e->name);
	if (export_tree(g, e->raw, fd, depth + 1, err) < 0)
		ret = wb_fail_at(err, "%s", e->name);
	close(fd);
	return ret;
}

static int export_tree(struct wb_git *g, const unsigned char *raw, int dir,
		       int depth, struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	struct wb_tree_iter it;
	struct wb_tree_entry e;
	int more, ret = 0;

	if (depth > MAX_DEPTH)
		return wb_fail(err, WB_E_FATAL, "folders too deep");
	if (wb_git_object_read(g, raw, WB_GIT_TREE, &o, err) < 0)
		return -1;
	it = (struct wb_tree_iter){ o.data, o.data + o.len };
	while (ret == 0 && (more = wb_tree_next(&it, &e, err)) != 0) {
		if (more < 0)
			ret = -1;
		else if (!good_name(&e))
			ret = wb_fail(err, WB_E_FATAL, "%s: a name that no "
				      "tree may hold", e.name);
		else if (e.mode == WB_MODE_TREE || e.mode == WB_MODE_COMMIT)
			ret = write_folder(g, dir, &e, depth, err);
		else
			ret = write_blob(g, dir, &e, err);
	}
	wb_git_object_release(g, &o);
	return ret;
}

int wb_git_export(struct wb_git *g, const struct wb_oid *tree,
		  const char *dir, struct wb_error *err)
{
	unsigned char raw[WB_GIT_RAW];
	int fd, ret;

	fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return wb_fail_errno(err, "%s", dir);
	wb_oid_to_raw(tree, raw);
	ret = export_tree(g, raw, fd, 0, err);
	if (ret < 0)
		wb_fail_at(err, "%s", dir);
	close(fd);
	return ret;
}
