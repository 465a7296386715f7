/*
 * One pair of calls, "a page of 4096 bytes, please" and "here it is back", by
 * how many are out at once and in which order they go back. The same program
 * is linked with the core (-DPEER_CORE), with a list of the thread's own
 * (-DPEER_LIST), asks malloc, whichever that is, or only counts (-DPEER_COUNT):
 * what two threads of that do is what the machine has for two threads.
 *
 *	alloc-peers times		prints "LIFO|FIFO B NS" for B by powers of 2
 *	alloc-peers pairs N		N pairs with B=1, to have them counted
 *	alloc-peers threads N		prints the pairs a second of N threads
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "throughput.h"

#define MAX_BATCH	16384
#define SLICES		12
#define SLICE_NS	100e3
#define POINT_NS	60e6	/* no more slices after that */
#define ARENA_PAGES	(256ul << 8)

#if defined(PEER_CORE)
#include "pagealloc.h"
static struct pa *pa;
#define GET()	((void *)pa_alloc_pages(pa, PA_GFP_KERNEL, 0))
#define PUT(p)	pa_free_pages(pa, p, 0)
#elif defined(PEER_LIST)
struct block {
	struct block *next;
};
/* Threads begin with a block of a cache line of their own. */
#define LINE_BLOCKS	(64 / sizeof(struct block))
static struct block all_blocks[MAX_BATCH];
static _Thread_local struct block *list;
static __attribute__((noinline)) void *list_get(void)
{
	struct block *b = list;

	if (b)
		list = b->next;
	return b;
}
static __attribute__((noinline)) void list_put(struct block *b)
{
	b->next = list;
	list = b;
}
#define GET()	list_get()
#define PUT(p)	list_put(p)
#elif defined(PEER_COUNT)
static __attribute__((noinline)) void *count_down(unsigned long n)
{
	static char something;

	while (n) {
		__asm__ volatile("" : "+r"(n));
		n--;
	}
	return &something;
}
#define GET()	count_down(10)
#define PUT(p)	((void)(p))
#else
/* not known to the compiler, so that it removes no pair */
static void *(*volatile get)(size_t) = malloc;
static void (*volatile put)(void *) = free;
#define GET()	get(4096)
#define PUT(p)	put(p)
#endif

static void *blocks[MAX_BATCH];

static void pairs(unsigned long n)
{
	while (n--) {
		void *p = GET();

		if (__builtin_expect(!p, 0))
			bench_die("alloc-peers: out of memory");
		PUT(p);
	}
}

static void rounds(unsigned long batch, bool fifo, unsigned long n)
{
	if (batch == 1) {
		pairs(n);
		return;
	}
	while (n--) {
		for (unsigned long i = 0; i < batch; i++) {
			blocks[i] = GET();
			if (__builtin_expect(!blocks[i], 0))
				bench_die("alloc-peers: out of memory");
		}
		if (fifo) {
			for (unsigned long i = 0; i < batch; i++)
				PUT(blocks[i]);
		} else {
			for (unsigned long i = batch; i-- > 0;)
				PUT(blocks[i]);
		}
	}
}

static double point(const struct bench_clock *clock, unsigned long batch,
		    bool fifo)
{
	struct bench_min min = { 0 };
	double guess = 40, spent = 0;

	rounds(batch, fifo, 1);
	for (int i = 0; i < SLICES && spent < POINT_NS; i++) {
		unsigned long n = 1 + SLICE_NS / (guess * batch);
		uint64_t start = bench_ticks();
		double ns;

		rounds(batch, fifo, n);
		ns = (bench_ticks() - start - clock->overhead) *
		     clock->ns_per_tick;
		spent += ns;
		guess = ns / ((double)n * batch);
		bench_min_add(&min, guess);
	}
	return min.value;
}

static void times(void)
{
	struct bench_clock clock;

	bench_clock_init(&clock);
	for (unsigned long batch = 1; batch <= MAX_BATCH; batch *= 2) {
		printf("LIFO %lu %.4f\n", batch, point(&clock, batch, false));
		printf("FIFO %lu %.4f\n", batch, point(&clock, batch, true));
	}
}

static void start(void *arg, unsigned int worker)
{
	(void)arg;
	(void)worker;
#ifdef PEER_LIST
	list_put(&all_blocks[worker * LINE_BLOCKS]);
#endif
}

static unsigned long work(void *arg, unsigned int worker)
{
	(void)arg;
	(void)worker;
	pairs(1000);
	return 1000;
}

static void threads(unsigned int n)
{
	struct bench_load load = { .workers = n, .windows = 400,
				   .window_us = 1000, .start = start,
				   .work = work, .may_fault = true };
	struct bench_rate rate;

	bench_throughput(&load, &rate);
	if (rate.windows)
		printf("%.0f\n", rate.per_second);
	else
		printf("-\n");
}

/* Under valgrind there is no rseq, and asking for the CPU is a call. */
static void count(unsigned long n)
{
#ifdef PEER_CORE
	pa_set_cpu(0);
#endif
	pairs(n);
}

int main(int argc, char **argv)
{
#if defined(PEER_CORE)
	struct pa_config config = { .node_pages = ARENA_PAGES };

	if (pa_open(&config, &pa) < 0)
		bench_die("alloc-peers: no memory for the arena");
#elif defined(PEER_LIST)
	for (int i = MAX_BATCH; i-- > 0;)
		list_put(&all_blocks[i]);
#endif
	if (argc == 2 && !strcmp(argv[1], "times"))
		times();
	else if (argc == 3 && !strcmp(argv[1], "pairs"))
		count(strtoul(argv[2], NULL, 0));
	else if (argc == 3 && !strcmp(argv[1], "threads"))
		threads(strtoul(argv[2], NULL, 0));
	else
		return 2;
	return 0;
}
