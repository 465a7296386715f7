#include "tick.h"

#include <float.h>
#include <math.h>

/* A number with more decimals than this came out of a division. */
#define DECIMALS_MAX 9

/*
 * So many different steps that share a factor by chance alone are 1 in 2000
 * for the factor 2, and fewer for all others together.
 */
#define STEPS_MIN 12

/* Whole numbers up to here are what they were before they were scaled. */
#define WHOLE_MAX 0x1p52

static double value_at(const struct wb_cells *c, size_t i)
{
	return c->r->point[c->point[i]].value;
}

/* The power of 10 that makes every value whole, 0 when there is none. */
static double scale_of(const struct wb_cells *c, size_t first, size_t end)
{
	double scale = 1, x;
	size_t i;
	int d = 0;

	for (i = first; i < end; i++) {
		x = value_at(c, i);
		while (fabs(x * scale - rint(x * scale)) >
		       3 * DBL_EPSILON * fabs(x * scale)) {
			if (++d > DECIMALS_MAX)
				return 0;
			scale *= 10;
		}
	}
	return scale;
}

static double common_factor(double a, double b)
{
	double rest;

	while (b > 0) {
		rest = fmod(a, b);
		a = b;
		b = rest;
	}
	return a;
}

/* The largest number that all differences are multiples of, at least 1. */
static double common_step(const struct wb_cells *c, size_t first, size_t end,
			  double scale)
{
	double seen[STEPS_MIN], start = rint(value_at(c, first) * scale);
	double step, factor = 0;
	size_t i, k, n = 0;

	for (i = first + 1; i < end && factor != 1; i++) {
		step = fabs(rint(value_at(c, i) * scale) - start);
		if (!(step < WHOLE_MAX))
			return 1;
		factor = common_factor(factor, step);
		for (k = 0; k < n && seen[k] != step; k++)
			;
		if (k == n && n < STEPS_MIN && step > 0)
			seen[n++] = step;
	}
	return n == STEPS_MIN && factor > 1 ? factor : 1;
}

double wb_tick(const struct wb_cells *c, size_t metric)
{
	size_t first = c->start[metric * c->r->ncolumns];
	size_t end = c->start[(metric + 1) * c->r->ncolumns];
	double scale;

	if (first == end)
		return 0;
	scale = scale_of(c, first, end);
	return scale > 0 ? common_step(c, first, end, scale) / scale : 0;
}
