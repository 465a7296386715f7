#ifndef WB_BISECT_AA_H
#define WB_BISECT_AA_H

#include <stddef.h>
#include <stdint.h>

/*
 * The A/A phase of a search: the lower end against itself. Pure.
 *
 * In each block one build runs n times, once in each of its layouts when it
 * has several. The runs of a block are split at random into two halves, as if
 * they were two prefixes: evidence that these differ is evidence against the
 * machine, and their interval is what no search on it can go below.
 *
 * The spread between layouts is estimated from the layouts' means over blocks
 * by analysis of variance: lambda^2 = var(means) - sigma^2 / blocks, 0 when
 * that is negative (Searle, Casella and McCulloch 1992, section 3.6).
 */
struct wb_bisect_aa {
	double sigma;		/* sd of ln of one run, layouts apart */
	double lambda;	/* sd of ln between layouts; 0: none seen */
	double log_e;	/* of "the halves differ"; 3 is suspicious */
	double floor;	/* half the 95 % interval of halves, log ratio */
};

/* y[b * n + i]: ln of run i of block b, in layout[i] < layouts. */
void wb_bisect_aa(const double *y, size_t nblocks, size_t n,
		  const size_t *layout, size_t layouts, uint64_t seed,
		  struct wb_bisect_aa *out);

#endif
