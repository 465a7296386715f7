/*
 * How well kinds of pages keep apart: a random mix of unmovable, reclaimable
 * and movable blocks until the arena is nearly full, and in between tries for a
 * block of order 9, as for a huge page. The mix is the same for each seed, so
 * the counts repeat exactly.
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "pagealloc.h"

#define HUGE_ORDER	9
#define MAX_ORDER	3
#define TRY_EVERY	512	/* steps between tries for a huge block */

static const char usage[] =
"usage: frag [options]\n"
"  -a MIB   size of the arena                             [64]\n"
"  -n N     steps of the mix                              [400000]\n"
"  -f N     percent of the arena to keep in use           [92]\n"
"  -r N     seed of the mix                               [1]\n"
"  -m GLOB  only the metrics that match\n"
"  -h       this text\n"
"\n"
"Prints type-mismatch, the free blocks that are on lists of another kind than\n"
"their pageblock at the end, mixed-blocks, the pageblocks in which more than\n"
"one kind is in use, and order9-success, the percentage of tries for a huge\n"
"block that were served, higher is better. Built with PA_STATS=1 it prints\n"
"fallbacks and steals too. All counts repeat exactly.\n";

struct block {
	struct page *page;
	unsigned char order, kind;
};

struct run {
	unsigned long arena_mib, steps, percent, seed;
	const char *glob;
	struct pa *pa;
	struct bench_random random;
	struct block *blocks;
	unsigned long nr, pages_in_use, pages;
	unsigned long tries, served;
};

static const pa_gfp_t gfp_of[] = {
	PA_GFP_KERNEL, PA_GFP_KERNEL | PA_GFP_RECLAIMABLE,
	PA_GFP_HIGHUSER_MOVABLE,
};

/* Half movable, the rest shared evenly. */
static unsigned int some_kind(struct run *r)
{
	unsigned long x = bench_random_below(&r->random, 4);

	return x > 2 ? 2 : x;
}

static void add_block(struct run *r)
{
	struct block *b = &r->blocks[r->nr];

	b->kind = some_kind(r);
	b->order = bench_random_below(&r->random, 4) ? 0 :
		   bench_random_below(&r->random, MAX_ORDER + 1);
	b->page = pa_alloc_pages(r->pa, gfp_of[b->kind], b->order);
	if (!b->page)
		return;
	r->pages_in_use += 1ul << b->order;
	r->nr++;
}

static void drop_block(struct run *r)
{
	unsigned long i = bench_random_below(&r->random, r->nr);
	struct block *b = &r->blocks[i];

	pa_free_pages(r->pa, b->page, b->order);
	r->pages_in_use -= 1ul << b->order;
	*b = r->blocks[--r->nr];
}

static void try_huge(struct run *r)
{
	struct page *page = pa_alloc_pages(r->pa, PA_GFP_HIGHUSER_MOVABLE,
					   HUGE_ORDER);

	r->tries++;
	if (!page)
		return;
	r->served++;
	pa_free_pages(r->pa, page, HUGE_ORDER);
}

/* Drifts up and down below the limit, so that blocks empty again. */
static void mix(struct run *r)
{
	unsigned long limit = r->pages * r->percent / 100;
	bool filling = true;

	for (unsigned long i = 0; i < r->steps; i++) {
		if (r->pages_in_use >= limit)
			filling = false;
		else if (r->pages_in_use < limit / 2)
			filling = true;
		if (!r->nr || bench_random_below(&r->random, 8) <
			      (filling ? 5u : 3u))
			add_block(r);
		else
			drop_block(r);
		if (i % TRY_EVERY == 0)
			try_huge(r);
	}
}

/* Pageblocks with blocks in use of more than one kind. */
static unsigned long mixed_blocks(struct run *r)
{
	unsigned long size = PA_PAGE_SIZE << HUGE_ORDER;
	unsigned long nr_blocks = r->pages >> HUGE_ORDER;
	unsigned char *kinds = calloc(nr_blocks, 1);
	char *base = NULL;
	unsigned long mixed = 0;

	if (!kinds)
		bench_die("frag: out of memory");
	for (unsigned long i = 0; i < r->nr; i++) {
		char *p = pa_page_address(r->pa, r->blocks[i].page);

		if (!base || p < base)
			base = p;
	}
	for (unsigned long i = 0; i < r->nr; i++) {
		char *p = pa_page_address(r->pa, r->blocks[i].page);
		unsigned long at = (unsigned long)(p - base) / size;

		if (at < nr_blocks)
			kinds[at] |= 1u << r->blocks[i].kind;
	}
	for (unsigned long i = 0; i < nr_blocks; i++)
		mixed += (kinds[i] & (kinds[i] - 1)) != 0;
	free(kinds);
	return mixed;
}

static void print_count(const struct run *r, const char *metric, double value)
{
	struct bench_metric m = { "frag", metric, "count", true };
	struct bench_min min = { 0 };

	bench_min_add(&min, value);
	if (value >= 0 && bench_wanted(r->glob, metric))
		bench_print(&m, &min);
}

static void print_all(struct run *r)
{
	struct pa_report report;

	if (pa_audit(r->pa, &report) < 0)
		bench_die("frag: out of memory");
	print_count(r, "type-mismatch", report.type_mismatch);
	print_count(r, "mixed-blocks", mixed_blocks(r));
	print_count(r, "free-drift", report.free_drift);
	print_count(r, "fallbacks", pa_stat(r->pa, PA_STAT_FALLBACK));
	print_count(r, "steals", pa_stat(r->pa, PA_STAT_STEAL));
	if (bench_wanted(r->glob, "order9-success"))
		printf("{\"bench\":\"frag\",\"metric\":\"order9-success\","
		       "\"unit\":\"%%\",\"better\":\"higher\",\"value\":%.6g,"
		       "\"iter\":%lu,\"exact\":true}\n",
		       100.0 * r->served / r->tries, r->tries);
}

int main(int argc, char **argv)
{
	static struct run r = { .arena_mib = 64, .steps = 400000,
				.percent = 92, .seed = 1 };
	const struct bench_option options[] = {
		{ 'a', &r.arena_mib, 8, 65536, NULL, NULL },
		{ 'n', &r.steps, 1, 1000000000, NULL, NULL },
		{ 'f', &r.percent, 1, 95, NULL, NULL },
		{ 'r', &r.seed, 0, -1ul, NULL, NULL },
		{ 'm', NULL, 0, 0, &r.glob, NULL },
		{ 0, NULL, 0, 0, NULL, NULL },
	};
	struct pa_config config = { .cpus = 1 };

	bench_options(argc, argv, options, usage);
	bench_lock();
	r.pages = r.arena_mib << (20 - PA_PAGE_SHIFT);
	config.node_pages = r.pages;
	r.blocks = calloc(r.pages, sizeof(*r.blocks));
	if (!r.blocks || pa_open(&config, &r.pa) < 0)
		bench_die("frag: no memory for the arena");
	pa_set_cpu(0);
	r.random.state = r.seed;
	mix(&r);
	pa_drain_all(r.pa);
	print_all(&r);
	pa_close(r.pa);
	free(r.blocks);
	return 0;
}
