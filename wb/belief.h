#ifndef WB_BELIEF_H
#define WB_BELIEF_H

#include "ancestry.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Which patch of a range moved a number, as a belief over patches. Pure.
 *
 * Positions lo..hi are prefixes; patch k lies between positions k - 1 and k. A
 * run gives y, the natural log of the metric, at one position. A block is a set
 * of runs made back to back in random order: they share what the machine did at
 * that time.
 *
 * The model: one patch k of the range adds a step s to all positions >= k.
 *
 *	y = block effect + s x + e,  e ~ N(0, sigma^2),
 *	block effect ~ N(mu, rho sigma^2)
 *
 * The measured positions lo = at[0] < ... < at[n-1] = hi cut the range into
 * gaps; all patches of one gap explain the data equally well. With
 * kappa = rho / (1 + n_b rho) for a block of n_b runs,
 *
 *	<a,b> = sum over blocks of (sum a b - kappa (sum a)(sum b))
 *	Q(a,b) = <a,b> - <a,1><b,1> / <1,1>
 *
 * and A = Q(x,x), C = Q(x,y), S = Q(y,y), the Bayes factor of "the step is in
 * this gap" against "no step", for s | sigma ~ N(0, gamma sigma^2) and
 * p(sigma^2) ~ 1 / sigma^2, is
 *
 *	-ln(1 + gamma A)/2 - (nu/2) ln(1 - gamma C^2 / ((1 + gamma A) S))
 *
 * averaged over gamma = 0.1, 0.4, ... 102.4. It is the mixture e-value of a
 * t-test invariant under location and scale (Lai 1976; Perez-Ortiz, Lardy, de
 * Heide and Gruenwald 2022): the average E over gaps, weighed by the prior,
 * exceeds 1/alpha under "no step" with a probability of at most alpha, at
 * whatever time one stops and whatever positions one chose to measure (Ville).
 *
 * A history with merges is no line: there x = 1 for the runs at positions that
 * contain the patch, and what the measured positions cannot tell apart is a
 * class of patches that all of them contain or all of them lack (Jan Kara's
 * stochastic bisection, 2021, keeps its belief so). Of a line these classes are
 * the gaps; so both go by that name here. A range lo..hi of a history are the
 * patches that hi contains and lo does not, seen from positions between them:
 * those that contain all of lo, and nothing that hi lacks.
 *
 * A slow run of one in ten must not decide: from the fourth block on, values
 * are clipped to three sigma around the levels that their block's ends (runs at
 * lo and hi) show. Clipped values are counted.
 */
struct wb_belief_run {
	int at;
	double y;
};

struct wb_belief_block {
	struct wb_belief_run *run;
	size_t n;
};

struct wb_belief_gap {
	/*
	 * Measured positions without and with its patches, and nearest to each
	 * other. Of a line its patches are from + 1 .. to.
	 */
	int from, to;
	int n, patch;		/* how many; the first of them */
	double weight;		/* sum of theirs */
	double prior, post;	/* shares of belief */
	double a, c;		/* A and C of the model */
	double log_bf;
};

struct wb_belief {
	int lo, hi;
	const double *weight;	/* borrowed, [patch]; NULL: all alike */
	bool strict;		/* never trust block effects to be small */
	const struct wb_ancestry *dag;	/* borrowed; NULL: a line */
	int *gap_of;		/* of patch lo + 1 + i, -1 none; with a dag */

	struct wb_belief_block *block;	/* own copies, clipped */
	size_t nblocks, capblocks;
	size_t nruns, nclipped;

	int *at;		/* measured positions, rising */
	size_t nat;
	struct wb_belief_gap *gap;	/* nat - 1, 0 while an end is missing */
	size_t ngaps;
	size_t best;		/* gap of the largest posterior */

	double rho;		/* INFINITY: blocks are centred */
	double s;		/* Q(y,y) */
	double nu;
	double log_e;		/* ln of the e-value; 0: nothing known */
	double step, sigma, se;	/* at the best gap; NaN: not known */
};

/* For a history that is no line set .dag before the first block. */
void wb_belief_init(struct wb_belief *b, int lo, int hi, const double *weight,
		    bool strict);
void wb_belief_clear(struct wb_belief *b);

/*
 * Takes the runs of a block that lie in the range; two are needed, fewer are
 * left out. Everything derived is up to date afterwards.
 */
void wb_belief_add(struct wb_belief *b, const struct wb_belief_run *run,
		   size_t n);

/*
 * ln E against the wider null "any step of variance gamma0 sigma^2": what a
 * mere difference of code layout between two builds could give. gamma0 = 0 is
 * the plain e-value.
 */
double wb_belief_log_e(const struct wb_belief *b, double gamma0);

/* Belief that the patch is one that `at` contains. */
double wb_belief_below(const struct wb_belief *b, int at);

/* Whether a run was made at this position. */
bool wb_belief_measured(const struct wb_belief *b, int at);

/*
 * The smallest set of patches with at least this share of belief, most likely
 * first, into patch[0 .. hi - lo - 1]; gives their number.
 */
size_t wb_belief_credible(const struct wb_belief *b, double share, int *patch);

/* Share of belief of one patch. */
double wb_belief_of(const struct wb_belief *b, int patch);

/* No gap can hold a step above this, to two standard errors. */
double wb_belief_most(const struct wb_belief *b);

/* How many blocks have runs at both ends. */
size_t wb_belief_ends(const struct wb_belief *b);

/* Half the width of the 95 % interval of the step, by Student's t. */
double wb_belief_half(const struct wb_belief *b);

#endif
