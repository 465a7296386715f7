/*
 * Taking free blocks of one migratetype for another.
 */
#include "buddy.h"
#include "fallback.h"
#include "pageblock.h"

/* Whom to take from, nearest kind first. */
static const unsigned int fallbacks[MIGRATE_PCPTYPES][MIGRATE_PCPTYPES - 1] = {
	[MIGRATE_UNMOVABLE]   = { MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE },
	[MIGRATE_MOVABLE]     = { MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE },
	[MIGRATE_RECLAIMABLE] = { MIGRATE_UNMOVABLE, MIGRATE_MOVABLE },
};

static unsigned long move_freepages(struct pa *pa, struct zone *zone,
				    unsigned long pfn, unsigned long end_pfn,
				    unsigned int migratetype)
{
	unsigned long moved = 0;

	while (pfn < end_pfn) {
		struct page *page = pfn_to_page(pa, pfn);
		unsigned int order;

		if (!page_buddy(page)) {
			pfn++;
			continue;
		}
		order = buddy_order(page);
		move_to_free_list(page, zone, order, migratetype);
		pfn += 1ul << order;
		moved += 1ul << order;
	}
	return moved;
}

unsigned long pa_move_freepages_block(struct pa *pa, struct zone *zone,
				      struct page *page,
				      unsigned int migratetype)
{
	unsigned long pfn = page_to_pfn(pa, page);
	unsigned long start_pfn = pfn & ~(pageblock_pages(pa) - 1);
	unsigned long end_pfn = start_pfn + pageblock_pages(pa);

	/* a zone may begin or end inside a pageblock */
	if (!zone_spans_pfn(zone, start_pfn))
		start_pfn = pfn;
	if (!zone_spans_pfn(zone, end_pfn - 1))
		return 0;
	return move_freepages(pa, zone, start_pfn, end_pfn, migratetype);
}

/*
 * A small MOVABLE request does little harm elsewhere, so it takes a block and
 * leaves the rest. The others would go on taking block after block: they get
 * as much of the pageblock as is free.
 */
static bool can_steal_pageblock(const struct pa *pa, unsigned int order,
				unsigned int migratetype)
{
	return order >= pa->pageblock_order / 2 ||
	       migratetype != MIGRATE_MOVABLE;
}

/*
 * Large blocks cover whole pageblocks, which all change, but for reserved ones
 * that the block grew over by strays.
 */
static void change_pageblock_range(struct pa *pa, struct page *page,
				   unsigned int order, unsigned int migratetype)
{
	unsigned long nr_blocks = 1ul << (order - pa->pageblock_order);

	for (; nr_blocks; nr_blocks--) {
		if (get_pageblock_migratetype(pa, page) < MIGRATE_PCPTYPES)
			set_pageblock_migratetype(pa, page, migratetype);
		page += pageblock_pages(pa);
	}
}

/*
 * Moves the free block, and if whole is set the rest of its pageblock, to the
 * lists of migratetype; claims the pageblock if half of it came along.
 */
static void steal_block(struct pa *pa, struct zone *zone, struct page *page,
			unsigned int migratetype, bool whole)
{
	unsigned int order = buddy_order(page);

	count_event(pa, PA_STAT_FALLBACK);
	/* a stray block of a reserved or isolated pageblock */
	if (get_pageblock_migratetype(pa, page) >= MIGRATE_PCPTYPES) {
		move_to_free_list(page, zone, order, migratetype);
		return;
	}
	if (order >= pa->pageblock_order) {
		change_pageblock_range(pa, page, order, migratetype);
		count_event(pa, PA_STAT_STEAL);
	} else if (whole) {
		unsigned long moved;

		moved = pa_move_freepages_block(pa, zone, page, migratetype);
		if (moved >= pageblock_pages(pa) / 2) {
			set_pageblock_migratetype(pa, page, migratetype);
			count_event(pa, PA_STAT_STEAL);
		}
		/* an odd block at the end of the zone is not moved whole */
		if (moved)
			return;
	}
	move_to_free_list(page, zone, order, migratetype);
}

static struct page *find_fallback(const struct zone *zone, unsigned int order,
				  unsigned int migratetype)
{
	for (unsigned int i = 0; i < MIGRATE_PCPTYPES - 1; i++) {
		struct page *page =
			first_free_page(&zone->free_area[order],
					fallbacks[migratetype][i]);

		if (page)
			return page;
	}
	return NULL;
}

bool pa_rmqueue_fallback(struct pa *pa, struct zone *zone, unsigned int order,
			 unsigned int migratetype)
{
	struct page *page;

	for (int o = PA_MAX_ORDER; o >= (int)order; o--) {
		page = find_fallback(zone, o, migratetype);
		if (!page)
			continue;
		if (can_steal_pageblock(pa, o, migratetype)) {
			steal_block(pa, zone, page, migratetype, true);
			return true;
		}
		break;
	}
	/* nothing worth a pageblock: the smallest block does least harm */
	for (unsigned int o = order; o < NR_ORDERS; o++) {
		page = find_fallback(zone, o, migratetype);
		if (page) {
			steal_block(pa, zone, page, migratetype, false);
			return true;
		}
	}
	return false;
}
