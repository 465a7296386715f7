#include "check.h"
#include "schedule.h"

#include <string.h>

#define N 6

static void chain(struct wb_schedule *s, size_t wanted)
{
	size_t k;

	s->npairs = 0;
	for (k = 1; k < N; k++) {
		wb_schedule_add_pair(s, k - 1, k, wanted);
		wb_schedule_add_pair(s, 0, k, wanted);
	}
}

/* Runs rounds until nothing is left; gives the number of runs. */
static size_t play(struct wb_schedule *s, int *round)
{
	size_t order[N + 1], n, i, runs = 0;
	unsigned nth;

	for (nth = 0; (n = wb_schedule_next(s, nth, order)); nth++) {
		for (i = 0; i < n; i++)
			if (order[i] < N)
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
	chain(&s, 12);
	assert_int_equal(wb_schedule_left(&s), 12 * N);
	assert_int_equal(play(&s, &round), 12 * N);
	assert_int_equal(wb_schedule_left(&s), 0);
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
	chain(&s, 5);
	play(&s, &round);
	s.nrounds[3] = 0;
	assert_int_equal(wb_schedule_left(&s), 5 * 4);
	assert_int_equal(play(&s, &round), 5 * 4);
	assert_int_equal(wb_schedule_common(&s, 0, 3), 5);
	assert_int_equal(wb_schedule_common(&s, 3, 4), 5);
	assert_int_equal(s.nrounds[1], 5);
	wb_schedule_clear(&s);
}

/* A round that does not count is run again, by all that were in it. */
static void test_forget(void **state)
{
	struct wb_schedule s;
	int round = 0;

	(void)state;
	wb_schedule_init(&s, N, 1);
	chain(&s, 5);
	play(&s, &round);
	wb_schedule_forget(&s, round - 2);
	assert_int_equal(wb_schedule_left(&s), 0);
	wb_schedule_forget(&s, round - 1);
	assert_int_equal(s.nrounds[0], 4);
	assert_int_equal(s.nrounds[N - 1], 4);
	assert_int_equal(wb_schedule_left(&s), N);
	assert_int_equal(play(&s, &round), N);
	wb_schedule_clear(&s);
}

static void test_dead_subject_asks_for_nothing(void **state)
{
	struct wb_schedule s;
	size_t order[N], n, i;

	(void)state;
	wb_schedule_init(&s, N, 1);
	chain(&s, 3);
	s.dead[2] = true;
	n = wb_schedule_next(&s, 0, order);
	assert_int_equal(n, N - 1);
	for (i = 0; i < n; i++)
		assert_int_not_equal(order[i], 2);
	wb_schedule_clear(&s);
}

/* A comparison that is known costs nothing more; one alone goes on. */
static void test_each_pair_wants_its_own(void **state)
{
	struct wb_schedule s;
	int round = 0;

	(void)state;
	wb_schedule_init(&s, N, 1);
	chain(&s, 4);
	wb_schedule_add_pair(&s, 3, 4, 10);
	assert_int_equal(wb_schedule_left(&s), 4 * N + 6 * 2);
	assert_int_equal(play(&s, &round), 4 * N + 6 * 2);
	assert_int_equal(wb_schedule_common(&s, 3, 4), 10);
	assert_int_equal(wb_schedule_common(&s, 0, 1), 4);
	wb_schedule_clear(&s);
}

/* The twin runs whenever its subject does, somewhere in the order. */
static void test_a_twin_goes_along(void **state)
{
	size_t order[N + 1], n, i, place[N + 1] = { 0 };
	struct wb_schedule s;
	unsigned nth;

	(void)state;
	wb_schedule_init(&s, N, 1);
	chain(&s, 3);
	s.twin_of = 0;
	assert_int_equal(wb_schedule_left(&s), 3 * (N + 1));
	for (nth = 0; nth < 200; nth += 2) {
		n = wb_schedule_next(&s, nth, order);
		assert_int_equal(n, N + 1);
		for (i = 0; i < n; i++)
			place[i] += order[i] == N;
	}
	for (i = 0; i <= N; i++)
		assert_true(place[i] > 0);
	for (i = 0; i < 3; i++)
		wb_schedule_ran(&s, 0, (int)i);
	s.npairs = 0;
	wb_schedule_add_pair(&s, 2, 3, 3);
	n = wb_schedule_next(&s, 0, order);
	assert_int_equal(n, 2);
	assert_int_equal(wb_schedule_left(&s), 6);
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
		chain(&s, 1);
		wb_schedule_next(&s, 4, a);
		wb_schedule_next(&s, 5, b);
		wb_schedule_next(&s, 4, c);
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
		cmocka_unit_test(test_forget),
		cmocka_unit_test(test_dead_subject_asks_for_nothing),
		cmocka_unit_test(test_each_pair_wants_its_own),
		cmocka_unit_test(test_a_twin_goes_along),
		cmocka_unit_test(test_orders),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
