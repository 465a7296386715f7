#ifndef WB_STATS_H
#define WB_STATS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Statistics as pure functions of arrays: no I/O, no allocation that stays,
 * no state. What cannot be computed is NaN, never 0.
 *
 * x[0..n-1] are samples in the unit of their metric; ratios and logs of ratios
 * have no unit. p is a probability; tests are two-sided. Quantities that a
 * function reorders its array for say so.
 */

/* ---- one sample ---- */

double wb_mean(const double *x, size_t n);

/* Standard deviation, n - 1 below the sum; NaN for n < 2. Two passes. */
double wb_sd(const double *x, size_t n);

/* Rising, in place; no NaN. Many times faster than qsort for many values. */
void wb_sort(double *x, size_t n);

/*
 * The k-th smallest (0-based) by quickselect with a median of three; afterwards
 * x[0..k-1] <= x[k] <= x[k+1..n-1]. n > k. Expected time O(n).
 */
double wb_nth(double *x, size_t n, size_t k);

/* Middle element, or the mean of the two middle ones. Reorders; NaN: n = 0. */
double wb_median(double *x, size_t n);

/*
 * Linear interpolation between order statistics at (n - 1) p, 0 <= p <= 1
 * (Hyndman and Fan, type 7). Reorders; NaN for n = 0.
 */
double wb_percentile(double *x, size_t n, double p);

/*
 * 95 % interval of the median by order statistics (Conover 1999, section 3.2,
 * normal approximation of the binomial). False below 6 values, which cannot
 * have one. Reorders x.
 */
bool wb_median_interval(double *x, size_t n, double *low, double *high);

/* ---- distributions; relative error of tails about 1e-12 ---- */

/* Normal: P(Z <= z) by erfc of libm, and its inverse by Halley's steps. */
double wb_norm_cdf(double z);
double wb_norm_quantile(double p);

/*
 * Student's t with df > 0 (need not be whole). The tail P(T > |t|) is
 * I_x(df/2, 1/2) / 2 at x = df / (df + t^2), the regularised incomplete beta
 * function, by its continued fraction (Abramowitz and Stegun 26.5.8) evaluated
 * as Lentz does. The quantile inverts that by bracketed Newton steps.
 */
double wb_t_tail(double t, double df);	/* P(T > |t|), exact far out */
double wb_t_cdf(double t, double df);
double wb_t_quantile(double p, double df);

/* ---- tests ---- */

/*
 * Welch's t-test of mean(x) - mean(y), variances not assumed equal; df by
 * Welch and Satterthwaite. All NaN when a side has n < 2 or both sides have
 * no variance. low and high are the 95 % interval of the difference.
 */
struct wb_welch {
	double t, df, p;
	double diff, se;
	double low, high;
};

struct wb_welch wb_welch(const double *x, size_t nx, const double *y,
			size_t ny);

/*
 * Mann-Whitney (Wilcoxon rank sum): w is the number of pairs with x > y, ties
 * counted half. The p-value is exact when both sides have fewer than 50 samples
 * and there are no ties; else the normal approximation with the variance
 * corrected for ties and a continuity correction of 1/2. These are the rules of
 * R's wilcox.test. p is NaN for an empty side or when all values tie.
 */
struct wb_mann_whitney {
	double w, p;
	bool exact;
};

struct wb_mann_whitney wb_mann_whitney(const double *x, size_t nx,
				       const double *y, size_t ny);

/*
 * Holm's step-down: p[i] becomes the smallest family-wise level at which
 * hypothesis i is rejected. NaN entries are not of the family.
 */
void wb_holm(double *p, size_t n);

/* ---- an estimate and what surrounds it ---- */

/*
 * An estimate with a t distribution around it. df is NaN when there is no
 * spread to be had (too few values).
 */
struct wb_estimate {
	double mean, se, df;
	double sd;		/* spread of one value to come, for forecasts */
	size_t n;
	double least;		/* what no more values take from se; mostly 0 */
};

/*
 * Mean of d[0..n-1]. From n = 10 on it is the 10 % trimmed mean: g = n / 10
 * values fall away at each end, h = n - 2 g are kept, and s_w is the standard
 * deviation after each dropped value was replaced by its nearest kept one
 * (Tukey and McLaughlin 1963, Yuen 1974). Yuen's standard error is
 * s_w sqrt((n - 1) / (h (h - 1))), with h - 1 degrees of freedom; tests at 5 %
 * then reject 5.1 to 5.4 % of what is nothing, for normal and for bimodal
 * values alike, and 5 % is to be 5 %: so se = s_w sqrt(n - 1) / (h - 1), which
 * is wider by 1 / (2 h), and rejects 3.3 to 5.1 %. One slow round in ten moves
 * neither the mean nor the interval. Below 10 values: mean, s / sqrt(n), n - 1.
 * Reorders and overwrites d.
 *
 * sd is se sqrt(n), but where the median distance from the mean says less (x
 * 1.4826, as for a normal spread) sd is pulled two thirds of the way there, in
 * logs: a forecast from a few rounds with a burst would be far too long.
 *
 * floor is a lower bound of the spread of one value (rounding to a tick has a
 * spread even when all readings are equal), 0 for none.
 */
struct wb_estimate wb_robust_mean(double *d, size_t n, double floor);

/* mean(x) - mean(y), Welch, as an estimate; floor as above, for each side. */
struct wb_estimate wb_unpaired(const double *x, size_t nx, const double *y,
			       size_t ny, double floor);

/* Two-sided interval at the given confidence (0.95), and p of "it is 0". */
void wb_estimate_interval(const struct wb_estimate *e, double confidence,
			  double *low, double *high);
double wb_estimate_p(const struct wb_estimate *e);

/*
 * Two one-sided tests (Schuirmann 1987): the p of "it lies outside low..high",
 * the larger of the two. Small p: equivalent within the bounds.
 */
double wb_estimate_tost(const struct wb_estimate *e, double low, double high);

/*
 * The smallest effect that a two-sided test at level alpha would have found 4
 * times in 5: (t(1 - alpha/2) + t(0.8)) se.
 */
double wb_estimate_visible(const struct wb_estimate *e, double alpha);

/*
 * How many values of spread sd give an interval of at most half at level alpha
 * on each side, with the power of 4 in 5 when power is set; at most limit,
 * which also stands for "more".
 */
size_t wb_needed(double sd, double half, double alpha, bool power,
		 size_t limit);

#endif
