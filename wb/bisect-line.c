#include "bisect-line.h"

#include <stdlib.h>
#include <string.h>

void wb_bisect_line_make(struct wb_bisect_line *l, const struct wb_plan *p)
{
	size_t k, last = 0;

	l->plan = p;
	l->prefix = wb_xcalloc(p->stack.n, sizeof(*l->prefix));
	l->n = 1;
	for (k = 1; k < p->stack.n && p->prefix[k].applies; k++) {
		if (!strcmp(p->prefix[k].build[0], p->prefix[last].build[0]))
			continue;
		l->prefix[l->n++] = last = k;
	}
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
