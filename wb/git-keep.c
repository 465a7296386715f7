#include "git-keep.h"
#include "git-object.h"

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
	ret = wb_git_object_write(g, WB_GIT_COMMIT, text.ptr, text.len, raw,
				  err);
	if (ret == 0)
		wb_oid_from_raw(out, raw);
	wb_buf_clear(&text);
	return ret;
}

struct pack {
	struct wb_git *g;
	git_packbuilder *pb;
};

/* What the repository has it has with all that hangs on it. */
static bool there(const struct pack *p, const unsigned char *raw)
{
	git_oid id;

	memcpy(id.id, raw, WB_GIT_RAW);
	return git_odb_exists(wb_git_store(p->g), &id) == 1;
}

static int insert(struct pack *p, const unsigned char *raw, const char *name,
		  struct wb_error *err)
{
	git_oid id;

	memcpy(id.id, raw, WB_GIT_RAW);
	return git_packbuilder_insert(p->pb, &id, name) < 0 ?
	       failed(err, "cannot pack") : 0;
}

static int insert_tree(struct pack *p, const unsigned char *raw,
		       struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	struct wb_tree_iter it;
	struct wb_tree_entry e;
	char *name;
	int more = 0, ret = -1;

	if (there(p, raw))
		return 0;
	if (wb_git_object_read(p->g, raw, WB_GIT_TREE, &o, err) < 0)
		return -1;
	it = (struct wb_tree_iter){ o.data, o.data + o.len };
	if (insert(p, raw, NULL, err) < 0)
		goto out;
	while ((more = wb_tree_next(&it, &e, err)) > 0) {
		if (e.mode == WB_MODE_COMMIT)
			continue;
		if (e.mode == WB_MODE_TREE) {
			if (insert_tree(p, e.raw, err) < 0)
				goto out;
		} else if (!there(p, e.raw)) {
			/* the name is a hint for what resembles what */
			name = wb_xstrndup(e.name, e.len);
			more = insert(p, e.raw, name, err);
			free(name);
			if (more < 0)
				goto out;
		}
	}
	ret = more;
out:
	wb_git_object_release(p->g, &o);
	return ret;
}

/* The commit, its tree, and its parents as far as they are new. */
static int insert_commit(struct pack *p, const unsigned char *raw,
			 struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	struct wb_oid id;
	unsigned char next[WB_GIT_RAW], tree[WB_GIT_RAW];
	bool more = true;

	memcpy(next, raw, WB_GIT_RAW);
	while (more && !there(p, next)) {
		if (wb_git_object_read(p->g, next, WB_GIT_COMMIT, &o, err) < 0)
			return -1;
		memcpy(id.hex, o.data + strlen("tree "), 40);
		id.hex[40] = '\0';
		wb_oid_to_raw(&id, tree);
		more = !memcmp(o.data + 46, "parent ", 7);
		if (more)
			memcpy(id.hex, o.data + 53, 40);
		wb_git_object_release(p->g, &o);
		if (insert(p, next, NULL, err) < 0 ||
		    insert_tree(p, tree, err) < 0)
			return -1;
		if (more)
			wb_oid_to_raw(&id, next);
	}
	return 0;
}

int wb_git_save(struct wb_git *g, const struct wb_oid *commits, size_t n,
		const char *dir, struct wb_error *err)
{
	struct pack p = { .g = g };
	unsigned char raw[WB_GIT_RAW];
	char *own = NULL;
	size_t i;
	int ret = -1;

	/* what a ref will name must be on the disk before the ref is */
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	if (git_packbuilder_new(&p.pb, wb_git_repo(g)) < 0)
		return failed(err, "cannot pack");
	git_packbuilder_set_threads(p.pb, 1);
	for (i = 0; i < n; i++) {
		wb_oid_to_raw(&commits[i], raw);
		if (insert_commit(&p, raw, err) < 0)
			goto out;
	}
	if (!dir)
		dir = own = wb_xasprintf("%s/objects/pack",
					 wb_git_common_dir(g));
	ret = 0;
	if (git_packbuilder_object_count(p.pb) &&
	    git_packbuilder_write(p.pb, dir, 0444, NULL, NULL) < 0)
		ret = failed(err, dir);
out:
	git_packbuilder_free(p.pb);
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
