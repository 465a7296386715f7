#include "bisect-world.h"

#include "schedule.h"
#include "stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a bisection of any kind answers: the patch, and what it cost. */
struct answer {
	int patch;
	size_t runs, builds;
};

/* A way to bisect, with one number to tune. */
typedef struct answer way_fn(struct sim *s, double setting);

static double best_of(struct sim *s, int at, int k, struct answer *a)
{
	double best = INFINITY;

	for (int i = 0; i < k; i++)
		best = fmin(best, sim_run(s, at));
	a->runs += (size_t)k;
	return best;
}

static double mean_of(struct sim *s, int at, int k, struct answer *a)
{
	double sum = 0;

	for (int i = 0; i < k; i++)
		sum += sim_run(s, at);
	a->runs += (size_t)k;
	return sum / k;
}

/*
 * git bisect run with a script: the best of k runs, bad above the middle of
 * what the ends gave at the start.
 */
static struct answer git_best(struct sim *s, double setting)
{
	struct answer a = { .builds = 2 };
	int k = (int)setting, lo = 0, hi = s->w->n;
	double limit = (best_of(s, lo, k, &a) + best_of(s, hi, k, &a)) / 2;

	while (hi - lo > 1) {
		int mid = (lo + hi) / 2;
		a.builds++;
		if (best_of(s, mid, k, &a) > limit)
			hi = mid;
		else
			lo = mid;
	}
	a.patch = hi;
	return a;
}

/* git bisect run, each step a Welch test (5 %) against n runs of the start. */
static struct answer git_welch(struct sim *s, double setting)
{
	struct answer a = { .builds = 1 };
	size_t n = (size_t)setting;
	double *good = calloc(n, sizeof(*good)), *now = calloc(n, sizeof(*now));
	int lo = 0, hi = s->w->n;

	for (size_t i = 0; i < n; i++)
		good[i] = sim_run(s, lo);
	a.runs = n;
	while (hi - lo > 1) {
		int mid = (lo + hi) / 2;
		for (size_t i = 0; i < n; i++)
			now[i] = sim_run(s, mid);
		a.runs += n;
		a.builds++;
		if (wb_welch(now, n, good, n).p < 0.05)
			hi = mid;
		else
			lo = mid;
	}
	a.patch = hi;
	free(good);
	free(now);
	return a;
}

/* The idea of asv find: go where the larger of the two differences is. */
static struct answer asv_find(struct sim *s, double setting)
{
	struct answer a = { .builds = 2 };
	int k = (int)setting, lo = 0, hi = s->w->n;
	double at_lo = mean_of(s, lo, k, &a), at_hi = mean_of(s, hi, k, &a);

	while (hi - lo > 1) {
		int mid = (lo + hi) / 2;
		double at_mid = mean_of(s, mid, k, &a);
		a.builds++;
		if (at_mid - at_lo > at_hi - at_mid) {
			hi = mid;
			at_hi = at_mid;
		} else {
			lo = mid;
			at_lo = at_mid;
		}
	}
	a.patch = hi;
	return a;
}

/*
 * Bayes on pass and fail with unknown rates: a run fails when it is slower than
 * the middle of ten runs of each end. Rates are Beta(1,2) below the patch and
 * Beta(2,1) from it on; the next prefix is the one that leaves the least
 * entropy, until one patch has the belief asked for.
 */
enum { RUNS_MAX = 600, ENDS = 10 };

struct tries {
	int n;
	int *pass, *fail;	/* by prefix */
	double *post;		/* by patch */
	double ln_factorial[RUNS_MAX + 8];
};

static double ln_beta(const struct tries *t, int a, int b)
{
	return t->ln_factorial[a - 1] + t->ln_factorial[b - 1] -
	       t->ln_factorial[a + b - 1];
}

/* Fills post; gives its entropy. */
static double weigh(struct tries *t)
{
	int pass = 0, fail = 0, passes = 0, fails = 0;
	double top = -INFINITY, sum = 0, bits = 0;

	for (int i = 0; i <= t->n; i++) {
		passes += t->pass[i];
		fails += t->fail[i];
	}
	for (int k = 1; k <= t->n; k++) {
		pass += t->pass[k - 1];
		fail += t->fail[k - 1];
		t->post[k] = ln_beta(t, 1 + fail, 2 + pass) +
			     ln_beta(t, 2 + fails - fail, 1 + passes - pass);
		top = fmax(top, t->post[k]);
	}
	for (int k = 1; k <= t->n; k++)
		sum += t->post[k] = exp(t->post[k] - top);
	for (int k = 1; k <= t->n; k++) {
		t->post[k] /= sum;
		if (t->post[k] > 0)
			bits -= t->post[k] * log2(t->post[k]);
	}
	return bits;
}

/* The mean of the entropies after a pass and after a fail at this prefix. */
static double look_ahead(struct tries *t, int at, double fails)
{
	double pass, fail;

	t->fail[at]++;
	fail = weigh(t);
	t->fail[at]--;
	t->pass[at]++;
	pass = weigh(t);
	t->pass[at]--;
	return fails * fail + (1 - fails) * pass;
}

/* Among the prefixes where the belief passes a tenth, two tenths, ... */
static int choose(struct tries *t)
{
	double best = INFINITY, below = 0;
	int at = 0, tenth = 1;
	double *post = calloc(t->n + 1, sizeof(*post));

	weigh(t);
	memcpy(post, t->post, (t->n + 1) * sizeof(*post));
	for (int i = 1; i < t->n; i++) {
		below += post[i];
		if (below * 10 < tenth && below + post[i + 1] < 0.9)
			continue;
		while (below * 10 >= tenth)
			tenth++;
		for (int side = i - 1; side <= i; side++) {
			double left = look_ahead(t, side, 0.2 + 0.6 * below);
			if (left < best) {
				best = left;
				at = side;
			}
		}
	}
	free(post);
	return at;
}

