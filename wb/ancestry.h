#ifndef WB_ANCESTRY_H
#define WB_ANCESTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Which commit of a history contains which. Pure.
 *
 * Position 0 is the base, position k > 0 the tree of commit k; parents come
 * before their children. Position `at` contains patch k when commit k is `at`
 * or an ancestor of it; the base contains none. Of a line of commits that
 * would be k <= at, and no such table is needed.
 *
 * A bit for each pair: 10,000 commits take 13 MB.
 */
struct wb_ancestry {
	int n;			/* positions */
	size_t words;		/* of a row */
	uint64_t *bits;
	struct wb_ancestry_up {
		int *at;	/* the first parent first */
		size_t n;
	} *up;			/* by position; of 0: none */
	int *size;		/* patches that a position contains */
};

void wb_ancestry_init(struct wb_ancestry *a, int n);
void wb_ancestry_clear(struct wb_ancestry *a);

/* Positions in rising order; parents below `at`. None: the base. */
void wb_ancestry_set(struct wb_ancestry *a, int at, const int *parent,
		     size_t nparents);

/* The position that both contain that contains most itself. */
int wb_ancestry_common(const struct wb_ancestry *a, int x, int y);

static inline bool wb_ancestry_has(const struct wb_ancestry *a, int at,
				   int patch)
{
	return a->bits[(size_t)at * a->words + (size_t)patch / 64] >>
		       (patch % 64) & 1;
}

#endif
