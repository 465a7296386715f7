#include "git-object.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/*
 * Reading and rewriting trees as raw objects.
 *
 * The order of entries is the order of the bytes of their full paths when a
 * folder's name carries its '/': so sorting changes by path puts those of one
 * folder side by side, in the place where the folder stands in its parent,
 * and rewriting a tree is one merge of two sorted sequences.
 */

/* Deeper than any path that a file system takes, shallow for the stack. */
#define MAX_DEPTH 1024

int wb_tree_next(struct wb_tree_iter *it, struct wb_tree_entry *e,
		 struct wb_error *err)
{
	const char *p = it->p, *nul;

	if (p == it->end)
		return 0;
	e->mode = 0;
	for (; p < it->end && *p >= '0' && *p <= '7'; p++)
		e->mode = e->mode << 3 | (uint32_t)(*p - '0');
	nul = p < it->end ? memchr(p, '\0', (size_t)(it->end - p)) : NULL;
	if (!nul || *p != ' ' || it->end - nul <= WB_GIT_RAW)
		return wb_fail(err, WB_E_FATAL, "a tree of the repository is "
			       "damaged: run git fsck");
	e->name = p + 1;
	e->len = (size_t)(nul - e->name);
	e->raw = (const unsigned char *)nul + 1;
	it->p = nul + 1 + WB_GIT_RAW;
	return 1;
}

static void add_entry(struct wb_buf *out, uint32_t mode, const char *name,
		      size_t len, const unsigned char *raw)
{
	wb_buf_addf(out, "%o ", mode);
	wb_buf_add(out, name, len);
	wb_buf_addch(out, '\0');
	wb_buf_add(out, raw, WB_GIT_RAW);
}

/* Compares an entry's key, its name and '/' for a folder, with a key. */
static int compare_key(const struct wb_tree_entry *e, const char *key,
		       size_t len)
{
	size_t n = e->len < len ? e->len : len;
	int c = memcmp(e->name, key, n);
	bool folder = e->mode == WB_MODE_TREE;

	if (c)
		return c;
	if (e->len < len) {
		c = (folder ? '/' : 0) - (unsigned char)key[e->len];
		return c ? c : e->len + 1 < len ? -1 : 0;
	}
	return e->len > len || folder;
}

/*
 * The bytes of path up to and with its first '/', or all of it: the key of
 * the entry that the change concerns in the folder at hand.
 */
static size_t key_len(const char *path)
{
	const char *slash = strchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : strlen(path);
}

static int rewrite(struct wb_git *g, const unsigned char *old, size_t skip,
		   const struct wb_git_change *change, size_t n, int depth,
		   unsigned char *raw, bool *empty, struct wb_error *err);

/*
 * Writes what becomes of one entry. old is NULL when nothing stands there;
 * the n changes share their first key bytes after skip.
 */
static int put_group(struct wb_git *g, const struct wb_tree_entry *old,
		     size_t skip, size_t key,
		     const struct wb_git_change *change, size_t n, int depth,
		     struct wb_buf *out, struct wb_error *err)
{
	const char *name = change->path + skip;
	bool folder = name[key - 1] == '/';
	unsigned char raw[WB_GIT_RAW];
	bool empty;

	if (!name[key]) {
		assert(n == 1);
		if (!change->mode)
			return 0;
		wb_oid_to_raw(&change->id, raw);
		add_entry(out, change->mode, name, key - folder, raw);
		return 0;
	}
	if (rewrite(g, old ? old->raw : NULL, skip + key, change, n,
		    depth + 1, raw, &empty, err) < 0)
		return -1;
	if (!empty)
		add_entry(out, WB_MODE_TREE, name, key - 1, raw);
	return 0;
}

static size_t group_size(const struct wb_git_change *change, size_t n,
			 size_t skip, size_t key)
{
	size_t k = 1;

	while (k < n && !strncmp(change[k].path + skip, change->path + skip,
				 key) && change->path[skip + key - 1] == '/')
		k++;
	return k;
}

/* Merges the entries of one folder with its changes. */
static int merge(struct wb_git *g, struct wb_tree_iter it, size_t skip,
		 const struct wb_git_change *change, size_t n, int depth,
		 struct wb_buf *out, struct wb_error *err)
{
	struct wb_tree_entry e;
	const char *entry = it.p;
	int more = wb_tree_next(&it, &e, err);

	while (more > 0 || (more == 0 && n)) {
		size_t key = n ? key_len(change->path + skip) : 0, k;
		int c = !n ? -1 : !more ? 1 :
			compare_key(&e, change->path + skip, key);

		if (c < 0) {
			wb_buf_add(out, entry, (size_t)(it.p - entry));
		} else {
			k = group_size(change, n, skip, key);
			if (put_group(g, c ? NULL : &e, skip, key, change, k,
				      depth, out, err) < 0)
				return -1;
			change += k;
			n -= k;
		}
		if (c <= 0) {
			entry = it.p;
			more = wb_tree_next(&it, &e, err);
		}
	}
	return more;
}

