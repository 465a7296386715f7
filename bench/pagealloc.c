/*
 * Allocating and freeing batches of blocks: the cost of one block, by order and
 * by how many are taken before the first goes back.
 *
 * alloc-odrO-B and free-odrO-B time the two halves of a round apart, less the
 * cost of the clock. total-odrO-B times whole slices of rounds, so that no
 * clock is read in between; it can differ from the sum of the halves. A round
 * is exactly B allocations and B frees.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "pagealloc.h"
#include "slices.h"

#define MAX_BATCH	16384
#define SLICE_NS	100e3
#define SLICED_PAGES	2048	/* a batch, at most, of the small arena */
#define FIRST_GUESS_NS	40.0	/* of one block; only for the first slice */

static const char usage[] =
"usage: pagealloc [options]\n"
"  -o N     orders 0..N, at most 10                       [4]\n"
"  -b N     largest batch; a batch holds at most 16384 pages [16384]\n"
"  -a MIB   size of the arena                             [96]\n"
"  -p N     passes over all points, in random order       [5]\n"
"  -s N     slices of a point in each pass                [4]\n"
"  -m GLOB  only the metrics that match\n"
"  -y       also time a thread-local list, the yardstick: tls-list-B\n"
"  -h       this text\n"
"\n"
"Prints one sample line a metric: the smallest time per block in ns over all\n"
"slices. WB_SEED seeds the order of the points. With WB_COUNT=1 under\n"
"callgrind it counts instructions per pair of calls instead. Built with\n"
"PA_STATS=1 it prints events per pair, and no times.\n";

struct options {
	unsigned long max_order, max_batch;
	unsigned long arena_mib;
	unsigned long passes, slices;
	const char *glob;
	bool yardstick;
};

struct point {
	unsigned int order;
	unsigned long batch;
	double guess_ns;	/* of an allocation and a free */
	struct bench_min alloc, free, total;
};

struct run {
	struct options opt;
	struct bench_clock clock;
	struct bench_random random;
	struct pa *pa;
	struct page *pages[MAX_BATCH];
	struct point *points;
	unsigned long nr_points;
};

static void alloc_batch(struct run *r, unsigned int order, unsigned long batch)
{
	for (unsigned long i = 0; i < batch; i++) {
		r->pages[i] = pa_alloc_pages(r->pa, PA_GFP_KERNEL, order);
		if (__builtin_expect(!r->pages[i], 0))
			bench_die("pagealloc: the arena is too small");
	}
}

static void free_batch(struct run *r, unsigned int order, unsigned long batch)
{
	for (unsigned long i = 0; i < batch; i++)
		pa_free_pages(r->pa, r->pages[i], order);
}

/* Rounds of one block, without the loops over a batch. */
static void pairs(struct run *r, unsigned int order, unsigned long n)
{
	while (n--) {
		struct page *page = pa_alloc_pages(r->pa, PA_GFP_KERNEL, order);

		if (__builtin_expect(!page, 0))
			bench_die("pagealloc: the arena is too small");
		pa_free_pages(r->pa, page, order);
	}
}

static void rounds(struct run *r, unsigned int order, unsigned long batch,
		   unsigned long n)
{
	if (batch == 1) {
		pairs(r, order, n);
		return;
	}
	while (n--) {
		alloc_batch(r, order, batch);
		free_batch(r, order, batch);
	}
}

static unsigned long rounds_of_slice(const struct point *p)
{
	double n = SLICE_NS / (p->guess_ns * p->batch);

	return n > 1 ? n : 1;
}

static double per_block(const struct run *r, const struct point *p,
			double ticks, unsigned long n)
{
	return ticks * r->clock.ns_per_tick / ((double)n * p->batch);
}

static void slice_total(struct run *r, struct point *p)
{
	unsigned long n = rounds_of_slice(p);
	uint64_t start = bench_ticks();

	rounds(r, p->order, p->batch, n);
	bench_min_add(&p->total, per_block(r, p, bench_ticks() - start -
					   r->clock.overhead, n));
	p->guess_ns = p->total.value;
}

struct halves {
	double alloc, free;	/* ticks, less those of the clock */
};

