#include "git-object.h"

#include <git2.h>

/* One file of a difference. */
struct side {
	git_repository *repo;
	git_blob *blob;
	const char *text;
	size_t len;
};

static int open_side(struct side *s, const git_diff_file *f)
{
	int code = 0;

	s->blob = NULL;
	s->text = NULL;
	s->len = 0;
	if (!git_oid_is_zero(&f->id))
		code = git_blob_lookup(&s->blob, s->repo, &f->id);
	if (s->blob) {
		s->text = git_blob_rawcontent(s->blob);
		s->len = (size_t)git_blob_rawsize(s->blob);
	}
	return code;
}

static int tell_patch(git_patch *patch, const struct side *old,
		      const struct side *new, wb_git_hunk_fn *fn, void *arg)
{
	const git_diff_delta *d = git_patch_get_delta(patch);
	const git_diff_hunk *k;
	size_t i, n = git_patch_num_hunks(patch);
	int code = 0;

	for (i = 0; i < n && !code; i++) {
		code = git_patch_get_hunk(&k, NULL, patch, i);
		if (code)
			break;
		fn(arg, &(struct wb_git_hunk){
			.path = new->text ? d->new_file.path
					  : d->old_file.path,
			.old = old->text, .old_len = old->len,
			.new = new->text, .new_len = new->len,
			.old_at = k->old_start, .old_n = k->old_lines,
			.new_at = k->new_start, .new_n = k->new_lines,
		});
	}
	return code;
}

static int tell_file(git_repository *repo, git_diff *diff, size_t i,
		     wb_git_hunk_fn *fn, void *arg)
{
	const git_diff_delta *d = git_diff_get_delta(diff, i);
	struct side old = { .repo = repo }, new = { .repo = repo };
	git_patch *patch = NULL;
	int code = 0;

	/* a submodule has a commit of elsewhere, and no lines */
	if (d->old_file.mode == GIT_FILEMODE_COMMIT ||
	    d->new_file.mode == GIT_FILEMODE_COMMIT)
		return 0;
	code = git_patch_from_diff(&patch, diff, i);
	if (!code && patch)
		code = open_side(&old, &d->old_file);
	if (!code && patch)
		code = open_side(&new, &d->new_file);
	if (!code && patch)
		code = tell_patch(patch, &old, &new, fn, arg);
	git_blob_free(old.blob);
	git_blob_free(new.blob);
	git_patch_free(patch);
	return code;
}

static int tree_of(git_tree **out, git_repository *repo,
		   const struct wb_oid *id)
{
	git_oid raw = { { 0 } };

	wb_oid_to_raw(id, raw.id);
	return git_tree_lookup(out, repo, &raw);
}

int wb_git_hunks(struct wb_git *g, const struct wb_oid *from,
		 const struct wb_oid *to, wb_git_hunk_fn *fn, void *arg,
		 struct wb_error *err)
{
	git_repository *repo = wb_git_repo(g);
	git_diff_options o;
	git_tree *old = NULL, *new = NULL;
	git_diff *diff = NULL;
	const git_error *e;
	size_t i;
	int code;

	git_diff_options_init(&o, GIT_DIFF_OPTIONS_VERSION);
	o.context_lines = 0;
	o.interhunk_lines = 0;
	code = tree_of(&old, repo, from);
	if (!code)
		code = tree_of(&new, repo, to);
	if (!code)
		code = git_diff_tree_to_tree(&diff, repo, old, new, &o);
	if (!code)
		code = git_diff_find_similar(diff, NULL);
	for (i = 0; !code && i < git_diff_num_deltas(diff); i++)
		code = tell_file(repo, diff, i, fn, arg);
	git_diff_free(diff);
	git_tree_free(old);
	git_tree_free(new);
	if (!code)
		return 0;
	e = git_error_last();
	return wb_fail(err, WB_E_FATAL, "%.12s..%.12s: %s", from->hex, to->hex,
		       e && e->message ? e->message : "cannot be compared");
}
