/*
 * Freeing a list of pages in one call: the cost of one page by the length of
 * the list.
 *
 * The per-CPU lists here hold more than the longest list, so that nothing goes
 * back to the zone: what is measured is the way onto the lists alone. The
 * pages are allocated and strung together outside of the measured part.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "pagealloc.h"
#include "slices.h"

#define MAX_LIST	512
#define PCP_HIGH	4096
#define COUNTED_LIST	64
#define COUNTED_LISTS	32	/* together less than PCP_HIGH */
#define SLICE_PAGES	2048	/* freed in a slice, or a few more */

static const char usage[] =
"usage: pcplist [options]\n"
"  -b N     longest list, at most 512                     [512]\n"
"  -a MIB   size of the arena                             [32]\n"
"  -s N     slices of each length                         [40]\n"
"  -m GLOB  only the metrics that match\n"
"  -h       this text\n"
"\n"
"Prints free-list-B, the smallest time per page in ns over all slices, for\n"
"lists of B pages by powers of two. With WB_COUNT=1 under callgrind it counts\n"
"instructions per page of lists of 64. Built with PA_STATS=1 it prints the\n"
"pageblock lookups per page of those, and no times.\n";

struct options {
	unsigned long max_list, arena_mib, slices;
	const char *glob;
};

struct run {
	struct options opt;
	struct bench_clock clock;
	struct pa *pa;
	struct page *pages[MAX_LIST];
	struct pa_list lists[COUNTED_LISTS];
};

static void fill_list(struct run *r, struct pa_list *list, unsigned long n)
{
	unsigned long got = 0;

	while (got < n) {
		unsigned long more = pa_alloc_bulk(r->pa, PA_GFP_KERNEL,
						   n - got, r->pages + got);

		if (!more)
			bench_die("pcplist: the arena is too small");
		got += more;
	}
	pa_list_init(list);
	for (unsigned long i = 0; i < n; i++)
		pa_list_add_page(list, r->pages[i]);
}

/* Ticks of freeing so many lists of n pages. */
static double time_lists(struct run *r, unsigned long n, unsigned long rounds)
{
	double ticks = 0;

	for (unsigned long i = 0; i < rounds; i++) {
		uint64_t start;

		fill_list(r, &r->lists[0], n);
		start = bench_ticks();
		pa_free_page_list(r->pa, &r->lists[0]);
		ticks += bench_ticks() - start - r->clock.overhead;
	}
	return ticks;
}

static void slice(struct run *r, unsigned long n, struct bench_min *min)
{
	unsigned long rounds = 1 + SLICE_PAGES / n;
	double ticks = time_lists(r, n, rounds);

	bench_min_add(min, ticks * r->clock.ns_per_tick /
			   ((double)rounds * n));
}

static void measure(struct run *r)
{
	for (unsigned long n = 1; n <= r->opt.max_list; n *= 2) {
		char name[64];
		struct bench_metric m = { "pcplist", name, "ns", false };
		struct bench_min min = { 0 };

		snprintf(name, sizeof(name), "free-list-%lu", n);
		if (!bench_wanted(r->opt.glob, name))
			continue;
		/* the first slice is the warm-up */
		for (unsigned long i = 0; i <= r->opt.slices; i++) {
			if (i == 1)
				min = (struct bench_min){ 0 };
			slice(r, n, &min);
		}
		bench_print(&m, &min);
	}
}

static double time_slice(void *arg, const struct bench_sliced *m,
			 unsigned long rounds)
{
	return time_lists(arg, m->what, rounds);
}

static void serve_slices(struct run *r)
{
	struct bench_sliced metric[16];
	struct bench_slices s = {
		.bench = "pcplist", .unit = "ns", .metric = metric,
		.time = time_slice, .arg = r,
	};

	for (unsigned long n = 1; n <= r->opt.max_list; n *= 2) {
		struct bench_sliced *m = &metric[s.nr_metrics];

		snprintf(m->name, sizeof(m->name), "free-list-%lu", n);
		m->ops = m->what = n;
		s.nr_metrics += bench_wanted(r->opt.glob, m->name);
	}
	bench_slices_serve(&s, &r->clock);
}

static void fill_counted(struct run *r)
{
	for (int i = 0; i < COUNTED_LISTS; i++)
		fill_list(r, &r->lists[i], COUNTED_LIST);
}

static void free_counted(struct run *r)
{
	for (int i = 0; i < COUNTED_LISTS; i++)
		pa_free_page_list(r->pa, &r->lists[i]);
}

static void count(struct run *r)
{
	static const struct bench_metric m = { "pcplist",
					       "instructions-list-64",
					       "instructions/page", true };

	if (!bench_count_possible() || !bench_wanted(r->opt.glob, m.metric))
		return;
	/* one CPU's lists, and no question to the system which CPU it is */
	pa_set_cpu(0);
	bench_count_start();
	fill_counted(r);
	free_counted(r);
	fill_counted(r);
	bench_count_begin();
	free_counted(r);
	bench_count_end(&m, COUNTED_LIST * COUNTED_LISTS);
	bench_count_stop();
}

/* False if the library does not count events. */
static bool print_lookups(struct run *r)
{
	static const struct bench_metric m = { "pcplist", "lookups",
					       "lookups/page", true };
	struct bench_min min = { 0 };
	long before = pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP);

	if (before < 0)
		return false;
	pa_set_cpu(0);
	fill_counted(r);
	before = pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP);
	free_counted(r);
	bench_min_add(&min, (pa_stat(r->pa, PA_STAT_PAGEBLOCK_LOOKUP) -
			     before) / (double)(COUNTED_LIST * COUNTED_LISTS));
	if (bench_wanted(r->opt.glob, m.metric))
		bench_print(&m, &min);
	return true;
}

static void parse(struct options *o, int argc, char **argv)
{
	const struct bench_option options[] = {
		{ 'b', &o->max_list, 1, MAX_LIST, NULL, NULL },
		{ 'a', &o->arena_mib, 16, 65536, NULL, NULL },
		{ 's', &o->slices, 1, 1000000, NULL, NULL },
		{ 'm', NULL, 0, 0, &o->glob, NULL },
		{ 0, NULL, 0, 0, NULL, NULL },
	};

	bench_options(argc, argv, options, usage);
}

int main(int argc, char **argv)
{
	static struct run r = { .opt = { .max_list = MAX_LIST,
					 .arena_mib = 32, .slices = 40 } };
	struct pa_config config = { .pcp_high = PCP_HIGH };

	if (bench_slices_wanted())
		r.opt.arena_mib = BENCH_SLICE_MIB;
	parse(&r.opt, argc, argv);
	bench_lock();
	config.node_pages = r.opt.arena_mib << (20 - PA_PAGE_SHIFT);
	if (pa_open(&config, &r.pa) < 0)
		bench_die("pcplist: no memory for the arena");

	if (bench_counting()) {
		count(&r);
	} else if (!print_lookups(&r)) {
		bench_clock_init(&r.clock);
		if (bench_slices_wanted())
			serve_slices(&r);
		else
			measure(&r);
	}
	pa_close(r.pa);
	return 0;
}
