/*
 * The defects of the base, one test each, named after what goes wrong. A test
 * fails before the patch that mends it and passes from there on; both are
 * checked.
 */
#include <sched.h>

#include "buddy.h"
#include "pa-applied.h"
#include "pageblock.h"
#include "retype.h"

#define PAGES	64
#define BLOCK	8	/* pages of a pageblock */

static struct pa *open_small(struct pa_config config)
{
	struct pa *pa = NULL;

	if (!config.node_pages)
		config.node_pages = PAGES;
	config.pageblock_order = 3;
	config.min_free_pages = 1;
	config.pcp_batch = 1;
	config.cpus = 1;
	pa_set_cpu(0);
	if (pa_open(&config, &pa) < 0)
		exit(99);
	return pa;
}

static struct page *at(struct pa *pa, unsigned long pfn)
{
	return pfn_to_page(pa, pfn);
}

static struct zone *zone_at(struct pa *pa, unsigned long pfn)
{
	return page_zone(pa, at(pa, pfn));
}

static void retype(struct pa *pa, unsigned long pfn, unsigned int mt)
{
	struct zone *zone = zone_at(pa, pfn);

	spin_lock(&zone->lock);
	pa_retype_block(pa, zone, at(pa, pfn), mt);
	spin_unlock(&zone->lock);
}

/* All pages, one by one: afterwards every page is in use. */
static void take_everything(struct pa *pa)
{
	while (pa_alloc_pages(pa, PA_GFP_MOVABLE | PA_GFP_MEMALLOC |
			      PA_GFP_HIGHMEM, 0))
		;
}

static void give(struct pa *pa, unsigned long pfn)
{
	pa_free_pages(pa, at(pa, pfn), 0);
}

static void give_block(struct pa *pa, unsigned long pfn)
{
	for (unsigned long i = 0; i < BLOCK; i++)
		give(pa, pfn + i);
	pa_drain_all(pa);
}

static struct pa_report look(struct pa *pa)
{
	struct pa_report r;

	if (pa_audit(pa, &r) < 0)
		exit(99);
	return r;
}

static bool types_match(struct pa *pa)
{
	struct pa_report r = look(pa);

	pa_close(pa);
	return !r.type_mismatch;
}

static bool counts_match(struct pa *pa)
{
	struct pa_report r = look(pa);

	pa_close(pa);
	return !r.free_drift && !r.cma_drift;
}

/* A pageblock changes its type while a page of it is on a CPU's list. */
static bool block_changes_under_a_cpu_list(void)
{
	struct pa *pa = open_small((struct pa_config){ .pcp_high = 100 });

	take_everything(pa);
	give(pa, 20);
	retype(pa, 20, MIGRATE_UNMOVABLE);
	pa_drain_all(pa);
	return types_match(pa);
}

/* Two free pageblocks of unlike types become one free block. */
static bool unlike_blocks_merge(void)
{
	struct pa *pa = open_small((struct pa_config){ 0 });

	take_everything(pa);
	retype(pa, 16, MIGRATE_UNMOVABLE);
	give_block(pa, 16);
	give_block(pa, 24);
	return types_match(pa);
}

/* One of two pageblocks in use as one block has changed until it is freed. */
static bool unlike_block_comes_back(void)
{
	struct pa *pa = open_small((struct pa_config){ 0 });
	struct page *page = pa_alloc_pages(pa, PA_GFP_MOVABLE, 4);

	if (!page)
		exit(99);
	retype(pa, page_to_pfn(pa, page), MIGRATE_UNMOVABLE);
	take_everything(pa);
	pa_free_pages(pa, page, 4);
	return types_match(pa);
}

/* Half of a pageblock is taken, which makes MOVABLE of it; some are left. */
static bool scanner_takes_half_a_block(void)
{
	struct pa *pa = open_small((struct pa_config){ 0 });
	struct pa_list list;

	take_everything(pa);
	retype(pa, 16, MIGRATE_UNMOVABLE);
	for (unsigned long pfn = 16; pfn < 22; pfn++)
		give(pa, pfn);
	give_block(pa, 40);
	pa_drain_all(pa);
	pa_list_init(&list);
	if (pa_isolate_freepages(pa, 16, 1, &list) != BLOCK / 2)
		exit(99);
	return types_match(pa);
}

/* A zone begins in a pageblock, with a free page before the one looked at. */
static bool zone_begins_in_a_block(void)
{
	struct pa *pa = open_small((struct pa_config){ .dma_pages = 13 });

	take_everything(pa);
	give(pa, 13);
	give(pa, 15);
	pa_drain_all(pa);
	retype(pa, 15, MIGRATE_UNMOVABLE);
	return types_match(pa);
}

/* A request falls back to a pageblock that has too little to be claimed. */
static bool steal_without_a_claim(void)
{
	struct pa *pa = open_small((struct pa_config){ 0 });

	take_everything(pa);
	give(pa, 16);
	give(pa, 18);
	give(pa, 20);
	pa_drain_all(pa);
	if (!pa_alloc_pages(pa, PA_GFP_MEMALLOC, 0))
		exit(99);
	pa_drain_all(pa);
	return types_match(pa);
}

