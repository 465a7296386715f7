/*
 * Many pages of order 0 under one lock.
 */
#include "alloc.h"
#include "cpuset.h"
#include "page_check.h"
#include "pcp.h"

/* The first zone that can spare nr pages at the LOW mark, or NULL. */
static struct zone *bulk_zone(const struct alloc_context *ac, unsigned long nr)
{
	struct zoneref *z;

	for_each_zoneref(z, ac->zonelist, ac->high_zoneidx, ac->nodemask) {
		struct zone *zone = z->zone;
		unsigned long mark = zone->watermark[WMARK_LOW] + nr;

		if (cpuset_zone_allowed(ac->pa, zone, ac->gfp) &&
		    pa_zone_watermark_ok(zone, mark, ac->preferred_zone->idx, 0,
					 ac->alloc_flags))
			return zone;
	}
	return NULL;
}

static unsigned long take_from_zone(const struct alloc_context *ac,
				    struct zone *zone, unsigned long nr,
				    struct page **pages)
{
	struct per_cpu_pageset *pset = this_cpu_pageset(ac->pa, zone);
	unsigned long got = 0;

	if (!spin_trylock(&pset->pcp.lock))
		return 0;
	while (got < nr) {
		struct page *page;

		page = rmqueue_pcp(ac->pa, zone, &pset->pcp, 0,
				   ac->migratetype);
		if (!page)
			break;
		account_alloc(ac, zone, pset, 0);
		if (likely(check_new_pages(ac->pa, page, 0)))
			pages[got++] = page;
	}
	spin_unlock(&pset->pcp.lock);

	for (unsigned long i = 0; i < got; i++)
		prep_new_page(ac->pa, pages[i], ac->gfp, 0);
	return got;
}

unsigned long pa_alloc_bulk(struct pa *pa, pa_gfp_t gfp, unsigned long nr,
			    struct page **pages)
{
	struct alloc_context ac = { .pa = pa };
	const struct gfp_place *place;
	unsigned long got = 0;
	struct zone *zone;

	if (!nr || pa_note_fails(pa, gfp, 0))
		return 0;
	gfp &= pa->gfp_allowed_mask;
	place = gfp_place(gfp);
	ac.zonelist = node_zonelist(pa, numa_node_id(pa), gfp);
	ac.nodemask = &pa->mems_allowed;
	ac.high_zoneidx = place->high_zoneidx;
	ac.migratetype = place->migratetype;
	ac.gfp = gfp | PA_GFP_HARDWALL;
	ac.alloc_flags = ALLOC_WMARK_LOW | place->alloc_flags;
	set_preferred_zone(&ac);
	zone = bulk_zone(&ac, nr);
	if (zone)
		got = take_from_zone(&ac, zone, nr, pages);
	if (got)
		return got;

	/* no zone has that many to spare: one page under the usual rules */
	pages[0] = pa_alloc_pages(pa, gfp, 0);
	return pages[0] ? 1 : 0;
}
