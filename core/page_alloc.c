/*
 * Allocating and freeing: the fast path, and the walk over the zonelist that
 * it shares with the slow path.
 */
#include "alloc.h"
#include "buddy.h"
#include "cpuset.h"
#include "highatomic.h"
#include "page_check.h"
#include "pcp.h"

static inline void might_sleep_if(struct pa *pa, bool cond)
{
	if (cond && unlikely(pa_thread.atomic_depth))
		pa_report_bug(pa, PA_BUG_SLEEP, NULL);
}

void pa_prep_compound_page(struct page *page, unsigned int order)
{
	set_page_flags(page, page->flags | PG_HEAD);
	for (unsigned long i = 1; i < 1ul << order; i++)
		page[i].compound_head = (unsigned long)page + 1;
}

/* Straight from the zone: high orders, and when this CPU's lists are taken. */
static struct page *rmqueue_buddy(struct zone *zone,
				  const struct alloc_context *ac)
{
	struct per_cpu_pageset *pset = this_cpu_pageset(ac->pa, zone);
	struct page *page = NULL;

	spin_lock(&zone->lock);
	if (ac->order && (ac->alloc_flags & ALLOC_HARDER))
		page = pa_buddy_rmqueue_smallest(ac->pa, zone, ac->order,
						 MIGRATE_HIGHATOMIC);
	if (!page)
		page = pa_buddy_rmqueue(ac->pa, zone, ac->order,
					ac->migratetype);
	if (page)
		mod_zone_freepage_state(ac->pa, zone, -(1l << ac->order),
					pcppage_migratetype(page));
	spin_unlock(&zone->lock);
	if (!page)
		return NULL;

	spin_lock(&pset->pcp.lock);
	account_alloc(ac, zone, pset, ac->order);
	spin_unlock(&pset->pcp.lock);
	return page;
}

/* A block of the zone, not yet checked. */
static inline struct page *rmqueue(struct zone *zone,
				   const struct alloc_context *ac)
{
	struct per_cpu_pageset *pset = this_cpu_pageset(ac->pa, zone);
	unsigned int order = ac->order;
	struct page *page;

	if (likely(order <= ac->pa->pcp_max_order) &&
	    likely(spin_trylock(&pset->pcp.lock))) {
		page = rmqueue_pcp(ac->pa, zone, &pset->pcp, order,
				   ac->migratetype);
		if (likely(page))
			account_alloc(ac, zone, pset, order);
		spin_unlock(&pset->pcp.lock);
		if (likely(page))
			return page;
	}
	return rmqueue_buddy(zone, ac);
}

static inline struct page *page_from_zone(struct zone *zone,
					  const struct alloc_context *ac)
{
	struct page *page;

	do {
		page = rmqueue(zone, ac);
		if (unlikely(!page))
			return NULL;
	} while (unlikely(!check_new_pages(ac->pa, page, ac->order)));

	prep_new_page(ac->pa, page, ac->gfp, ac->order);
	if (ac->order && unlikely(ac->alloc_flags & ALLOC_HARDER))
		pa_reserve_highatomic(ac->pa, zone, page);
	return page;
}

static inline bool zone_fair_depleted(const struct zone *zone)
{
	return atomic_load_explicit(&zone->flags, memory_order_relaxed) &
	       ZONE_FAIR_DEPLETED;
}

static inline bool zone_has_reserve(struct zone *zone,
				    const struct alloc_context *ac)
{
	unsigned int flags = ac->alloc_flags;
	unsigned long mark = zone->watermark[flags & ALLOC_WMARK_MASK];

	return likely(pa_zone_watermark_ok(zone, mark, ac->preferred_zone->idx,
					   ac->order, flags)) ||
	       (flags & ALLOC_NO_WATERMARKS);
}

/* Sets *fair_skipped if a zone was left out only because of its turn. */
static inline struct page *scan_zonelist(const struct alloc_context *ac,
					 bool *fair_skipped)
{
	struct zoneref *z;

	for_each_zoneref(z, ac->zonelist, ac->high_zoneidx, ac->nodemask) {
		struct zone *zone = z->zone;
		struct page *page;

		if ((ac->alloc_flags & ALLOC_CPUSET) &&
		    !cpuset_zone_allowed(ac->pa, zone, ac->gfp))
			continue;
		if (ac->alloc_flags & ALLOC_FAIR) {
			if (unlikely(!zone_local(ac->preferred_zone, zone)))
				break;
			if (unlikely(zone_fair_depleted(zone))) {
				*fair_skipped = true;
				continue;
			}
		}
		if (!zone_has_reserve(zone, ac))
			continue;
		page = page_from_zone(zone, ac);
		if (likely(page))
			return page;
	}
	return NULL;
}

