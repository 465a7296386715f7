/*
 * Normal and Student's t distribution.
 */
#include "stats.h"

#include <float.h>
#include <math.h>

/* Above, Wallace's normal variate (1959) for t is as good as the fraction. */
#define DF_NORMAL 1e7

double wb_norm_cdf(double z)
{
	return 0.5 * erfc(-z * M_SQRT1_2);
}

static double norm_density(double z)
{
	return exp(-0.5 * z * z) * 0.5 * M_SQRT1_2 * M_2_SQRTPI;
}

double wb_norm_quantile(double p)
{
	double q = p < 0.5 ? p : 1 - p, z, step;
	int i;

	if (isnan(p) || p < 0 || p > 1)
		return NAN;
	if (q <= 0)
		return p < 0.5 ? -INFINITY : INFINITY;
	if (q == 0.5)
		return 0;
	/* q ~ density(z) / z far out gives a start that is good enough */
	z = sqrt(-2 * log(q));
	z -= z > 1.2 ? log(z * sqrt(2 * M_PI)) / z : z * 0.6;
	for (i = 0; i < 30; i++) {
		step = (wb_norm_cdf(-z) - q) / norm_density(z);
		/* Halley: the second derivative of the tail is z density */
		step /= 1 - 0.5 * z * step;
		z += step;
		if (fabs(step) <= 4 * DBL_EPSILON * fabs(z))
			break;
	}
	return p < 0.5 ? -z : z;
}

/* ln(Gamma(a + 1/2) / Gamma(a)) without the cancellation of two lgammas. */
static double log_gamma_step(double a)
{
	double i = 1 / a, i2 = i * i;

	if (a < 20)
		return log_gamma_step(a + 1) + log(a / (a + 0.5));
	return 0.5 * log(a) - i * (1.0 / 8 - i2 * (1.0 / 192 - i2 *
	       (1.0 / 640 - i2 * (17.0 / 14336 - i2 * 31.0 / 18432))));
}

/* The k-th partial numerator of the continued fraction of I_x(a, b). */
static double beta_numerator(int k, double a, double b, double x)
{
	double m = k / 2, at = a + k;

	if (k % 2)
		return -(a + m) * (a + b + m) * x / ((at - 1) * at);
	return m * (b - m) * x / ((at - 1) * at);
}

/* 1 / (1 + d1 / (1 + d2 / ...)), which converges fast for x below its mean */
static double beta_fraction(double a, double b, double x)
{
	double f = 1, above = 1, below = 1, dk, step;
	int k;

	for (k = 1; k < 200000; k++) {
		dk = beta_numerator(k, a, b, x);
		above = 1 + dk / above;
		below = k == 1 ? 1 : 1 / (1 + dk * below);
		step = above * below;
		f *= step;
		if (fabs(step - 1) < 2 * DBL_EPSILON)
			break;
	}
	return 1 / f;
}

double wb_t_tail(double t, double df)
{
	double a = df / 2, r, x, y, front;

	if (isnan(t) || isnan(df) || df <= 0)
		return NAN;
	t = fabs(t);
	if (t == 0)
		return 0.5;
	r = t / df * t;
	if (isinf(r))
		return 0;
	if (df > DF_NORMAL)
		return wb_norm_cdf(-sqrt(df * log1p(r)) *
				   ((8 * df + 1) / (8 * df + 3)));
	/* y = 1 - x, each computed without cancellation */
	x = 1 / (1 + r);
	y = r / (1 + r);
	/* x^a y^(1/2) / B(a, 1/2), with B through Gamma(1/2) = sqrt(pi) */
	front = exp(log_gamma_step(a) - a * log1p(r)) * sqrt(y / M_PI);
	if (x < (a + 1) / (a + 2.5))
		return 0.5 * front / a * beta_fraction(a, 0.5, x);
	return 0.5 - front * beta_fraction(0.5, a, y);
}

double wb_t_cdf(double t, double df)
{
	double tail = wb_t_tail(t, df);

	return t > 0 ? 1 - tail : tail;
}

static double t_density(double t, double df)
{
	return exp(log_gamma_step(df / 2) -
		   (df + 1) / 2 * log1p(t / df * t)) / sqrt(df * M_PI);
}

double wb_t_quantile(double p, double df)
{
	double q = p < 0.5 ? p : 1 - p, low = 0, high = INFINITY, t, next, tail;
	int i;

	if (isnan(p) || isnan(df) || df <= 0 || p < 0 || p > 1)
		return NAN;
	if (q <= 0)
		return p < 0.5 ? -INFINITY : INFINITY;
	if (q == 0.5)
		return 0;
	t = -wb_norm_quantile(q);
	/* first term of Cornish and Fisher */
	t += t * (t * t + 1) / (4 * df);
	for (i = 0; i < 1100; i++) {
		tail = wb_t_tail(t, df);
		if (tail > q)
			low = t;
		else
			high = t;
		/* Newton on log(tail): the tail is near a power of t */
		next = t * exp(tail * log(tail / q) /
			       (t * t_density(t, df)));
		if (!(next > low && next < high))
			next = isinf(high) ? 2 * t : 0.5 * (low + high);
		if (fabs(next - t) <= 4 * DBL_EPSILON * t)
			break;
		t = next;
	}
	return p < 0.5 ? -t : t;
}
