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

/*
 * The texts of all patches, for a stack that may be remembered. Short stacks
 * apply faster than a file is found, and very large ones are not held.
 */
#define LONG_STACK 100
#define MAX_HELD ((size_t)64 << 20)

struct texts {
	struct wb_buf *v;	/* quilt.n of them, or NULL */
	size_t n;
};

static void drop_texts(struct texts *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		wb_buf_clear(&t->v[i]);
	free(t->v);
	memset(t, 0, sizeof(*t));
}

static void hold_texts(struct texts *t, const struct wb_quilt *q)
{
	struct wb_error none = WB_ERROR_INIT;
	size_t i, held = 0;

	t->v = wb_xcalloc(q->n, sizeof(*t->v));
	for (i = 0; i < q->n; i++)
		wb_buf_init(&t->v[i]);
	t->n = q->n;
	for (i = 0; i < q->n && held <= MAX_HELD; i++) {
		/* what is wrong with it is said when its turn comes */
		if (wb_quilt_patch(q, &q->entry[i], &t->v[i], &none) < 0)
			break;
		held += t->v[i].len;
	}
	if (i < q->n)
		drop_texts(t);
}

static void make_key(struct wb_memory *m, const struct wb_loading *l,
		     const struct wb_quilt *q, const struct texts *t,
		     const struct wb_oid *base)
{
	struct wb_hash *h = wb_memory_key(base, &l->rules);
	size_t i;

	for (i = 0; i < q->n; i++) {
		int how[] = { q->entry[i].strip, q->entry[i].reverse };

		wb_hash_add(h, how, sizeof(how));
		wb_hash_add(h, t->v[i].ptr, t->v[i].len);
	}
	wb_hash_end(h, m->key);
}

static void load_entry(struct wb_loading *l, const struct wb_quilt *q,
		       size_t i, const struct texts *t)
{
	const struct wb_quilt_entry *e = &q->entry[i];
	struct wb_buf text = WB_BUF_INIT;
	struct wb_error why = WB_ERROR_INIT;
	char *shown = wb_xasprintf("%s/%s", q->shown, e->file);
	struct wb_load_patch p = {
		.name = e->name, .shown = shown, .strip = e->strip,
		.reverse = e->reverse,
	};

	if (t->v || wb_quilt_patch(q, e, &text, &why) == 0) {
		p.text = t->v ? t->v[i].ptr : text.ptr;
		p.len = t->v ? t->v[i].len : text.len;
	}
	wb_load_patch(l, &p, &why);
	wb_buf_clear(&text);
	free(shown);
}

static void load_entries(struct wb_loading *l, const struct wb_quilt *q,
			 const struct texts *t)
{
	size_t i;

	for (i = 0; i < q->n; i++)
		load_entry(l, q, i, t);
}

/* The prefixes get what is remembered, which then is no longer there. */
static void take_memory(struct wb_stack *s, struct wb_memory *m)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		s->prefix[i + 1].applied = m->patch[i].applied;
		memset(&m->patch[i].applied, 0, sizeof(m->patch[i].applied));
	}
}

static void load_long(struct wb_loading *l, const struct wb_quilt *q,
		      const char *dir, const struct wb_oid *base)
{
	struct wb_stack *s = l->stack;
	struct texts t = { NULL, 0 };
	struct wb_memory m = { .n = 0 };
	size_t i;

	hold_texts(&t, q);
	if (t.v)
		make_key(&m, l, q, &t, base);
	if (t.v && wb_memory_recall(&m, dir, q->n))
		l->known = &m;
	load_entries(l, q, &t);
	if (l->known) {
		take_memory(s, &m);
	} else if (t.v && !l->stopped) {
		for (i = 1; i < s->n; i++)
			wb_memory_add(&m, &s->prefix[i].tree,
				      &s->prefix[i].applied);
		wb_memory_keep(&m, dir);
	}
	l->known = NULL;
	wb_memory_clear(&m);
	drop_texts(&t);
}

int wb_load_quilt_rules(const struct wb_stack_options *o,
			struct wb_apply_rules *rules, char **list,
			struct wb_error *err)
{
	struct wb_quilt_rc rc = { .fuzz = -1 };
	int ret = 0;

	if (o->profile == WB_PROFILE_QUILT) {
		ret = wb_quilt_rc_read(&rc, err);
		if (rc.fuzz >= 0 && o->fuzz < 0)
			rules->place.fuzz = (size_t)rc.fuzz;
		rules->remove_empty |= rc.remove_empty;
	}
	*list = wb_xstrdup(rc.series ? rc.series : "series");
	wb_quilt_rc_clear(&rc);
	return ret;
}

int wb_load_quilt(struct wb_loading *l, const char *dir, struct wb_error *err)
{
	struct wb_stack *s = l->stack;
	struct wb_quilt q = { .n = 0 };
	struct wb_oid base;
	char *list;
	int ret = -1;

	if (wb_load_quilt_rules(l->o, &l->rules, &list, err) < 0 ||
	    (l->git && !l->o->root && wb_edit_recover(l->git, dir, err) < 0) ||
	    wb_quilt_read(&q, dir, s->source, list, err) < 0 ||
	    wb_load_base(l, &base, err) < 0)
		goto out;
	if (l->o->root && wb_load_unapply(l->git, &q, &base, err) < 0)
		goto out;
	if (!l->o->root) {
		free(s->dir);
		s->dir = dir_in_tree(l->git, dir);
	}
	wb_load_start(l, &base);
	if (l->o->ids_only && !l->o->root && q.n >= LONG_STACK)
		load_long(l, &q, dir, &base);
	else
		load_entries(l, &q, &(struct texts){ NULL, 0 });
	ret = 0;
out:
	wb_quilt_clear(&q);
	free(list);
	return ret;
}