static struct halves time_halves(struct run *r, const struct point *p,
				 unsigned long n)
{
	struct halves h = { -(double)n * r->clock.overhead,
			    -(double)n * r->clock.overhead };

	for (unsigned long i = 0; i < n; i++) {
		uint64_t start, middle;

		start = bench_ticks();
		alloc_batch(r, p->order, p->batch);
		middle = bench_ticks();
		free_batch(r, p->order, p->batch);
		h.free += bench_ticks() - middle;
		h.alloc += middle - start;
	}
	return h;
}

static void slice_halves(struct run *r, struct point *p)
{
	unsigned long n = rounds_of_slice(p);
	struct halves h = time_halves(r, p, n);

	bench_min_add(&p->alloc, per_block(r, p, h.alloc, n));
	bench_min_add(&p->free, per_block(r, p, h.free, n));
}

static void metric_name(char *name, size_t size, const char *half,
			const struct point *p)
{
	snprintf(name, size, "%s-odr%u-%lu", half, p->order, p->batch);
}

static bool half_wanted(const struct run *r, const struct point *p,
			const char *half)
{
	char name[64];

	metric_name(name, sizeof(name), half, p);
	return bench_wanted(r->opt.glob, name);
}

/*
 * Each visit begins with empty per-CPU lists: what other points left there
 * would count towards their limit, and the order of visits would show.
 */
static void warm_up(struct run *r, unsigned int order, unsigned long batch)
{
	pa_drain_all(r->pa);
	rounds(r, order, batch, 4);
}

static void measure_point(struct run *r, struct point *p)
{
	bool halves = half_wanted(r, p, "alloc") || half_wanted(r, p, "free");
	bool total = half_wanted(r, p, "total");

	if (halves || total)
		warm_up(r, p->order, p->batch);
	for (unsigned long i = 0; i < r->opt.slices; i++) {
		if (total)
			slice_total(r, p);
		if (halves)
			slice_halves(r, p);
	}
}

static void shuffle(struct run *r, struct point **order)
{
	for (unsigned long i = r->nr_points; i > 1; i--) {
		unsigned long j = bench_random_below(&r->random, i);
		struct point *swap = order[i - 1];

		order[i - 1] = order[j];
		order[j] = swap;
	}
}

static void measure(struct run *r)
{
	struct point **order = calloc(r->nr_points, sizeof(*order));

	if (!order)
		bench_die("pagealloc: out of memory");
	for (unsigned long i = 0; i < r->nr_points; i++)
		order[i] = &r->points[i];
	for (unsigned long pass = 0; pass < r->opt.passes; pass++) {
		shuffle(r, order);
		for (unsigned long i = 0; i < r->nr_points; i++)
			measure_point(r, order[i]);
	}
	free(order);
}

static void print_half(const struct run *r, const struct point *p,
		       const char *half, const struct bench_min *min)
{
	char name[64];
	struct bench_metric m = { "pagealloc", name, "ns", false };

	metric_name(name, sizeof(name), half, p);
	if (bench_wanted(r->opt.glob, name))
		bench_print(&m, min);
}

static void print_all(const struct run *r)
{
	for (unsigned long i = 0; i < r->nr_points; i++) {
		const struct point *p = &r->points[i];

		print_half(r, p, "alloc", &p->alloc);
		print_half(r, p, "free", &p->free);
		print_half(r, p, "total", &p->total);
	}
}

static void make_points(struct run *r, unsigned long max_pages)
{
	unsigned long n = 0;

	/* 15 batch sizes an order at most */
	r->points = calloc((r->opt.max_order + 1) * 15, sizeof(*r->points));
	if (!r->points)
		bench_die("pagealloc: out of memory");
	for (unsigned int order = 0; order <= r->opt.max_order; order++) {
		for (unsigned long batch = 1;
		     batch <= r->opt.max_batch && batch << order <= max_pages;
		     batch *= 2) {
			r->points[n].order = order;
			r->points[n].batch = batch;
			r->points[n++].guess_ns = FIRST_GUESS_NS;
		}
	}
	r->nr_points = n;
}

enum half { ALLOC, FREE, TOTAL, NR_HALVES };

static void begin_slice(void *arg, const struct bench_sliced *m)
{
	struct run *r = arg;

	(void)m;
	pa_drain_all(r->pa);
}

