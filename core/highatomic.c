/*
 * Setting pageblocks aside for atomic requests, and giving them up.
 */
#include "buddy.h"
#include "highatomic.h"
#include "pageblock.h"
#include "retype.h"

static bool reserve_full(struct pa *pa, struct zone *zone)
{
	unsigned long max = zone->managed_pages / 100 + pageblock_pages(pa);

	return zone_reserved_highatomic(zone) + pageblock_pages(pa) > max;
}

void pa_reserve_highatomic(struct pa *pa, struct zone *zone,
			   struct page *page)
{
	/* larger blocks go back whole, into one reserve or none */
	if (page->private > pa->pageblock_order || reserve_full(pa, zone))
		return;

	spin_lock(&zone->lock);
	if (!reserve_full(pa, zone) &&
	    get_pageblock_migratetype(pa, page) < MIGRATE_PCPTYPES) {
		atomic_fetch_add_explicit(&zone->nr_reserved_highatomic,
					  pageblock_pages(pa),
					  memory_order_relaxed);
		pa_retype_block(pa, zone, page, MIGRATE_HIGHATOMIC);
	}
	spin_unlock(&zone->lock);
}

static bool unreserve_block(struct pa *pa, struct zone *zone,
			    unsigned int migratetype)
{
	for (unsigned int order = 0; order < NR_ORDERS; order++) {
		struct page *page = first_free_page(&zone->free_area[order],
						    MIGRATE_HIGHATOMIC);

		if (!page)
			continue;
		/* a stray page does not make its block reserved */
		if (get_pageblock_migratetype(pa, page) != MIGRATE_HIGHATOMIC) {
			move_to_free_list(page, zone, order, migratetype);
			return true;
		}
		atomic_fetch_sub_explicit(&zone->nr_reserved_highatomic,
					  pageblock_pages(pa),
					  memory_order_relaxed);
		pa_retype_block(pa, zone, page, migratetype);
		return true;
	}
	return false;
}

bool pa_unreserve_highatomic(const struct alloc_context *ac)
{
	struct zoneref *z;

	for_each_zoneref(z, ac->zonelist, ac->high_zoneidx, ac->nodemask) {
		bool done;

		if (!zone_reserved_highatomic(z->zone))
			continue;
		spin_lock(&z->zone->lock);
		done = unreserve_block(ac->pa, z->zone, ac->migratetype);
		spin_unlock(&z->zone->lock);
		if (done)
			return true;
	}
	return false;
}
