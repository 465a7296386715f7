#ifndef WB_SCHEDULE_H
#define WB_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What to run next, and in which order. Pure: no clock, no I/O.
 *
 * A comparison of two builds needs rounds in which both ran. Subjects are
 * builds (two prefixes with one build id are one subject); a pair is a
 * comparison that somebody will read, and the rounds that it wants. After each
 * round the schedule says which subjects still lack rounds; only these run in
 * the next one, so a changed patch costs its own neighbourhood and not the
 * whole stack, and a comparison that is known costs nothing more.
 *
 * One subject may have a twin: the same build once more, in each round that
 * the subject runs in. What the two differ by is the A/A control.
 */
struct wb_schedule {
	size_t n;		/* subjects, the twin not counted */
	long twin_of;		/* subject; -1: there is no twin */
	bool *dead;		/* failed too often: never run again */
	struct wb_schedule_pair {
		size_t a, b;
		size_t wanted;	/* rounds in common, those there are too */
	} *pair;
	size_t npairs, cappairs;
	int **round;		/* [subject]: rounds it ran in, ascending */
	size_t *nrounds, *caprounds;
	uint64_t seed;
};

void wb_schedule_init(struct wb_schedule *s, size_t n, uint64_t seed);
void wb_schedule_clear(struct wb_schedule *s);

/* a == b asks for rounds of one subject alone. */
void wb_schedule_add_pair(struct wb_schedule *s, size_t a, size_t b,
			  size_t wanted);

/* Subject ran well in round; rounds come in ascending order per subject. */
void wb_schedule_ran(struct wb_schedule *s, size_t subject, int round);

/* The last round does not count after all: as if nobody had run in it. */
void wb_schedule_forget(struct wb_schedule *s, int round);

/* Rounds that a and b have in common. */
size_t wb_schedule_common(const struct wb_schedule *s, size_t a, size_t b);

/*
 * Fills order[0..n] with the subjects of the next round, in the order to run
 * them, until every pair has the rounds it wants; gives their number, 0 when
 * nothing is left to do. The twin is number n. Orders are uniform random
 * permutations; every second round runs the order of the one before backwards,
 * so that a linear drift over two rounds cancels (A B B A). nth counts the
 * rounds of this session.
 */
size_t wb_schedule_next(struct wb_schedule *s, unsigned nth, size_t *order);

/* Runs that are left until every pair has the rounds it wants. */
size_t wb_schedule_left(const struct wb_schedule *s);

/* splitmix64 (Steele, Lea, Flood 2014): a step of the seed sequence. */
uint64_t wb_schedule_random(uint64_t *state);

#endif
