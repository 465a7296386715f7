#include "bisect-world.h"

#include "schedule.h"

#include <math.h>
#include <stdlib.h>

static double uniform(uint64_t *r)
{
	return ((wb_schedule_random(r) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *r)
{
	return sqrt(-2 * log(uniform(r))) * cos(2 * M_PI * uniform(r));
}

static double noise(struct sim *s)
{
	if (!s->w->heavy)
		return normal(&s->random);
	double chi = 0;
	for (int i = 0; i < 3; i++) {
		double z = normal(&s->random);
		chi += z * z;
	}
	return normal(&s->random) / sqrt(chi / 3);
}

double sim_run(struct sim *s, int at)
{
	double y = noise(s);

	for (int i = 0; i < s->nsteps; i++)
		if (s->w->merges ? wb_ancestry_has(&s->dag, at, s->step[i])
				 : at >= s->step[i])
			y += s->w->d[i];
	if (s->w->layout > 0)
		y += s->w->variants ? s->layout[at]
				    : s->w->layout * normal(&s->random);
	if (s->w->drift) {
		s->walk += 0.15 * normal(&s->random);
		y += s->walk + 2.5 * s->runs / 500;
	}
	s->runs++;
	return 1 + SIGMA * y;
}

static int by_size(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void plant(struct sim *s)
{
	const struct world *w = s->w;
	bool close;

	while (s->nsteps < NSTEPS && w->d[s->nsteps] != 0)
		s->nsteps++;
	do {
		close = false;
		for (int i = 0; i < s->nsteps; i++)
			s->step[i] = 1 + wb_schedule_random(&s->random) % w->n;
		qsort(s->step, s->nsteps, sizeof(int), by_size);
		for (int i = 1; i < s->nsteps; i++)
			close |= s->step[i] - s->step[i - 1] < 4;
	} while (close);
	for (int i = 1; i < w->n; i++)
		s->hole[i] = uniform(&s->random) < w->broken;
	for (int i = 0; i <= w->n; i++)
		s->layout[i] = w->layout * normal(&s->random);
}

enum { HEADS = 6 };

/*
 * Branches that fork, grow and merge at random; at the end all are merged. A
 * branch leaves from the tip of another, as topics do.
 */
static void branch(struct sim *s)
{
	int head[HEADS] = { 0 }, n = s->w->n;
	size_t nheads = 1;

	wb_ancestry_init(&s->dag, n + 1);
	wb_ancestry_set(&s->dag, 0, NULL, 0);
	for (int at = 1; at <= n; at++) {
		size_t i = wb_schedule_random(&s->random) % nheads;
		double what = uniform(&s->random);
		bool must = (size_t)(n - at) < nheads;

		if (nheads > 1 && (what < 0.2 || must)) {
			int up[] = { head[i == nheads - 1 ? 0 : i],
				     head[nheads - 1] };
			wb_ancestry_set(&s->dag, at, up, 2);
			head[i == nheads - 1 ? 0 : i] = at;
			nheads--;
		} else if (nheads < HEADS && what < 0.4 && !must &&
			   n - at > 2 * HEADS) {
			wb_ancestry_set(&s->dag, at, &head[i], 1);
			head[nheads++] = at;
		} else {
			wb_ancestry_set(&s->dag, at, &head[i], 1);
			head[i] = at;
		}
	}
}

void sim_init(struct sim *s, const struct world *w, uint64_t seed)
{
	*s = (struct sim){
		.w = w, .random = seed,
		.hole = calloc(w->n + 1, sizeof(bool)),
		.layout = calloc(w->n + 1, sizeof(double)),
	};
	plant(s);
	if (w->merges)
		branch(s);
}

void sim_clear(struct sim *s)
{
	free(s->hole);
	free(s->layout);
	wb_ancestry_clear(&s->dag);
}
