#include "belief.h"
#include "bisect.h"
#include "bisect-next.h"
#include "check.h"
#include "schedule.h"

#include <math.h>
#include <string.h>

/* ---- the likelihood ---- */

/*
 * The Bayes factor of two-run blocks by brute force: the difference d of each
 * block is N(s, 2 sigma^2); the integrals over s and ln sigma are sums.
 */
static double brute_log_bf(const double *d, size_t n, double gamma)
{
	double with = 0, without = 0;

	for (double u = -6; u < 6; u += 0.01) {
		double var = exp(2 * u), null = 0;
		for (size_t i = 0; i < n; i++)
			null += d[i] * d[i] / (4 * var) + 0.5 * log(var);
		without += exp(-null);
		for (double z = -8; z < 8; z += 0.05) {
			double s = z * sqrt(gamma * var), q = 0;
			for (size_t i = 0; i < n; i++)
				q += (d[i] - s) * (d[i] - s) / (4 * var) +
				     0.5 * log(var);
			with += exp(-q - z * z / 2) * 0.05 / sqrt(2 * M_PI);
		}
	}
	return log(with / without);
}

static void test_bayes_factor(void **state)
{
	static const double d[] = { 0.9, 1.4, 0.2, 1.1, -0.3, 0.8 };
	static const double gammas[] = { 0.1, 0.4, 1.6, 6.4, 25.6, 102.4 };
	struct wb_belief b;
	double sum = 0;

	(void)state;
	/* Six blocks of two would estimate rho; strict keeps them centred. */
	wb_belief_init(&b, 0, 1, NULL, true);
	for (size_t i = 0; i < 6; i++) {
		struct wb_belief_run run[] = { { 0, 7.0 }, { 1, 7.0 + d[i] } };
		wb_belief_add(&b, run, 2);
	}
	assert_int_equal(b.nclipped, 0);
	for (size_t i = 0; i < 6; i++)
		sum += exp(brute_log_bf(d, 6, gammas[i])) / 6;
	assert_true(fabs(b.log_e - log(sum)) < 1e-4);
	/* Estimates are those of the paired differences. */
	assert_true(fabs(b.step - 4.1 / 6) < 1e-12);
	wb_belief_clear(&b);
}

static void test_belief_is_shared_out(void **state)
{
	static const double weight[] = { 0, 1, 1, 2, 4 };
	struct wb_belief b;
	int patch[4];

	(void)state;
	wb_belief_init(&b, 0, 4, weight, true);
	for (size_t i = 0; i < 4; i++) {
		struct wb_belief_run run[] = {
			{ 0, i % 2 ? 0.1 : 0 }, { 4, i % 2 ? 1 : 1.1 },
		};
		wb_belief_add(&b, run, 2);
	}
	/* One gap: nothing tells its patches apart but the prior. */
	assert_true(fabs(wb_belief_of(&b, 4) - 0.5) < 1e-12);
	assert_true(fabs(wb_belief_below(&b, 2) - 0.25) < 1e-12);
	assert_int_equal(wb_belief_credible(&b, 0.7, patch), 2);
	assert_int_equal(patch[0], 4);
	assert_int_equal(patch[1], 3);

	struct wb_belief_run mid[] = { { 2, 1.05 }, { 0, 0 }, { 2, 1.0 } };
	wb_belief_add(&b, mid, 3);
	assert_int_equal(b.gap[b.best].to, 2);
	assert_true(wb_belief_below(&b, 2) > 0.9);
	wb_belief_clear(&b);
}

static void test_one_run_left_is_none(void **state)
{
	struct wb_belief_run run[] = { { 0, 1 }, { 5, 2 } };
	struct wb_belief b;

	(void)state;
	wb_belief_init(&b, 3, 5, NULL, false);
	wb_belief_add(&b, run, 2);
	assert_int_equal(b.nblocks, 0);
	assert_int_equal(b.ngaps, 0);
	assert_true(isnan(b.step));
	wb_belief_clear(&b);
}

/* Noise stays as it is; a run that lies far out is pulled to three sigma. */
static void test_outliers_are_clipped(void **state)
{
	static const double noise[] = { 1, -1, 1, -1 };
	struct wb_belief_run run[4];
	struct wb_belief b;

	(void)state;
	wb_belief_init(&b, 0, 1, NULL, true);
	for (int i = 0; i < 12; i++) {
		for (int k = 0; k < 4; k++)
			run[k] = (struct wb_belief_run){
				k / 2, 5 + 0.01 * noise[k] + 0.02 * (k / 2),
			};
		wb_belief_add(&b, run, 4);
	}
	assert_int_equal(b.nclipped, 0);
	run[3].y += 1;
	wb_belief_add(&b, run, 4);
	assert_int_equal(b.nclipped, 1);
	assert_true(b.block[12].run[3].y < 5.1);
	wb_belief_clear(&b);
}