static struct answer bayes(struct sim *s, double setting)
{
	struct answer a = { .builds = 2 };
	int n = s->w->n;
	struct tries *t = calloc(1, sizeof(*t));
	bool *built = calloc(n + 1, sizeof(*built));
	double limit = (mean_of(s, 0, ENDS, &a) + mean_of(s, n, ENDS, &a)) / 2;

	t->n = n;
	t->pass = calloc(n + 1, sizeof(int));
	t->fail = calloc(n + 1, sizeof(int));
	t->post = calloc(n + 1, sizeof(double));
	for (int i = 1; i < RUNS_MAX + 8; i++)
		t->ln_factorial[i] = t->ln_factorial[i - 1] + log(i);
	built[0] = built[n] = true;
	do {
		int at = choose(t);
		a.builds += !built[at];
		built[at] = true;
		if (sim_run(s, at) > limit)
			t->fail[at]++;
		else
			t->pass[at]++;
		a.runs++;
		weigh(t);
		a.patch = 1;
		for (int k = 2; k <= n; k++)
			if (t->post[k] > t->post[a.patch])
				a.patch = k;
	} while (t->post[a.patch] < setting && a.runs < RUNS_MAX);
	free(t->pass);
	free(t->fail);
	free(t->post);
	free(t);
	free(built);
	return a;
}

/* ---- the table ---- */

struct way {
	const char *name;
	way_fn *fn;
	double usual[2];
	double sweep[8];
};

static const struct way ways[] = {
	{ "git bisect run, best of k", git_best, { 3, 10 },
	  { 1, 2, 3, 5, 10, 20, 40, 80 } },
	{ "git bisect run, Welch of k", git_welch, { 10 },
	  { 3, 5, 10, 20, 30, 40, 60, 80 } },
	{ "asv find, mean of k", asv_find, { 1 },
	  { 1, 2, 3, 5, 10, 20, 40, 80 } },
	{ "Bayes on pass and fail to k", bayes, { 0.95 },
	  { 0.9, 0.99, 0.999, 0.9999 } },
};

struct score {
	double right, runs, builds;
};

static struct score play(const struct way *way, double setting,
			 const struct world *w, size_t trials, uint64_t seed)
{
	struct score out = { 0 };

	for (size_t i = 0; i < trials; i++) {
		struct sim s;
		sim_init(&s, w, seed + 1000003 * i);
		struct answer a = way->fn(&s, setting);
		out.right += (s.nsteps && a.patch == s.step[0]) / (double)trials;
		out.runs += (double)a.runs / (double)trials;
		out.builds += (double)a.builds / (double)trials;
		sim_clear(&s);
	}
	return out;
}

static void print(const struct way *way, double setting, const char *kind,
		  const struct world *w, struct score s)
{
	bool null = w->d[0] == 0;

	printf("    %s k=%g (%s)", way->name, setting, kind);
	/* without a change every answer is wrong: none of them can say no */
	if (!null)
		printf("  right %.3f", s.right);
	printf("  false %.3f  runs %.0f  builds %.1f\n",
	       null ? 1 : fabs(1 - s.right), s.runs, s.builds);
}

/* Fewest runs at 95 % right; else the most that were right. */
static bool is_better(struct score a, struct score b)
{
	if (a.right >= 0.95 && b.right >= 0.95)
		return a.runs < b.runs;
	return a.right > b.right;
}

static void print_world(const struct way *way, const struct world *w,
			size_t trials, uint64_t seed)
{
	struct score best = { -1, 0, 0 }, s;
	double at = way->sweep[0];

	for (size_t i = 0; i < 2 && way->usual[i] > 0; i++)
		print(way, way->usual[i], "usual", w,
		      play(way, way->usual[i], w, trials, seed));
	if (w->d[0] == 0)
		return;
	for (size_t i = 0; i < 8 && way->sweep[i] > 0; i++) {
		s = play(way, way->sweep[i], w, trials, seed);
		if (is_better(s, best)) {
			best = s;
			at = way->sweep[i];
		}
	}
	print(way, at, "swept", w, best);
}

void rivals(const struct world *w, size_t trials, uint64_t seed)
{
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		print_world(&ways[i], w, trials, seed);
}

/* Means of k, slow above the middle of what the ends gave at the start. */
static struct answer plain_mean(struct sim *s, double setting)
{
	struct answer a = { .builds = 2 };
	int k = (int)setting, lo = 0, hi = s->w->n;
	double limit = (mean_of(s, lo, k, &a) + mean_of(s, hi, k, &a)) / 2;

	while (hi - lo > 1) {
		int mid = (lo + hi) / 2;
		a.builds++;
		if (mean_of(s, mid, k, &a) > limit)
			hi = mid;
		else
			lo = mid;
	}
	a.patch = hi;
	return a;
}

double rivals_classical(const struct world *w, size_t trials, uint64_t seed)
{
	static const struct way plain = { "mean of k", plain_mean, { 1 }, { 0 } };

	/* 199 of 200 say little of 99.5 % */
	trials = trials > 2000 ? trials : 2000;
	for (int k = 2; k <= 400; k += 1 + k / 8) {
		struct score s = play(&plain, k, w, trials, seed);
		if (s.right >= 0.995)
			return s.runs;
	}
	return NAN;
}