/* The pageblock to be isolated is the middle of a larger free block. */
static bool isolation_inside_a_free_block(void)
{
	struct pa *pa = open_small((struct pa_config){ 0 });
	struct pa_report r;

	if (pa_isolate_range(pa, 24, BLOCK) < 0)
		exit(99);
	r = look(pa);
	pa_close(pa);
	return r.isolated == BLOCK && !r.type_mismatch && !r.free_drift;
}

/*
 * Another CPU, as seen by who waits for the zone's lock: it changes the type
 * of the pageblock, and lets go. A waiter gives its CPU away by this call.
 */
static struct pa *racing;

int sched_yield(void)
{
	struct pa *pa = racing;

	racing = NULL;
	if (pa) {
		pa_retype_block(pa, zone_at(pa, 20), at(pa, 20),
				MIGRATE_UNMOVABLE);
		spin_unlock(&zone_at(pa, 20)->lock);
	}
	return 0;
}

/* The CPU's lists are taken, so the page goes to the zone, which is too. */
static bool block_changes_before_the_lock(void)
{
	struct pa *pa = open_small((struct pa_config){ 0 });
	struct zone *zone = zone_at(pa, 20);

	take_everything(pa);
	spin_lock(&zone->pageset[0].pcp.lock);
	spin_lock(&zone->lock);
	racing = pa;
	give(pa, 20);
	spin_unlock(&zone->pageset[0].pcp.lock);
	if (racing)
		exit(99);	/* nobody waited */
	return types_match(pa);
}

/* Free pages of a CMA block are taken by the scanner. */
static bool scanner_takes_cma_pages(void)
{
	struct pa *pa = open_small((struct pa_config){ .cma_pages = 16 });
	struct pa_list list;

	pa_list_init(&list);
	if (!pa_isolate_freepages(pa, PAGES - 16, 16, &list))
		exit(99);
	pa_free_page_list(pa, &list);
	pa_drain_all(pa);
	return counts_match(pa);
}

/* A guard block becomes memory again in a pageblock isolated meanwhile. */
static bool guard_ends_in_isolation(void)
{
	struct pa *pa = open_small((struct pa_config){ .guard_order = 1 });
	struct page *page = pa_alloc_pages(pa, PA_GFP_MOVABLE, 0);

	if (!page || !look(pa).guard)
		exit(99);
	pa_drain_all(pa);
	retype(pa, page_to_pfn(pa, page), MIGRATE_ISOLATE);
	atomic_fetch_add(&page_zone(pa, page)->nr_isolate_pageblock, 1);
	pa_free_pages(pa, page, 0);
	return counts_match(pa);
}

static const struct {
	const char *what;
	bool (*sound)(void);
	const char *patch;
} fixes[] = {
	{ "block_changes_under_a_cpu_list", block_changes_under_a_cpu_list,
	  STALE_TYPES },
	{ "unlike_blocks_merge", unlike_blocks_merge, MERGED_TYPES },
	{ "unlike_block_comes_back", unlike_block_comes_back, MERGED_TYPES },
	{ "scanner_takes_half_a_block", scanner_takes_half_a_block,
	  TAKEN_HALVES },
	{ "zone_begins_in_a_block", zone_begins_in_a_block, ODD_ZONES },
	{ "steal_without_a_claim", steal_without_a_claim, CONVERSION },
	{ "isolation_inside_a_free_block", isolation_inside_a_free_block,
	  CONVERSION },
	{ "block_changes_before_the_lock", block_changes_before_the_lock,
	  FREE_RACE },
	{ "scanner_takes_cma_pages", scanner_takes_cma_pages, ACCOUNTING },
	{ "guard_ends_in_isolation", guard_ends_in_isolation, ACCOUNTING },
};

#define NR_FIXES	((int)(sizeof(fixes) / sizeof(fixes[0])))

/* WB_TEST=test-pa-fixes:NAME: that one alone, whatever is applied. */
static const char *wanted(void)
{
	const char *test = getenv("WB_TEST");

	return test && strchr(test, ':') ? strchr(test, ':') + 1 : NULL;
}

static int run_one(const char *name)
{
	for (int i = 0; i < NR_FIXES; i++) {
		bool sound;

		if (strcmp(fixes[i].what, name))
			continue;
		sound = fixes[i].sound();
		printf("1..1\n%sok 1 - %s\n", sound ? "" : "not ", name);
		return !sound;
	}
	printf("Bail out! no test %s\n", name);
	return 1;
}

int main(void)
{
	bool good = true;

	if (wanted())
		return run_one(wanted());
	printf("1..%d\n", NR_FIXES);
	for (int i = 0; i < NR_FIXES; i++)
		good = tap_fix(i + 1, fixes[i].what, fixes[i].sound(),
			       fixes[i].patch) && good;
	return !good;
}
