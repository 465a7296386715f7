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

void wb_bisect_line_clear(struct wb_bisect_line *l)
{
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
