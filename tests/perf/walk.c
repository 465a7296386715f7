/*
 * A bench with a planted truth: walks a ring of cache lines in random order.
 * A unit is 4000 * COST steps, COST being in the environment (1 unless set).
 *
 *	walk		serves slices (wb-file(5)), ns a unit
 *	walk empty	answers at once with made-up numbers
 *	walk UNITS	does so many units and ends, for readers that time
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LINES 1024		/* 64 KiB */
#define STEPS 4000

struct line {
	struct line *next;
	char pad[64 - sizeof(void *)];
};

static _Alignas(64) struct line ring[LINES];
static struct line *volatile here;
static long steps;

static void make_ring(void)
{
	uint64_t x = 88172645463325252u;
	int order[LINES], i, j, t;

	for (i = 0; i < LINES; i++)
		order[i] = i;
	for (i = LINES - 1; i > 0; i--) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		j = (int)(x % (uint64_t)(i + 1));
		t = order[i];
		order[i] = order[j];
		order[j] = t;
	}
	for (i = 0; i < LINES; i++)
		ring[order[i]].next = &ring[order[(i + 1) % LINES]];
	here = ring;
}

static void walk(long units)
{
	struct line *p = here;
	long i;

	while (units--)
		for (i = 0; i < steps; i++)
			p = p->next;
	here = p;
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Units for about us microseconds; ns a unit. */
static double part(double us)
{
	static double unit_ns = 5000;
	long units = (long)(us * 1e3 / unit_ns);
	double start = now_ns(), ns;

	units = units < 1 ? 1 : units;
	walk(units);
	ns = (now_ns() - start) / (double)units;
	unit_ns = ns < 2 * unit_ns ? ns : 2 * unit_ns;
	return ns;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void slice(const char *metric, double us, bool empty)
{
	double v[8], s[8];
	int i;

	for (i = 0; i < 2 && !empty; i++)
		part(us / 10);
	for (i = 0; i < 8; i++)
		v[i] = s[i] = empty ? 5 : part(us / 10);
	qsort(s, 8, sizeof(*s), by_value);
	printf("{\"metric\":\"%s\",\"unit\":\"ns\",\"better\":\"lower\","
	       "\"value\":%.8g,\"parts\":[", metric, (s[3] + s[4]) / 2);
	for (i = 0; i < 8; i++)
		printf("%s%.8g", i ? "," : "", v[i]);
	puts("]}");
}

int main(int argc, char **argv)
{
	const char *us = getenv("WB_SLICE_US"), *cost = getenv("COST");
	bool empty = argc > 1 && !strcmp(argv[1], "empty");
	char line[256], metric[200];

	steps = (long)(STEPS * (cost ? strtod(cost, NULL) : 1) + 0.5);
	make_ring();
	if (argc > 1 && !empty) {
		walk(strtol(argv[1], NULL, 10));
		return 0;
	}
	while (fgets(line, sizeof(line), stdin) && strcmp(line, "quit\n")) {
		if (!strcmp(line, "list\n"))
			puts("{\"metrics\":[\"walk\"]}");
		else if (sscanf(line, "run %199s", metric) == 1)
			slice(metric, us ? strtod(us, NULL) : 500, empty);
		fflush(stdout);
	}
	return 0;
}
