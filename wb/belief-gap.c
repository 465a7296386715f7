#include "belief-gap.h"

#include "buf.h"

#include <stdlib.h>
#include <string.h>

bool wb_belief_contains(const struct wb_belief *b, int at, int patch)
{
	return b->dag ? wb_ancestry_has(b->dag, at, patch) : patch <= at;
}

bool wb_belief_within(const struct wb_belief *b, int at)
{
	if (at == b->lo || at == b->hi)
		return true;
	if (at < b->lo || at > b->hi || !b->dag)
		return at > b->lo && at < b->hi;
	return wb_ancestry_has(b->dag, b->hi, at) &&
	       (!b->lo || wb_ancestry_has(b->dag, at, b->lo));
}

bool wb_belief_searched(const struct wb_belief *b, int patch)
{
	return wb_belief_contains(b, b->hi, patch) &&
	       !wb_belief_contains(b, b->lo, patch);
}

bool wb_belief_in_gap(const struct wb_belief *b, size_t gap, int patch)
{
	const struct wb_belief_gap *g = &b->gap[gap];

	return b->dag ? b->gap_of[patch - b->lo - 1] == (int)gap
		      : patch > g->from && patch <= g->to;
}

double wb_belief_weight(const struct wb_belief *b, int from, int to)
{
	if (!b->weight)
		return to - from;
	double sum = 0;
	for (int k = from + 1; k <= to; k++)
		sum += b->weight[k];
	return sum;
}

static void gaps_of_line(struct wb_belief *b)
{
	b->ngaps = b->nat - 1;
	b->gap = wb_xrealloc(b->gap, b->ngaps * sizeof(*b->gap));
	for (size_t i = 0; i < b->ngaps; i++) {
		int from = b->at[i], to = b->at[i + 1];
		b->gap[i] = (struct wb_belief_gap){
			.from = from, .to = to, .n = to - from,
			.patch = from + 1,
			.weight = wb_belief_weight(b, from, to),
		};
	}
}

/* Those of a class that a position contains become a class of their own. */
static void split_classes(struct wb_belief *b, int at, int *inside)
{
	size_t n = b->ngaps;

	for (size_t i = 0; i < n; i++)
		inside[i] = -1;
	for (int k = b->lo + 1; k <= b->hi; k++) {
		int *gap = &b->gap_of[k - b->lo - 1];
		if (*gap < 0 || !wb_belief_contains(b, at, k))
			continue;
		if (inside[*gap] < 0)
			inside[*gap] = (int)b->ngaps++;
		*gap = inside[*gap];
	}
}

/* Classes that lost all their patches leave, the others move up. */
static void number_classes(struct wb_belief *b, int *number)
{
	for (size_t i = 0; i < b->ngaps; i++)
		number[i] = -1;
	b->ngaps = 0;
	for (int k = b->lo + 1; k <= b->hi; k++) {
		int *gap = &b->gap_of[k - b->lo - 1];
		if (*gap < 0)
			continue;
		if (number[*gap] < 0)
			number[*gap] = (int)b->ngaps++;
		*gap = number[*gap];
	}
}

/* The nearest measured positions on both sides of a class. */
static void find_sides(const struct wb_belief *b, struct wb_belief_gap *g)
{
	g->from = b->lo;
	g->to = b->hi;
	for (size_t i = 1; i + 1 < b->nat; i++)
		if (wb_belief_contains(b, b->at[i], g->patch) &&
		    b->dag->size[b->at[i]] < b->dag->size[g->to])
			g->to = b->at[i];
	for (size_t i = 1; i + 1 < b->nat; i++)
		if (!wb_belief_contains(b, b->at[i], g->patch) &&
		    wb_belief_contains(b, g->to, b->at[i]) &&
		    b->dag->size[b->at[i]] > b->dag->size[g->from])
			g->from = b->at[i];
}

static void gaps_of_dag(struct wb_belief *b)
{
	size_t span = b->hi - b->lo;
	int *scratch = wb_xcalloc(2 * span + 2, sizeof(*scratch));

	b->gap_of = wb_xrealloc(b->gap_of, span * sizeof(*b->gap_of));
	for (size_t i = 0; i < span; i++)
		b->gap_of[i] =
			wb_belief_searched(b, b->lo + 1 + (int)i) ? 0 : -1;
	b->ngaps = 1;
	for (size_t i = 1; i + 1 < b->nat; i++) {
		split_classes(b, b->at[i], scratch);
		number_classes(b, scratch);
	}
	free(scratch);
	b->gap = wb_xrealloc(b->gap, b->ngaps * sizeof(*b->gap));
	memset(b->gap, 0, b->ngaps * sizeof(*b->gap));
	for (int k = b->hi; k > b->lo; k--) {
		int gap = b->gap_of[k - b->lo - 1];
		if (gap < 0)
			continue;
		b->gap[gap].n++;
		b->gap[gap].patch = k;
		b->gap[gap].weight += wb_belief_weight(b, k - 1, k);
	}
	for (size_t i = 0; i < b->ngaps; i++)
		find_sides(b, &b->gap[i]);
}

void wb_belief_make_gaps(struct wb_belief *b)
{
	if (b->nat < 2 || b->at[0] != b->lo || b->at[b->nat - 1] != b->hi)
		return;
	if (b->dag)
		gaps_of_dag(b);
	else
		gaps_of_line(b);
}
