#include "edit.h"
#include "git-keep.h"
#include "path.h"
#include "zip.h"

#include <stdlib.h>
#include <string.h>

static bool same(const struct wb_oid *a, const struct wb_oid *b)
{
	return !strcmp(a->hex, b->hex);
}

int wb_edit_put_on(struct wb_edit *e, struct wb_edit_patch *p,
		   struct wb_overlay *ov, struct wb_error *err)
{
	struct wb_apply_rules rules = {
		.place = { .offset = true, .fuzz = e->fuzz },
	};
	struct wb_applied applied = { .n = 0 };
	char *shown = wb_xasprintf("%s/%s", e->quilt.shown, p->file);
	int ret;

	if (!p->readable)
		ret = wb_fail(err, WB_E_FATAL, "%s", p->why);
	else
		ret = wb_apply(ov, &p->patch, &rules, shown, &applied, err);
	p->after = *wb_overlay_tree(ov);
	p->moved = true;
	wb_applied_clear(&applied);
	free(shown);
	return ret;
}

static int build_trees(struct wb_edit *e, struct wb_error *err)
{
	struct wb_overlay *ov = NULL;
	struct wb_oid cur = e->base;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < e->n; i++) {
		struct wb_edit_patch *p = &e->patch[i];

		p->before = cur;
		if (p->fixed) {
			p->after = p->want;
		} else if (p->known && same(&p->from, &cur)) {
			p->after = p->to;
		} else {
			if (!ov || !same(wb_overlay_tree(ov), &cur)) {
				wb_overlay_free(ov);
				ov = wb_overlay_new(e->git, &cur);
			}
			ret = wb_edit_put_on(e, p, ov, err);
			if (ret < 0)
				wb_fail_at(err, "nothing changed, for %s would "
					   "no longer apply", p->name);
		}
		/* a patch that was empty before may stay so */
		if (ret == 0 && same(&p->before, &p->after) &&
		    (p->fixed || p->nonempty))
			ret = wb_fail(err, WB_E_FATAL, "nothing changed, for "
				      "%s would change nothing: drop it (wb "
				      "series drop %s)", p->name, p->name);
		cur = p->after;
	}
	wb_overlay_free(ov);
	if (ret == 0 && e->end && !same(&cur, e->end))
		ret = wb_fail(err, WB_E_FATAL, "nothing changed, for the "
			      "patches apply in this order but lead to another "
			      "tree");
	return ret;
}

/* ---- texts -------------------------------------------------------------- */

/* Both trees of a pair, as commits, so that they can be packed. */
static int save_pairs(struct wb_desk *d, struct wb_edit_patch **patch,
		      size_t n, struct wb_buf *list, struct wb_error *err)
{
	static const char nobody[] = "wb <wb@localhost> 0 +0000";
	struct wb_oid *commit = wb_xcalloc(2 * n, sizeof(*commit));
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < n; i++) {
		const struct wb_edit_patch *p = patch[i];

		if (wb_git_commit(d->git, &p->before, NULL, nobody, "",
				  &commit[2 * i], err) < 0 ||
		    wb_git_commit(d->git, &p->after, NULL, nobody, "",
				  &commit[2 * i + 1], err) < 0)
			ret = -1;
		if (!same(&p->before, &p->after))
			wb_buf_addf(list, "%s %s\n", p->before.hex,
				    p->after.hex);
	}
	if (ret == 0)
		ret = wb_desk_save(d, commit, 2 * n, err);
	free(commit);
	return ret;
}

/* The line that begins the diff of a pair; at or behind p. */
static const char *find_pair(const char *p, const struct wb_edit_patch *e)
{
	char line[84];

	memcpy(line, e->before.hex, 40);
	line[40] = ' ';
	memcpy(line + 41, e->after.hex, 40);
	line[81] = '\n';
	line[82] = '\0';
	while (p && strncmp(p, line, 82)) {
		p = strchr(p, '\n');
		p = p && p[1] ? p + 1 : NULL;
	}
	return p;
}

static int take_diffs(struct wb_edit_patch **patch, size_t n,
		      const struct wb_buf *all, struct wb_error *err)
{
	const char *at = NULL, *next, *end = all->ptr + all->len;
	struct wb_edit_patch *prev = NULL;
	size_t i;

	for (i = 0; i <= n; i++) {
		if (i < n && same(&patch[i]->before, &patch[i]->after))
			continue;
		/* a diff may hold NULs, but its lines begin by git's rules */
		next = i == n ? end : find_pair(at ? at + 82 : all->ptr,
						patch[i]);
		if (!next)
			return wb_fail(err, WB_E_FATAL, "git diff-tree gave no "
				       "diff for %s", patch[i]->name);
		if (prev)
			wb_buf_add(&prev->text, at + 82,
				   (size_t)(next - at - 82));
		at = next;
		prev = i < n ? patch[i] : NULL;
	}
	return 0;
}

int wb_edit_texts(struct wb_git *g, struct wb_edit_patch **patch, size_t n,
		  struct wb_error *err)
{
	struct wb_buf list = WB_BUF_INIT, out = WB_BUF_INIT;
	struct wb_env env;
	struct wb_desk d;
	char *file = NULL;
	int ret = -1;