/* ---- what to ask next ---- */

static void test_information(void **state)
{
	(void)state;
	assert_true(wb_bisect_information(0.5, 0) < 1e-9);
	assert_true(fabs(wb_bisect_information(0.5, 20) - 1) < 1e-9);
	assert_true(wb_bisect_information(0.5, 1) >
		    wb_bisect_information(0.9, 1));
	/* J of binary input, Gaussian noise at d = 2: 0.4859 bits. */
	assert_true(fabs(wb_bisect_information(0.5, 2) - 0.4859) < 0.01);
	assert_true(wb_bisect_information(0, 2) == 0);
	assert_true(wb_bisect_information(1, 2) == 0);
}

/* ---- the engine ---- */

enum { MOST = 4096 };

struct world {
	int step, hole_from, hole_to;	/* holes: from <= at < to */
	double size;
	uint64_t noise;
	int asked[MOST];
	size_t nasked, stop_at;
	double y[MOST];
	const struct world *again;	/* answers as this one did */
	struct wb_ancestry dag;		/* of a history with merges */
};

static bool has_step(const struct world *w, int at)
{
	return w->dag.n ? wb_ancestry_has(&w->dag, at, w->step)
			: at >= w->step;
}

static int fake_build(void *arg, int at, double *seconds, struct wb_error *err)
{
	struct world *w = arg;

	(void)err;
	*seconds = 3;
	return at >= w->hole_from && at < w->hole_to;
}

static int fake_block(void *arg, const int *at, size_t n, double *y, int *hole,
		      double *seconds, struct wb_error *err)
{
	struct world *w = arg;

	(void)hole;
	(void)err;
	if (w->stop_at && w->nasked >= w->stop_at)
		return -1;
	for (size_t i = 0; i < n; i++) {
		double u = (double)(wb_schedule_random(&w->noise) >> 11) /
				   9007199254740992.0 - 0.5;
		y[i] = 5 + 0.04 * u + (has_step(w, at[i]) ? w->size : 0);
		if (w->again)
			y[i] = w->again->y[w->nasked];
		assert_true(w->nasked < MOST);
		w->y[w->nasked] = y[i];
		w->asked[w->nasked++] = at[i];
	}
	*seconds = n;
	return 0;
}

static int play(struct world *w, int hi, size_t budget,
		struct wb_bisect_result *r)
{
	struct wb_bisect_runner runner = {
		.arg = w, .build = fake_build, .block = fake_block,
	};
	struct wb_bisect_options o;
	struct wb_error err = { 0 };

	wb_bisect_defaults(&o, 0, hi);
	o.seed = 42;
	o.budget_runs = budget;
	o.dag = w->dag.n ? &w->dag : NULL;
	return wb_bisect(&o, &runner, r, &err);
}

static void test_names_the_patch(void **state)
{
	struct world w = { .step = 13, .size = -0.05 };
	struct wb_bisect_result r;

	(void)state;
	assert_int_equal(play(&w, 30, 0, &r), 0);
	assert_int_equal(r.verdict, WB_BISECT_CHANGE);
	assert_int_equal(r.nchanges, 1);
	assert_int_equal(r.change[0].patch, 13);
	assert_true(r.change[0].low < -0.05 && -0.05 < r.change[0].high);
	assert_true(r.change[0].high < 0);
	assert_int_equal(r.change[0].credible[0], 13);
	assert_int_equal(r.runs, w.nasked);
	wb_bisect_result_clear(&r);
}

static void test_same_answers_same_questions(void **state)
{
	static struct world a, b;
	struct wb_bisect_result r;

	(void)state;
	a = (struct world){ .step = 7, .size = 0.03 };
	b = (struct world){ .step = 1, .again = &a };
	assert_int_equal(play(&a, 50, 0, &r), 0);
	wb_bisect_result_clear(&r);
	assert_int_equal(play(&b, 50, 0, &r), 0);
	assert_int_equal(r.change[0].patch, 7);
	wb_bisect_result_clear(&r);
	assert_int_equal(a.nasked, b.nasked);
	assert_memory_equal(a.asked, b.asked, a.nasked * sizeof(int));
}

