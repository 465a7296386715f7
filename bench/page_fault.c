/*
 * Page faults by the core's own path, several workers side by side: what
 * will-it-scale's page_fault1 to 3 ask of a kernel, without the kernel.
 *
 *	page_fault1	anonymous memory: map, touch every page, unmap
 *	page_fault2	a private file: every touch makes a copy
 *	page_fault3	a shared file: every touch maps the file's page
 *
 * Threads share one mm and processes have one each, as in will-it-scale; each
 * worker maps a region of its own. Processes share the arena, and so the lists
 * and locks of the allocator.
 */
#include <stdio.h>
#include <string.h>

#include "pagealloc.h"
#include "slices.h"
#include "throughput.h"

#define MAX_WORKERS	16
#define MAX_REGIONS_MIB	1024	/* of all workers */
#define SLICED_MIB	2	/* the region, in slices */
#define KINDS		3

static const char usage[] =
"usage: page_fault [options]\n"
"  -t N     workers 1, 2, 4 .. N, at most 16              [2]\n"
"  -P       workers are processes, not threads\n"
"  -r MIB   region of each worker                         [128]\n"
"  -w N     windows of 1 ms for each metric               [400]\n"
"  -z       clear anonymous pages, as a kernel must\n"
"  -m GLOB  only the metrics that match\n"
"  -h       this text\n"
"\n"
"Prints page_faultK-threads-N, or -processes-N, in faults/s, higher is\n"
"better: the median of those windows in which no worker was taken off its\n"
"CPU. Built with PA_STATS=1 it prints the pageblock lookups per fault\n"
"instead. The arena is two regions for each worker, and one more.\n";

struct options {
	unsigned long max_workers, region_mib, windows;
	const char *glob;
	bool clear, processes;
};

struct run {
	struct options opt;
	unsigned int kind;		/* 1..KINDS */
	unsigned long pages;		/* of a region */
	struct pa *pa;
	struct worker {
		struct pa_mm *mm;
		struct pa_file *file;
		unsigned long address, next;	/* pages */
		bool mapped;
	} worker[MAX_WORKERS];
};

#define CHUNK	32	/* faults of one call of the work function */

static void map_region(struct run *r, struct worker *w)
{
	struct pa_map map = { .nr_pages = r->pages };

	if (r->kind == 1 && !r->opt.clear)
		map.flags = PA_MAP_UNINITIALIZED;
	if (r->kind > 1)
		map.file = w->file;
	if (r->kind == 3)
		map.flags = PA_MAP_SHARED;
	if (pa_mm_map(w->mm, &map, &w->address) < 0)
		bench_die("page_fault: no room for a mapping");
	w->next = 0;
	w->mapped = true;
}

static void unmap_region(struct worker *w)
{
	if (w->mapped)
		pa_mm_unmap(w->mm, w->address);
	w->mapped = false;
}

/* The whole of a region: mapped, touched and unmapped. */
static void touch_region(struct run *r, unsigned int number)
{
	struct worker *w = &r->worker[number];

	map_region(r, w);
	for (unsigned long i = 0; i < r->pages; i++) {
		if (pa_mm_fault(w->mm, w->address + i * PA_PAGE_SIZE,
				true) < 0)
			bench_die("page_fault: the arena is too small");
	}
	unmap_region(w);
}

/* Before anything is timed. What another process freed comes here too. */
static void start(void *arg, unsigned int number)
{
	struct run *r = arg;

	if (r->opt.processes)
		pa_attach(r->pa);
	touch_region(r, number);
}

static unsigned long some_faults(void *arg, unsigned int number)
{
	struct run *r = arg;
	struct worker *w = &r->worker[number];
	unsigned long n = 0;

	if (!w->mapped)
		map_region(r, w);
	while (n < CHUNK && w->next < r->pages) {
		if (pa_mm_fault(w->mm, w->address + w->next++ * PA_PAGE_SIZE,
				true) < 0)
			bench_die("page_fault: the arena is too small");
		n++;
	}
	if (w->next == r->pages)
		unmap_region(w);
	return n;
}

static void begin(struct run *r, unsigned int workers)
{
	for (unsigned int i = 0; i < workers; i++) {
		struct worker *w = &r->worker[i];

		*w = (struct worker){ .mm = r->worker[0].mm };
		if (((!i || r->opt.processes) &&
		     pa_mm_create(r->pa, &w->mm) < 0) ||
		    (r->kind > 1 &&
		     pa_file_create(r->pa, r->pages, &w->file) < 0))
			bench_die("page_fault: the arena is too small");
	}
}

/* What a process had mapped at its end goes with its mm. */
static void end(struct run *r, unsigned int workers)
{
	for (unsigned int i = 0; i < workers; i++) {
		struct worker *w = &r->worker[i];

		if (!i || r->opt.processes)
			pa_mm_destroy(w->mm);
	}
	for (unsigned int i = 0; i < workers; i++) {
		if (pa_file_destroy(r->worker[i].file) < 0)
			bench_die("page_fault: a page is mapped at the end");
	}
}

