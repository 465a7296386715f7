#include "edit.h"
#include "git-keep.h"
#include "journal.h"
#include "path.h"
#include "version.h"

#include <stdlib.h>
#include <string.h>

#define MAX_EXPECT ((size_t)1 << 20)

static int stamp_file(struct wb_git *g, const char *dir, const char *file,
		      struct wb_oid *id, struct wb_error *err)
{
	char *path = wb_xasprintf("%s/%s", dir, file);
	struct wb_buf text = WB_BUF_INIT;
	bool there;
	int ret = wb_path_read(path, (size_t)64 << 20, &text, &there, err);

	/* a patch that is missing is as good as an empty one here */
	if (ret == 0)
		ret = wb_git_write_blob(g, text.ptr, text.len, NULL, id, err);
	wb_buf_clear(&text);
	free(path);
	return ret;
}

static bool is_patch(const struct wb_quilt *q, const char *file)
{
	size_t i;

	for (i = 0; i < q->n; i++)
		if (!strcmp(q->entry[i].file, file))
			return true;
	return false;
}

int wb_edit_expect(const char *dir, const struct wb_quilt *q,
		   struct wb_buf *out, struct wb_error *err)
{
	char *path = wb_xasprintf("%s/expect", dir);
	bool there;
	int ret = 0;

	if (!is_patch(q, "expect"))
		ret = wb_path_read(path, MAX_EXPECT, out, &there, err);
	free(path);
	return ret;
}

int wb_edit_stamp(struct wb_git *g, const char *dir, const struct wb_quilt *q,
		  struct wb_oid *out, struct wb_error *err)
{
	struct wb_git_change *c = wb_xcalloc(q->n + 2, sizeof(*c));
	struct wb_buf expect = WB_BUF_INIT;
	size_t i, n = q->n + 1;
	int ret;

	ret = wb_edit_expect(dir, q, &expect, err);
	for (i = 0; ret == 0 && i < n; i++) {
		c[i].path = i < q->n ? q->entry[i].file : q->list_file;
		c[i].mode = 0100644;
		ret = stamp_file(g, dir, c[i].path, &c[i].id, err);
	}
	if (ret == 0 && expect.len) {
		c[n].path = "expect";
		c[n].mode = 0100644;
		ret = wb_git_write_blob(g, expect.ptr, expect.len, NULL,
					&c[n++].id, err);
	}
	if (ret == 0)
		ret = wb_git_update(g, NULL, c, n, out, err);
	wb_buf_clear(&expect);
	free(c);
	return ret;
}

int wb_edit_unchanged(struct wb_edit *e, struct wb_error *err)
{
	struct wb_quilt now;
	struct wb_oid stamp;
	int ret;

	ret = wb_quilt_read(&now, e->dir, e->quilt.shown,
			    e->quilt.list_file, err);
	if (ret == 0)
		ret = wb_edit_stamp(e->git, e->dir, &now, &stamp, err);
	wb_quilt_clear(&now);
	if (ret < 0 || !strcmp(stamp.hex, e->stamp.hex))
		return ret;
	return wb_fail(err, WB_E_FATAL, "%s has changed meanwhile: nothing "
		       "written; try again", e->quilt.shown);
}

static bool still_there(const struct wb_edit *e, const char *file)
{
	size_t i;

	for (i = 0; i < e->n; i++)
		if (!strcmp(e->patch[i].file, file))
			return true;
	return false;
}

static bool differ(const struct wb_buf *a, const struct wb_buf *b)
{
	return a->len != b->len || memcmp(a->ptr, b->ptr, a->len);
}

bool wb_edit_expects(const struct wb_edit *e)
{
	return differ(&e->expect, &e->expected);
}

/* What differs between the folder and what it shall be. */
static size_t collect(struct wb_edit *e, const struct wb_buf *series,
		      struct wb_journal_item *item)
{
	size_t i, n = 0;

	for (i = 0; i < e->n; i++) {
		struct wb_edit_patch *p = &e->patch[i];
		bool renamed = p->was >= 0 &&
			       strcmp(e->quilt.entry[p->was].file, p->file);

		if (p->changed || renamed)
			item[n++] = (struct wb_journal_item){
				p->file, p->changed ? &p->text : &p->old,
			};
	}
	if (differ(series, &e->series))
		item[n++] = (struct wb_journal_item){ e->quilt.list_file,
						      series };
	if (wb_edit_expects(e))
		item[n++] = (struct wb_journal_item){
			"expect", e->expect.len ? &e->expect : NULL,
		};
	for (i = 0; i < e->quilt.n; i++)
		if (!still_there(e, e->quilt.entry[i].file))
			item[n++] = (struct wb_journal_item){
				e->quilt.entry[i].file, NULL,
			};
	return n;
}

int wb_edit_save(struct wb_edit *e, const char *what, size_t *changed,
		 struct wb_error *err)
{
	struct wb_journal_item *item;
	struct wb_buf series = WB_BUF_INIT;
	int ret = -1;

	wb_edit_series(e, &series);
	item = wb_xcalloc(e->n + e->quilt.n + 2, sizeof(*item));
	*changed = collect(e, &series, item);
	if (!*changed) {
		ret = 0;
		goto out;
	}
	if (wb_version_keep_old(e, err) < 0 ||
	    wb_version_keep_new(e, &series, what, err) < 0 ||
	    wb_edit_unchanged(e, err) < 0)
		goto out;
	ret = wb_journal_commit(e->state, e->dir, item, *changed, err);
out:
	free(item);
	wb_buf_clear(&series);
	return ret;
}
