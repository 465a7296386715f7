/*
 * A whole bench that answers in slices: the cost of one step of a generator.
 * COST (1.0 unless set) makes it work so much more, for tests that plant a
 * change.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile uint64_t sink;

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Works for about us microseconds; nanoseconds for 100 steps. */
static double part(double us, double cost)
{
	long chunks = us < 1 ? 1 : (long)(us / 1.0), i, j;
	uint64_t x = sink;
	double start = now_us();

	for (i = 0; i < chunks; i++)
		for (j = 0; j < (long)(400 * cost); j++)
			x = x * 6364136223846793005u + 1442695040888963407u;
	sink = x;
	return (now_us() - start) * 1e3 / (double)(chunks * 4);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	const char *us = getenv("WB_SLICE_US"), *c = getenv("COST");
	double slice = us ? atof(us) : 500, cost = c ? atof(c) : 1, v[8], s[8];
	char line[256], metric[200];
	int i;

	while (fgets(line, sizeof(line), stdin) && strcmp(line, "quit\n")) {
		if (!strcmp(line, "list\n")) {
			puts("{\"metrics\":[\"spin\"]}");
		} else if (sscanf(line, "run %199s", metric) == 1) {
			part(slice / 5, cost);
			for (i = 0; i < 8; i++)
				v[i] = s[i] = part(slice / 10, cost);
			qsort(s, 8, sizeof(*s), by_value);
			printf("{\"metric\":\"%s\",\"unit\":\"ns\",\"better\":"
			       "\"lower\",\"value\":%.7g,\"parts\":[", metric,
			       (s[3] + s[4]) / 2);
			for (i = 0; i < 8; i++)
				printf("%s%.7g", i ? "," : "", v[i]);
			puts("]}");
		}
		fflush(stdout);
	}
	return 0;
}
