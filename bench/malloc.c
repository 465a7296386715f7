/*
 * Loads on malloc, whichever the program runs with: the system's, or another
 * one under LD_PRELOAD, such as libpagemalloc.so.
 *
 *	larson	each thread replaces objects of random sizes in slots that
 *		it shares with the others, as the sessions of a server come
 *		and go: half of what it frees was allocated elsewhere
 *	batch	a thread allocates a hundred objects and frees them in order
 *	resize	objects grow from 16 bytes to 32 KiB by half of their size
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "throughput.h"

#define SLOTS		4096
#define MAX_SIZE	512
#define BATCH		100
#define LARGEST		32768

static const char usage[] =
"usage: malloc [options]\n"
"  -t N     threads 1, 2, 4 .. N, at most 32              [2]\n"
"  -w N     windows of 1 ms for each metric               [300]\n"
"  -m GLOB  only the metrics that match\n"
"  -h       this text\n"
"\n"
"Prints larson-N, batch-N and resize-N in operations/s by threads, higher is\n"
"better: the median of those windows in which no thread was taken off its\n"
"CPU; then peak-rss in MiB. The system's page faults are part of it.\n";

struct run {
	unsigned long max_threads, windows;
	const char *glob;
	void *slot[SLOTS];
	struct bench_random random[BENCH_MAX_WORKERS];
};

/* Not known to the compiler, so that it removes nothing. */
static void *(*volatile get)(size_t) = malloc;
static void *(*volatile resize)(void *, size_t) = realloc;

static void *get_written(size_t size)
{
	char *p = get(size);

	if (!p)
		bench_die("malloc: out of memory");
	p[0] = p[size - 1] = 1;
	return p;
}

static unsigned long larson(void *arg, unsigned int number)
{
	struct run *r = arg;
	struct bench_random *random = &r->random[number];

	for (int i = 0; i < 100; i++) {
		void *p = get_written(1 + bench_random_below(random,
							     MAX_SIZE));

		free(__atomic_exchange_n(
			&r->slot[bench_random_below(random, SLOTS)], p,
			__ATOMIC_ACQ_REL));
	}
	return 100;
}

static unsigned long batch(void *arg, unsigned int number)
{
	struct run *r = arg;
	void *p[BATCH];

	for (int i = 0; i < BATCH; i++)
		p[i] = get_written(1 + bench_random_below(&r->random[number],
							  MAX_SIZE));
	for (int i = 0; i < BATCH; i++)
		free(p[i]);
	return BATCH;
}

static unsigned long grow(void *arg, unsigned int number)
{
	void *p = NULL;
	unsigned long n = 0;

	(void)arg;
	(void)number;
	for (size_t size = 16; size <= LARGEST; size += size / 2) {
		p = resize(p, size);
		if (!p)
			bench_die("malloc: out of memory");
		((char *)p)[size - 1] = 1;
		n++;
	}
	free(p);
	return n;
}

static void measure(struct run *r, const char *what, unsigned int threads,
		    unsigned long (*work)(void *arg, unsigned int worker))
{
	struct bench_load load = { .workers = threads, .windows = r->windows,
				   .window_us = 1000, .may_fault = true,
				   .work = work, .arg = r };
	char name[64];
	struct bench_metric m = { "malloc", name, "ops/s", false };
	struct bench_rate rate;

	snprintf(name, sizeof(name), "%s-%u", what, threads);
	if (!bench_wanted(r->glob, name))
		return;
	bench_throughput(&load, &rate);
	bench_print_rate(&m, &rate, 1);
}

static void print_rss(const struct run *r)
{
	struct bench_metric m = { "malloc", "peak-rss", "MiB", false };
	struct bench_min min = { 0 };
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	bench_min_add(&min, used.ru_maxrss / 1024.0);
	if (bench_wanted(r->glob, m.metric))
		bench_print(&m, &min);
}

int main(int argc, char **argv)
{
	static struct run r = { .max_threads = 2, .windows = 300 };
	const struct bench_option options[] = {
		{ 't', &r.max_threads, 1, 32, NULL, NULL },
		{ 'w', &r.windows, 3, 4000, NULL, NULL },
		{ 'm', NULL, 0, 0, &r.glob, NULL },
		{ 0, NULL, 0, 0, NULL, NULL },
	};

	bench_options(argc, argv, options, usage);
	bench_lock();
	for (unsigned int i = 0; i < BENCH_MAX_WORKERS; i++)
		r.random[i].state = i;
	for (unsigned int n = 1; n <= r.max_threads; n *= 2) {
		measure(&r, "larson", n, larson);
		measure(&r, "batch", n, batch);
		measure(&r, "resize", n, grow);
	}
	print_rss(&r);
	return 0;
}
