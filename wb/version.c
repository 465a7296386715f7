#include "version.h"
#include "git-keep.h"
#include "journal.h"
#include "path.h"
#include "zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char nobody[] = "wb <wb@localhost> 0 +0000";

static void ref_name(struct wb_buf *out, const char *kind, const char *key,
		     size_t n)
{
	wb_buf_reset(out);
	wb_buf_addf(out, "refs/wb/%s/%s/v%zu", kind, key, n);
}

int wb_version_last(struct wb_git *g, const char *key, size_t *n,
		    struct wb_error *err)
{
	struct wb_buf ref = WB_BUF_INIT;
	struct wb_oid id;
	int found = 1;

	for (*n = 0; found > 0; ++*n) {
		ref_name(&ref, "files", key, *n + 1);
		found = wb_git_ref(g, ref.ptr, &id, err);
		if (found <= 0)
			break;
	}
	wb_buf_clear(&ref);
	return found;
}

/* The files as the stack shall have them. */
static int files_tree(struct wb_edit *e, const struct wb_buf *series,
		      struct wb_oid *out, struct wb_error *err)
{
	struct wb_git_change *c = wb_xcalloc(e->n + 2, sizeof(*c));
	size_t i, n = e->n + 1;
	int ret;

	c[e->n].path = e->quilt.list_file;
	ret = wb_git_write_blob(e->git, series->ptr, series->len, NULL,
				&c[e->n].id, err);
	for (i = 0; ret == 0 && i < e->n; i++) {
		const struct wb_buf *t = e->patch[i].changed ?
					 &e->patch[i].text : &e->patch[i].old;

		c[i].path = e->patch[i].file;
		ret = wb_git_write_blob(e->git, t->ptr, t->len, NULL, &c[i].id,
					err);
	}
	if (ret == 0 && e->expect.len) {
		c[n].path = "expect";
		ret = wb_git_write_blob(e->git, e->expect.ptr, e->expect.len,
					NULL, &c[n++].id, err);
	}
	for (i = 0; i < n; i++)
		c[i].mode = 0100644;
	if (ret == 0)
		ret = wb_git_update(e->git, NULL, c, n, out, err);
	free(c);
	return ret;
}

/* A commit of one patch on *tip, which it then is. */
static int add_commit(struct wb_git *g, const struct wb_patch_file *words,
		      const struct wb_oid *tree, struct wb_oid *tip,
		      struct wb_error *err)
{
	char *message, *ident;
	int ret;

	wb_patch_file_words(words, "unknown <unknown@localhost> 0 +0000",
			    &message, &ident);
	ret = wb_git_commit(g, tree, tip, ident, message, tip, err);
	free(message);
	free(ident);
	return ret;
}

int wb_version_commits(struct wb_edit *e, bool built, struct wb_oid *tip,
		       size_t *n, struct wb_error *err)
{
	const struct wb_edit_patch *p;
	struct wb_oid head, tree;

	if (wb_git_tree_of(e->git, e->head.hex, &head, err) < 0)
		return -1;
	*tip = e->head;
	for (*n = 0; *n < e->n; ++*n) {
		p = &e->patch[*n];
		if (!built && !p->known)
			break;
		/* the folder of the stack is as HEAD has it */
		if (wb_git_graft(e->git, built ? &p->after : &p->to, &head,
				 e->key, &tree, err) < 0 ||
		    add_commit(e->git, &p->parts, &tree, tip, err) < 0)
			return -1;
	}
	return 0;
}

/* The same of a stack whose trees have the folder as HEAD has it. */
static int stack_commits(struct wb_edit *e, const struct wb_stack *s,
			 struct wb_oid *tip, size_t *n, struct wb_error *err)
{
	struct wb_patch_file words;
	const struct wb_prefix *p;
	int ret = 0;

	*tip = e->head;
	for (*n = 0; *n + 1 < s->n && ret == 0; ++*n) {
		p = &s->prefix[*n + 1];
		if (!p->applies)
			break;
		wb_patch_file_init(&words);
		wb_buf_addstr(&words.head, p->head);
		ret = add_commit(e->git, &words, &p->tree, tip, err);
		wb_patch_file_clear(&words);
	}
	return ret;
}

/* The tree of the files of version n. */
static int version_files(const struct wb_edit *e, size_t n, struct wb_oid *out,
			 struct wb_error *err)
{
	struct wb_buf ref = WB_BUF_INIT;
	int ret;

	ref_name(&ref, "files", e->key, n);
	ret = wb_git_tree_of(e->git, ref.ptr, out, err);
	wb_buf_clear(&ref);
	return ret;
}

