#include "bisect-line.h"

#include "path.h"

#include <stdlib.h>
#include <string.h>

/* 1: the trees of prefixes a and b are alike below all paths; 0; -1. */
static int same_paths(const struct wb_plan *p, struct wb_git *g, size_t a,
		      size_t b, char *const *path, size_t npaths,
		      struct wb_error *err)
{
	int same = 1, in_a, in_b;
	size_t i;

	for (i = 0; i < npaths && same == 1; i++) {
		struct wb_oid x, y;
		uint32_t mode_x = 0, mode_y = 0;
		in_a = wb_git_entry(g, &p->prefix[a].tree, path[i], &mode_x,
				    &x, err);
		in_b = wb_git_entry(g, &p->prefix[b].tree, path[i], &mode_y,
				    &y, err);
		if (in_a < 0 || in_b < 0)
			return -1;
		same = in_a == in_b && (!in_a || (mode_x == mode_y &&
						  !strcmp(x.hex, y.hex)));
	}
	return same;
}

int wb_bisect_line_make(struct wb_bisect_line *l, const struct wb_plan *p,
			struct wb_git *g, char *const *path, size_t npaths,
			struct wb_error *err)
{
	size_t k, last = 0;
	int same;

	l->plan = p;
	l->prefix = wb_xcalloc(p->stack.n, sizeof(*l->prefix));
	l->n = 1;
	for (k = 0; k < npaths; k++)
		wb_path_tidy(path[k]);
	for (k = 1; k < p->stack.n && p->prefix[k].applies; k++) {
		if (!strcmp(p->prefix[k].build[0], p->prefix[last].build[0]))
			continue;
		same = npaths ? same_paths(p, g, last, k, path, npaths, err)
			      : 0;
		if (same < 0)
			return -1;
		if (!same)
			l->prefix[l->n++] = last = k;
	}
	return 0;
}

/* ---- a history with merges ---- */

struct named {
	const char *name;	/* 12 hex digits */
	size_t prefix;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return strncmp(x->name, y->name, 12);
}

static struct named *sort_names(const struct wb_plan *p)
{
	struct named *list = wb_xcalloc(p->stack.n, sizeof(*list));
	size_t k;

	for (k = 1; k < p->stack.n; k++)
		list[k - 1] = (struct named){ p->stack.prefix[k].name, k };
	qsort(list, p->stack.n - 1, sizeof(*list), by_name);
	return list;
}

static void add_parent(struct wb_bisect_parents *set, int at)
{
	size_t i;

	for (i = 0; i < set->n; i++)
		if (set->at[i] == at)
			return;
	set->at = wb_xrealloc(set->at, (set->n + 1) * sizeof(*set->at));
	set->at[set->n++] = at;
}

/*
 * The positions nearest below commit k, through commits that are none. near[j]
 * holds them for each prefix, the position itself where it is one; *same: k
 * builds what a parent does.
 */
static int find_parents(const struct wb_plan *p, struct wb_git *g,
			const struct named *names, size_t k,
			const struct wb_bisect_parents *near,
			struct wb_bisect_parents *out, bool *same,
			struct wb_error *err)
{
	struct wb_oid *id;
	size_t n, i, j, above;

	*same = false;
	if (wb_git_parents(g, p->stack.prefix[k].name, &id, &n, err) < 0)
		return -1;
	for (i = 0; i < n; i++) {
		struct named key = { id[i].hex, 0 }, *hit;
		hit = bsearch(&key, names, p->stack.n - 1, sizeof(key),
			      by_name);
		above = hit && hit->prefix < k ? hit->prefix : 0;
		*same |= !strcmp(p->prefix[k].build[0],
				 p->prefix[above].build[0]);
		for (j = 0; j < near[above].n; j++)
			add_parent(out, near[above].at[j]);
	}
	free(id);
	return 0;
}

int wb_bisect_line_of_dag(struct wb_bisect_line *l, const struct wb_plan *p,
			  struct wb_git *g, struct wb_error *err)
{
	size_t n = p->stack.n, k;
	struct wb_bisect_parents *near = wb_xcalloc(n, sizeof(*near));
	struct named *names = sort_names(p);
	int ret = 0;
	bool same;

	l->plan = p;
	l->prefix = wb_xcalloc(n, sizeof(*l->prefix));
	l->parent = wb_xcalloc(n, sizeof(*l->parent));
	l->n = 1;
	add_parent(&near[0], 0);
	for (k = 1; k < n && !ret; k++) {
		struct wb_bisect_parents up = { NULL, 0 };
		ret = find_parents(p, g, names, k, near, &up, &same, err);
		/* the last one contains all, whatever it builds */
		if (same && k + 1 < n) {
			near[k] = up;
			continue;
		}
		add_parent(&near[k], l->n);
		l->parent[l->n] = up;
		l->prefix[l->n++] = k;
	}
	for (k = 0; k < n; k++)
		free(near[k].at);
	free(near);
	free(names);
	return ret;
}

void wb_bisect_line_clear(struct wb_bisect_line *l)
{
	int at;

	for (at = 0; l->parent && at < l->n; at++)
		free(l->parent[at].at);
	free(l->parent);
	free(l->prefix);
	memset(l, 0, sizeof(*l));
}

const struct wb_prefix *wb_bisect_line_at(const struct wb_bisect_line *l,
					  int at)
{
	return &l->plan->stack.prefix[l->prefix[at]];
}

const char *wb_bisect_line_build(const struct wb_bisect_line *l, int at,
				 size_t layout)
{
	return l->plan->prefix[l->prefix[at]].build[layout];
}