/* A new turn for the zones of the preferred zone's node. */
static void reset_alloc_batches(struct zone *preferred)
{
	struct zone *zones = preferred->zone_pgdat->zones;

	for (int idx = 0; idx <= (int)preferred->idx; idx++) {
		struct zone *zone = &zones[idx];
		long share = 1 + zone->watermark[WMARK_HIGH] -
			     zone->watermark[WMARK_LOW];

		zone_page_state_add(zone, NR_ALLOC_BATCH,
				    share - zone_page_state(zone,
							    NR_ALLOC_BATCH));
		atomic_fetch_and_explicit(&zone->flags, ~ZONE_FAIR_DEPLETED,
					  memory_order_relaxed);
	}
}

/*
 * With ALLOC_FAIR the first scan stays on the preferred node and leaves out
 * zones whose turn is over, so that pages of all zones age alike. If it finds
 * nothing, a second scan starts a new turn and drops the rule.
 */
struct page *pa_get_page_from_freelist(struct alloc_context *ac)
{
	bool fair_skipped = false;
	struct page *page;

	for (;;) {
		page = scan_zonelist(ac, &fair_skipped);
		if (likely(page) || !(ac->alloc_flags & ALLOC_FAIR))
			return page;
		if (!fair_skipped && ac->pa->nr_nodes == 1)
			return NULL;
		if (fair_skipped)
			reset_alloc_batches(ac->preferred_zone);
		ac->alloc_flags &= ~ALLOC_FAIR;
	}
}

/*
 * The first attempt keeps to the cpuset whatever the request is entitled to,
 * and walks its nodes unless the caller named some. The slow path starts from
 * the caller's own flags and mask again.
 */
static inline struct page *alloc_pages(struct pa *pa, pa_gfp_t gfp,
				       unsigned int order, unsigned int nid,
				       const pa_nodemask_t *nodemask)
{
	const struct gfp_place *place;
	struct alloc_context ac;
	struct page *page = NULL;

	if (unlikely(order > PA_MAX_ORDER) || pa_note_fails(pa, gfp, order))
		return NULL;
	gfp &= pa->gfp_allowed_mask;
	might_sleep_if(pa, gfp & PA_GFP_RECLAIM);
	place = gfp_place(gfp);

	ac.pa = pa;
	ac.zonelist = node_zonelist(pa, nid, gfp);
	ac.high_zoneidx = place->high_zoneidx;
	ac.migratetype = place->migratetype;
	ac.order = order;
	ac.nodemask = nodemask ? nodemask : &pa->mems_allowed;
	ac.gfp = gfp | PA_GFP_HARDWALL;
	ac.alloc_flags = ALLOC_WMARK_LOW | ALLOC_CPUSET | ALLOC_FAIR |
			 place->alloc_flags;
	/* a node without memory, with PA_GFP_THISNODE */
	if (unlikely(!ac.zonelist->zonerefs->zone))
		return NULL;
	set_preferred_zone(&ac);
	/* a mask can leave no zone that will do; the slow path may drop it */
	if (likely(ac.preferred_zone))
		page = pa_get_page_from_freelist(&ac);
	if (likely(page))
		return page;

	ac.gfp = gfp;
	ac.nodemask = nodemask;
	return pa_alloc_slowpath(&ac);
}

struct page *pa_alloc_pages_nodemask(struct pa *pa, pa_gfp_t gfp,
				     unsigned int order, int nid,
				     const pa_nodemask_t *nodemask)
{
	unsigned int node = nid < 0 ? numa_node_id(pa) : (unsigned int)nid;

	if (unlikely(node >= pa->nr_nodes))
		return NULL;
	return alloc_pages(pa, gfp, order, node, nodemask);
}

struct page *pa_alloc_pages_node(struct pa *pa, int nid, pa_gfp_t gfp,
				 unsigned int order)
{
	return pa_alloc_pages_nodemask(pa, gfp, order, nid, NULL);
}

struct page *pa_alloc_pages(struct pa *pa, pa_gfp_t gfp, unsigned int order)
{
	return alloc_pages(pa, gfp, order, numa_node_id(pa), NULL);
}

void pa_free_pages(struct pa *pa, struct page *page, unsigned int order)
{
	if (pa_note_freed(pa, page, order) &&
	    likely(put_page_testzero(pa, page)))
		pa_free_unref_page(pa, page, order);
}
