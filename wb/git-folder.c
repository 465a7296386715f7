#include "git-folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DEPTH 200	/* one open folder each */

struct member {
	unsigned char raw[WB_GIT_RAW];
	char *path;
	bool link;
};

struct wb_git_folder {
	int fd;
	char *dir;
	struct member *member;	/* by raw once imported */
	size_t n, cap;
};

/* One folder while it is read: its names in git's order. */
struct item {
	char *name;
	mode_t type;
	bool exec;
};

struct walk {
	struct wb_git_folder *f;
	struct wb_git *g;
	const char *const *skip;
	size_t nskip;
	struct wb_buf path;	/* of the folder at hand, with its final '/' */
};

struct wb_git_folder *wb_git_folder_new(const char *dir, struct wb_error *err)
{
	struct wb_git_folder *f;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0) {
		wb_fail_errno(err, "%s", dir);
		return NULL;
	}
	f = wb_xcalloc(1, sizeof(*f));
	f->fd = fd;
	f->dir = wb_xstrdup(dir);
	return f;
}

void wb_git_folder_free(struct wb_git_folder *f)
{
	size_t i;

	if (!f)
		return;
	for (i = 0; i < f->n; i++)
		free(f->member[i].path);
	free(f->member);
	free(f->dir);
	close(f->fd);
	free(f);
}

static int read_link(int dir, const char *name, struct wb_buf *out)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dir, name, target, sizeof(target));

	if (n < 0)
		return -1;
	wb_buf_add(out, target, (size_t)n);
	return 0;
}

static int read_file(int dir, const char *name, struct wb_buf *out)
{
	struct stat st;
	ssize_t n = -1;
	int fd;

	fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0) {
		wb_buf_reserve(out, (size_t)st.st_size + 1);
		do {
			wb_buf_reserve(out, 4096);
			n = read(fd, out->ptr + out->len,
				 out->cap - out->len - 1);
			if (n > 0)
				out->len += (size_t)n;
		} while (n > 0 || (n < 0 && errno == EINTR));
		out->ptr[out->len] = '\0';
	}
	close(fd);
	return n < 0 ? -1 : 0;
}

static int read_member(int dir, const char *name, bool link,
		       struct wb_buf *out)
{
	return link ? read_link(dir, name, out) : read_file(dir, name, out);
}

/* A folder's name sorts as if it ended in '/'. */
static int by_name(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	size_t i = 0;

	while (x->name[i] && x->name[i] == y->name[i])
		i++;
	return (x->name[i] ? (unsigned char)x->name[i] :
		S_ISDIR(x->type) ? '/' : 0) -
	       (y->name[i] ? (unsigned char)y->name[i] :
		S_ISDIR(y->type) ? '/' : 0);
}

static bool skipped(const struct walk *w, const char *name)
{
	size_t i, n = w->path.len;

	if (!strcmp(name, ".") || !strcmp(name, "..") || !strcmp(name, ".git"))
		return true;
	for (i = 0; i < w->nskip; i++)
		if (!strncmp(w->skip[i], w->path.ptr, n) &&
		    !strcmp(w->skip[i] + n, name))
			return true;
	return false;
}

static int list(struct walk *w, int fd, struct item **items, size_t *n,
		struct wb_error *err)
{
	struct dirent *e;
	struct stat st;
	size_t cap = 0;
	int again = dup(fd);
	DIR *dir = again < 0 ? NULL : fdopendir(again);

	*items = NULL;
	*n = 0;
	if (!dir) {
		if (again >= 0)
			close(again);
		return wb_fail_errno(err, "%s/%s", w->f->dir, w->path.ptr);
	}
	while ((e = readdir(dir))) {
		if (skipped(w, e->d_name) ||
		    fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		*items = wb_grow(*items, *n, &cap, sizeof(**items));
		(*items)[(*n)++] = (struct item){
			wb_xstrdup(e->d_name), st.st_mode & S_IFMT,
			st.st_mode & S_IXUSR,
		};
	}
	closedir(dir);
	if (*n)
		qsort(*items, *n, sizeof(**items), by_name);
	return 0;
}

static int import_folder(struct walk *w, int fd, int depth, unsigned char *raw,
			 bool *empty, struct wb_error *err);

static int import_sub(struct walk *w, int fd, const struct item *it, int depth,
		      unsigned char *raw, bool *empty, struct wb_error *err)
{
	size_t len = w->path.len;
	int sub, ret;

	if (depth >= MAX_DEPTH)
		return wb_fail(err, WB_E_FATAL, "%s/%s: folders too deep",
			       w->f->dir, w->path.ptr);
	sub = openat(fd, it->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
		     O_CLOEXEC);
	if (sub < 0)
		return wb_fail_errno(err, "%s/%s%s", w->f->dir, w->path.ptr,
				     it->name);
	wb_buf_addf(&w->path, "%s/", it->name);
	ret = import_folder(w, sub, depth + 1, raw, empty, err);
	wb_buf_truncate(&w->path, len);
	close(sub);
	return ret;
}

static int import_file(struct walk *w, int fd, const struct item *it,
		       unsigned char *raw, struct wb_error *err)
{
	struct wb_git_folder *f = w->f;
	struct wb_buf data = WB_BUF_INIT;
	struct member *m;
	int ret = -1;

	if (read_member(fd, it->name, S_ISLNK(it->type), &data) < 0) {
		wb_fail_errno(err, "%s/%s%s", f->dir, w->path.ptr, it->name);
		goto out;
	}
	wb_git_object_hash(WB_GIT_BLOB, data.ptr, data.len, raw);
	f->member = wb_grow(f->member, f->n, &f->cap, sizeof(*f->member));
	m = &f->member[f->n++];
	memcpy(m->raw, raw, WB_GIT_RAW);
	m->path = wb_xasprintf("%s%s", w->path.ptr, it->name);
	m->link = S_ISLNK(it->type);
	ret = 0;
out:
	wb_buf_clear(&data);
	return ret;
}

static int import_item(struct walk *w, int fd, const struct item *it, int depth,
		       struct wb_buf *tree, struct wb_error *err)
{
	unsigned char raw[WB_GIT_RAW];
	uint32_t mode = WB_MODE_TREE;
	bool empty = false;
	int ret = 0;