static void test_holes_take_no_blame(void **state)
{
	struct world w = { .step = 11, .size = 0.06, .hole_from = 9,
			   .hole_to = 13 };
	struct wb_bisect_result r;

	(void)state;
	assert_int_equal(play(&w, 30, 0, &r), 0);
	assert_int_equal(r.verdict, WB_BISECT_UNDECIDED);
	assert_int_equal(r.reason, WB_BISECT_UNBUILDABLE);
	assert_int_equal(r.nchanges, 0);
	/* Between prefixes 8 and 13: patches 9 to 13, with the effect. */
	assert_int_equal(r.ncandidates, 5);
	for (int i = 0; i < 5; i++)
		assert_int_equal(r.candidate[i].patch, 9 + i);
	assert_true(r.candidate[0].low > 0);
	for (size_t i = 0; i < w.nasked; i++)
		assert_false(w.asked[i] >= 9 && w.asked[i] < 13);
	wb_bisect_result_clear(&r);
}

static void test_ends_alike(void **state)
{
	struct world w = { .step = 11 };
	struct wb_bisect_result r;

	(void)state;
	assert_int_equal(play(&w, 30, 0, &r), 0);
	assert_int_equal(r.verdict, WB_BISECT_NO_CHANGE);
	assert_true(r.bound > 0 && r.bound < log(1.01));
	assert_int_equal(r.builds, 2);
	wb_bisect_result_clear(&r);
}

static void test_broken_end(void **state)
{
	struct world w = { .step = 11, .hole_from = 30, .hole_to = 31 };
	struct wb_bisect_result r;

	(void)state;
	assert_int_equal(play(&w, 30, 0, &r), 0);
	assert_int_equal(r.verdict, WB_BISECT_UNDECIDED);
	assert_int_equal(r.reason, WB_BISECT_BROKEN_END);
	assert_int_equal(r.runs, 0);
	wb_bisect_result_clear(&r);
}

static void test_budget_gives_a_set(void **state)
{
	struct world w = { .step = 40, .size = 0.02 };
	struct wb_bisect_result r;
	double belief = 0;
	bool there = false;

	(void)state;
	assert_int_equal(play(&w, 64, 60, &r), 0);
	assert_int_equal(r.verdict, WB_BISECT_UNDECIDED);
	assert_int_equal(r.reason, WB_BISECT_BUDGET);
	assert_true(r.runs <= 64);
	for (size_t i = 0; i < r.ncandidates; i++) {
		belief += r.candidate[i].posterior;
		there |= r.candidate[i].patch == 40;
		assert_true(isnan(r.candidate[i].effect));
	}
	assert_true(there);
	assert_true(belief >= 0.95);
	wb_bisect_result_clear(&r);
}

static void test_runner_stops(void **state)
{
	struct world w = { .step = 11, .size = 0.06, .stop_at = 20 };
	struct wb_bisect_result r;

	(void)state;
	assert_int_equal(play(&w, 30, 0, &r), -1);
	assert_int_equal(r.runs, 20);
	wb_bisect_result_clear(&r);
}

/* ---- exact metrics ---- */

struct counts {
	const double *y;	/* by prefix; NaN: does not build */
	size_t asked;
	double drift;		/* added at each run */
};

static int count_build(void *arg, int at, double *seconds, struct wb_error *err)
{
	struct counts *c = arg;

	(void)err;
	*seconds = 1;
	return isnan(c->y[at]);
}

static int count_block(void *arg, const int *at, size_t n, double *y, int *hole,
		       double *seconds, struct wb_error *err)
{
	struct counts *c = arg;

	(void)hole;
	(void)err;
	assert_int_equal(n, 1);
	*seconds = 1;
	*y = c->y[*at] + c->drift * (double)c->asked++;
	return 0;
}

static void play_exact(struct counts *c, int hi, int grid,
		       struct wb_bisect_result *r)
{
	struct wb_bisect_runner runner = {
		.arg = c, .build = count_build, .block = count_block,
	};
	struct wb_bisect_options o;
	struct wb_error err = WB_ERROR_INIT;

	wb_bisect_defaults(&o, 0, hi);
	o.min_effect = 1e-6;
	o.grid = grid;
	assert_int_equal(wb_bisect_exact(&o, 1e-9, &runner, r, &err), 0);
}

/* ---- what was measured before ---- */

