#include "figure.h"

#include <math.h>
#include <stdio.h>

bool figure(const char *what, double got, int n, double low, double high)
{
	double chance = 258 * sqrt(0.05 * 0.95 / n);
	bool good = got >= low && got <= high;
	bool near = got >= low - chance && got <= high + chance;

	printf("  %-46s %7.2f %%  target %g to %g (n %d)%s", what, got, low,
	       high, n, good ? "" : near ? "" : "  MISSED");
	if (!good && near)
		printf("  off by %.2f, chance is +-%.2f",
		       got < low ? low - got : got - high, chance);
	putchar('\n');
	return !near;
}

bool count_figure(const char *what, double got, double low, double high)
{
	bool good = got >= low && got <= high;

	printf("  %-46s %7.2f    target %g to %g%s\n", what, got, low, high,
	       good ? "" : "  MISSED");
	return !good;
}
