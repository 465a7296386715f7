/*
 * Setting up nodes and zonelists, and walking the latter.
 */
#include <errno.h>

#include "arena.h"
#include "buddy.h"
#include "pageblock.h"
#include "vmstat.h"

struct zoneref *pa_next_zones_zonelist(struct zoneref *z,
				       enum zone_type highidx,
				       const pa_nodemask_t *nodes)
{
	if (!nodes) {
		while (z->zone_idx > (int)highidx)
			z++;
		return z;
	}
	while (z->zone_idx > (int)highidx ||
	       (z->zone && !((*nodes >> z->zone->node) & 1)))
		z++;
	return z;
}

/* The zone at place nid * MAX_NR_ZONES + idx, or the next one with pages. */
static struct zone *populated_zone(struct pa *pa, unsigned int place)
{
	for (; place < pa->nr_nodes * MAX_NR_ZONES; place++) {
		struct pgdat *pgdat = pa->node_data[place / MAX_NR_ZONES];
		struct zone *zone = &pgdat->zones[place % MAX_NR_ZONES];

		if (zone->managed_pages)
			return zone;
	}
	return NULL;
}

struct zone *pa_first_zone(struct pa *pa)
{
	return populated_zone(pa, 0);
}

struct zone *pa_next_zone(struct zone *zone)
{
	return populated_zone(zone->zone_pgdat->pa,
			      zone->node * MAX_NR_ZONES + zone->idx + 1);
}

static struct zoneref *add_zones_of(struct zoneref *z, struct pgdat *pgdat)
{
	for (int idx = MAX_NR_ZONES - 1; idx >= 0; idx--) {
		if (!pgdat->zones[idx].managed_pages)
			continue;
		z->zone = &pgdat->zones[idx];
		z->zone_idx = idx;
		z++;
	}
	return z;
}

/* Nodes are on a ring: the distance is the number of steps upwards. */
void pa_build_zonelists(struct pa *pa)
{
	for (unsigned int nid = 0; nid < pa->nr_nodes; nid++) {
		struct pgdat *pgdat = pa->node_data[nid];
		struct zoneref *z = pgdat->fallback.zonerefs;

		for (unsigned int step = 0; step < pa->nr_nodes; step++) {
			unsigned int next = (nid + step) % pa->nr_nodes;

			z = add_zones_of(z, pa->node_data[next]);
		}
		*z = (struct zoneref){ 0 };
		z = add_zones_of(pgdat->thisnode.zonerefs, pgdat);
		*z = (struct zoneref){ 0 };
	}
}

static int init_pagesets(struct pa *pa, struct zone *zone)
{
	size_t size = pa->nr_cpus * sizeof(*zone->pageset);

	zone->pageset = pa_arena_meta(size, pa->config.shared);
	if (!zone->pageset)
		return -ENOMEM;

	for (unsigned int cpu = 0; cpu < pa->nr_cpus; cpu++) {
		struct per_cpu_pages *pcp = &zone->pageset[cpu].pcp;

		pa_spin_init(&pcp->lock, pa);
		pcp->batch = pa->config.pcp_batch;
		pcp->high = pa->config.pcp_high;
		for (unsigned int i = 0; i < NR_PCP_LISTS; i++)
			list_init(&pcp->lists[i]);
		zone->pageset[cpu].node = cpu_to_node(pa, cpu);
		zone->pageset[cpu].stat_threshold = pa_stat_threshold(pa, zone);
	}
	return 0;
}

static unsigned int zone_place(const struct zone *zone)
{
	return zone->node * (PAGE_PLACES / PA_MAX_NODES) + zone->idx;
}

static void init_pages(struct pa *pa, struct zone *zone)
{
	unsigned long place = zone_place(zone);

	pa->zone_table[place] = zone;
	for (unsigned long i = 0; i < zone->spanned_pages; i++) {
		struct page *page = pfn_to_page(pa, zone->zone_start_pfn + i);

		page->flags = place << PAGE_PLACE_SHIFT;
		page->mapcount = -1;
		list_init(&page->lru);
	}
}

/* The last whole pageblocks of the zone. */
static void place_cma(struct pa *pa, struct zone *zone)
{
	unsigned long end = zone_end_pfn(zone) & ~(pageblock_pages(pa) - 1);
	unsigned long first = zone->zone_start_pfn + pageblock_pages(pa) - 1;

	first &= ~(pageblock_pages(pa) - 1);
	zone->cma_pages = pa->config.cma_pages;
	if (end < first + zone->cma_pages)
		zone->cma_pages = end > first ? end - first : 0;
	zone->cma_start_pfn = end - zone->cma_pages;
}

static int init_zone(struct pa *pa, struct zone *zone, unsigned long start_pfn,
		     unsigned long nr_pages)
{
	pa_spin_init(&zone->lock, pa);
	zone->zone_start_pfn = start_pfn;
	zone->spanned_pages = nr_pages;
	zone->managed_pages = nr_pages;
	for (unsigned int order = 0; order < NR_ORDERS; order++) {
		struct free_area *area = &zone->free_area[order];

		for (unsigned int mt = 0; mt < MIGRATE_TYPES; mt++)
			list_init(&area->free_list[mt]);
	}
	if (!nr_pages)
		return 0;
	if (zone->idx == ZONE_NORMAL)
		place_cma(pa, zone);
	init_pages(pa, zone);
	if (init_pagesets(pa, zone) < 0 || pa_pageblock_init(pa, zone) < 0)
		return -ENOMEM;
	pa_buddy_init_zone(pa, zone);
	return 0;
}

int pa_init_node(struct pa *pa, int nid, unsigned long start_pfn,
		 const unsigned long zone_pages[MAX_NR_ZONES])
{
	struct pgdat *pgdat = pa_arena_meta(sizeof(*pgdat),
					    pa->config.shared);
	unsigned long pfn = start_pfn;

	if (!pgdat)
		return -ENOMEM;
	pgdat->pa = pa;
	pgdat->nid = nid;
	pgdat->start_pfn = start_pfn;
	pa->node_data[nid] = pgdat;

	for (int idx = 0; idx < MAX_NR_ZONES; idx++) {
		struct zone *zone = &pgdat->zones[idx];

		zone->idx = idx;
		zone->node = nid;
		zone->zone_pgdat = pgdat;
		if (init_zone(pa, zone, pfn, zone_pages[idx]) < 0)
			return -ENOMEM;
		pfn += zone_pages[idx];
	}
	pgdat->nr_pages = pfn - start_pfn;
	return 0;
}

void pa_free_node(struct pa *pa, int nid)
{
	struct pgdat *pgdat = pa->node_data[nid];

	if (!pgdat)
		return;
	for (int idx = 0; idx < MAX_NR_ZONES; idx++) {
		bool shared = pa->config.shared;

		pa_arena_meta_free(pgdat->zones[idx].pageset, shared);
		pa_arena_meta_free(pgdat->zones[idx].pageblock_flags, shared);
	}
	pa_arena_meta_free(pgdat, pa->config.shared);
}