/* The last version has these files, and these commits if tip is not NULL. */
static int same_as_last(struct wb_edit *e, size_t last,
			const struct wb_oid *files, const struct wb_oid *tip,
			struct wb_error *err)
{
	struct wb_buf ref = WB_BUF_INIT;
	struct wb_oid id;
	int ret = 0;

	if (!last)
		return 0;
	if (version_files(e, last, &id, err) < 0)
		return -1;
	if (strcmp(id.hex, files->hex))
		return 0;
	if (tip) {
		ref_name(&ref, "stack", e->key, last);
		ret = wb_git_ref(e->git, ref.ptr, &id, err);
		wb_buf_clear(&ref);
	}
	return ret < 0 ? -1 : !tip || (ret && !strcmp(id.hex, tip->hex));
}

/* The next version, and its number. */
static int add(struct wb_edit *e, const struct wb_oid *tip, size_t patches,
	       const struct wb_oid *files, const char *what, size_t *n,
	       struct wb_error *err)
{
	struct wb_oid save[2] = { *tip };
	struct wb_buf text = WB_BUF_INIT;
	int ret = -1;

	wb_buf_addf(&text, "%s\n\nbase: %s\npatches: %zu\n", what,
		    e->head.hex, patches);
	if (wb_git_commit(e->git, files, NULL, nobody, text.ptr, &save[1],
			  err) < 0 ||
	    wb_git_save(e->git, save, 2, NULL, err) < 0)
		goto out;
	++*n;
	ref_name(&text, "stack", e->key, *n);
	if (wb_git_set_ref(e->git, text.ptr, &save[0], err) < 0)
		goto out;
	ref_name(&text, "files", e->key, *n);
	ret = wb_git_set_ref(e->git, text.ptr, &save[1], err);
out:
	wb_buf_clear(&text);
	return ret;
}

/* The last version if it is the same, else the next. */
static int keep(struct wb_edit *e, const struct wb_oid *tip, size_t patches,
		const struct wb_oid *files, const char *what, size_t *n,
		struct wb_error *err)
{
	int same = -1;

	if (wb_version_last(e->git, e->key, n, err) == 0)
		same = same_as_last(e, *n, files, NULL, err);
	return same ? (same < 0 ? -1 : 0) :
	       add(e, tip, patches, files, what, n, err);
}

int wb_version_keep_stack(struct wb_edit *e, const struct wb_stack *s,
			  size_t *n, struct wb_error *err)
{
	struct wb_oid tip;
	size_t patches;
	int same;

	if (stack_commits(e, s, &tip, &patches, err) < 0 ||
	    wb_edit_unchanged(e, err) < 0 ||
	    wb_version_last(e->git, e->key, n, err) < 0)
		return -1;
	same = same_as_last(e, *n, &e->stamp, &tip, err);
	return same ? (same < 0 ? -1 : 0) :
	       add(e, &tip, patches, &e->stamp, "as it was", n, err);
}

int wb_version_keep_old(struct wb_edit *e, struct wb_error *err)
{
	size_t n;

	return keep(e, &e->tip, e->ntip, &e->stamp, "before", &n, err);
}

int wb_version_keep_new(struct wb_edit *e, const struct wb_buf *series,
			const char *what, struct wb_error *err)
{
	char *mark = wb_xasprintf("%s/undo", e->state);
	struct wb_oid files, tip;
	size_t n, patches;
	int ret = -1;

	if (files_tree(e, series, &files, err) < 0 ||
	    wb_version_commits(e, true, &tip, &patches, err) < 0)
		goto out;
	ret = keep(e, &tip, patches, &files, what, &n, err);
	/* undoing begins at the end again */
	unlink(mark);
out:
	free(mark);
	return ret;
}

/* ---- undo --------------------------------------------------------------- */

struct restore {
	struct wb_edit *e;
	struct wb_buf *text;
	char **file;
	size_t n, cap, textcap;
};

static int take_file(void *arg, const char *path, const struct wb_oid *blob,
		     struct wb_error *err)
{
	struct restore *r = arg;

	r->text = wb_grow(r->text, r->n, &r->textcap, sizeof(*r->text));
	r->file = wb_grow(r->file, r->n, &r->cap, sizeof(*r->file));
	wb_buf_init(&r->text[r->n]);
	r->file[r->n] = wb_xstrdup(path);
	return wb_git_read_blob(r->e->git, blob, &r->text[r->n++], err);
}

static bool as_it_was(const struct wb_edit *e, const char *file,
		      const struct wb_buf *text)
{
	const struct wb_buf *old = NULL;
	size_t i;

	if (!strcmp(file, e->quilt.list_file))
		old = &e->series;
	else if (!strcmp(file, "expect") && e->expected.len)
		old = &e->expected;
	for (i = 0; i < e->n; i++)
		if (!strcmp(e->patch[i].file, file) &&
		    !wb_zip_kind(file))
			old = &e->patch[i].old;
	return old && old->len == text->len &&
	       !memcmp(old->ptr, text->ptr, text->len);
}

