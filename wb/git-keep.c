#include "git-keep.h"
#include "git-memory.h"
#include "git-object.h"
#include "git-pack.h"

#include <assert.h>
#include <git2.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failed(struct wb_error *err, const char *what)
{
	const git_error *e = git_error_last();

	return wb_fail(err, WB_E_FATAL, "%s: %s", what, e && e->message ?
		       e->message : "unknown error of libgit2");
}

int wb_git_commit(struct wb_git *g, const struct wb_oid *tree,
		  const struct wb_oid *parent, const char *ident,
		  const char *message, struct wb_oid *out,
		  struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	unsigned char raw[WB_GIT_RAW];
	int ret;

	wb_buf_addf(&text, "tree %s\n", tree->hex);
	if (parent)
		wb_buf_addf(&text, "parent %s\n", parent->hex);
	/* nobody but the author: the same stack gives the same commits */
	wb_buf_addf(&text, "author %s\ncommitter %s\n\n%s", ident, ident,
		    message);
	ret = wb_git_object_write(g, WB_GIT_COMMIT, text.ptr, text.len, NULL,
				  raw, err);
	if (ret == 0)
		wb_oid_from_raw(out, raw);
	wb_buf_clear(&text);
	return ret;
}

struct walk {
	struct wb_git *g;
	struct wb_git_packed *object;	/* to be written */
	size_t n, cap;
};

/*
 * What the repository has it has with all that hangs on it. Not found is the
 * rule, so libgit2 must not read its folders again each time.
 */
static bool there(const struct walk *w, const unsigned char *raw)
{
	git_oid id;

	memcpy(id.id, raw, WB_GIT_RAW);
	return git_odb_exists_ext(wb_git_store(w->g), &id,
				  GIT_ODB_LOOKUP_NO_REFRESH) == 1;
}

/*
 * 1: the object must be written, and is noted for it; 0: it is there, or was
 * seen before. What is not in memory is there, or borrowed.
 */
static int need(struct walk *w, const unsigned char *raw,
		enum wb_git_kind kind, struct wb_error *err)
{
	struct wb_git_memory *m = wb_git_memory(w->g);
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	int ret;

	if (!wb_git_memory_has(m, raw)) {
		if (!wb_git_borrows(w->g) || there(w, raw))
			return 0;
		if (wb_git_object_read(w->g, raw, kind, &o, err) < 0)
			return -1;
		ret = wb_git_memory_put(m, raw, kind, o.data, o.len, NULL, err);
		wb_git_object_release(w->g, &o);
		if (ret < 0)
			return -1;
	}
	if (!wb_git_memory_mark(m, raw) || there(w, raw))
		return 0;
	w->object = wb_grow(w->object, w->n, &w->cap, sizeof(*w->object));
	memcpy(w->object[w->n++].raw, raw, WB_GIT_RAW);
	return 1;
}

static int walk_tree(struct walk *w, const unsigned char *raw,
		     struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	struct wb_tree_iter it;
	struct wb_tree_entry e;
	int more;

	more = need(w, raw, WB_GIT_TREE, err);
	if (more <= 0)
		return more;
	if (wb_git_object_read(w->g, raw, WB_GIT_TREE, &o, err) < 0)
		return -1;
	it = (struct wb_tree_iter){ o.data, o.data + o.len };
	while (more >= 0 && (more = wb_tree_next(&it, &e, err)) > 0) {
		if (e.mode == WB_MODE_TREE)
			more = walk_tree(w, e.raw, err);
		else if (e.mode != WB_MODE_COMMIT)
			more = need(w, e.raw, WB_GIT_BLOB, err);
	}
	wb_git_object_release(w->g, &o);
	return more;
}

/* The commit, its tree, and its parents as far as they are new. */
static int walk_commit(struct walk *w, const unsigned char *raw,
		       struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	struct wb_oid id;
	unsigned char next[WB_GIT_RAW], tree[WB_GIT_RAW];
	bool parent = true;
	int ret;

	memcpy(next, raw, WB_GIT_RAW);
	while (parent && (ret = need(w, next, WB_GIT_COMMIT, err)) > 0) {
		if (wb_git_object_read(w->g, next, WB_GIT_COMMIT, &o, err) < 0)
			return -1;
		memcpy(id.hex, o.data + strlen("tree "), 40);
		id.hex[40] = '\0';
		wb_oid_to_raw(&id, tree);
		parent = !memcmp(o.data + 46, "parent ", 7);
		if (parent) {
			memcpy(id.hex, o.data + 53, 40);
			wb_oid_to_raw(&id, next);
		}
		wb_git_object_release(w->g, &o);
		ret = walk_tree(w, tree, err);
		if (ret < 0)
			break;
	}
	return ret;
}