static double time_slice(void *arg, const struct bench_sliced *m,
			 unsigned long n)
{
	struct run *r = arg;
	const struct point *p = &r->points[m->what / NR_HALVES];
	enum half half = m->what % NR_HALVES;
	struct halves h;
	uint64_t start;

	if (half == TOTAL) {
		start = bench_ticks();
		rounds(r, p->order, p->batch, n);
		return bench_ticks() - start - r->clock.overhead;
	}
	h = time_halves(r, p, n);
	return half == ALLOC ? h.alloc : h.free;
}

static void serve_slices(struct run *r)
{
	static const char *const word[NR_HALVES] = { "alloc", "free", "total" };
	struct bench_sliced *m;
	struct bench_slices s = {
		.bench = "pagealloc", .unit = "ns", .begin = begin_slice,
		.time = time_slice, .arg = r,
	};

	s.metric = m = calloc(r->nr_points * NR_HALVES, sizeof(*m));
	if (!m)
		bench_die("pagealloc: out of memory");
	for (unsigned long i = 0; i < r->nr_points * NR_HALVES; i++) {
		struct point *p = &r->points[i / NR_HALVES];

		if (!half_wanted(r, p, word[i % NR_HALVES]))
			continue;
		metric_name(m->name, sizeof(m->name), word[i % NR_HALVES], p);
		m->ops = p->batch;
		m->what = i;
		m++;
	}
	s.nr_metrics = m - s.metric;
	bench_slices_serve(&s, &r->clock);
	free((void *)s.metric);
}

/*
 * The least that can be done behind a call: a list through the elements, one
 * per thread, last in first out.
 */
static _Thread_local struct pa_list *yardstick_list;

static __attribute__((noinline)) struct pa_list *yardstick_alloc(void)
{
	struct pa_list *block = yardstick_list;

	if (block)
		yardstick_list = block->next;
	return block;
}

static __attribute__((noinline)) void yardstick_free(struct pa_list *block)
{
	block->next = yardstick_list;
	yardstick_list = block;
}

static void yardstick_slice(struct run *r, struct pa_list *blocks,
			    struct point *p)
{
	unsigned long n = rounds_of_slice(p);
	struct pa_list **taken = (struct pa_list **)r->pages;
	uint64_t start;

	for (unsigned long i = 0; i < p->batch; i++)
		yardstick_free(&blocks[i]);
	start = bench_ticks();
	for (unsigned long round = 0; round < n; round++) {
		for (unsigned long i = 0; i < p->batch; i++)
			taken[i] = yardstick_alloc();
		for (unsigned long i = 0; i < p->batch; i++)
			yardstick_free(taken[i]);
	}
	bench_min_add(&p->total, per_block(r, p, bench_ticks() - start -
					   r->clock.overhead, n));
	p->guess_ns = p->total.value;
	yardstick_list = NULL;
}

static void measure_yardstick(struct run *r)
{
	struct pa_list *blocks = calloc(MAX_BATCH, sizeof(*blocks));
	char name[64];
	struct bench_metric m = { "pagealloc", name, "ns", false };
	unsigned long slices = r->opt.passes * r->opt.slices;

	if (!blocks)
		bench_die("pagealloc: out of memory");
	for (unsigned long batch = 1; batch <= r->opt.max_batch; batch *= 2) {
		struct point p = { .batch = batch, .guess_ns = FIRST_GUESS_NS };

		for (unsigned long i = 0; i < slices; i++)
			yardstick_slice(r, blocks, &p);
		snprintf(name, sizeof(name), "tls-list-%lu", batch);
		if (bench_wanted(r->opt.glob, name))
			bench_print(&m, &p.total);
	}
	free(blocks);
}

static const struct counted {
	const char *metric;
	unsigned long batch, rounds;
} counted[] = {
	{ "instructions", 1, 20000 },
	{ "instructions-odr0-64", 64, 400 },
	{ "instructions-odr0-1024", 1024, 40 },
};

#define NR_COUNTED	(sizeof(counted) / sizeof(counted[0]))

