#ifndef WB_BISECT_LINE_H
#define WB_BISECT_LINE_H

#include "plan.h"

/*
 * The positions that a search knows: the prefixes of a plan, without those
 * whose build is that of the one before. A patch that changes nothing of what
 * is built can have moved no number; in a long history most are of that kind.
 *
 * Where paths are given, a patch must have changed something below one of them
 * as well; what other patches did between two positions goes with the second.
 *
 * Of a history with merges (wb_bisect_line_of_dag) a commit is left out when
 * what is built is that of one of its parents. parent[at] are then the nearest
 * positions below; 0, the base, stands for all that the lower end contains.
 *
 * Patch m of the line, 1 .. n - 1, is the first prefix with the content of
 * position m. Prefixes from the first that does not apply on are left out.
 */
struct wb_bisect_line {
	const struct wb_plan *plan;	/* borrowed */
	size_t *prefix;			/* of the plan, by position */
	int n;				/* positions, at least 1 */
	struct wb_bisect_parents {
		int *at;
		size_t n;
	} *parent;			/* by position; NULL: it is a line */
};

int wb_bisect_line_make(struct wb_bisect_line *l, const struct wb_plan *p,
			struct wb_git *g, char *const *path, size_t npaths,
			struct wb_error *err);
int wb_bisect_line_of_dag(struct wb_bisect_line *l, const struct wb_plan *p,
			  struct wb_git *g, struct wb_error *err);
void wb_bisect_line_clear(struct wb_bisect_line *l);

/* The prefix of the plan at a position, with its name and subject. */
const struct wb_prefix *wb_bisect_line_at(const struct wb_bisect_line *l,
					  int at);
/* Its build id in a layout. */
const char *wb_bisect_line_build(const struct wb_bisect_line *l, int at,
				 size_t layout);

#endif
