#include "schedule.h"
#include "buf.h"

#include <stdlib.h>
#include <string.h>

void wb_schedule_init(struct wb_schedule *s, size_t n, uint64_t seed)
{
	memset(s, 0, sizeof(*s));
	s->n = n;
	s->twin_of = -1;
	s->seed = seed;
	s->dead = wb_xcalloc(n, sizeof(*s->dead));
	s->round = wb_xcalloc(n, sizeof(*s->round));
	s->nrounds = wb_xcalloc(n, sizeof(*s->nrounds));
	s->caprounds = wb_xcalloc(n, sizeof(*s->caprounds));
}

void wb_schedule_clear(struct wb_schedule *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free(s->round[i]);
	free(s->round);
	free(s->nrounds);
	free(s->caprounds);
	free(s->dead);
	free(s->pair);
	memset(s, 0, sizeof(*s));
}

void wb_schedule_add_pair(struct wb_schedule *s, size_t a, size_t b,
			  size_t wanted)
{
	s->pair = wb_grow(s->pair, s->npairs, &s->cappairs, sizeof(*s->pair));
	s->pair[s->npairs++] = (struct wb_schedule_pair){ a, b, wanted };
}

void wb_schedule_ran(struct wb_schedule *s, size_t i, int round)
{
	size_t n = s->nrounds[i];

	if (n && s->round[i][n - 1] == round)
		return;
	s->round[i] = wb_grow(s->round[i], n, &s->caprounds[i],
			      sizeof(*s->round[i]));
	s->round[i][s->nrounds[i]++] = round;
}

void wb_schedule_forget(struct wb_schedule *s, int round)
{
	size_t i, n;

	for (i = 0; i < s->n; i++) {
		n = s->nrounds[i];
		if (n && s->round[i][n - 1] == round)
			s->nrounds[i]--;
	}
}

size_t wb_schedule_common(const struct wb_schedule *s, size_t a, size_t b)
{
	size_t i = 0, j = 0, n = 0;

	while (i < s->nrounds[a] && j < s->nrounds[b]) {
		if (s->round[a][i] < s->round[b][j]) {
			i++;
		} else if (s->round[a][i] > s->round[b][j]) {
			j++;
		} else {
			n++;
			i++;
			j++;
		}
	}
	return n;
}

/* How many rounds the pair still lacks; none when a side is dead. */
static size_t lacks(const struct wb_schedule *s,
		    const struct wb_schedule_pair *p)
{
	size_t have;

	if (s->dead[p->a] || s->dead[p->b])
		return 0;
	have = wb_schedule_common(s, p->a, p->b);
	return have < p->wanted ? p->wanted - have : 0;
}

uint64_t wb_schedule_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* Fisher and Yates; the bias of the modulus is below n / 2^64. */
static void shuffle(uint64_t seed, size_t *order, size_t n)
{
	uint64_t state = seed;
	size_t i, j, t;

	for (i = n; i > 1; i--) {
		j = (size_t)(wb_schedule_random(&state) % i);
		t = order[i - 1];
		order[i - 1] = order[j];
		order[j] = t;
	}
}

static void reverse(size_t *order, size_t n)
{
	size_t i, t;

	for (i = 0; i < n / 2; i++) {
		t = order[i];
		order[i] = order[n - 1 - i];
		order[n - 1 - i] = t;
	}
}

size_t wb_schedule_next(struct wb_schedule *s, unsigned nth, size_t *order)
{
	bool *take = wb_xcalloc(s->n, sizeof(*take));
	size_t i, n = 0;

	for (i = 0; i < s->npairs; i++)
		if (lacks(s, &s->pair[i]))
			take[s->pair[i].a] = take[s->pair[i].b] = true;
	for (i = 0; i < s->n; i++)
		if (take[i])
			order[n++] = i;
	if (s->twin_of >= 0 && take[s->twin_of])
		order[n++] = s->n;
	free(take);
	/* one permutation for each couple of rounds, backwards in the second */
	shuffle(s->seed + 0x9e3779b97f4a7c15u * (nth / 2 + 1), order, n);
	if (nth % 2)
		reverse(order, n);
	return n;
}

size_t wb_schedule_left(const struct wb_schedule *s)
{
	size_t *most = wb_xcalloc(s->n, sizeof(*most));
	size_t i, n, left = 0;

	for (i = 0; i < s->npairs; i++) {
		n = lacks(s, &s->pair[i]);
		if (most[s->pair[i].a] < n)
			most[s->pair[i].a] = n;
		if (most[s->pair[i].b] < n)
			most[s->pair[i].b] = n;
	}
	for (i = 0; i < s->n; i++)
		left += (long)i == s->twin_of ? 2 * most[i] : most[i];
	free(most);
	return left;
}
