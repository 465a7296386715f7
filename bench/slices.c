/*
 * Questions on stdin, slices on stdout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slices.h"

#define PARTS		8
#define MAX_LINE	256
#define FIRST_GUESS_NS	40.0	/* of an operation; the warm-up corrects it */

/* What is known of a metric's rounds, to fit them into a part. */
struct pace {
	double wall_ns;		/* of one round, its untimed part included */
};

bool bench_slices_wanted(void)
{
	return getenv("WB_SLICE_US") != NULL;
}

static double slice_ns(void)
{
	const char *text = getenv("WB_SLICE_US");
	double us = text ? strtod(text, NULL) : 0;

	return us >= 10 && us <= 1e6 ? us * 1e3 : 500e3;
}

/*
 * Rounds for about ns nanoseconds, and the time of an operation. The number of
 * rounds goes by the whole time they take, but what is told is the timed part.
 */
static double part(const struct bench_slices *s, const struct bench_sliced *m,
		   struct pace *pace, const struct bench_clock *clock,
		   double ns)
{
	double fit = ns / pace->wall_ns;
	unsigned long rounds = fit > 1 ? fit : 1;
	uint64_t start = bench_ticks();
	double ticks = s->time(s->arg, m, rounds);
	double wall = (bench_ticks() - start) * clock->ns_per_tick / rounds;

	/* an interrupted part must not shrink those to come by much */
	if (wall > 2 * pace->wall_ns)
		wall = 2 * pace->wall_ns;
	pace->wall_ns = wall;
	return ticks * clock->ns_per_tick / ((double)rounds * m->ops);
}

static void warm_up(const struct bench_slices *s, const struct bench_sliced *m,
		    struct pace *pace, const struct bench_clock *clock,
		    double ns)
{
	uint64_t start = bench_ticks();
	double left = ns;

	if (s->begin)
		s->begin(s->arg, m);
	/* in steps, for the first guess may be far off */
	do {
		part(s, m, pace, clock, left / 4);
		left = ns - (bench_ticks() - start) * clock->ns_per_tick;
	} while (left > ns / 8);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void print_slice(const struct bench_slices *s,
			const struct bench_sliced *m, const double *parts)
{
	double sorted[PARTS];

	memcpy(sorted, parts, sizeof(sorted));
	qsort(sorted, PARTS, sizeof(sorted[0]), by_value);
	printf("{\"bench\":\"%s\",\"metric\":\"%s\",\"unit\":\"%s\","
	       "\"better\":\"lower\",\"value\":%.7g,\"parts\":[",
	       s->bench, m->name, s->unit,
	       (sorted[PARTS / 2 - 1] + sorted[PARTS / 2]) / 2);
	for (int i = 0; i < PARTS; i++)
		printf("%s%.7g", i ? "," : "", parts[i]);
	printf("]}\n");
}

static void run_slice(const struct bench_slices *s,
		      const struct bench_clock *clock, struct pace *pace,
		      const char *name)
{
	double ns = slice_ns(), parts[PARTS];
	const struct bench_sliced *m;
	unsigned long i;

	for (i = 0; i < s->nr_metrics; i++)
		if (!strcmp(s->metric[i].name, name))
			break;
	if (i == s->nr_metrics)
		bench_die("asked for a metric that is not in the list");
	m = &s->metric[i];
	warm_up(s, m, &pace[i], clock, ns / 5);
	for (int p = 0; p < PARTS; p++)
		parts[p] = part(s, m, &pace[i], clock, ns / 5 * 4 / PARTS);
	print_slice(s, m, parts);
}

static void print_list(const struct bench_slices *s)
{
	printf("{\"metrics\":[");
	for (unsigned long i = 0; i < s->nr_metrics; i++)
		printf("%s\"%s\"", i ? "," : "", s->metric[i].name);
	printf("]}\n");
}

void bench_slices_serve(const struct bench_slices *s,
			const struct bench_clock *clock)
{
	struct pace *pace = calloc(s->nr_metrics + 1, sizeof(*pace));
	char line[MAX_LINE], name[MAX_LINE];

	if (!pace)
		bench_die("out of memory");
	for (unsigned long i = 0; i < s->nr_metrics; i++)
		pace[i].wall_ns = FIRST_GUESS_NS * s->metric[i].ops;
	while (fgets(line, sizeof(line), stdin) && strcmp(line, "quit\n")) {
		if (!strcmp(line, "list\n"))
			print_list(s);
		else if (sscanf(line, "run %255s", name) == 1)
			run_slice(s, clock, pace, name);
		else
			bench_die("stdin: not list, run METRIC SEED or quit");
		fflush(stdout);
	}
	free(pace);
}