	if (S_ISDIR(it->type)) {
		ret = import_sub(w, fd, it, depth, raw, &empty, err);
	} else if (S_ISREG(it->type) || S_ISLNK(it->type)) {
		mode = S_ISLNK(it->type) ? WB_MODE_LINK :
		       it->exec ? WB_MODE_EXEC : WB_MODE_FILE;
		ret = import_file(w, fd, it, raw, err);
	} else {
		/* sockets, pipes and devices are nothing to git */
		empty = true;
	}
	if (ret < 0 || empty)
		return ret;
	wb_buf_addf(tree, "%o %s", mode, it->name);
	wb_buf_addch(tree, '\0');
	wb_buf_add(tree, raw, WB_GIT_RAW);
	return 0;
}

static int import_folder(struct walk *w, int fd, int depth, unsigned char *raw,
			 bool *empty, struct wb_error *err)
{
	struct wb_buf tree = WB_BUF_INIT;
	struct item *items;
	size_t n, i;
	int ret;

	ret = list(w, fd, &items, &n, err);
	for (i = 0; i < n; i++) {
		if (ret == 0)
			ret = import_item(w, fd, &items[i], depth, &tree, err);
		free(items[i].name);
	}
	free(items);
	*empty = !tree.len;
	if (ret == 0 && (tree.len || !depth))
		ret = wb_git_object_write(w->g, WB_GIT_TREE, tree.ptr, tree.len,
					  NULL, raw, err);
	wb_buf_clear(&tree);
	return ret;
}

static int by_raw(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	return memcmp(x->raw, y->raw, WB_GIT_RAW);
}

int wb_git_folder_import(struct wb_git_folder *f, struct wb_git *g,
			 const char *const *skip, size_t nskip,
			 struct wb_oid *out, struct wb_error *err)
{
	struct walk w = { f, g, skip, nskip, WB_BUF_INIT };
	unsigned char raw[WB_GIT_RAW];
	bool empty;
	int ret;

	ret = import_folder(&w, f->fd, 0, raw, &empty, err);
	if (f->n)
		qsort(f->member, f->n, sizeof(*f->member), by_raw);
	if (ret == 0)
		wb_oid_from_raw(out, raw);
	wb_buf_clear(&w.path);
	return ret;
}

static const struct member *find(const struct wb_git_folder *f,
				 const unsigned char *raw)
{
	struct member key;

	memcpy(key.raw, raw, WB_GIT_RAW);
	return f->n ? bsearch(&key, f->member, f->n, sizeof(key), by_raw) :
	       NULL;
}

bool wb_git_folder_has(const struct wb_git_folder *f, const unsigned char *raw)
{
	return find(f, raw) != NULL;
}

int wb_git_folder_read(const struct wb_git_folder *f, const unsigned char *raw,
		       struct wb_git_object *out, struct wb_error *err)
{
	const struct member *m = find(f, raw);
	unsigned char now[WB_GIT_RAW];
	struct wb_buf data = WB_BUF_INIT;

	if (read_member(f->fd, m->path, m->link, &data) < 0) {
		wb_buf_clear(&data);
		return wb_fail_errno(err, "%s/%s", f->dir, m->path);
	}
	wb_git_object_hash(WB_GIT_BLOB, data.ptr, data.len, now);
	if (memcmp(now, raw, WB_GIT_RAW)) {
		wb_buf_clear(&data);
		return wb_fail(err, WB_E_FATAL, "%s/%s has changed while it "
			       "was in use: start again", f->dir, m->path);
	}
	out->len = data.len;
	out->data = out->handle = wb_buf_detach(&data);
	out->from = WB_GIT_FROM_FOLDER;
	return 0;
}
