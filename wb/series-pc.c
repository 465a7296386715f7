#include "git-object.h"
#include "quilt.h"
#include "series-load.h"

#include <stdlib.h>
#include <string.h>

/*
 * What a file was before all applied patches is what it was before the first
 * of them that touched it; .pc/PATCH/FILE has it, and an empty one says that
 * there was no file.
 */
struct undo {
	struct wb_git *git;
	struct wb_git_change *change;
	size_t n, cap;
	size_t settled;		/* of the patches before this one */
};

#define MAX_DEPTH 200
#define EMPTY "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

static int by_path(const void *a, const void *b)
{
	const struct wb_git_change *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static void add_file(struct undo *u, char *path, const struct wb_tree_entry *e)
{
	struct wb_git_change c = { .path = path, .mode = e->mode };

	wb_oid_from_raw(&c.id, e->raw);
	if (!strcmp(c.id.hex, EMPTY))
		c.mode = 0;
	if (!strcmp(path, ".timestamp") ||
	    (u->settled && bsearch(&c, u->change, u->settled, sizeof(c),
				   by_path))) {
		free(path);
		return;
	}
	u->change = wb_grow(u->change, u->n, &u->cap, sizeof(*u->change));
	u->change[u->n++] = c;
}

static int add_folder(struct undo *u, const unsigned char *raw,
		      const char *at, int depth, struct wb_error *err)
{
	struct wb_git_object o = WB_GIT_OBJECT_INIT;
	struct wb_tree_iter it;
	struct wb_tree_entry e;
	int more;

	if (depth > MAX_DEPTH)
		return wb_fail(err, WB_E_FATAL, "folders too deep");
	if (wb_git_object_read(u->git, raw, WB_GIT_TREE, &o, err) < 0)
		return -1;
	it = (struct wb_tree_iter){ o.data, o.data + o.len };
	while ((more = wb_tree_next(&it, &e, err)) > 0) {
		char *path = wb_xasprintf("%s%s%.*s", at, *at ? "/" : "",
					  (int)e.len, e.name);

		if (e.mode != WB_MODE_TREE) {
			add_file(u, path, &e);
			continue;
		}
		more = add_folder(u, e.raw, path, depth + 1, err);
		free(path);
		if (more < 0)
			break;
	}
	wb_git_object_release(u->git, &o);
	return more;
}

/* What .pc keeps for the patch; one that changed nothing has no folder. */
static int add_patch(struct undo *u, const struct wb_oid *tree,
		     const char *file, struct wb_error *err)
{
	char *dir = wb_xasprintf(".pc/%s", file);
	unsigned char raw[WB_GIT_RAW];
	struct wb_oid id;
	uint32_t mode;
	int found = wb_git_entry(u->git, tree, dir, &mode, &id, err);

	u->settled = u->n;
	if (found > 0 && mode == WB_MODE_TREE) {
		wb_oid_to_raw(&id, raw);
		found = add_folder(u, raw, "", 0, err);
		if (u->n)
			qsort(u->change, u->n, sizeof(*u->change), by_path);
	}
	if (found < 0)
		wb_fail_at(err, "%s", dir);
	free(dir);
	return found < 0 ? -1 : 0;
}

static int add_applied(struct undo *u, const struct wb_quilt *q,
		       const struct wb_oid *tree, const char *applied,
		       struct wb_error *err)
{
	const char *p, *nl;
	size_t i = 0, len;

	for (p = applied; *p; p = nl + (*nl == '\n')) {
		nl = strchrnul(p, '\n');
		len = (size_t)(nl - p);
		if (!len)
			continue;
		if (i == q->n || strlen(q->entry[i].file) != len ||
		    memcmp(q->entry[i].file, p, len))
			return wb_fail(err, WB_E_FATAL, ".pc/applied-patches:"
				       "%zu: %.*s is applied, but not patch "
				       "%zu of %s/series: quilt pop -a first",
				       i + 1, (int)len, p, i + 1, q->shown);
		if (add_patch(u, tree, q->entry[i++].file, err) < 0)
			return -1;
	}
	return 0;
}

/* First what goes, then what comes: a file may take the place of a folder. */
static int put_back(struct undo *u, struct wb_oid *tree, struct wb_error *err)
{
	struct wb_git_change *all = u->change, *c;
	size_t i, n = 0;
	int ret;

	c = wb_xcalloc(u->n + 1, sizeof(*c));
	c[n++] = (struct wb_git_change){ .path = ".pc/" };
	for (i = 0; i < u->n; i++)
		if (!all[i].mode)
			c[n++] = all[i];
	ret = wb_git_update(u->git, tree, c, n, tree, err);
	for (i = n = 0; i < u->n; i++)
		if (all[i].mode)
			c[n++] = all[i];
	if (ret == 0 && n)
		ret = wb_git_update(u->git, tree, c, n, tree, err);
	free(c);
	return ret;
}

int wb_load_unapply(struct wb_git *g, const struct wb_quilt *q,
		    struct wb_oid *tree, struct wb_error *err)
{
	struct undo u = { .git = g };
	struct wb_buf applied = WB_BUF_INIT;
	struct wb_oid id;
	uint32_t mode;
	size_t i;
	int ret = wb_git_entry(g, tree, ".pc", &mode, &id, err);

	if (ret <= 0 || mode != WB_MODE_TREE)
		return ret < 0 ? -1 : 0;
	ret = wb_git_entry(g, tree, ".pc/applied-patches", &mode, &id, err);
	if (ret > 0)
		ret = wb_git_read_blob(g, &id, &applied, err);
	if (ret == 0)
		ret = add_applied(&u, q, tree, applied.ptr, err);
	if (ret == 0)
		ret = put_back(&u, tree, err);
	for (i = 0; i < u.n; i++)
		free((char *)u.change[i].path);
	free(u.change);
	wb_buf_clear(&applied);
	return ret;
}