static void count(struct run *r)
{
	if (!bench_count_possible())
		return;
	/* one CPU's lists, and no question to the system which CPU it is */
	pa_set_cpu(0);
	bench_count_start();
	for (size_t i = 0; i < NR_COUNTED; i++) {
		const struct counted *c = &counted[i];
		struct bench_metric m = { "pagealloc", c->metric,
					  "instructions/pair", true };

		if (!bench_wanted(r->opt.glob, c->metric))
			continue;
		warm_up(r, 0, c->batch);
		bench_count_begin();
		rounds(r, 0, c->batch, c->rounds);
		bench_count_end(&m, c->batch * c->rounds);
	}
	bench_count_stop();
}

/* Events per pair; false if the library does not count them. */
static void print_event(const struct run *r, const struct bench_metric *m,
			long events, unsigned long n)
{
	struct bench_min min = { 0 };

	bench_min_add(&min, events / (double)n);
	if (bench_wanted(r->opt.glob, m->metric))
		bench_print(m, &min);
}

/*
 * What the timed rounds did, counted by the allocator itself: a round of a
 * batch of B must be B allocations, or every time is of something else.
 */
static bool print_events(struct run *r)
{
	static const struct bench_metric lookups = { "pagealloc", "lookups",
						     "lookups/pair", true };
	static const struct {
		const char *metric;
		unsigned long batch;
	} done[] = {
		{ "done-odr0-1", 1 },
		{ "done-odr0-2", 2 },
		{ "done-odr0-64", 64 },
	};
	const unsigned long n = 1000;
	long before = pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP);
	struct bench_metric m;

	if (before < 0)
		return false;
	pa_set_cpu(0);
	warm_up(r, 0, 1);
	before = pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP);
	rounds(r, 0, 1, n);
	print_event(r, &lookups, pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP) -
		    before, n);
	for (size_t i = 0; i < sizeof(done) / sizeof(done[0]); i++) {
		before = pa_stat(r->pa, PA_STAT_NUMA_HIT);
		rounds(r, 0, done[i].batch, n);
		m = (struct bench_metric){ "pagealloc", done[i].metric,
					   "allocations/block", true };
		print_event(r, &m, pa_stat(r->pa, PA_STAT_NUMA_HIT) -
			    before, n * done[i].batch);
	}
	return true;
}

static void measure_and_print(struct run *r)
{
	measure(r);
	print_all(r);
	if (r->opt.yardstick)
		measure_yardstick(r);
}

static void parse(struct options *o, int argc, char **argv)
{
	const struct bench_option options[] = {
		{ 'o', &o->max_order, 0, 10, NULL, NULL },
		{ 'b', &o->max_batch, 1, MAX_BATCH, NULL, NULL },
		{ 'a', &o->arena_mib, 1, 65536, NULL, NULL },
		{ 'p', &o->passes, 1, 100000, NULL, NULL },
		{ 's', &o->slices, 1, 100000, NULL, NULL },
		{ 'm', NULL, 0, 0, &o->glob, NULL },
		{ 'y', NULL, 0, 0, NULL, &o->yardstick },
		{ 0, NULL, 0, 0, NULL, NULL },
	};

	bench_options(argc, argv, options, usage);
}

int main(int argc, char **argv)
{
	static struct run r = { .opt = { .max_order = 4, .max_batch = MAX_BATCH,
					 .arena_mib = 96, .passes = 5,
					 .slices = 4 } };
	struct pa_config config = { 0 };
	bool sliced = bench_slices_wanted();

	if (sliced)
		r.opt.arena_mib = BENCH_SLICE_MIB;
	parse(&r.opt, argc, argv);
	bench_lock();
	config.node_pages = r.opt.arena_mib << (20 - PA_PAGE_SHIFT);
	config.dma_pages = config.node_pages / 16;
	config.min_free_pages = config.node_pages / 32;
	if (pa_open(&config, &r.pa) < 0)
		bench_die("pagealloc: no memory for the arena");

	if (bench_counting()) {
		count(&r);
	} else if (!print_events(&r)) {
		bench_random_init(&r.random);
		bench_clock_init(&r.clock);
		make_points(&r, sliced ? SLICED_PAGES : MAX_BATCH);
		if (sliced)
			serve_slices(&r);
		else
			measure_and_print(&r);
		free(r.points);
	}
	pa_close(r.pa);
	return 0;
}
