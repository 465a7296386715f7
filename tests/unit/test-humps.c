#include "check.h"
#include "humps.h"
#include "schedule.h"

#include <math.h>
#include <stdlib.h>

#define COLUMNS 4
#define ROUNDS 60

static double uniform(uint64_t *state)
{
	return (double)(wb_schedule_random(state) >> 11) * 0x1p-53;
}

static double normal(uint64_t *state)
{
	double r = sqrt(-2 * log(1 - uniform(state)));

	return r * cos(2 * 3.14159265358979 * uniform(state));
}

struct bench {
	struct wb_runs side[COLUMNS];
	struct wb_process process[COLUMNS][ROUNDS];
};

enum kind { ONE, FLAT, OUTLIERS, TWO, BY_ROUND, BY_PATCH, RARE };

/* Levels 1000 and 1100, noise of 0.5 %; each column has an effect of its own */
static void make(struct bench *b, size_t rounds, enum kind kind, uint64_t seed)
{
	size_t c, i;
	double up, x;

	for (i = 0; i < rounds; i++) {
		up = uniform(&seed) < 0.4;
		for (c = 0; c < COLUMNS; c++) {
			x = 0.005 * normal(&seed);
			if (kind == FLAT)
				x = 0.1 * uniform(&seed);
			if (kind == OUTLIERS && uniform(&seed) < 0.06)
				x += 0.3 * uniform(&seed);
			if (kind == TWO)
				x += 0.1 * (uniform(&seed) < 0.4);
			if (kind == RARE)
				x += 0.1 * (uniform(&seed) < 0.04);
			if (kind == BY_ROUND)
				x += 0.1 * up;
			if (kind == BY_PATCH)
				x += 0.1 * (c > 1);
			b->process[c][i] = (struct wb_process){
				.round = (int64_t)i,
				.value = (1000 + 20 * (double)c) * (1 + x),
			};
		}
	}
	for (c = 0; c < COLUMNS; c++)
		b->side[c] = (struct wb_runs){
			.process = b->process[c], .n = rounds, .median = 1000,
			.positive = true,
		};
}

/* How many of 200 such benches have two humps. */
static int count(size_t rounds, enum kind kind, size_t columns)
{
	struct wb_humps h;
	struct bench b;
	uint64_t seed;
	int n = 0;

	for (seed = 1; seed <= 200; seed++) {
		make(&b, rounds, kind, seed * 7919);
		wb_humps_find(&h, b.side, columns, 0);
		n += !isnan(h.apart);
	}
	return n;
}

static void test_kinds(void **state)
{
	(void)state;
	assert_int_equal(count(10, ONE, 4), 0);
	assert_int_equal(count(60, ONE, 4), 0);
	assert_int_equal(count(20, ONE, 1), 0);
	assert_int_equal(count(20, FLAT, 1), 0);
	assert_int_equal(count(60, FLAT, 4), 0);
	assert_int_equal(count(60, OUTLIERS, 4), 0);
	assert_int_equal(count(60, RARE, 4), 0);
	assert_int_equal(count(60, TWO, 4), 200);
	assert_int_equal(count(60, TWO, 1), 200);
	assert_true(count(10, TWO, 4) > 190);
	/* the machine as a whole, and what a patch did: no luck of a process */
	assert_int_equal(count(60, BY_ROUND, 4), 0);
	assert_int_equal(count(60, BY_ROUND, 2), 0);
	assert_int_equal(count(60, BY_PATCH, 4), 0);
	/* too few to tell */
	assert_int_equal(count(4, TWO, 4), 0);
}

static void test_numbers(void **state)
{
	struct wb_humps h;
	struct bench b;

	(void)state;
	make(&b, 60, TWO, 5);
	wb_humps_find(&h, b.side, 4, 0);
	assert_true(fabs(h.apart - 0.1) < 0.005);
	assert_true(fabs(h.share - 0.4) < 0.1);
	assert_true(h.low < h.share && h.share < h.high);
	assert_int_equal(h.runs, 240);
	for (size_t c = 0; c < 4; c++)
		for (size_t i = 0; i < 10; i++)
			b.process[c][i].skip = true;
	wb_humps_find(&h, b.side, 4, 0);
	assert_int_equal(h.runs, 200);
	make(&b, 60, TWO, 5);
	/* steps of one tick are no humps */
	wb_humps_find(&h, b.side, 4, 20);
	assert_false(isnan(h.apart));
	wb_humps_find(&h, b.side, 4, 50);
	assert_true(isnan(h.apart));
	/* what is not fit to be compared is left out */
	for (size_t c = 0; c < 4; c++)
		for (size_t i = 0; i < 60; i++)
			b.process[c][i].skip = b.process[c][i].value >
				1050 * (1 + 0.02 * (double)c);
	wb_humps_find(&h, b.side, 4, 0);
	assert_true(isnan(h.apart));
	/* layouts are told apart already; a log wants a number above 0 */
	make(&b, 60, TWO, 5);
	b.side[2].layouts = 2;
	wb_humps_find(&h, b.side, 4, 0);
	assert_true(isnan(h.apart));
	b.side[2].layouts = 1;
	b.side[2].positive = false;
	wb_humps_find(&h, b.side, 4, 0);
	assert_true(isnan(h.apart));
	wb_humps_find(&h, b.side, 0, 0);
	assert_true(isnan(h.apart));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
