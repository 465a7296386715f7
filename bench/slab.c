/*
 * Objects: the cost of a pa_kmalloc() and a pa_kfree(), by size, by how many
 * are taken before the first goes back, and by whether the CPU that frees is
 * the one that allocated.
 *
 *	pair-SIZE	one object out and back, again and again
 *	batch-SIZE	as many as fill some slabs, freed in the order they came
 *	cross-SIZE	the same, freed by another CPU
 *
 * The other CPU is this thread with the other CPU's number, so that the same
 * work is done each time and no second CPU is needed. Objects are not written.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "pagealloc.h"
#include "slices.h"

#define MAX_BATCH	2048
#define BATCH_BYTES	(256ul << 10)
#define SLICE_NS	100e3
#define MIN_SIZE	8
#define MAX_SIZE	8192
#define NR_SIZES	11
#define FIRST_GUESS_NS	40.0
#define COUNTED_PAIRS	20000
#define COUNTED_ROUNDS	20

static const char usage[] =
"usage: slab [options]\n"
"  -a MIB   size of the arena                             [32]\n"
"  -s N     slices of each metric                         [20]\n"
"  -m GLOB  only the metrics that match\n"
"  -h       this text\n"
"\n"
"Prints pair-SIZE, batch-SIZE and cross-SIZE, the smallest time in ns of an\n"
"allocation and a free over all slices, for sizes of 8 to 8192 bytes. With\n"
"WB_COUNT=1 under callgrind it counts the instructions of those with 64.\n"
"Built with PA_STATS=1 it prints how often slabs went on or off a list of\n"
"their node per such pair, and no times.\n";

struct options {
	unsigned long arena_mib, slices;
	const char *glob;
};

struct run {
	struct options opt;
	struct bench_clock clock;
	struct pa *pa;
	void *objects[MAX_BATCH];
};

enum kind { PAIR, BATCH, CROSS, NR_KINDS };

static const char *const kind_name[NR_KINDS] = { "pair", "batch", "cross" };

static unsigned long batch_of(enum kind kind, unsigned long size)
{
	unsigned long batch = BATCH_BYTES / size;

	if (kind == PAIR)
		return 1;
	return batch > MAX_BATCH ? MAX_BATCH : batch;
}

static void *get(struct run *r, unsigned long size)
{
	void *object = pa_kmalloc(r->pa, size, PA_GFP_KERNEL);

	if (__builtin_expect(!object, 0))
		bench_die("slab: the arena is too small");
	return object;
}

static void rounds(struct run *r, enum kind kind, unsigned long size,
		   unsigned long n)
{
	unsigned long batch = batch_of(kind, size);

	if (kind == PAIR) {
		while (n--)
			pa_kfree(r->pa, get(r, size));
		return;
	}
	while (n--) {
		for (unsigned long i = 0; i < batch; i++)
			r->objects[i] = get(r, size);
		if (kind == CROSS)
			pa_set_cpu(1);
		for (unsigned long i = 0; i < batch; i++)
			pa_kfree(r->pa, r->objects[i]);
		if (kind == CROSS)
			pa_set_cpu(0);
	}
}

static void measure_one(struct run *r, enum kind kind, unsigned long size)
{
	unsigned long batch = batch_of(kind, size);
	double guess = FIRST_GUESS_NS;
	struct bench_min min = { 0 };
	char name[64];
	struct bench_metric m = { "slab", name, "ns", false };

	snprintf(name, sizeof(name), "%s-%lu", kind_name[kind], size);
	if (!bench_wanted(r->opt.glob, name))
		return;
	pa_kmalloc_shrink(r->pa);
	rounds(r, kind, size, 4);
	for (unsigned long i = 0; i < r->opt.slices; i++) {
		unsigned long n = 1 + SLICE_NS / (guess * batch);
		uint64_t start = bench_ticks();
		double ticks;

		rounds(r, kind, size, n);
		ticks = bench_ticks() - start - r->clock.overhead;
		guess = ticks * r->clock.ns_per_tick / ((double)n * batch);
		bench_min_add(&min, guess);
	}
	bench_print(&m, &min);
}

static void measure(struct run *r)
{
	for (int kind = 0; kind < NR_KINDS; kind++) {
		for (unsigned long size = MIN_SIZE; size <= MAX_SIZE; size *= 2)
			measure_one(r, kind, size);
	}
}

static double time_slice(void *arg, const struct bench_sliced *m,
			 unsigned long n)
{
	struct run *r = arg;
	uint64_t start = bench_ticks();

	rounds(r, m->what % NR_KINDS, m->what / NR_KINDS, n);
	return bench_ticks() - start - r->clock.overhead;
}

static void serve_slices(struct run *r)
{
	struct bench_sliced metric[NR_KINDS * NR_SIZES];
	struct bench_slices s = {
		.bench = "slab", .unit = "ns", .metric = metric,
		.time = time_slice, .arg = r,
	};

	for (int kind = 0; kind < NR_KINDS; kind++) {
		for (unsigned long size = MIN_SIZE; size <= MAX_SIZE;
		     size *= 2) {
			struct bench_sliced *m = &metric[s.nr_metrics];

			snprintf(m->name, sizeof(m->name), "%s-%lu",
				 kind_name[kind], size);
			m->ops = batch_of(kind, size);
			m->what = size * NR_KINDS + kind;
			s.nr_metrics += bench_wanted(r->opt.glob, m->name);
		}
	}
	bench_slices_serve(&s, &r->clock);
}

#define COUNTED_SIZE	64

static void count(struct run *r)
{
	static const char unit[] = "instructions/pair";
	static const struct bench_metric metric[NR_KINDS] = {
		{ "slab", "instructions-pair-64", unit, true },
		{ "slab", "instructions-batch-64", unit, true },
		{ "slab", "instructions-cross-64", unit, true },
	};

	if (!bench_count_possible())
		return;
	bench_count_start();
	for (int kind = 0; kind < NR_KINDS; kind++) {
		unsigned long n = kind == PAIR ? COUNTED_PAIRS :
						 COUNTED_ROUNDS;

		if (!bench_wanted(r->opt.glob, metric[kind].metric))
			continue;
		pa_kmalloc_shrink(r->pa);
		rounds(r, kind, COUNTED_SIZE, 4);
		bench_count_begin();
		rounds(r, kind, COUNTED_SIZE, n);
		bench_count_end(&metric[kind],
				n * batch_of(kind, COUNTED_SIZE));
	}
	bench_count_stop();
}

/* False if the library does not count events. */
static bool print_list_ops(struct run *r)
{
	static const struct bench_metric metric[NR_KINDS] = {
		{ "slab", "list-ops", "ops/pair", true },
		{ "slab", "list-ops-batch", "ops/pair", true },
		{ "slab", "list-ops-cross", "ops/pair", true },
	};

	if (pa_stat(r->pa, PA_STAT_PARTIAL_LIST) < 0)
		return false;
	for (int kind = 0; kind < NR_KINDS; kind++) {
		unsigned long batch = batch_of(kind, COUNTED_SIZE);
		struct bench_min min = { 0 };
		long before;

		pa_kmalloc_shrink(r->pa);
		rounds(r, kind, COUNTED_SIZE, 4);
		before = pa_stat(r->pa, PA_STAT_PARTIAL_LIST);
		rounds(r, kind, COUNTED_SIZE, COUNTED_ROUNDS);
		bench_min_add(&min, (pa_stat(r->pa, PA_STAT_PARTIAL_LIST) -
				     before) /
				    ((double)COUNTED_ROUNDS * batch));
		if (bench_wanted(r->opt.glob, metric[kind].metric))
			bench_print(&metric[kind], &min);
	}
	return true;
}

