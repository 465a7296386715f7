#ifndef BISECT_WORLD_H
#define BISECT_WORLD_H

#include "ancestry.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A simulated history for bisect-sim: N patches of which some change the log
 * time of a run, and the noise around it.
 *
 * One run has a standard deviation of sigma = 2 %; d is a planted step in
 * sigmas, the least effect of interest is 0.5 sigma (1 %), a build costs as
 * much as 10 runs.
 */
#define SIGMA 0.02
#define BUILD_SECONDS 10.0

enum { NSTEPS = 3 };

struct world {
	const char *name;
	int n;			/* patches */
	double d[NSTEPS];	/* steps, in sigma; 0: none */
	bool heavy;		/* Student's t with 3 degrees of freedom */
	bool drift;		/* 0.15 sigma a run at random, 5 % in 500 runs */
	double layout;		/* sd between layouts, in sigma */
	int variants;		/* 1: one binary; 0: a fresh layout each run */
	double broken;		/* share of prefixes that do not build */
	int grid;
	bool merges;		/* a history of branches, not a line */
	/* limits; 0: none */
	double accuracy, falsely, total, locate, confirm, builds, coverage;
	double undecided;
	double classical;	/* confirmed, as a ratio of the best plain one */
};

/* One trial of a world. */
struct sim {
	const struct world *w;
	uint64_t random;
	int step[NSTEPS], nsteps;	/* rising, at least four apart */
	bool *hole;
	struct wb_ancestry dag;	/* with merges */
	double *layout;		/* by prefix */
	double walk;
	size_t runs, blocks;
};

void sim_init(struct sim *s, const struct world *w, uint64_t seed);
void sim_clear(struct sim *s);

/* ln of the time of one run at a prefix. */
double sim_run(struct sim *s, int at);

/*
 * Other ways to find the patch, on the same worlds: each at its usual setting
 * and at the best of a sweep, which its user could not know.
 */
void rivals(const struct world *w, size_t trials, uint64_t seed);

/*
 * Mean runs of a plain bisection by means of k, with the smallest k that is
 * right in 99.5 %: who used it had to know the answer. NaN: no k to 400 is.
 */
double rivals_classical(const struct world *w, size_t trials, uint64_t seed);

#endif
