/*
 * Samples, tests and estimates. Distributions are in stats-dist.c.
 */
#include "stats.h"
#include "buf.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Below so many values a side, ranks are counted instead of approximated. */
#define EXACT_RANKS 50

double wb_mean(const double *x, size_t n)
{
	double sum = 0, rest = 0;
	size_t i;

	if (!n)
		return NAN;
	for (i = 0; i < n; i++)
		sum += x[i];
	sum /= (double)n;
	/* what rounding lost in the first pass */
	for (i = 0; i < n; i++)
		rest += x[i] - sum;
	return isfinite(rest) ? sum + rest / (double)n : sum;
}

double wb_sd(const double *x, size_t n)
{
	double mean = wb_mean(x, n), sum = 0;
	size_t i;

	if (n < 2)
		return NAN;
	for (i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sqrt(sum / (double)(n - 1));
}

/* Below so many values simple insertion is faster. */
#define SORT_MIN 64
#define DIGIT 11		/* bits; six of them make a double */
#define DIGITS 6

/* Bits that sort as the number does: negative ones turned over. */
static uint64_t to_key(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return bits ^ (bits >> 63 ? UINT64_MAX : (uint64_t)1 << 63);
}

static double from_key(uint64_t key)
{
	uint64_t bits = key ^ (key >> 63 ? (uint64_t)1 << 63 : UINT64_MAX);
	double v;

	memcpy(&v, &bits, sizeof(v));
	return v;
}

static void sort_few(double *x, size_t n)
{
	size_t i, k;
	double v;

	for (i = 1; i < n; i++) {
		v = x[i];
		for (k = i; k && x[k - 1] > v; k--)
			x[k] = x[k - 1];
		x[k] = v;
	}
}

/* Digit by digit from the lowest; one that all have in common costs nothing. */
void wb_sort(double *x, size_t n)
{
	size_t (*at)[1 << DIGIT], i, d, sum, here;
	uint64_t *from, *to, *swap;

	if (n < SORT_MIN) {
		sort_few(x, n);
		return;
	}
	at = wb_xcalloc(DIGITS, sizeof(*at));
	from = wb_xcalloc(2 * n, sizeof(*from));
	to = from + n;
	for (i = 0; i < n; i++) {
		from[i] = to_key(x[i]);
		for (d = 0; d < DIGITS; d++)
			at[d][from[i] >> d * DIGIT & ((1 << DIGIT) - 1)]++;
	}
	for (d = 0; d < DIGITS; d++) {
		if (at[d][from[0] >> d * DIGIT & ((1 << DIGIT) - 1)] == n)
			continue;
		for (i = sum = 0; i < 1 << DIGIT; i++) {
			here = at[d][i];
			at[d][i] = sum;
			sum += here;
		}
		for (i = 0; i < n; i++)
			to[at[d][from[i] >> d * DIGIT &
				 ((1 << DIGIT) - 1)]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	for (i = 0; i < n; i++)
		x[i] = from_key(from[i]);
	free(from < to ? from : to);
	free(at);
}

static double median3(double a, double b, double c)
{
	return a < b ? (b < c ? b : a < c ? c : a) :
		       (a < c ? a : b < c ? c : b);
}

double wb_nth(double *x, size_t n, size_t k)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)n - 1, at = (ptrdiff_t)k, i, j;
	double pivot, swap;

	while (low < high) {
		pivot = median3(x[low], x[low + (high - low) / 2], x[high]);
		i = low;
		j = high;
		/* both scans stop at the pivot, so equal values split evenly */
		while (i <= j) {
			while (x[i] < pivot)
				i++;
			while (x[j] > pivot)
				j--;
			if (i > j)
				break;
			swap = x[i];
			x[i++] = x[j];
			x[j--] = swap;
		}
		/* x[low..j] <= pivot <= x[i..high], between are equal ones */
		if (at <= j)
			high = j;
		else if (at >= i)
			low = i;
		else
			break;
	}
	return x[k];
}

double wb_median(double *x, size_t n)
{
	double high, low;
	size_t i;

	if (!n)
		return NAN;
	high = wb_nth(x, n, n / 2);
	if (n % 2)
		return high;
	low = x[0];
	for (i = 1; i < n / 2; i++)
		low = x[i] > low ? x[i] : low;
	return low / 2 + high / 2;
}

bool wb_median_interval(double *x, size_t n, double *low, double *high)
{
	double reach = 0.98 * sqrt((double)n);
	double from = floor((double)n / 2 - reach);
	double to = ceil((double)n / 2 + reach);

	if (n < 6)
		return false;
	*low = wb_nth(x, n, from > 0 ? (size_t)from : 0);
	*high = wb_nth(x, n, to < (double)n ? (size_t)to : n - 1);
	return true;
}

double wb_percentile(double *x, size_t n, double p)
{
	double at = p * (double)(n - 1), low, high;
	size_t k = (size_t)at, i;

	if (!n)
		return NAN;
	low = wb_nth(x, n, k);
	if (k + 1 >= n || at <= (double)k)
		return low;
	high = x[k + 1];
	for (i = k + 2; i < n; i++)
		high = x[i] < high ? x[i] : high;
	return low + (at - (double)k) * (high - low);
}

struct wb_welch wb_welch(const double *x, size_t nx, const double *y, size_t ny)
{
	struct wb_welch w = { NAN, NAN, NAN, NAN, NAN, NAN, NAN };
	struct wb_estimate e = wb_unpaired(x, nx, y, ny, 0);

	w.diff = e.mean;
	if (!(e.se > 0))
		return w;
	w.se = e.se;
	w.df = e.df;
	w.t = e.mean / e.se;
	w.p = wb_estimate_p(&e);
	wb_estimate_interval(&e, 0.95, &w.low, &w.high);
	return w;
}

/*
 * P(W <= w) when all orders of nx and ny values are equally likely: ways[u] is
 * the number of choices of i of the first j ranks with u pairs in the order,
 * built up rank by rank, as in counting partitions.
 */
static double rank_cdf(size_t w, size_t nx, size_t ny)
{
	size_t cells = nx * ny + 1, i, j, u;
	double *ways = wb_xcalloc((nx + 1) * cells, sizeof(*ways));
	double below = 0, all = 0;

	ways[0] = 1;
	for (j = 0; j < nx + ny; j++) {
		/* the value of rank j is the i-th of x: it beats j - i of y */
		for (i = j + 1 < nx ? j + 1 : nx; i > 0; i--) {
			size_t beats = j - (i - 1);

			if (beats > ny)
				break;
			for (u = cells; u-- > beats;)
				ways[i * cells + u] +=
					ways[(i - 1) * cells + u - beats];
		}
	}
	for (u = 0; u < cells; u++) {
		all += ways[nx * cells + u];
		if (u <= w)
			below += ways[nx * cells + u];
	}
	free(ways);
	return below / all;
}

static double rank_p_exact(double w, size_t nx, size_t ny)
{
	double all = (double)nx * (double)ny, p;

	/* both tails alike: W and nx ny - W have one distribution */
	p = rank_cdf((size_t)(w > all / 2 ? all - w : w), nx, ny);
	return 2 * p < 1 ? 2 * p : 1;
}

/* ties: sum of t^3 - t over groups of t equal values */
static double rank_p_normal(double w, double nx, double ny, double ties)
{
	double n = nx + ny, z = w - nx * ny / 2, sigma;

	sigma = sqrt(nx * ny / 12 * (n + 1 - ties / (n * (n - 1))));
	if (!(sigma > 0))
		return NAN;
	z = fabs(z) - (z != 0 ? 0.5 : 0);
	z = 2 * wb_norm_cdf(-z / sigma);
	return z < 1 ? z : 1;
}

static double *sorted(const double *x, size_t n)
{
	double *v = wb_xcalloc(n, sizeof(*v));

	memcpy(v, x, n * sizeof(*v));
	wb_sort(v, n);
	return v;
}

struct wb_mann_whitney wb_mann_whitney(const double *x, size_t nx,
				       const double *y, size_t ny)
{
	struct wb_mann_whitney m = { NAN, NAN, false };
	double *a = sorted(x, nx), *b = sorted(y, ny), v, t;
	double ranks = 0, ties = 0;
	size_t i = 0, j = 0, p, q;

	while (i < nx || j < ny) {
		v = j == ny || (i < nx && a[i] < b[j]) ? a[i] : b[j];
		for (p = i; p < nx && a[p] <= v; p++)
			;
		for (q = j; q < ny && b[q] <= v; q++)
			;
		t = (double)(p - i + q - j);
		ties += t * t * t - t;
		/* ranks i + j + 1 .. p + q, of which each gets the mean */
		ranks += (double)(p - i) * ((double)(i + j + 1 + p + q) / 2);
		i = p;
		j = q;
	}
	free(a);
	free(b);
	if (!nx || !ny)
		return m;
	m.w = ranks - (double)nx * (double)(nx + 1) / 2;
	m.exact = nx < EXACT_RANKS && ny < EXACT_RANKS && !(ties > 0);
	m.p = m.exact ? rank_p_exact(m.w, nx, ny) :
		rank_p_normal(m.w, (double)nx, (double)ny, ties);
	return m;
}

struct at_place {
	double p;
	size_t i;
};

static int by_p(const void *a, const void *b)
{
	double x = ((const struct at_place *)a)->p;
	double y = ((const struct at_place *)b)->p;

	return x < y ? -1 : x > y;
}

void wb_holm(double *p, size_t n)
{
	struct at_place *v = wb_xcalloc(n, sizeof(*v));
	double adjusted, most = 0;
	size_t i, m = 0;

	for (i = 0; i < n; i++)
		if (!isnan(p[i]))
			v[m++] = (struct at_place){ p[i], i };
	qsort(v, m, sizeof(*v), by_p);
	for (i = 0; i < m; i++) {
		adjusted = v[i].p * (double)(m - i);
		most = adjusted > most ? adjusted : most;
		p[v[i].i] = most < 1 ? most : 1;
	}
	free(v);
}
