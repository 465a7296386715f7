#include "git-object.h"
#include "json.h"
#include "path.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

/*
 * What StGit says of its stacks. Each of its formats gives the same: names
 * and commits of the applied patches, the lowest first.
 */
#define MAX_META ((size_t)16 << 20)

struct patches {
	struct patch {
		char *name;
		git_oid id;
	} *v;
	size_t n, cap;
};

static int add(struct patches *p, const char *name, size_t len,
	       const char *hex)
{
	p->v = wb_grow(p->v, p->n, &p->cap, sizeof(*p->v));
	if (!len || git_oid_fromstrn(&p->v[p->n].id, hex, 40) < 0)
		return -1;
	p->v[p->n++].name = wb_xstrndup(name, len);
	return 0;
}

/* StGit 1: {"applied": [NAME], "patches": {NAME: {"oid": HEX}}} */
static int read_json(struct patches *p, const char *text, size_t len,
		     struct wb_error *err)
{
	struct wb_json *doc, *applied, *all;
	const char *name, *hex;
	size_t i;
	int ret = 0;

	if (wb_json_parse(text, len, &doc, err) < 0)
		return -1;
	applied = wb_json_get(doc, "applied");
	all = wb_json_get(doc, "patches");
	for (i = 0; i < wb_json_count(applied) && ret == 0; i++) {
		if (!wb_json_get_str(wb_json_at(applied, i), &name) || !all ||
		    !wb_json_get_str(wb_json_get(wb_json_get(all, name), "oid"),
				     &hex) || strlen(hex) != 40 ||
		    add(p, name, strlen(name), hex) < 0)
			ret = wb_fail(err, WB_E_FATAL, "stack.json names no "
				      "commit for applied patch %zu", i + 1);
	}
	wb_json_free(doc);
	return ret;
}

/* StGit 0.x: below "Applied:" lines of "  NAME: HEX" */
static int read_meta(struct patches *p, const char *text, size_t len,
		     struct wb_error *err)
{
	const char *end = text + len, *nl, *colon;
	bool applied = false;

	for (; text < end; text = nl + 1) {
		nl = memchr(text, '\n', (size_t)(end - text));
		nl = nl ? nl : end;
		if (*text != ' ') {
			applied = nl - text == 8 &&
				  !memcmp(text, "Applied:", 8);
			continue;
		}
		if (!applied)
			continue;
		text += strspn(text, " ");
		colon = memchr(text, ':', (size_t)(nl - text));
		if (!colon || nl - colon != 42 ||
		    add(p, text, (size_t)(colon - text), colon + 2) < 0)
			return wb_fail(err, WB_E_FATAL, "a line under Applied "
				       "is no patch");
	}
	return 0;
}

/* 1 read, 0 no such revision */
static int read_blob(struct wb_git *g, const char *spec,
		     int (*read)(struct patches *, const char *, size_t,
				 struct wb_error *),
		     struct patches *p, struct wb_error *err)
{
	git_object *obj = NULL;
	struct wb_buf text = WB_BUF_INIT;
	int ret;

	if (git_revparse_single(&obj, wb_git_repo(g), spec) < 0)
		return 0;
	if (git_object_type(obj) != GIT_OBJECT_BLOB) {
		ret = wb_fail(err, WB_E_FATAL, "not a file");
	} else {
		wb_buf_add(&text, git_blob_rawcontent((git_blob *)obj),
			   (size_t)git_blob_rawsize((git_blob *)obj));
		ret = read(p, text.ptr, text.len, err);
	}
	if (ret < 0)
		wb_fail_at(err, "%s", spec);
	wb_buf_clear(&text);
	git_object_free(obj);
	return ret < 0 ? -1 : 1;
}

/* Before 0.15: .git/patches/BRANCH/applied, and a ref for each patch. */
static int read_files(struct wb_git *g, const char *branch, struct patches *p,
		      struct wb_error *err)
{
	char *file = wb_xasprintf("%s/patches/%s/applied",
				  wb_git_common_dir(g), branch), *ref;
	struct wb_buf text = WB_BUF_INIT;
	const char *s, *nl;
	struct wb_oid id;
	bool there;
	int ret = wb_path_read(file, MAX_META, &text, &there, err);

