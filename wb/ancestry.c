#include "ancestry.h"

#include "buf.h"

#include <stdlib.h>
#include <string.h>

void wb_ancestry_init(struct wb_ancestry *a, int n)
{
	size_t rows = (size_t)n;

	a->n = n;
	a->words = rows / 64 + 1;
	a->bits = wb_xcalloc(rows * a->words, sizeof(*a->bits));
	a->up = wb_xcalloc(rows, sizeof(*a->up));
	a->size = wb_xcalloc(rows, sizeof(*a->size));
}

void wb_ancestry_clear(struct wb_ancestry *a)
{
	free(a->bits);
	for (int at = 0; at < a->n; at++)
		free(a->up[at].at);
	free(a->up);
	free(a->size);
	memset(a, 0, sizeof(*a));
}

void wb_ancestry_set(struct wb_ancestry *a, int at, const int *parent,
		     size_t nparents)
{
	uint64_t *row = a->bits + (size_t)at * a->words;
	size_t i, w;

	for (i = 0; i < nparents; i++)
		for (w = 0; w < a->words; w++)
			row[w] |= a->bits[(size_t)parent[i] * a->words + w];
	if (at)
		row[at / 64] |= (uint64_t)1 << at % 64;
	a->up[at].at = wb_xcalloc(nparents, sizeof(*parent));
	for (i = 0; i < nparents; i++)
		a->up[at].at[i] = parent[i];
	a->up[at].n = nparents;
	a->size[at] = 0;
	for (w = 0; w < a->words; w++)
		a->size[at] += __builtin_popcountll(row[w]);
}

int wb_ancestry_common(const struct wb_ancestry *a, int x, int y)
{
	int best = 0, at;

	for (at = 1; at < a->n; at++)
		if (a->size[at] > a->size[best] &&
		    wb_ancestry_has(a, x, at) && wb_ancestry_has(a, y, at))
			best = at;
	return best;
}
