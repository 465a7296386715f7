#include "check.h"
#include "schedule.h"

#include <string.h>

#define N 6

static void chain(struct wb_schedule *s)
{
	size_t k;

	s->npairs = 0;
	for (k = 1; k < N; k++) {
		wb_schedule_add_pair(s, k - 1, k);
		wb_schedule_add_pair(s, 0, k);
	}
}

/* Runs rounds until nothing is left; gives the number of runs. */
static size_t play(struct wb_schedule *s, size_t wanted, int *round)
{
	size_t order[N], n, i, runs = 0;
	unsigned nth;

	for (nth = 0; (n = wb_schedule_next(s, wanted, nth, order)); nth++) {
		for (i = 0; i < n; i++)
			wb_schedule_ran(s, order[i], *round);
		(*round)++;
		runs += n;
	}
	return runs;
}

static void test_fresh_stack(void **state)
{
	struct wb_schedule s;
	int round = 0;

	(void)state;
	wb_schedule_init(&s, N, 1);
	chain(&s);
	assert_int_equal(wb_schedule_left(&s, 12), 12 * N);
	assert_int_equal(play(&s, 12, &round), 12 * N);
	assert_int_equal(wb_schedule_left(&s, 12), 0);
	assert_int_equal(wb_schedule_common(&s, 2, 3), 12);
	wb_schedule_clear(&s);
}

/* A new build in the middle costs itself, its neighbours and the base. */
static void test_changed_patch(void **state)
{
	struct wb_schedule s;
	int round = 0;

	(void)state;
	wb_schedule_init(&s, N, 1);
	chain(&s);
	play(&s, 5, &round);
	s.nrounds[3] = 0;
	assert_int_equal(wb_schedule_left(&s, 5), 5 * 4);
	assert_int_equal(play(&s, 5, &round), 5 * 4);
	assert_int_equal(wb_schedule_common(&s, 0, 3), 5);
	assert_int_equal(wb_schedule_common(&s, 3, 4), 5);
	assert_int_equal(s.nrounds[1], 5);
	wb_schedule_clear(&s);
}

static void test_dead_subject_asks_for_nothing(void **state)
{
	struct wb_schedule s;
	size_t order[N], n, i;

	(void)state;
	wb_schedule_init(&s, N, 1);
	chain(&s);
	s.dead[2] = true;
	n = wb_schedule_next(&s, 3, 0, order);
	assert_int_equal(n, N - 1);
	for (i = 0; i < n; i++)
		assert_int_not_equal(order[i], 2);
	wb_schedule_clear(&s);
}

/* Round 2j + 1 is round 2j backwards; a seed always gives the same orders. */
static void test_orders(void **state)
{
	size_t a[N], b[N], c[N], first[N] = { 0 }, i, seed;
	struct wb_schedule s;

	(void)state;
	for (seed = 0; seed < 600; seed++) {
		wb_schedule_init(&s, N, seed);
		chain(&s);
		wb_schedule_next(&s, 1, 4, a);
		wb_schedule_next(&s, 1, 5, b);
		wb_schedule_next(&s, 1, 4, c);
		for (i = 0; i < N; i++)
			assert_int_equal(a[i], b[N - 1 - i]);
		assert_memory_equal(a, c, sizeof(a));
		first[a[0]]++;
		wb_schedule_clear(&s);
	}
	/* each comes first 100 times +- 5 sd (sd = 9.1) */
	for (i = 0; i < N; i++)
		assert_in_range(first[i], 54, 146);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fresh_stack),
		cmocka_unit_test(test_changed_patch),
		cmocka_unit_test(test_dead_subject_asks_for_nothing),
		cmocka_unit_test(test_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
