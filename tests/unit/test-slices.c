#include "buf.h"
#include "slices.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PASSES 60

/* Seeded normals by the sum of twelve: tails do not matter here. */
static double normal(uint64_t *s)
{
	double sum = -6;
	int i;

	for (i = 0; i < 12; i++) {
		*s = *s * 6364136223846793005u + 1442695040888963407u;
		sum += (double)(*s >> 40) / (double)(1u << 24);
	}
	return sum;
}

/* One side of a simulated comparison. */
struct side {
	struct wb_passes *v;
	const struct wb_passes **at;
	size_t n;
};

static struct side make_side(size_t rounds)
{
	struct side s = { wb_xcalloc(rounds, sizeof(*s.v)),
			  wb_xcalloc(rounds, sizeof(*s.at)), rounds };
	size_t i;

	for (i = 0; i < rounds; i++) {
		s.at[i] = &s.v[i];
		s.v[i].round = (int32_t)i;
		s.v[i].log = log(40);
		s.v[i].mean = 40;
		s.v[i].n = PASSES;
		s.v[i].offset = wb_xcalloc(PASSES, sizeof(float));
	}
	return s;
}

static void free_side(struct side *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free((float *)s->v[i].offset);
	free(s->v);
	free(s->at);
}

static float *pass(struct side *s, size_t round, size_t p)
{
	return (float *)s->v[round].offset + p;
}

/*
 * A machine whose pace wanders by some 5 % from pass to pass for both sides
 * alike, 2 % of noise in each slice, 0.2 % a process.
 */
static void simulate(struct side *now, struct side *old, double effect,
		     uint64_t *seed)
{
	double pace = 0, a, b;
	size_t r, p;

	for (r = 0; r < now->n; r++) {
		a = effect + 0.002 * normal(seed);
		b = 0.002 * normal(seed);
		for (p = 0; p < PASSES; p++) {
			pace = 0.95 * pace + 0.015 * normal(seed);
			*pass(now, r, p) =
				(float)(pace + a + 0.02 * normal(seed));
			*pass(old, r, p) =
				(float)(pace + b + 0.02 * normal(seed));
		}
	}
}

static void test_batches(void **state)
{
	(void)state;
	assert_int_equal(wb_slices_batches(0), 0);
	assert_int_equal(wb_slices_batches(1), 1);
	assert_int_equal(wb_slices_batches(9), 9);
	assert_int_equal(wb_slices_batches(12), 10);
	assert_int_equal(wb_slices_batches(40), 10);
	assert_int_equal(wb_slices_batches(60), 15);
	assert_int_equal(wb_slices_batches(80), 20);
	assert_int_equal(wb_slices_batches(5000), 20);
}

/* Intervals hold the truth as often as they say, whatever the rounds. */
static void test_coverage(void **state)
{
	static const size_t rounds[] = { 4, 12, 40, 120 };
	struct side now, old;
	double low, high, half = 0, effect;
	struct wb_slices s;
	uint64_t seed = 20;
	int k, i, hit, n = 300;

	(void)state;
	for (k = 0; k < 4; k++) {
		now = make_side(rounds[k]);
		old = make_side(rounds[k]);
		for (hit = i = 0; i < n; i++) {
			effect = i % 2 ? 0.005 : 0;
			simulate(&now, &old, effect, &seed);
			assert_true(wb_slices(now.at, now.n, old.at, old.n, 0,
					      &s));
			wb_estimate_interval(&s.log, 0.95, &low, &high);
			hit += low <= effect && effect <= high;
			half = (high - low) / 2;
		}
		print_message("# %zu rounds: %d of %d covered, last half "
			      "width %.3f %%\n", rounds[k], hit, n, 100 * half);
		/* 95 % +- 3 standard errors of 300, seeded */
		assert_in_range(hit, 273, 297);
		free_side(&now);
		free_side(&old);
	}
	assert_true(half < 0.002);
}

/* Exactly known: every difference is ln 1.01. */
static void test_what_is_estimated(void **state)
{
	struct side now = make_side(50), old = make_side(50);
	struct wb_slices s;
	size_t r, p;

	(void)state;
	for (r = 0; r < 50; r++)
		for (p = 0; p < PASSES; p++) {
			*pass(&old, r, p) = (float)r / 8;
			*pass(&now, r, p) = (float)r / 8;
		}
	for (r = 0; r < 50; r++) {
		now.v[r].log += log(1.01);
		now.v[r].mean = 44;
	}
	assert_true(wb_slices(now.at, 50, old.at, 50, 0.001, &s));
	assert_true(fabs(s.log.mean - log(1.01)) < 1e-7);
	assert_true(fabs(s.mean.mean - log(1.1)) < 1e-12);
	assert_int_equal(s.batches, 12);
	assert_int_equal(s.log.n, 50);
	/* the floor is the spread of a batch; sd is that of a round */
	assert_true(fabs(s.log.se * sqrt(50) - s.log.sd) < 1e-12);
	assert_true(s.log.se > 0.0009 / sqrt(12));
	free_side(&now);
	free_side(&old);
}

/* A cost in 3 of 10 passes moves the mean of parts and not the medians. */
static void test_outliers(void **state)
{
	struct side now = make_side(20), old = make_side(20);
	struct wb_slices s;
	uint64_t seed = 7;
	size_t r, p;

	(void)state;
	simulate(&now, &old, 0, &seed);
	for (r = 0; r < 20; r++) {
		now.v[r].mean = 40 * 1.3;
		for (p = 0; p < PASSES; p++)
			if (p % 10 < 3)
				*pass(&now, r, p) += 5;
	}
	assert_true(wb_slices(now.at, 20, old.at, 20, 0, &s));
	assert_true(fabs(s.log.mean) < 0.02);
	assert_true(s.mean.mean > 0.2);
	free_side(&now);
	free_side(&old);
}

static void test_common_rounds_only(void **state)
{
	struct side now = make_side(6), old = make_side(6);
	struct wb_slices s;
	size_t i;

	(void)state;
	for (i = 0; i < 6; i++) {
		now.v[i].round = (int32_t)(2 * i);	/* 0 2 4 6 8 10 */
		old.v[i].round = (int32_t)(3 * i);	/* 0 3 6 9 12 15 */
		now.v[i].log = log(i % 3 ? 400 : 80);	/* rounds 0 and 6 */
	}
	assert_true(wb_slices(now.at, 6, old.at, 6, 0, &s));
	assert_int_equal(s.log.n, 2);
	assert_true(fabs(s.log.mean - log(2)) < 1e-12);
	/* a process that saw fewer passes: those that both have */
	now.v[0].n = 10;
	assert_true(wb_slices(now.at, 6, old.at, 6, 0, &s));
	for (i = 0; i < 6; i++)
		now.v[i].round = 100 + (int32_t)i;
	assert_false(wb_slices(now.at, 6, old.at, 6, 0, &s));
	assert_true(isnan(s.log.mean));
	assert_false(wb_slices(NULL, 0, old.at, 6, 0, &s));
	/* one round: an estimate, and no interval */
	old.v[0].round = 100;
	assert_true(wb_slices(now.at, 6, old.at, 1, 0, &s));
	assert_true(isnan(s.log.df));
	assert_false(isnan(s.log.mean));
	free_side(&now);
	free_side(&old);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batches),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_what_is_estimated),
		cmocka_unit_test(test_outliers),
		cmocka_unit_test(test_common_rounds_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
