#include "figure.h"
#include "verdicts-play.h"
#include "verdicts.h"

#include <stdio.h>

#define STATED_RUNS 25000	/* in which a stack of 20 patches is to be known */

struct tally {
	size_t all_found, false_series, false_verdicts, runs, most;
	size_t unclear, forecasts, near, first_near;
};

static void count(struct tally *t, const struct world *w, const struct play *p)
{
	size_t k, found = 0, real = 0, wrong = 0;
	const struct wb_row *row;

	for (k = 1; k < w->n; k++) {
		row = wb_table_row(&p->t, 0, k);
		real += w->effect[k] != 0;
		found += w->effect[k] != 0 && says_changed(row) &&
			 !is_false(w, row);
		wrong += is_false(w, row);
		t->unclear += row->verdict == WB_VERDICT_UNCLEAR;
	}
	t->all_found += found == real && p->runs <= STATED_RUNS;
	t->false_series += wrong > 0;
	t->false_verdicts += wrong;
	t->runs += p->runs;
	t->most = t->most > p->runs ? t->most : p->runs;
}

static void count_forecasts(struct tally *t, const struct play *p)
{
	size_t i;

	for (i = 0; i < p->nforecasts; i++) {
		t->forecasts++;
		t->near += within_two(p->forecast[i], p->runs);
	}
	t->first_near += !p->nforecasts || within_two(p->forecast[0], p->runs);
}

/* 20 patches, three of them worth 1 %, somewhere and in both directions. */
static void make_stack(struct world *w, enum noise_kind kind, uint64_t seed)
{
	size_t left = 3, k;
	double sign = 1;

	*w = (struct world){ .n = 21 };
	w->noise = (struct noise){
		.kind = kind, .sd = 0.02, .length = 10000,
		.state = seed, .place = seed * 31 + 7,
	};
	while (left) {
		k = 1 + (size_t)(20 * noise_uniform(&w->noise.state));
		if (w->effect[k] != 0)
			continue;
		w->effect[k] = log1p(sign * 0.01);
		sign = -sign;
		left--;
	}
}

/*
 * What has no memory does not mind the order; drift and bursts do, and if they
 * did not show in blocks, then nothing here would show that rounds help.
 */
static bool print_control(enum noise_kind kind, int n, const struct tally *b)
{
	bool minds = kind == DRIFT || kind == BURSTS;
	double wrong = 100.0 * (double)b->false_series / n;

	printf("  control, as many runs one prefix after the other:\n");
	printf("  %-46s %7.2f    %s\n", "  false verdicts, in 100 series",
	       100.0 * (double)b->false_verdicts / n, minds ?
	       "must fail" : "(this noise does not depend on time)");
	printf("  %-46s %7.2f\n", "  all 3 found, in 100 series",
	       100.0 * (double)b->all_found / n);
	if (minds && wrong < 50)
		printf("  the control does not fail  MISSED\n");
	return minds && wrong < 50;
}

static bool print_series(enum noise_kind kind, int n, const struct tally *t,
			 const struct tally *blocked)
{
	bool missed = false;
	char what[80];

	printf("%s: %d series of 20 patches, 3 of them worth 1 %%, noise 2 %%\n",
	       noise_words[kind], n);
	snprintf(what, sizeof(what), "all 3 found in %d runs, in 100 series",
		 STATED_RUNS);
	missed |= count_figure(what, 100.0 * (double)t->all_found / n, 95, 100);
	missed |= count_figure("false verdicts, in 100 series",
		     100.0 * (double)t->false_verdicts / n, 0, 1);
	missed |= count_figure("first forecast within a factor of 2, of 100",
		     100.0 * (double)t->first_near / n, 90, 100);
	missed |= count_figure("all forecasts within a factor of 2, of 100",
		     t->forecasts ? 100.0 * (double)t->near /
		     (double)t->forecasts : 100, 90, 100);
	printf("  %-46s %7.2f\n", "verdicts that stay unclear, a series",
	       (double)t->unclear / n);
	printf("  %-46s %7zu    (at most %zu)\n",
	       "runs a series until all is known, mean",
	       t->runs / (size_t)n, t->most);
	return print_control(kind, n, blocked) || missed;
}

bool verdicts_series(enum noise_kind kind, int n, uint64_t seed)
{
	struct tally t = { 0 }, blocked = { 0 };
	struct world w;
	struct play p;
	size_t runs;
	int i;

	for (i = 0; i < n; i++) {
		make_stack(&w, kind, seed + (uint64_t)i * 1000003);
		play(&p, &w, seed + (uint64_t)i);
		runs = p.runs;
		count(&t, &w, &p);
		count_forecasts(&t, &p);
		play_end(&p);
		make_stack(&w, kind, seed + (uint64_t)i * 1000003);
		w.noise.length = (double)runs;
		play_blocked(&p, &w, seed, runs);
		count(&blocked, &w, &p);
		play_end(&p);
	}
	return print_series(kind, n, &t, &blocked);
}
