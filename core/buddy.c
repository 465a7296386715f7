/*
 * The buddy algorithm: merge, split, and nothing else.
 */
#include "buddy.h"
#include "fallback.h"
#include "guard.h"
#include "pageblock.h"

/* Pages of other zones are not ours to look at: they change under our eyes. */
static bool page_is_buddy(const struct zone *zone, const struct page *buddy,
			  unsigned long buddy_pfn, unsigned int order)
{
	return zone_spans_pfn(zone, buddy_pfn) &&
	       (page_flags(buddy) & (PG_BUDDY | PG_GUARD)) &&
	       buddy_order(buddy) == order;
}

/*
 * Blocks as large as a pageblock merge across two pageblocks. If one of these
 * is isolated or reserved, its pages would leave or enter it unnoticed. What
 * counts are the pageblocks, not the list, which can be that of another type.
 */
static bool blocks_may_merge(struct pa *pa, const struct page *page,
			     const struct page *buddy)
{
	unsigned int mt = get_pageblock_migratetype(pa, page);
	unsigned int other = get_pageblock_migratetype(pa, buddy);

	return mt == other ||
	       (mt < MIGRATE_PCPTYPES && other < MIGRATE_PCPTYPES);
}

/* True if the block one order up has a free buddy and only waits for ours. */
static bool buddy_merge_likely(const struct zone *zone,
			       const struct page *page, unsigned long pfn,
			       unsigned int order)
{
	unsigned long parent_pfn = pfn & ~(1ul << order);
	unsigned long uncle_pfn = parent_pfn ^ (1ul << (order + 1));

	return order < PA_MAX_ORDER - 1 &&
	       page_is_buddy(zone, page + (long)(uncle_pfn - pfn), uncle_pfn,
			     order + 1);
}

/* Each pageblock of a large block on its own: some may be isolated. */
static void free_by_pageblock(struct pa *pa, struct zone *zone,
			      struct page *page, unsigned long pfn,
			      unsigned int order)
{
	for (unsigned long i = 0; i < 1ul << order; i += pageblock_pages(pa))
		pa_buddy_free(pa, zone, page + i, pfn + i, pa->pageblock_order,
			      get_pfnblock_migratetype(pa, page + i, pfn + i));
}

void pa_buddy_free(struct pa *pa, struct zone *zone, struct page *page,
		   unsigned long pfn, unsigned int order,
		   unsigned int migratetype)
{
	if (unlikely(order > pa->pageblock_order) &&
	    unlikely(has_isolate_pageblock(zone))) {
		free_by_pageblock(pa, zone, page, pfn, order);
		return;
	}
	if (likely(!is_migrate_isolate(migratetype)))
		mod_zone_freepage_state(pa, zone, 1l << order, migratetype);

	while (order < PA_MAX_ORDER) {
		unsigned long buddy_pfn = pfn ^ (1ul << order);
		struct page *buddy = page + (long)(buddy_pfn - pfn);

		if (!page_is_buddy(zone, buddy, buddy_pfn, order))
			break;
		if (unlikely(order >= pa->pageblock_order) &&
		    !blocks_may_merge(pa, page, buddy))
			break;
		if (unlikely(page_guard(buddy))) {
			pa_clear_guard(pa, buddy, order);
			mod_zone_freepage_state(pa, zone, 1l << order,
						migratetype);
		} else {
			del_page_from_free_list(buddy, zone, order);
		}
		page += (long)((buddy_pfn & pfn) - pfn);
		pfn &= buddy_pfn;
		order++;
	}

	set_buddy_order(page, order);
	if (buddy_merge_likely(zone, page, pfn, order))
		add_to_free_list_tail(page, zone, order, migratetype);
	else
		add_to_free_list(page, zone, order, migratetype);
}

void pa_free_one_page(struct pa *pa, struct zone *zone, struct page *page,
		      unsigned int order, unsigned int migratetype)
{
	unsigned long pfn = page_to_pfn(pa, page);

	spin_lock(&zone->lock);
	/* the caller read the type without the lock: it may be old */
	if (unlikely(has_isolate_pageblock(zone) ||
		     is_migrate_isolate(migratetype)))
		migratetype = get_pfnblock_migratetype(pa, page, pfn);
	pa_buddy_free(pa, zone, page, pfn, order, migratetype);
	spin_unlock(&zone->lock);
}

/* Keeps the first block of order low, puts the upper halves back. */
static void expand(struct pa *pa, struct zone *zone, struct page *page,
		   unsigned int low, unsigned int high,
		   unsigned int migratetype)
{
	while (high > low) {
		struct page *half;

		high--;
		half = page + (1ul << high);
		if (unlikely(high < pa->guard_order)) {
			pa_set_guard(pa, half, high);
			mod_zone_freepage_state(pa, zone, -(1l << high),
						migratetype);
			continue;
		}
		set_buddy_order(half, high);
		add_to_free_list(half, zone, high, migratetype);
	}
}

struct page *pa_buddy_rmqueue_smallest(struct pa *pa, struct zone *zone,
				       unsigned int order,
				       unsigned int migratetype)
{
	for (unsigned int o = order; o < NR_ORDERS; o++) {
		struct page *page = first_free_page(&zone->free_area[o],
						    migratetype);

		if (!page)
			continue;
		del_page_from_free_list(page, zone, o);
		expand(pa, zone, page, order, o, migratetype);
		set_pcppage_migratetype(page, migratetype);
		return page;
	}
	return NULL;
}

struct page *pa_buddy_rmqueue(struct pa *pa, struct zone *zone,
			      unsigned int order, unsigned int migratetype)
{
	struct page *page;

	do {
		page = pa_buddy_rmqueue_smallest(pa, zone, order, migratetype);
		/* the owner of CMA blocks can have them back from MOVABLE */
		if (unlikely(!page) && migratetype == MIGRATE_MOVABLE)
			page = pa_buddy_rmqueue_smallest(pa, zone, order,
							 MIGRATE_CMA);
	} while (unlikely(!page) &&
		 pa_rmqueue_fallback(pa, zone, order, migratetype));
	return page;
}

/* The largest block in one pageblock that starts at pfn, in the zone. */
static unsigned int order_at(const struct pa *pa, const struct zone *zone,
			     unsigned long pfn)
{
	unsigned int order = 0;

	while (order < pa->pageblock_order && !(pfn & (1ul << order)) &&
	       pfn + (2ul << order) <= zone_end_pfn(zone))
		order++;
	return order;
}

void pa_buddy_init_zone(struct pa *pa, struct zone *zone)
{
	unsigned long pfn = zone->zone_start_pfn;

	while (pfn < zone_end_pfn(zone)) {
		struct page *page = pfn_to_page(pa, pfn);
		unsigned int order = order_at(pa, zone, pfn);

		pa_buddy_free(pa, zone, page, pfn, order,
			      get_pageblock_migratetype(pa, page));
		pfn += 1ul << order;
	}
}