static int put_back(struct wb_edit *e, size_t n, size_t *changed,
		    struct wb_error *err)
{
	struct restore r = { .e = e };
	struct wb_journal_item *item = NULL;
	struct wb_oid tree;
	bool expected = false;
	size_t i, k;
	int ret = -1;

	*changed = 0;
	if (version_files(e, n, &tree, err) < 0 ||
	    wb_git_files(e->git, &tree, take_file, &r, err) < 0)
		goto out;
	item = wb_xcalloc(r.n + e->n + 1, sizeof(*item));
	for (i = 0; i < r.n; i++) {
		expected |= !strcmp(r.file[i], "expect");
		if (!as_it_was(e, r.file[i], &r.text[i]))
			item[(*changed)++] = (struct wb_journal_item){
				r.file[i], &r.text[i],
			};
	}
	if (e->expected.len && !expected)
		item[(*changed)++] = (struct wb_journal_item){ "expect", NULL };
	for (i = 0; i < e->n; i++) {
		for (k = 0; k < r.n; k++)
			if (!strcmp(r.file[k], e->patch[i].file))
				break;
		if (k == r.n)
			item[(*changed)++] = (struct wb_journal_item){
				e->patch[i].file, NULL,
			};
	}
	ret = wb_journal_commit(e->state, e->dir, item, *changed, err);
out:
	for (i = 0; i < r.n; i++) {
		free(r.file[i]);
		wb_buf_clear(&r.text[i]);
	}
	free(r.file);
	free(r.text);
	free(item);
	return ret;
}

/* The number in the file "undo": which version an undo put back last. */
static size_t last_undone(const char *mark)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	bool there;
	size_t n = 0;

	/* without it the search begins at the last version, which is right */
	if (wb_path_read(mark, 64, &text, &there, &ignored) == 0)
		n = strtoul(text.ptr, NULL, 10);
	wb_buf_clear(&text);
	return n;
}

int wb_version_undo(struct wb_edit *e, size_t *back, size_t *changed,
		    struct wb_error *err)
{
	char *mark = wb_xasprintf("%s/undo", e->state), text[32];
	struct wb_oid files;
	size_t last, at, from;
	int ret = -1;

	if (wb_version_last(e->git, e->key, &last, err) < 0)
		goto out;
	from = last_undone(mark);
	if (from && from <= last && version_files(e, from, &files, err) < 0)
		goto out;
	at = from && from <= last && !strcmp(files.hex, e->stamp.hex) ?
	     from : last;
	if (at && version_files(e, at, &files, err) < 0)
		goto out;
	if (at && strcmp(files.hex, e->stamp.hex)) {
		/* changed by hand since: that is kept, too */
		if (keep(e, &e->tip, e->ntip, &e->stamp, "by hand", &last,
			 err) < 0)
			goto out;
		at = last;
	}
	/* kept again on another commit, the files are no older ones */
	while (at > 1 && version_files(e, at - 1, &files, err) == 0 &&
	       !strcmp(files.hex, e->stamp.hex))
		at--;
	if (at < 2) {
		wb_fail(err, WB_E_FATAL, "%s: nothing to undo: no older "
			"version is kept", e->quilt.shown);
		goto out;
	}
	*back = at - 1;
	snprintf(text, sizeof(text), "%zu\n", *back);
	if (put_back(e, *back, changed, err) < 0)
		goto out;
	ret = wb_path_write(mark, text, strlen(text), err);
out:
	free(mark);
	return ret;
}

int wb_version_range(struct wb_git *g, const char *key, size_t n, char **range,
		     struct wb_error *err)
{
	struct wb_buf ref = WB_BUF_INIT;
	struct wb_oid commit;
	char *text = NULL, *base;
	int ret = -1, found;

	*range = NULL;
	ref_name(&ref, "files", key, n);
	found = wb_git_ref(g, ref.ptr, &commit, err);
	if (found == 0)
		wb_fail(err, WB_E_FATAL, "v%zu: %s has no such version (git "
			"for-each-ref refs/wb/stack lists them)", n, key);
	if (found <= 0 || wb_git_message(g, &commit, &text, err) < 0)
		goto out;
	base = strstr(text, "\nbase: ");
	if (!base || strlen(base) < 47) {
		wb_fail(err, WB_E_FATAL, "%s: not a version of wb", ref.ptr);
		goto out;
	}
	ref_name(&ref, "stack", key, n);
	*range = wb_xasprintf("%.40s..%s", base + 7, ref.ptr);
	ret = 0;
out:
	free(text);
	wb_buf_clear(&ref);
	return ret;
}
