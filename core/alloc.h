/*
 * One request on its way through the allocator.
 *
 * The first attempt is the fast path: LOW watermarks, local zones in turn, the
 * cpuset's wall up. Only if it fails does the slow path ask again under
 * weaker rules, and does work to make pages free.
 */
#ifndef PA_ALLOC_H
#define PA_ALLOC_H

#include <string.h>

#include "page_note.h"
#include "percpu.h"
#include "vmstat.h"
#include "watermark.h"

/* The request, and the rules of the present attempt at it. */
struct alloc_context {
	struct pa *pa;
	struct zonelist *zonelist;
	const pa_nodemask_t *nodemask;	/* NULL: any node */
	struct zone *preferred_zone;	/* first choice, or NULL */
	enum zone_type high_zoneidx;	/* highest zone that will do */
	unsigned int migratetype;
	unsigned int order;
	pa_gfp_t gfp;
	unsigned int alloc_flags;
};

/*
 * Zone and migratetype of a request. A table, since that is a load where the
 * rules take several branches: DMA beats the others, HIGHMEM and MOVABLE count
 * together, and both mobility bits make no sense and mean UNMOVABLE.
 */
#define GFP_PLACE_MASK	(PA_GFP_DMA | PA_GFP_HIGHMEM | PA_GFP_MOVABLE | \
			 PA_GFP_RECLAIMABLE)

struct gfp_place {
	unsigned char high_zoneidx;
	unsigned char migratetype;
	unsigned short alloc_flags;	/* ALLOC_CMA for MOVABLE */
};

extern const struct gfp_place pa_gfp_places[GFP_PLACE_MASK + 1];

static inline const struct gfp_place *gfp_place(pa_gfp_t gfp)
{
	return &pa_gfp_places[gfp & GFP_PLACE_MASK];
}

static inline struct zonelist *node_zonelist(struct pa *pa,
					     unsigned int nid, pa_gfp_t gfp)
{
	struct pgdat *pgdat = pa->node_data[nid];

	return unlikely(gfp & PA_GFP_THISNODE) ? &pgdat->thisnode :
						 &pgdat->fallback;
}

/* Makes the first zone that the context allows the preferred one. */
static inline void set_preferred_zone(struct alloc_context *ac)
{
	struct zoneref *z = first_zones_zonelist(ac->zonelist,
						 ac->high_zoneidx,
						 ac->nodemask);

	ac->preferred_zone = z->zone;
}

/* A block ready for the caller, from the first zone that can; or NULL. */
struct page *pa_get_page_from_freelist(struct alloc_context *ac);

/* Everything else that can be done; sets the rules of its attempts itself. */
cold struct page *pa_alloc_slowpath(struct alloc_context *ac);

void pa_prep_compound_page(struct page *page, unsigned int order);

/* Takes a checked block into use. */
static inline void prep_new_page(struct pa *pa, struct page *page,
				 pa_gfp_t gfp, unsigned int order)
{
	pa_note_given(pa, page, order, gfp);
	page->private = order;
	page->refcount = 1;
	if (gfp & PA_GFP_ZERO)
		memset(pa_page_address(pa, page), 0, PA_PAGE_SIZE << order);
	if (order && (gfp & PA_GFP_COMP))
		pa_prep_compound_page(page, order);
}

/* The zone's turn ends when it has given its share. */
static inline void end_turn_if_depleted(struct zone *zone)
{
	if (likely(zone_page_state(zone, NR_ALLOC_BATCH) > 0))
		return;
	if (!(atomic_load_explicit(&zone->flags, memory_order_relaxed) &
	      ZONE_FAIR_DEPLETED))
		atomic_fetch_or_explicit(&zone->flags, ZONE_FAIR_DEPLETED,
					 memory_order_relaxed);
}

/* Counts a block that the zone gave. The lock of pset is held. */
static inline void account_alloc(const struct alloc_context *ac,
				 struct zone *zone,
				 struct per_cpu_pageset *pset,
				 unsigned int order)
{
	pa_mod_zone_state(zone, pset, NR_ALLOC_BATCH, -(1l << order));
	end_turn_if_depleted(zone);
	pa_zone_statistics(ac->preferred_zone, zone, pset);
}

#endif