	if (wb_desk_scratch(&d, g, err) < 0)
		goto out;
	if (save_pairs(&d, patch, n, &list, err) < 0)
		goto out;
	file = wb_xasprintf("%s/pairs", d.dir);
	if (wb_path_write(file, list.ptr, list.len, err) < 0)
		goto out;
	wb_desk_env(&d, &env);
	/* 72: what format-patch leaves to a diffstat in a mail */
	ret = wb_desk_run(&d, "git diff-tree --stdin -r -M --binary "
			  "--full-index --stat=72 --summary -p <pairs", &env,
			  &out, err);
	wb_env_clear(&env);
	if (ret == 0)
		ret = take_diffs(patch, n, &out, err);
out:
	wb_desk_clear(&d);
	free(file);
	wb_buf_clear(&out);
	wb_buf_clear(&list);
	return ret;
}

static bool needs_text(const struct wb_edit_patch *p)
{
	return p->rewrite || p->was < 0 || !p->known ||
	       !same(&p->from, &p->before) || !same(&p->to, &p->after);
}

/* From the diff alone, which .text holds, to the whole file. */
static int join_text(struct wb_edit *e, struct wb_edit_patch *p,
		     struct wb_error *err)
{
	struct wb_buf whole = WB_BUF_INIT;

	wb_patch_file_join(&p->parts, p->text.ptr, p->text.len, &whole);
	wb_buf_clear(&p->text);
	p->text = whole;
	p->changed = p->was < 0 || whole.len != p->old.len ||
		     memcmp(whole.ptr, p->old.ptr, whole.len);
	if (p->changed && wb_zip_kind(p->file))
		return wb_fail(err, WB_E_FATAL, "%s/%s would have to change, "
			       "but wb does not write compressed patches: "
			       "unpack it and name it so in the series",
			       e->quilt.shown, p->file);
	return 0;
}

int wb_edit_build(struct wb_edit *e, struct wb_error *err)
{
	struct wb_edit_patch **list = wb_xcalloc(e->n, sizeof(*list));
	size_t i, n = 0;
	int ret = -1;

	for (i = 0; i < e->n; i++)
		e->patch[i].nonempty = e->patch[i].was >= 0 &&
				       (!e->patch[i].readable ||
					e->patch[i].patch.nsections);
	if (build_trees(e, err) < 0)
		goto out;
	for (i = 0; i < e->n; i++)
		if (needs_text(&e->patch[i]))
			list[n++] = &e->patch[i];
	if (n && wb_edit_texts(e->git, list, n, err) < 0)
		goto out;
	for (i = 0; i < n; i++)
		if (join_text(e, list[i], err) < 0)
			goto out;
	ret = 0;
out:
	free(list);
	return ret;
}

/* ---- the series file ---------------------------------------------------- */

/* The line of a patch: as it was, or its new name with the old comment. */
static void add_line(const struct wb_edit *e, const struct wb_edit_patch *p,
		     const char *const *line, const size_t *len,
		     struct wb_buf *out)
{
	const struct wb_quilt_entry *q;
	const char *old, *hash;
	size_t n;

	if (p->was < 0) {
		wb_buf_addf(out, "%s\n", p->file);
		return;
	}
	q = &e->quilt.entry[p->was];
	old = line[q->line - 1];
	n = len[q->line - 1];
	if (!strcmp(q->file, p->file) &&
	    (!p->changed || (q->strip == 1 && !q->reverse))) {
		wb_buf_add(out, old, n);
	} else {
		hash = memmem(old, n, " #", 2);
		wb_buf_addstr(out, p->file);
		/* -p and -R went with the old text */
		if (!p->changed && (q->strip != 1 || q->reverse))
			wb_buf_addf(out, " -p%d%s", q->strip,
				    q->reverse ? " -R" : "");
		if (hash)
			wb_buf_add(out, hash, n - (size_t)(hash - old));
	}
	if (out->len && out->ptr[out->len - 1] != '\n')
		wb_buf_addch(out, '\n');
}

static bool kept(const struct wb_edit *e, size_t entry)
{
	size_t i;

	for (i = 0; i < e->n; i++)
		if (e->patch[i].was == (long)entry)
			return true;
	return false;
}

/*
 * Comments stay where they are. The lines that named patches that are still
 * there take, from the top, the patches in their new order; a new patch gets
 * a line behind the one below it.
 */
void wb_edit_series(const struct wb_edit *e, struct wb_buf *out)
{
	const char *p = e->series.ptr, *end = p + e->series.len, **line = NULL;
	size_t *len = NULL, n = 0, cap = 0, lencap = 0, i, entry = 0, k = 0;

	for (; p < end; p += len[n - 1]) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		line = wb_grow(line, n, &cap, sizeof(*line));
		len = wb_grow(len, n, &lencap, sizeof(*len));
		line[n] = p;
		len[n++] = (size_t)((nl ? nl + 1 : end) - p);
	}
	while (k < e->n && e->patch[k].was < 0 && e->quilt.n)
		add_line(e, &e->patch[k++], line, len, out);
	for (i = 0; i < n; i++) {
		if (entry == e->quilt.n ||
		    e->quilt.entry[entry].line != i + 1) {
			wb_buf_add(out, line[i], len[i]);
			continue;
		}
		if (kept(e, entry++) && k < e->n)
			do
				add_line(e, &e->patch[k++], line, len, out);
			while (k < e->n && e->patch[k].was < 0);
	}
	if (out->len && out->ptr[out->len - 1] != '\n' && k < e->n)
		wb_buf_addch(out, '\n');
	while (k < e->n)
		add_line(e, &e->patch[k++], line, len, out);
	free(line);
	free(len);
}
