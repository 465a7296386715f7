/*
 * What an instance is made of: nodes, zones, free lists, zonelists.
 *
 * struct pa owns 1..4 nodes (struct pgdat); a node owns the zones of its pages,
 * which may be empty, and two zonelists. A zonelist is an array of zonerefs,
 * ended by one without a zone: the node's own zones from the highest down, then
 * those of the other nodes by distance. A zoneref keeps the zone's index beside
 * the pointer, so that a walk reads zones only when it uses them.
 *
 * Who may write what:
 *	free_area, nr_free, nr_isolate_pageblock,
 *	pageblock types, NR_FREE_PAGES, _CMA	zone->lock
 *	pcp lists and counts, other vmstat items	lock of that pageset
 *	everything set up by pa_open()			nobody afterwards
 */
#ifndef PA_MMZONE_H
#define PA_MMZONE_H

#include <stdalign.h>

#include "page.h"
#include "spinlock.h"
#include "stat.h"

#define CACHE_LINE	64
#define NR_ORDERS	(PA_MAX_ORDER + 1)

enum zone_type {
	ZONE_DMA,
	ZONE_NORMAL,
	ZONE_MOVABLE,
	MAX_NR_ZONES,
};

/* The first three are what callers ask for; per-CPU lists hold only those. */
enum migratetype {
	MIGRATE_UNMOVABLE,
	MIGRATE_MOVABLE,
	MIGRATE_RECLAIMABLE,
	MIGRATE_PCPTYPES,
	MIGRATE_HIGHATOMIC = MIGRATE_PCPTYPES,	/* kept for PA_GFP_HARDER */
	MIGRATE_CMA,				/* MOVABLE and contig alone */
	MIGRATE_ISOLATE,			/* serves no request */
	MIGRATE_TYPES,
};

enum zone_stat_item {
	NR_FREE_PAGES,
	NR_FREE_CMA,		/* those of them that only MOVABLE can have */
	NR_ALLOC_BATCH,		/* what the zone may still give in this turn */
	NUMA_HIT,
	NUMA_MISS,
	NUMA_FOREIGN,
	NUMA_LOCAL,
	NUMA_OTHER,
	NR_ZONE_STAT_ITEMS,
};

enum zone_watermark {
	WMARK_MIN,
	WMARK_LOW,
	WMARK_HIGH,
	NR_WMARK,
};

/* zone->flags */
#define ZONE_FAIR_DEPLETED	1ul	/* NR_ALLOC_BATCH is used up */

struct free_area {
	struct pa_list free_list[MIGRATE_TYPES];
	unsigned long nr_free;		/* blocks, all types */
};

/* Highest order that has per-CPU lists, if pageblocks are not smaller. */
#define PCP_MAX_ORDER	3
#define NR_PCP_LISTS	(MIGRATE_PCPTYPES * (PCP_MAX_ORDER + 1))

struct per_cpu_pages {
	struct spinlock lock;
	int count;		/* pages on all lists */
	int high;		/* from here on a free gives a batch back */
	int batch;		/* pages moved at once */
	struct pa_list lists[NR_PCP_LISTS];
};

struct per_cpu_pageset {
	alignas(CACHE_LINE) struct per_cpu_pages pcp;
	signed char node;	/* of this CPU */
	signed char stat_threshold;
	_Atomic signed char vm_stat_diff[NR_ZONE_STAT_ITEMS];
};

struct zone {
	unsigned long watermark[NR_WMARK];	/* pages */
	/* Pages of this zone out of reach of requests for zone i. */
	long lowmem_reserve[MAX_NR_ZONES];
	atomic_ulong nr_reserved_highatomic;	/* pages, whole pageblocks */
	struct pgdat *zone_pgdat;
	struct per_cpu_pageset *pageset;	/* one a CPU */
	unsigned long zone_start_pfn;
	unsigned long spanned_pages;
	unsigned long managed_pages;
	unsigned long cma_start_pfn;
	unsigned long cma_pages;		/* 0: none; whole pageblocks */
	unsigned long *pageblock_flags;
	unsigned long pageblock_pfn;	/* start of the first, maybe below us */
	atomic_ulong nr_isolate_pageblock;
	atomic_ulong flags;
	int node;
	enum zone_type idx;

	alignas(CACHE_LINE) struct spinlock lock;
	struct free_area free_area[NR_ORDERS];

	alignas(CACHE_LINE) atomic_long vm_stat[NR_ZONE_STAT_ITEMS];
};

struct zoneref {
	struct zone *zone;
	int zone_idx;
};