static void test_known_blocks_cost_nothing(void **state)
{
	struct world w = { .step = 3, .size = 0.05 };
	struct wb_bisect_runner runner = {
		.arg = &w, .build = fake_build, .block = fake_block,
	};
	static struct wb_belief_run run[40][4];
	struct wb_belief_block known[40];
	struct wb_bisect_options o;
	struct wb_bisect_result r;
	struct wb_error err = WB_ERROR_INIT;
	uint64_t random = 5;

	(void)state;
	for (int i = 0; i < 40; i++) {
		for (int k = 0; k < 4; k++) {
			double u = (double)(wb_schedule_random(&random) >> 11) /
				   9007199254740992.0 - 0.5;
			run[i][k] = (struct wb_belief_run){
				k, 5 + 0.04 * u + (k >= 3 ? 0.05 : 0),
			};
		}
		known[i] = (struct wb_belief_block){ run[i], 4 };
	}
	wb_bisect_defaults(&o, 0, 3);
	o.known = known;
	o.nknown = 40;
	assert_int_equal(wb_bisect(&o, &runner, &r, &err), 0);
	assert_int_equal(r.change[0].patch, 3);
	/* only the confirmation is fresh, and the range below was seen too */
	assert_int_equal(r.located_runs, 0);
	assert_int_equal(r.runs, r.confirmed_runs);
	for (size_t i = 0; i < w.nasked; i++)
		assert_true(w.asked[i] >= 2);
	wb_bisect_result_clear(&r);
}

static void test_exact_finds_all(void **state)
{
	static const double y[] = { 5, 5, 5, 5.1, 5.1, 5.1, 5.1, 5.05, 5.05 };
	struct counts c = { .y = y };
	struct wb_bisect_result r;

	(void)state;
	play_exact(&c, 8, 0, &r);
	assert_int_equal(r.verdict, WB_BISECT_CHANGE);
	assert_int_equal(r.nchanges, 2);
	assert_int_equal(r.change[0].patch, 3);
	assert_true(fabs(r.change[0].effect - 0.1) < 1e-12);
	assert_int_equal(r.change[1].patch, 7);
	assert_true(fabs(r.change[1].low + 0.05) < 1e-12);
	wb_bisect_result_clear(&r);
}

static void test_exact_pair_needs_a_grid(void **state)
{
	static const double y[] = { 5, 5, 6, 6, 6, 6, 5, 5, 5 };
	struct counts c = { .y = y };
	struct wb_bisect_result r;

	(void)state;
	play_exact(&c, 8, 0, &r);
	assert_int_equal(r.verdict, WB_BISECT_NO_CHANGE);
	wb_bisect_result_clear(&r);
	play_exact(&c, 8, 3, &r);
	assert_int_equal(r.nchanges, 2);
	assert_int_equal(r.change[0].patch, 2);
	assert_int_equal(r.change[1].patch, 6);
	wb_bisect_result_clear(&r);
}

/* A stretch that does not build is left in leaps, not step by step. */
static void test_long_stretches_of_holes(void **state)
{
	struct world w = { .step = 900, .size = 0.06, .hole_from = 448,
			   .hole_to = 576 };
	struct wb_bisect_result r;

	(void)state;
	assert_int_equal(play(&w, 1024, 0, &r), 0);
	assert_int_equal(r.nchanges, 1);
	assert_int_equal(r.change[0].patch, 900);
	assert_true(r.builds <= 10 + 4 + 10);
	wb_bisect_result_clear(&r);
}

/* 1 - 2 - ... - 7 leave 0, 8 merges them; 9 - ... - 15 leave 8; and so on. */
static void make_ladder(struct wb_ancestry *a, int n)
{
	wb_ancestry_init(a, n + 1);
	wb_ancestry_set(a, 0, NULL, 0);
	for (int at = 1; at <= n; at++) {
		int up[] = { at % 8 ? at - 1 : at - 8, at - 1 };
		wb_ancestry_set(a, at, up, at % 8 ? 1 : 2);
	}
}

static void test_long_stretches_in_a_history(void **state)
{
	static const int steps[] = { 100, 301, 448, 584, 586, 900 };

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		static struct world w;
		struct wb_bisect_result r;

		w = (struct world){ .step = steps[i], .size = 0.06,
				    .hole_from = 449, .hole_to = 577 };
		make_ladder(&w.dag, 1024);
		assert_int_equal(play(&w, 1024, 0, &r), 0);
		assert_int_equal(r.nchanges, 1);
		assert_int_equal(r.change[0].patch, steps[i]);
		assert_in_range(r.builds, 1, 10 + 4 + 16);
		wb_bisect_result_clear(&r);
		wb_ancestry_clear(&w.dag);
	}
}