int wb_git_save(struct wb_git *g, const struct wb_oid *commits, size_t n,
		const char *dir, struct wb_error *err)
{
	struct walk w = { .g = g };
	unsigned char raw[WB_GIT_RAW];
	char *own = NULL;
	size_t i;
	int ret = -1;

	/* what was written since it was opened is seen from here on */
	if (git_odb_refresh(wb_git_store(g)) < 0)
		return failed(err, "cannot read the objects");
	wb_git_memory_unmark(wb_git_memory(g));
	for (i = 0; i < n; i++) {
		wb_oid_to_raw(&commits[i], raw);
		if (walk_commit(&w, raw, err) < 0)
			goto out;
	}
	if (!dir)
		dir = own = wb_xasprintf("%s/objects/pack",
					 wb_git_common_dir(g));
	ret = w.n ? wb_git_pack_write(g, w.object, w.n, dir, err) : 0;
out:
	free(w.object);
	free(own);
	return ret;
}

static int create_ref(struct wb_git *g, const char *name, const git_oid *id)
{
	git_reference *ref = NULL;
	int code = git_reference_create(&ref, wb_git_repo(g), name, id, 1,
					"wb series");

	git_reference_free(ref);
	return code;
}

int wb_git_set_ref(struct wb_git *g, const char *name, const struct wb_oid *id,
		   struct wb_error *err)
{
	git_oid oid;
	char *lock;
	int code;

	assert(wb_str_starts(name, "refs/wb/"));
	/* what a ref names is on the disk: so must be the ref */
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	git_oid_fromstr(&oid, id->hex);
	code = create_ref(g, name, &oid);
	if (code == GIT_ELOCKED) {
		/* nobody else is at work there: a killed wb left it */
		lock = wb_xasprintf("%s/%s.lock", wb_git_common_dir(g), name);
		unlink(lock);
		free(lock);
		code = create_ref(g, name, &oid);
	}
	return code < 0 ? failed(err, name) : 0;
}

int wb_git_ref(struct wb_git *g, const char *name, struct wb_oid *out,
	       struct wb_error *err)
{
	git_oid id;
	int code = git_reference_name_to_id(&id, wb_git_repo(g), name);

	if (code == GIT_ENOTFOUND)
		return 0;
	if (code < 0)
		return failed(err, name);
	wb_oid_from_raw(out, id.id);
	return 1;
}

int wb_git_message(struct wb_git *g, const struct wb_oid *commit, char **out,
		   struct wb_error *err)
{
	git_commit *c = NULL;
	git_oid id;

	git_oid_fromstr(&id, commit->hex);
	if (git_commit_lookup(&c, wb_git_repo(g), &id) < 0)
		return failed(err, commit->hex);
	*out = wb_xstrdup(git_commit_message(c));
	git_commit_free(c);
	return 0;
}

static int walk_files(struct wb_git *g, const unsigned char *raw,
		      struct wb_buf *path, wb_git_file_fn *fn, void *arg,
		      struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	struct wb_tree_iter it;
	struct wb_tree_entry e;
	size_t len = path->len;
	struct wb_oid id;
	int ret;

	if (wb_git_object_read(g, raw, WB_GIT_TREE, &o, err) < 0)
		return -1;
	it = (struct wb_tree_iter){ o.data, o.data + o.len };
	while ((ret = wb_tree_next(&it, &e, err)) > 0) {
		wb_buf_add(path, e.name, e.len);
		if (e.mode == WB_MODE_TREE) {
			wb_buf_addch(path, '/');
			ret = walk_files(g, e.raw, path, fn, arg, err);
		} else {
			wb_oid_from_raw(&id, e.raw);
			ret = fn(arg, path->ptr, &id, err);
		}
		wb_buf_truncate(path, len);
		if (ret < 0)
			break;
	}
	wb_git_object_release(g, &o);
	return ret;
}

int wb_git_files(struct wb_git *g, const struct wb_oid *tree,
		 wb_git_file_fn *fn, void *arg, struct wb_error *err)
{
	struct wb_buf path = WB_BUF_INIT;
	unsigned char raw[WB_GIT_RAW];
	int ret;

	wb_oid_to_raw(tree, raw);
	ret = walk_files(g, raw, &path, fn, arg, err);
	wb_buf_clear(&path);
	return ret;
}
