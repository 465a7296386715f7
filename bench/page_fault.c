/*
 * Page faults by the core's own path, several workers side by side: what
 * will-it-scale's page_fault1 to 3 ask of a kernel, without the kernel.
 *
 *	page_fault1	anonymous memory: map, touch every page, unmap
 *	page_fault2	a private file: every touch makes a copy
 *	page_fault3	a shared file: every touch maps the file's page
 *
 * Threads share one mm, as in will-it-scale; each maps a region of its own.
 */
#include <stdio.h>
#include <string.h>

#include "pagealloc.h"
#include "throughput.h"

#define MAX_WORKERS	16

static const char usage[] =
"usage: page_fault [options]\n"
"  -t N     workers 1, 2, 4 .. N, at most 16              [2]\n"
"  -r MIB   region of each worker                         [128]\n"
"  -w N     windows of 1 ms for each metric               [400]\n"
"  -z       clear anonymous pages, as a kernel must\n"
"  -m GLOB  only the metrics that match\n"
"  -h       this text\n"
"\n"
"Prints page_faultK-threads-N in faults/s, higher is better: the median of\n"
"those windows in which no worker was taken off its CPU. Built with\n"
"PA_STATS=1 it prints the pageblock lookups per fault instead. The arena is\n"
"two regions for each worker, and one more.\n";

struct options {
	unsigned long max_workers, region_mib, windows;
	const char *glob;
	bool clear;
};

struct run {
	struct options opt;
	unsigned int kind;		/* 1..3 */
	unsigned long pages;		/* of a region */
	struct pa *pa;
	struct pa_mm *mm;
	struct worker {
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
	if (pa_mm_map(r->mm, &map, &w->address) < 0)
		bench_die("page_fault: no room for a mapping");
	w->next = 0;
	w->mapped = true;
}

static void unmap_region(struct run *r, struct worker *w)
{
	if (w->mapped)
		pa_mm_unmap(r->mm, w->address);
	w->mapped = false;
}

/* The whole of a region, mapped and unmapped, before anything is timed. */
static void warm_up(void *arg, unsigned int number)
{
	struct run *r = arg;
	struct worker *w = &r->worker[number];

	map_region(r, w);
	for (unsigned long i = 0; i < r->pages; i++) {
		if (pa_mm_fault(r->mm, w->address + i * PA_PAGE_SIZE,
				true) < 0)
			bench_die("page_fault: the arena is too small");
	}
	unmap_region(r, w);
}

static unsigned long some_faults(void *arg, unsigned int number)
{
	struct run *r = arg;
	struct worker *w = &r->worker[number];
	unsigned long n = 0;

	if (!w->mapped)
		map_region(r, w);
	while (n < CHUNK && w->next < r->pages) {
		if (pa_mm_fault(r->mm, w->address + w->next++ * PA_PAGE_SIZE,
				true) < 0)
			bench_die("page_fault: the arena is too small");
		n++;
	}
	if (w->next == r->pages)
		unmap_region(r, w);
	return n;
}

static void begin(struct run *r, unsigned int workers)
{
	if (pa_mm_create(r->pa, &r->mm) < 0)
		bench_die("page_fault: the arena is too small");
	for (unsigned int i = 0; r->kind > 1 && i < workers; i++) {
		if (pa_file_create(r->pa, r->pages, &r->worker[i].file) < 0)
			bench_die("page_fault: the arena is too small");
	}
}

static void end(struct run *r, unsigned int workers)
{
	for (unsigned int i = 0; i < workers; i++)
		unmap_region(r, &r->worker[i]);
	pa_mm_destroy(r->mm);
	for (unsigned int i = 0; i < workers; i++) {
		if (pa_file_destroy(r->worker[i].file) < 0)
			bench_die("page_fault: a page is mapped at the end");
		r->worker[i].file = NULL;
	}
}

static void measure(struct run *r, unsigned int workers)
{
	struct bench_load load = { .workers = workers, .arg = r,
				   .windows = r->opt.windows,
				   .window_us = 1000, .start = warm_up,
				   .work = some_faults };
	char bench[32], metric[64];
	struct bench_metric m = { bench, metric, "faults/s", false };
	struct bench_rate rate;

	snprintf(bench, sizeof(bench), "page_fault%u", r->kind);
	snprintf(metric, sizeof(metric), "page_fault%u-threads-%u", r->kind,
		 workers);
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
	warm_up(r, 0);
	pa_drain_all(r->pa);
	before = pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP);
	warm_up(r, 0);
	bench_min_add(&min, (pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP) -
			     before) / (double)r->pages);
	bench_print(&m, &min);
	end(r, 1);
}

static void parse(struct options *o, int argc, char **argv)
{
	const struct bench_option options[] = {
		{ 't', &o->max_workers, 1, MAX_WORKERS, NULL, NULL },
		{ 'r', &o->region_mib, 1, 512, NULL, NULL },
		{ 'w', &o->windows, 3, 4000, NULL, NULL },
		{ 'z', NULL, 0, 0, NULL, &o->clear },
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
	bool events;

	parse(&r.opt, argc, argv);
	bench_lock();
	if (r.opt.max_workers * r.opt.region_mib > 1024)
		bench_die("page_fault: at most 1024 MiB of regions");
	r.pages = r.opt.region_mib << (20 - PA_PAGE_SHIFT);
	config.node_pages = r.pages * (2 * r.opt.max_workers + 1);
	if (pa_open(&config, &r.pa) < 0)
		bench_die("page_fault: no memory for the arena");
	events = pa_stat(r.pa, PA_STAT_PAGEBLOCK_LOOKUP) >= 0;
	for (r.kind = 1; r.kind <= 3; r.kind++) {
		if (events) {
			print_lookups(&r);
			continue;
		}
		for (unsigned int n = 1; n <= r.opt.max_workers; n *= 2)
			measure(&r, n);
	}
	pa_close(r.pa);
	return 0;
}