static void measure(struct run *r, unsigned int workers)
{
	struct bench_load load = { .workers = workers, .arg = r,
				   .windows = r->opt.windows,
				   .window_us = 1000, .start = start,
				   .work = some_faults,
				   .processes = r->opt.processes };
	char bench[32], metric[64];
	struct bench_metric m = { bench, metric, "faults/s", false };
	struct bench_rate rate;

	snprintf(bench, sizeof(bench), "page_fault%u", r->kind);
	snprintf(metric, sizeof(metric), "page_fault%u-%s-%u", r->kind,
		 r->opt.processes ? "processes" : "threads", workers);
	if (!bench_wanted(r->opt.glob, metric))
		return;
	begin(r, workers);
	bench_throughput(&load, &rate);
	end(r, workers);
	bench_print_rate(&m, &rate, 1);
}

/* Events of one region, mapped, touched and unmapped. */
static void print_lookups(struct run *r)
{
	char bench[32], metric[64];
	struct bench_metric m = { bench, metric, "lookups/fault", true };
	struct bench_min min = { 0 };
	long before;

	snprintf(bench, sizeof(bench), "page_fault%u", r->kind);
	snprintf(metric, sizeof(metric), "page_fault%u-lookups", r->kind);
	if (!bench_wanted(r->opt.glob, metric))
		return;
	pa_set_cpu(0);
	begin(r, 1);
	touch_region(r, 0);
	pa_drain_all(r->pa);
	before = pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP);
	touch_region(r, 0);
	bench_min_add(&min, (pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP) -
			     before) / (double)r->pages);
	bench_print(&m, &min);
	end(r, 1);
}

static double time_slice(void *arg, const struct bench_sliced *m,
			 unsigned long rounds)
{
	struct run *r = arg;
	uint64_t start = bench_ticks();

	r->kind = m->what;
	while (rounds--)
		touch_region(r, m->what - 1);
	return bench_ticks() - start;
}

/* One thread, which has an mm and a file of its own for each kind. */
static void serve_slices(struct run *r)
{
	struct bench_sliced metric[KINDS];
	struct bench_slices s = {
		.bench = "page_fault", .unit = "ns/fault", .metric = metric,
		.time = time_slice, .arg = r,
	};
	struct bench_clock clock;

	bench_clock_init(&clock);
	r->kind = KINDS;	/* those have files */
	begin(r, KINDS);
	for (unsigned int kind = 1; kind <= KINDS; kind++) {
		struct bench_sliced *m = &metric[s.nr_metrics];

		snprintf(m->name, sizeof(m->name), "page_fault%u", kind);
		m->ops = r->pages;
		m->what = kind;
		s.nr_metrics += bench_wanted(r->opt.glob, m->name);
	}
	bench_slices_serve(&s, &clock);
	end(r, KINDS);
}

static void measure_all(struct run *r)
{
	bool events = pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP) >= 0;

	for (r->kind = 1; r->kind <= KINDS; r->kind++) {
		if (events) {
			print_lookups(r);
			continue;
		}
		for (unsigned int n = 1; n <= r->opt.max_workers; n *= 2)
			measure(r, n);
	}
}

static void parse(struct options *o, int argc, char **argv)
{
	const struct bench_option options[] = {
		{ 't', &o->max_workers, 1, MAX_WORKERS, NULL, NULL },
		{ 'r', &o->region_mib, 1, 512, NULL, NULL },
		{ 'w', &o->windows, 3, 4000, NULL, NULL },
		{ 'z', NULL, 0, 0, NULL, &o->clear },
		{ 'P', NULL, 0, 0, NULL, &o->processes },
		{ 'm', NULL, 0, 0, &o->glob, NULL },
		{ 0, NULL, 0, 0, NULL, NULL },
	};

	bench_options(argc, argv, options, usage);
}

int main(int argc, char **argv)
{
	static struct run r = { .opt = { .max_workers = 2, .region_mib = 128,
					 .windows = 400 } };
	struct pa_config config = { 0 };

	if (bench_slices_wanted())
		r.opt.region_mib = SLICED_MIB;
	parse(&r.opt, argc, argv);
	bench_lock();
	if (r.opt.max_workers * r.opt.region_mib > MAX_REGIONS_MIB)
		bench_die("page_fault: at most 1024 MiB of regions");
	r.pages = r.opt.region_mib << (20 - PA_PAGE_SHIFT);
	config.node_pages = r.pages * (2 * r.opt.max_workers + 1);
	config.shared = r.opt.processes;
	if (pa_open(&config, &r.pa) < 0)
		bench_die("page_fault: no memory for the arena");
	if (bench_slices_wanted())
		serve_slices(&r);
	else
		measure_all(&r);
	pa_close(r.pa);
	return 0;
}
