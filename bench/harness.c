/*
 * Clock, minimum, sample lines, callgrind and qemu.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif
#ifndef CALLGRIND_TOGGLE_COLLECT
#define RUNNING_ON_VALGRIND 0
#define CALLGRIND_START_INSTRUMENTATION do { } while (0)
#define CALLGRIND_STOP_INSTRUMENTATION do { } while (0)
#define CALLGRIND_ZERO_STATS do { } while (0)
#define CALLGRIND_TOGGLE_COLLECT do { } while (0)
#define CALLGRIND_DUMP_STATS_AT(name) do { } while (0)
#endif

#define CALIBRATE_NS	2e6
#define CALIBRATE_RUNS	3
#define OVERHEAD_READS	2000

static double monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e9 + ts.tv_nsec;
}

/* A run that was interrupted between its two reads shows too long a tick. */
static double calibrate_once(void)
{
	double start = monotonic_ns();
	uint64_t ticks = bench_ticks();
	double now;

	do {
		now = monotonic_ns();
	} while (now - start < CALIBRATE_NS);
	return (now - start) / (double)(bench_ticks() - ticks);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void bench_clock_init(struct bench_clock *clock)
{
	double run[CALIBRATE_RUNS];
	struct bench_min min = { 0 };

	for (int i = 0; i < CALIBRATE_RUNS; i++)
		run[i] = calibrate_once();
	qsort(run, CALIBRATE_RUNS, sizeof(run[0]), by_value);
	clock->ns_per_tick = run[CALIBRATE_RUNS / 2];

	for (int i = 0; i < OVERHEAD_READS; i++) {
		uint64_t start = bench_ticks();

		bench_min_add(&min, bench_ticks() - start);
	}
	clock->overhead = min.value;
}

void bench_min_add(struct bench_min *min, double value)
{
	if (!min->n++ || value < min->value)
		min->value = value;
}

void bench_print(const struct bench_metric *m, const struct bench_min *min)
{
	if (!min->n)
		return;
	printf("{\"bench\":\"%s\",\"metric\":\"%s\",\"unit\":\"%s\","
	       "\"better\":\"lower\",\"value\":%.6g,\"iter\":%lu%s}\n",
	       m->bench, m->metric, m->unit, min->value, min->n,
	       m->exact ? ",\"exact\":true" : "");
}

bool bench_wanted(const char *glob, const char *metric)
{
	return !glob || !fnmatch(glob, metric, 0);
}

bool bench_counting(void)
{
	const char *count = getenv("WB_COUNT");

	return count && !strcmp(count, "1");
}

__attribute__((noinline)) void wb_region_begin(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) void wb_region_end(void)
{
	__asm__ volatile("");
}

static bool in_qemu(void)
{
	const char *counter = getenv("WB_COUNTER");

	return counter && !strcmp(counter, "qemu");
}

bool bench_count_possible(void)
{
	return in_qemu() || RUNNING_ON_VALGRIND;
}

void bench_count_start(void)
{
	CALLGRIND_START_INSTRUMENTATION;
}

void bench_count_stop(void)
{
	CALLGRIND_STOP_INSTRUMENTATION;
}

void bench_count_begin(void)
{
	CALLGRIND_ZERO_STATS;
	wb_region_begin();
	CALLGRIND_TOGGLE_COLLECT;
}

void bench_count_end(const struct bench_metric *m, unsigned long n)
{
	CALLGRIND_TOGGLE_COLLECT;
	wb_region_end();
	CALLGRIND_DUMP_STATS_AT(m->metric);
	printf("{\"bench\":\"%s\",\"metric\":\"%s\",\"unit\":\"%s\","
	       "\"better\":\"lower\",\"per\":%lu}\n",
	       m->bench, m->metric, m->unit, n);
}

void bench_random_init(struct bench_random *r)
{
	const char *seed = getenv("WB_SEED");

	r->state = seed ? strtoull(seed, NULL, 10) : 1;
}

/* A counter, scrambled: any seed is as good as any other. */
unsigned long bench_random_below(struct bench_random *r, unsigned long n)
{
	uint64_t x = r->state += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return (x ^ (x >> 31)) % n;
}

static unsigned long number(const struct bench_option *o, const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end != text && !*end && value >= o->min && value <= o->max)
		return value;
	fprintf(stderr, "-%c: '%s' is not a number from %lu to %lu\n",
		o->letter, text, o->min, o->max);
	exit(2);
}

static void set_option(const struct bench_option *o, const char *text)
{
	if (o->number)
		*o->number = number(o, text);
	else if (o->text)
		*o->text = text;
	else
		*o->flag = true;
}

void bench_options(int argc, char **argv, const struct bench_option *options,
		   const char *usage)
{
	char letters[128] = "h", *p = letters + 1;
	const struct bench_option *o;
	int c;

	for (o = options; o->letter; o++) {
		*p++ = o->letter;
		if (!o->flag)
			*p++ = ':';
	}
	while ((c = getopt(argc, argv, letters)) != -1) {
		for (o = options; o->letter && o->letter != c; o++)
			;
		if (o->letter) {
			set_option(o, optarg);
			continue;
		}
		fputs(usage, c == 'h' ? stdout : stderr);
		exit(c == 'h' ? 0 : 2);
	}
	if (optind < argc) {
		fputs(usage, stderr);
		exit(2);
	}
}

/* More than any arena here; what is reserved and not touched costs nothing. */
#define LOCK_PROBE ((size_t)1 << 30)

void bench_lock(void)
{
	void *p;

	/* as it is touched, for arenas are reserved larger than they get */
	if (bench_counting() ||
	    mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) < 0)
		return;
	/* under a limit no more could be mapped from now on */
	p = mmap(NULL, LOCK_PROBE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		munlockall();
	else
		munmap(p, LOCK_PROBE);
}

void bench_die(const char *why)
{
	fprintf(stderr, "%s\n", why);
	exit(1);
}