struct zonelist {
	struct zoneref zonerefs[PA_MAX_NODES * MAX_NR_ZONES + 1];
};

struct pgdat {
	struct zone zones[MAX_NR_ZONES];
	struct zonelist fallback;	/* all nodes, this one first */
	struct zonelist thisnode;	/* PA_GFP_THISNODE: no other */
	struct pa *pa;
	unsigned long start_pfn;
	unsigned long nr_pages;
	int nid;
};

struct pa {
	char *base;			/* of the arena */
	struct page *mem_map;
	unsigned long nr_pages;		/* in the arena */
	unsigned long map_pages;	/* in mem_map, whole largest blocks */
	struct pgdat *node_data[PA_MAX_NODES];
	struct zone *zone_table[PAGE_PLACES];	/* by place of the page */
	unsigned int nr_nodes;
	unsigned int nr_cpus;
	unsigned int pageblock_order;
	unsigned int pcp_max_order;	/* of blocks on per-CPU lists */
	unsigned int guard_order;	/* halves below become guards */

	pa_gfp_t gfp_allowed_mask;
	struct spinlock cpuset_lock;	/* for changes of the next three */
	unsigned int nr_cpusets;	/* 1: nothing is confined */
	atomic_uint mems_allowed_seq;	/* odd while mems_allowed changes */
	pa_nodemask_t mems_allowed;
	atomic_int abandoned_by;	/* a process that was killed, or 0 */
	char *kmalloc_caches;		/* made by the first pa_kmalloc() */
	struct pa_config config;
#if PA_STATS
	atomic_long events[PA_STAT_NR];
#endif
#if PA_DEBUG
	struct pa_notes *notes;
#endif
};

static inline unsigned long page_to_pfn(const struct pa *pa,
					const struct page *page)
{
	return page - pa->mem_map;
}

static inline struct page *pfn_to_page(const struct pa *pa, unsigned long pfn)
{
	return pa->mem_map + pfn;
}

static inline struct zone *page_zone(const struct pa *pa,
				     const struct page *page)
{
	return pa->zone_table[page_place(page)];
}

static inline unsigned long zone_end_pfn(const struct zone *zone)
{
	return zone->zone_start_pfn + zone->spanned_pages;
}

static inline bool zone_spans_pfn(const struct zone *zone, unsigned long pfn)
{
	return pfn - zone->zone_start_pfn < zone->spanned_pages;
}

static inline bool zone_cma_pfn(const struct zone *zone, unsigned long pfn)
{
	return pfn - zone->cma_start_pfn < zone->cma_pages;
}

static inline unsigned long pageblock_pages(const struct pa *pa)
{
	return 1ul << pa->pageblock_order;
}

static inline unsigned long zone_reserved_highatomic(const struct zone *zone)
{
	return atomic_load_explicit(&zone->nr_reserved_highatomic,
				    memory_order_relaxed);
}

static inline bool zone_local(const struct zone *a, const struct zone *b)
{
	return a->node == b->node;
}

/*
 * The first zoneref from z on, z included, whose zone is at most highidx and on
 * one of the nodes (NULL: any). At the end of the list its zone is NULL.
 */
struct zoneref *pa_next_zones_zonelist(struct zoneref *z,
				       enum zone_type highidx,
				       const pa_nodemask_t *nodes);

static inline struct zoneref *
first_zones_zonelist(struct zonelist *zonelist, enum zone_type highidx,
		     const pa_nodemask_t *nodes)
{
	return pa_next_zones_zonelist(zonelist->zonerefs, highidx, nodes);
}

#define for_each_zoneref(z, zonelist, highidx, nodes)			\
	for (z = first_zones_zonelist(zonelist, highidx, nodes);	\
	     z->zone;							\
	     z = pa_next_zones_zonelist(z + 1, highidx, nodes))

/* All zones that have pages, of all nodes. */
#define for_each_zone(zone, pa)						\
	for (zone = pa_first_zone(pa); zone; zone = pa_next_zone(zone))

struct zone *pa_first_zone(struct pa *pa);
struct zone *pa_next_zone(struct zone *zone);

/* Sets up the node's zones and their pages; zone_pages[] are their sizes. */
int pa_init_node(struct pa *pa, int nid, unsigned long start_pfn,
		 const unsigned long zone_pages[MAX_NR_ZONES]);
void pa_build_zonelists(struct pa *pa);
void pa_free_node(struct pa *pa, int nid);

/* Hands a bug to the callback; page may be NULL. */
cold void pa_report_bug(struct pa *pa, enum pa_bug bug, struct page *page);

#endif
