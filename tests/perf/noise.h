#ifndef NOISE_H
#define NOISE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * Seeded noise of a simulated bench, as what it adds to the logarithm of a
 * value. "Noise of 2 %" is the standard deviation of one run; what drift and
 * bursts add comes on top.
 *
 *	gauss	normal
 *	heavy	Student's t with 3 degrees of freedom
 *	modes	two modes 4.6 sd apart, 3 runs of 10 in the slower one: bimodal
 *	drift	normal, and everything grows by 5 % from the first run to the
 *		last one
 *	bursts	normal; in spells of 30 runs on average, one run in ten in all,
 *		each run is 8 % slower on average, unevenly
 */
enum noise_kind { GAUSS, HEAVY, MODES, DRIFT, BURSTS, NOISE_KINDS };

static const char *const noise_words[NOISE_KINDS] = {
	"gauss", "heavy", "modes", "drift", "bursts",
};

struct noise {
	enum noise_kind kind;
	double sd;
	double length;		/* runs over which it drifts by 5 % */
	uint64_t state, place;	/* of the values, of the spells */
	double t;		/* runs so far */
	int burst;
};

/* splitmix64 */
static inline double noise_uniform(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

static inline double noise_normal(uint64_t *state)
{
	double r = sqrt(-2 * log(noise_uniform(state)));

	return r * cos(2 * M_PI * noise_uniform(state));
}

/* Normal over the root of chi square / 3. */
static inline double noise_t3(uint64_t *state)
{
	double z = noise_normal(state), chi = 0, x;
	int i;

	for (i = 0; i < 3; i++) {
		x = noise_normal(state);
		chi += x * x;
	}
	return z / sqrt(chi / 3);
}

/* What the next run of anything adds. */
static inline double noise_next(struct noise *n)
{
	uint64_t *s = &n->state;
	double t = n->t++;

	switch (n->kind) {
	case HEAVY:
		return n->sd * noise_t3(s) / sqrt(3);
	case MODES:
		/* 0.4^2 + 0.3 0.7 2^2 = 1 */
		return n->sd * (0.4 * noise_normal(s) +
				2 * (noise_uniform(s) < 0.3));
	case DRIFT:
		return n->sd * noise_normal(s) + log1p(0.05) * t / n->length;
	case BURSTS:
		if (noise_uniform(&n->place) < (n->burst ? 1 / 30.0 : 1 / 270.0))
			n->burst = !n->burst;
		return n->sd * noise_normal(s) -
		       (n->burst ? 0.08 * log(noise_uniform(s)) : 0);
	default:
		return n->sd * noise_normal(s);
	}
}

static inline int noise_parse(const char *word)
{
	int k;

	for (k = 0; k < NOISE_KINDS; k++)
		if (!strcmp(noise_words[k], word))
			return k;
	return -1;
}

#endif
