#include "bisect-holes.h"

#include "buf.h"

#include <math.h>
#include <stdlib.h>

/* Tried in vain, spread over a range: a stretch. */
enum { HOLES_ENOUGH = 16 };

void wb_bisect_holes_init(struct wb_bisect_holes *h, int lo, int hi, int n,
			  const bool *hole, const struct wb_ancestry *dag)
{
	*h = (struct wb_bisect_holes){
		.lo = lo, .hi = hi, .n = n, .hole = hole, .dag = dag,
		.part = wb_xcalloc(hi - lo + 1, sizeof(*h->part)),
		.weight = wb_xcalloc(hi - lo + 1, sizeof(*h->weight)),
	};
}

void wb_bisect_holes_clear(struct wb_bisect_holes *h)
{
	free(h->part);
	free(h->weight);
}

/* The holes that part the range; gives their number. */
static int list_holes(const struct wb_bisect_holes *h, int *list)
{
	int n = 0;

	for (int at = h->lo + 1; at < h->hi; at++)
		if (h->hole[at] && h->part[at - h->lo])
			list[n++] = at;
	return n;
}

static bool contains(const struct wb_bisect_holes *h, int at, int patch)
{
	return h->dag ? wb_ancestry_has(h->dag, at, patch) : patch <= at;
}

/*
 * Of the holes that a position contains, and of those that contain it, the
 * nearest, by what they part; 0 and h->n where there is none.
 */
struct sides {
	int below, above;
};

static struct sides sides_of(const struct wb_bisect_holes *h, const int *list,
			     int nholes, int at)
{
	struct sides s = { 0, h->n };

	for (int i = 0; i < nholes; i++) {
		int part = h->part[list[i] - h->lo];
		if (part > s.below && contains(h, at, list[i]))
			s.below = part;
		if (part < s.above && contains(h, list[i], at))
			s.above = part;
	}
	return s;
}

/* Nearest to `want`, `reach` or more from every hole. */
static int leap(const struct wb_bisect_holes *h, const int *list, int nholes,
		double want, int reach)
{
	double miss = INFINITY;
	int best = -1;

	for (int at = h->lo + 1; at < h->hi; at++) {
		int part = h->part[at - h->lo];
		double off = fabs(h->weight[at - h->lo] - want);
		if (!part || h->hole[at] || off >= miss)
			continue;
		struct sides s = sides_of(h, list, nholes, at);
		if ((s.below && part - s.below < reach) ||
		    (s.above < h->n && s.above - part < reach))
			continue;
		miss = off;
		best = at;
	}
	return best;
}

/*
 * Farthest from what bounds it below and above; edges: one of these must have
 * been measured.
 */
static int half_way(const struct wb_bisect_holes *h, const int *list,
		    int nholes, bool edges)
{
	int best = -1, most = -1;

	for (int at = h->lo + 1; at < h->hi; at++) {
		int part = h->part[at - h->lo];
		if (!part || h->hole[at])
			continue;
		struct sides s = sides_of(h, list, nholes, at);
		int far = part - s.below < s.above - part ? part - s.below
							  : s.above - part;
		if (far <= most || (edges && s.below && s.above < h->n))
			continue;
		most = far;
		best = at;
	}
	return best;
}

int wb_bisect_holes_pick(const struct wb_bisect_holes *h, double want)
{
	int *list = wb_xcalloc(h->hi - h->lo + 1, sizeof(*list));
	int nholes = list_holes(h, list), reach = 1, best;

	for (int i = 0; i < nholes && reach < h->n / 8; i++)
		reach *= 2;
	best = leap(h, list, nholes, want, reach);
	if (best < 0)
		best = half_way(h, list, nholes, true);
	if (best < 0 && nholes < HOLES_ENOUGH)
		best = half_way(h, list, nholes, false);
	free(list);
	return best;
}