static void test_exact_long_stretches(void **state)
{
	static const int steps[] = { 100, 448, 578, 900 };
	static double y[1025];
	struct wb_bisect_result r;

	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		struct counts c = { .y = y };

		for (int at = 0; at <= 1024; at++)
			y[at] = at >= 449 && at < 577 ? NAN
				: 5 + (at >= steps[i]);
		play_exact(&c, 1024, 0, &r);
		assert_int_equal(r.nchanges, 1);
		assert_int_equal(r.change[0].patch, steps[i]);
		assert_in_range(r.builds, 1, 10 + 4 + 16);
		wb_bisect_result_clear(&r);
	}
}

/* The step is among holes: all of them are named, and few are tried. */
static void test_exact_step_in_a_stretch(void **state)
{
	static double y[1025];
	struct counts c = { .y = y };
	struct wb_bisect_result r;

	(void)state;
	for (int at = 0; at <= 1024; at++)
		y[at] = at >= 449 && at < 577 ? NAN : 5 + (at >= 513);
	play_exact(&c, 1024, 0, &r);
	assert_int_equal(r.verdict, WB_BISECT_UNDECIDED);
	assert_int_equal(r.reason, WB_BISECT_UNBUILDABLE);
	assert_int_equal(r.ncandidates, 129);
	assert_int_equal(r.candidate[0].patch, 449);
	assert_int_equal(r.candidate[128].patch, 577);
	assert_in_range(r.builds, 1, 10 + 4 + 16 + 16);
	wb_bisect_result_clear(&r);
}

static void test_exact_holes(void **state)
{
	static const double y[] = { 5, 5, NAN, NAN, 6, 6 };
	static const double end[] = { 5, 5, NAN };
	struct counts c = { .y = y };
	struct wb_bisect_result r;

	(void)state;
	play_exact(&c, 5, 0, &r);
	assert_int_equal(r.verdict, WB_BISECT_UNDECIDED);
	assert_int_equal(r.reason, WB_BISECT_UNBUILDABLE);
	assert_int_equal(r.ncandidates, 3);
	assert_int_equal(r.candidate[0].patch, 2);
	assert_int_equal(r.candidate[2].patch, 4);
	wb_bisect_result_clear(&r);
	c.y = end;
	play_exact(&c, 2, 0, &r);
	assert_int_equal(r.reason, WB_BISECT_BROKEN_END);
	wb_bisect_result_clear(&r);
}

static void test_exact_that_is_not(void **state)
{
	static const double y[] = { 5, 5, 6 };
	struct counts c = { .y = y, .drift = 0.001 };
	struct wb_bisect_result r;

	(void)state;
	play_exact(&c, 2, 0, &r);
	assert_int_equal(r.verdict, WB_BISECT_UNDECIDED);
	assert_int_equal(r.reason, WB_BISECT_NOT_EXACT);
	wb_bisect_result_clear(&r);
}

static void test_exact_steps_that_add_up(void **state)
{
	static const double y[] = { 5, 5 + 8e-7, 5 + 16e-7 };
	struct counts c = { .y = y };
	struct wb_bisect_result r;

	(void)state;
	play_exact(&c, 2, 0, &r);
	assert_int_equal(r.reason, WB_BISECT_GRADUAL);
	assert_int_equal(r.ncandidates, 2);
	wb_bisect_result_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bayes_factor),
		cmocka_unit_test(test_belief_is_shared_out),
		cmocka_unit_test(test_one_run_left_is_none),
		cmocka_unit_test(test_outliers_are_clipped),
		cmocka_unit_test(test_information),
		cmocka_unit_test(test_names_the_patch),
		cmocka_unit_test(test_same_answers_same_questions),
		cmocka_unit_test(test_holes_take_no_blame),
		cmocka_unit_test(test_ends_alike),
		cmocka_unit_test(test_broken_end),
		cmocka_unit_test(test_budget_gives_a_set),
		cmocka_unit_test(test_runner_stops),
		cmocka_unit_test(test_known_blocks_cost_nothing),
		cmocka_unit_test(test_long_stretches_of_holes),
		cmocka_unit_test(test_long_stretches_in_a_history),
		cmocka_unit_test(test_exact_long_stretches),
		cmocka_unit_test(test_exact_step_in_a_stretch),
		cmocka_unit_test(test_exact_finds_all),
		cmocka_unit_test(test_exact_pair_needs_a_grid),
		cmocka_unit_test(test_exact_holes),
		cmocka_unit_test(test_exact_that_is_not),
		cmocka_unit_test(test_exact_steps_that_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
