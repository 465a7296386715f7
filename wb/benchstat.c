#include "benchstat.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TAIL 0.025

/* The largest l with P(B(n, 1/2) < l) <= TAIL; 0: there is none. */
static size_t rank_of(size_t n)
{
	double sum = 0, log_half = (double)n * log(0.5);
	size_t l = 0;

	/* P(B = l), which underflows for no n that matters at its tail */
	while (l < n) {
		sum += exp(log_half + lgamma((double)n + 1) -
			   lgamma((double)l + 1) - lgamma((double)(n - l) + 1));
		if (sum > TAIL)
			break;
		l++;
	}
	return l;
}

struct wb_bs_cell wb_bs_cell(double *v, size_t n)
{
	struct wb_bs_cell c = { .median = NAN, .spread = NAN, .n = n };
	size_t l = rank_of(n);
	double low, high;

	if (!n)
		return c;
	wb_sort(v, n);
	c.median = n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
	c.equal = v[0] == v[n - 1];
	low = c.median - v[l ? l - 1 : 0];
	high = v[l ? n - l : n - 1] - c.median;
	c.spread = l ? 100 * (low > high ? low : high) / fabs(c.median) :
		   INFINITY;
	return c;
}

void wb_bs_unit(const char *unit, double *factor, const char **name)
{
	static const struct {
		const char *unit;
		double factor;
		const char *name;
	} units[] = {
		{ "ns", 1e-9, "sec" }, { "us", 1e-6, "sec" },
		{ "ms", 1e-3, "sec" }, { "s", 1, "sec" },
		{ "sec", 1, "sec" }, { "seconds", 1, "sec" },
		{ "B", 1, "B" }, { "bytes", 1, "B" },
		{ "kB", 1e3, "B" }, { "KiB", 1024, "B" },
		{ "MB", 1e6, "B" }, { "MiB", 1048576, "B" },
		{ "MB/s", 1e6, "B/s" },
	};
	size_t i;

	*factor = 1;
	*name = unit;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(unit, units[i].unit))
			continue;
		*factor = units[i].factor;
		*name = units[i].name;
	}
}

void wb_bs_add_scaled(struct wb_buf *out, double v, double like)
{
	static const struct {
		double step;
		const char *prefix;
	} prefixes[] = {
		{ 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" },
		{ 1, "" }, { 1e-3, "m" }, { 1e-6, "u" }, { 1e-9, "n" },
	};
	size_t i, n = sizeof(prefixes) / sizeof(prefixes[0]);
	double scaled, size = fabs(like);
	int decimals;

	/* half of the last digit, so that 999.96 is 1.000k */
	for (i = 0; i < n - 1 && size < prefixes[i].step * 0.99995; i++)
		;
	if (size == 0 || !isfinite(size))
		i = 4;
	scaled = v / prefixes[i].step;
	size = size / prefixes[i].step;
	decimals = size < 9.9995 ? 3 : size < 99.995 ? 2 :
		   size < 999.95 ? 1 : 0;
	wb_buf_addf(out, "%.*f%s", decimals, scaled, prefixes[i].prefix);
}