	for (s = text.ptr; ret == 0 && *s; s = nl + (*nl == '\n')) {
		nl = strchrnul(s, '\n');
		if (nl == s)
			continue;
		ref = wb_xasprintf("refs/patches/%s/%.*s", branch,
				   (int)(nl - s), s);
		ret = wb_git_commit_of(g, ref, &id, err);
		if (ret == 0)
			add(p, s, (size_t)(nl - s), id.hex);
		free(ref);
	}
	wb_buf_clear(&text);
	free(file);
	return ret < 0 ? -1 : there;
}

static int find_stack(struct wb_git *g, const char *branch, struct patches *p,
		      struct wb_error *err)
{
	char *one = wb_xasprintf("refs/stacks/%s:stack.json", branch);
	char *zero = wb_xasprintf("refs/heads/%s.stgit:meta", branch);
	int found = read_blob(g, one, read_json, p, err);

	if (!found)
		found = read_blob(g, zero, read_meta, p, err);
	if (!found)
		found = read_files(g, branch, p, err);
	if (!found)
		wb_fail(err, WB_E_FATAL, "branch %s has no StGit stack (stg "
			"init makes one)", branch);
	free(one);
	free(zero);
	return found > 0 ? 0 : -1;
}

/* Below the lowest patch, or without patches where the branch stands. */
static int find_base(git_repository *repo, const char *branch,
		     const struct patches *p, git_commit **base)
{
	char *ref = wb_xasprintf("refs/heads/%s", branch);
	git_object *head = NULL;
	git_commit *c = NULL;
	int code;

	if (p->n) {
		code = git_commit_lookup(&c, repo, &p->v[0].id);
		if (code == 0)
			code = git_commit_parent(base, c, 0);
	} else {
		code = git_revparse_single(&head, repo, ref);
		if (code == 0)
			code = git_object_peel((git_object **)base, head,
					       GIT_OBJECT_COMMIT);
	}
	git_commit_free(c);
	git_object_free(head);
	free(ref);
	return code;
}

static int fill(git_repository *repo, const char *branch,
		const struct patches *p, unsigned how, struct wb_git_range *out)
{
	git_commit *c = NULL, *below = NULL;
	int code = find_base(repo, branch, p, &below);
	size_t i;

	if (code == 0) {
		wb_oid_from_raw(&out->base, git_commit_id(below)->id);
		wb_oid_from_raw(&out->base_tree,
				git_commit_tree_id(below)->id);
	}
	for (i = 0; i < p->n && code == 0; i++) {
		code = git_commit_lookup(&c, repo, &p->v[i].id);
		if (code < 0)
			break;
		if (!git_commit_parentcount(c) ||
		    !git_oid_equal(git_commit_parent_id(c, 0),
				   git_commit_id(below)))
			code = GIT_EINVALID;
		else
			code = wb_git_range_step(repo, c, below, how, out);
		if (code == 0)
			out->step[out->n - 1].name = wb_xstrdup(p->v[i].name);
		git_commit_free(below);
		below = c;
		c = NULL;
	}
	git_commit_free(below);
	return code;
}

int wb_git_stgit(struct wb_git *g, const char *branch, unsigned how,
		 struct wb_git_range *out, struct wb_error *err)
{
	struct patches p = { NULL, 0, 0 };
	git_reference *head = NULL;
	size_t i;
	int code, ret = -1;

	memset(out, 0, sizeof(*out));
	if (!branch) {
		if (git_repository_head(&head, wb_git_repo(g)) < 0 ||
		    !git_reference_is_branch(head)) {
			wb_fail(err, WB_E_FATAL, "HEAD is on no branch: name "
				"the branch of the StGit stack");
			goto out;
		}
		branch = git_reference_shorthand(head);
	}
	if (find_stack(g, branch, &p, err) < 0)
		goto out;
	code = fill(wb_git_repo(g), branch, &p, how, out);
	if (code == GIT_EINVALID)
		wb_fail(err, WB_E_FATAL, "the StGit stack of %s is not a chain "
			"of commits: run stg repair", branch);
	else if (code < 0)
		wb_fail(err, WB_E_FATAL, "the StGit stack of %s: %s", branch,
			git_error_last() ? git_error_last()->message :
			"cannot be read");
	else
		ret = 0;
out:
	for (i = 0; i < p.n; i++)
		free(p.v[i].name);
	free(p.v);
	git_reference_free(head);
	return ret;
}
