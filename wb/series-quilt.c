#include "edit.h"
#include "quilt-rc.h"
#include "quilt.h"
#include "series-load.h"

#include <stdlib.h>
#include <string.h>

/* Where the folder lies inside the work tree; "" outside. */
static char *dir_in_tree(const struct wb_git *g, const char *dir)
{
	const char *top = g ? wb_git_workdir(g) : NULL;
	char *real = realpath(dir, NULL), *base = NULL, *in = NULL;
	size_t n;

	if (top && real)
		base = realpath(top, NULL);
	n = base ? strlen(base) : 0;
	if (n && !strncmp(real, base, n) && real[n] == '/')
		in = wb_xstrdup(real + n + 1);
	free(real);
	free(base);
	return in ? in : wb_xstrdup("");
}

static void load_entry(struct wb_loading *l, const struct wb_quilt *q,
		       const struct wb_quilt_entry *e)
{
	struct wb_buf text = WB_BUF_INIT;
	struct wb_error why = WB_ERROR_INIT;
	char *shown = wb_xasprintf("%s/%s", q->shown, e->file);
	struct wb_load_patch p = {
		.name = e->name, .shown = shown, .strip = e->strip,
		.reverse = e->reverse,
	};

	if (wb_quilt_patch(q, e, &text, &why) == 0) {
		p.text = text.ptr;
		p.len = text.len;
	}
	wb_load_patch(l, &p, &why);
	wb_buf_clear(&text);
	free(shown);
}

/* What the user told quilt holds where wb is to do as quilt does. */
static void obey(struct wb_loading *l, const struct wb_quilt_rc *rc)
{
	if (rc->fuzz >= 0 && l->o->fuzz < 0)
		l->rules.place.fuzz = (size_t)rc->fuzz;
	l->rules.remove_empty |= rc->remove_empty;
}

int wb_load_quilt(struct wb_loading *l, const char *dir, struct wb_error *err)
{
	struct wb_stack *s = l->stack;
	struct wb_quilt_rc rc = { .fuzz = -1 };
	struct wb_quilt q = { .n = 0 };
	struct wb_oid base;
	size_t i;
	int ret = -1;

	if (l->o->profile == WB_PROFILE_QUILT) {
		if (wb_quilt_rc_read(&rc, err) < 0)
			goto out;
		obey(l, &rc);
	}
	if ((l->git && !l->o->root && wb_edit_recover(l->git, dir, err) < 0) ||
	    wb_quilt_read(&q, dir, s->source, rc.series, err) < 0 ||
	    wb_load_base(l, &base, err) < 0)
		goto out;
	if (l->o->root && wb_load_unapply(l->git, &q, &base, err) < 0)
		goto out;
	if (!l->o->root) {
		free(s->dir);
		s->dir = dir_in_tree(l->git, dir);
	}
	wb_load_start(l, &base);
	for (i = 0; i < q.n; i++)
		load_entry(l, &q, &q.entry[i]);
	ret = 0;
out:
	wb_quilt_clear(&q);
	wb_quilt_rc_clear(&rc);
	return ret;
}