static void parse(struct options *o, int argc, char **argv)
{
	const struct bench_option options[] = {
		{ 'a', &o->arena_mib, 8, 65536, NULL, NULL },
		{ 's', &o->slices, 1, 1000000, NULL, NULL },
		{ 'm', NULL, 0, 0, &o->glob, NULL },
		{ 0, NULL, 0, 0, NULL, NULL },
	};

	bench_options(argc, argv, options, usage);
}

int main(int argc, char **argv)
{
	static struct run r = { .opt = { .arena_mib = 32, .slices = 20 } };
	struct pa_config config = { 0 };

	if (bench_slices_wanted())
		r.opt.arena_mib = BENCH_SLICE_MIB;
	parse(&r.opt, argc, argv);
	bench_lock();
	config.node_pages = r.opt.arena_mib << (20 - PA_PAGE_SHIFT);
	config.cpus = 2;
	if (pa_open(&config, &r.pa) < 0)
		bench_die("slab: no memory for the arena");

	/* one CPU's slabs, and no question to the system which CPU it is */
	pa_set_cpu(0);
	if (bench_counting()) {
		count(&r);
	} else if (!print_list_ops(&r)) {
		bench_clock_init(&r.clock);
		if (bench_slices_wanted())
			serve_slices(&r);
		else
			measure(&r);
	}
	pa_close(r.pa);
	return 0;
}