/* old NULL: a folder that is not there yet. */
static int rewrite(struct wb_git *g, const unsigned char *old, size_t skip,
		   const struct wb_git_change *change, size_t n, int depth,
		   unsigned char *raw, bool *empty, struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	struct wb_git_like like = { .raw = old };
	struct wb_buf out = WB_BUF_INIT;
	int ret = -1;

	if (depth > MAX_DEPTH)
		return wb_fail(err, WB_E_FATAL, "folders too deep: %.80s...",
			       change->path);
	if (old && wb_git_object_read(g, old, WB_GIT_TREE, &o, err) < 0)
		goto out;
	wb_buf_reserve(&out, o.len + 64 * n);
	if (merge(g, (struct wb_tree_iter){ o.data, o.data + o.len }, skip,
		  change, n, depth, &out, err) < 0)
		goto out;
	*empty = !out.len;
	if (*empty && depth) {
		ret = 0;
		goto out;
	}
	like.data = o.data;
	like.len = o.len;
	ret = wb_git_object_write(g, WB_GIT_TREE, out.ptr, out.len,
				  old ? &like : NULL, raw, err);
out:
	wb_git_object_release(g, &o);
	wb_buf_clear(&out);
	return ret;
}

static int by_path(const void *a, const void *b)
{
	const struct wb_git_change *x = a, *y = b;

	return strcmp(x->path, y->path);
}

int wb_git_update(struct wb_git *g, const struct wb_oid *tree,
		  struct wb_git_change *change, size_t n, struct wb_oid *out,
		  struct wb_error *err)
{
	unsigned char raw[WB_GIT_RAW];
	bool empty;

	if (n > 1)
		qsort(change, n, sizeof(*change), by_path);
	if (tree)
		wb_oid_to_raw(tree, raw);
	if (rewrite(g, tree ? raw : NULL, 0, change, n, 0, raw, &empty,
		    err) < 0)
		return -1;
	wb_oid_from_raw(out, raw);
	return 0;
}

/* The entry called name in the tree at raw: 1, 0, -1; its id replaces raw. */
static int step(struct wb_git *g, unsigned char *raw, const char *name,
		size_t len, uint32_t *mode, struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	struct wb_tree_iter it;
	struct wb_tree_entry e;
	int more;

	if (wb_git_object_read(g, raw, WB_GIT_TREE, &o, err) < 0)
		return -1;
	it = (struct wb_tree_iter){ o.data, o.data + o.len };
	while ((more = wb_tree_next(&it, &e, err)) > 0)
		if (e.len == len && !memcmp(e.name, name, len))
			break;
	if (more > 0) {
		*mode = e.mode;
		memcpy(raw, e.raw, WB_GIT_RAW);
	}
	wb_git_object_release(g, &o);
	return more;
}

int wb_git_entry(struct wb_git *g, const struct wb_oid *tree, const char *path,
		 uint32_t *mode, struct wb_oid *id, struct wb_error *err)
{
	unsigned char raw[WB_GIT_RAW];
	size_t len;
	int found;

	wb_oid_to_raw(tree, raw);
	*mode = WB_MODE_TREE;
	for (; *path; path += len + (path[len] == '/')) {
		len = strcspn(path, "/");
		if (*mode != WB_MODE_TREE)
			return 0;
		found = step(g, raw, path, len, mode, err);
		if (found <= 0)
			return found;
	}
	wb_oid_from_raw(id, raw);
	return 1;
}

/* Takes out what stands at path, and a file that stands where its folder is */
static int clear_way(struct wb_git *g, struct wb_oid *tree, const char *path,
		     struct wb_error *err)
{
	struct wb_git_change c = { .mode = 0 };
	size_t len = 0, all = strlen(path);
	struct wb_buf at = WB_BUF_INIT;
	uint32_t mode = WB_MODE_TREE;
	struct wb_oid id;
	int found = 1, ret = 0;

	while (len < all && found > 0 && mode == WB_MODE_TREE) {
		len += strcspn(path + len + 1, "/") + 1;
		wb_buf_reset(&at);
		wb_buf_add(&at, path, len);
		found = wb_git_entry(g, tree, at.ptr, &mode, &id, err);
	}
	if (found > 0) {
		if (mode == WB_MODE_TREE)
			wb_buf_addch(&at, '/');
		c.path = at.ptr;
		ret = wb_git_update(g, tree, &c, 1, tree, err);
	}
	wb_buf_clear(&at);
	return found < 0 ? -1 : ret;
}

int wb_git_graft(struct wb_git *g, const struct wb_oid *tree,
		 const struct wb_oid *from, const char *path,
		 struct wb_oid *out, struct wb_error *err)
{
	struct wb_git_change c = { .mode = 0 };
	struct wb_buf key = WB_BUF_INIT;
	struct wb_oid work = *tree;
	int found = 0, ret = -1;

	wb_buf_addstr(&key, path);
	while (key.len && key.ptr[key.len - 1] == '/')
		wb_buf_truncate(&key, key.len - 1);
	if (from)
		found = wb_git_entry(g, from, key.ptr, &c.mode, &c.id, err);
	if (found < 0)
		goto out;
	if (!key.len) {
		ret = wb_fail(err, WB_E_FATAL, "an empty path cannot be "
			      "overlaid");
		goto out;
	}
	if (clear_way(g, &work, key.ptr, err) < 0)
		goto out;
	if (found) {
		if (c.mode == WB_MODE_TREE)
			wb_buf_addch(&key, '/');
		c.path = key.ptr;
		if (wb_git_update(g, &work, &c, 1, &work, err) < 0)
			goto out;
	}
	*out = work;
	ret = 0;
out:
	wb_buf_clear(&key);
	return ret;
}
