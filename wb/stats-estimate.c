/*
 * Estimates with their uncertainty: what a report's changes are made of.
 */
#include "stats.h"

#include <math.h>

/* From so many values on, one in TRIM is dropped at each end. */
#define TRIM 10

static double larger(double a, double b)
{
	return a > b ? a : b;
}

/* 1.4826 times the median distance from the mean; overwrites d. */
static double deviation(double *d, size_t n, double mean)
{
	size_t i;

	for (i = 0; i < n; i++)
		d[i] = fabs(d[i] - mean);
	return 1.4826 * wb_median(d, n);
}

struct wb_estimate wb_robust_mean(double *d, size_t n, double floor)
{
	struct wb_estimate e = { NAN, NAN, NAN, NAN, n, 0 };
	size_t g = n / TRIM, h = n - 2 * g, i;
	double sd, middle;

	if (g) {
		/* brings the g smallest to the front, the g largest behind */
		wb_nth(d, n, g);
		wb_nth(d + g, n - g, h - 1);
	}
	e.mean = wb_mean(d + g, h);
	if (n < 2)
		return e;
	for (i = 0; i < g; i++) {
		d[i] = d[g];
		d[n - 1 - i] = d[g + h - 1];
	}
	e.df = (double)(h - 1);
	e.sd = sd = larger(wb_sd(d, n), floor);
	e.se = sd / sqrt((double)n);
	if (!g)
		return e;
	e.se = sd * sqrt((double)(n - 1)) / (double)(h - 1);
	e.sd = e.se * sqrt((double)n);
	/* a burst in few values will not be as large a part of many */
	middle = larger(deviation(d, n, e.mean), floor);
	if (middle > 0 && middle < e.sd)
		e.sd = cbrt(e.sd * middle * middle);
	return e;
}

struct wb_estimate wb_unpaired(const double *x, size_t nx, const double *y,
			       size_t ny, double floor)
{
	struct wb_estimate e = { NAN, NAN, NAN, NAN, nx < ny ? nx : ny, 0 };
	double sx, sy, vx, vy;

	e.mean = wb_mean(x, nx) - wb_mean(y, ny);
	if (nx < 2 || ny < 2)
		return e;
	sx = larger(wb_sd(x, nx), floor);
	sy = larger(wb_sd(y, ny), floor);
	vx = sx * sx / (double)nx;
	vy = sy * sy / (double)ny;
	e.se = sqrt(vx + vy);
	/* a round more adds one value to each side */
	e.sd = sqrt(sx * sx + sy * sy);
	if (!(e.se > 0)) {
		e.df = (double)(nx + ny - 2);
		return e;
	}
	vx /= e.se * e.se;
	vy /= e.se * e.se;
	e.df = 1 / (vx * vx / (double)(nx - 1) + vy * vy / (double)(ny - 1));
	return e;
}

void wb_estimate_interval(const struct wb_estimate *e, double confidence,
			  double *low, double *high)
{
	double half = wb_t_quantile(0.5 + confidence / 2, e->df) * e->se;

	*low = e->mean - half;
	*high = e->mean + half;
}

/* How far out value lies, as a one-sided p; without spread all or nothing. */
static double tail(double value, const struct wb_estimate *e)
{
	double t = value / e->se;

	if (isnan(e->df))
		return NAN;
	if (!(e->se > 0))
		return value > 0 ? 0 : 1;
	return t > 0 ? wb_t_tail(t, e->df) : 1 - wb_t_tail(t, e->df);
}

double wb_estimate_p(const struct wb_estimate *e)
{
	double p = 2 * tail(fabs(e->mean), e);

	return p > 1 ? 1 : p;
}

double wb_estimate_tost(const struct wb_estimate *e, double low, double high)
{
	double above = tail(e->mean - low, e), below = tail(high - e->mean, e);

	return isnan(above) ? NAN : larger(above, below);
}

double wb_estimate_visible(const struct wb_estimate *e, double alpha)
{
	return (wb_t_quantile(1 - alpha / 2, e->df) +
		wb_t_quantile(0.8, e->df)) * e->se;
}

size_t wb_needed(double sd, double half, double alpha, bool power,
		 size_t limit)
{
	double z, t, n, df;
	int i;

	if (!(half > 0) || isnan(sd))
		return limit;
	z = wb_norm_quantile(1 - alpha / 2) +
	    (power ? wb_norm_quantile(0.8) : 0);
	n = z * z * sd * sd / half / half;
	/* t is wider than the normal; n barely moves after a few steps */
	for (i = 0; i < 8 && n < (double)limit; i++) {
		df = larger(n - 1, 1);
		t = wb_t_quantile(1 - alpha / 2, df) +
		    (power ? wb_t_quantile(0.8, df) : 0);
		n = (n + t * t * sd * sd / half / half) / 2;
	}
	n = ceil(larger(n, 2));
	return n < (double)limit ? (size_t)n : limit;
}
