/*
 * Taking pageblocks out of use, and giving them back.
 *
 * A free block may be larger than a pageblock and reach into blocks that keep
 * their type. Such a block is split first, so that what moves is always inside
 * the pageblock.
 */
#include <errno.h>

#include "buddy.h"
#include "fallback.h"
#include "pageblock.h"

/* A pageblock is cut off where its zone begins. */
static unsigned long block_start(struct pa *pa, unsigned long pfn)
{
	struct zone *zone = page_zone(pa, pfn_to_page(pa, pfn));
	unsigned long start = pfn & ~(pageblock_pages(pa) - 1);

	return start < zone->zone_start_pfn ? zone->zone_start_pfn : start;
}

static unsigned long block_end(struct pa *pa, unsigned long pfn)
{
	struct zone *zone = page_zone(pa, pfn_to_page(pa, pfn));
	unsigned long end = (pfn | (pageblock_pages(pa) - 1)) + 1;

	return end > zone_end_pfn(zone) ? zone_end_pfn(zone) : end;
}

static void put_back(struct pa *pa, struct zone *zone, struct page *page,
		     unsigned int order)
{
	set_buddy_order(page, order);
	add_to_free_list(page, zone, order,
			 get_pageblock_migratetype(pa, page));
}

/* Splits the free block of more than a pageblock that page lies in, if any. */
static void split_around(struct pa *pa, struct zone *zone, struct page *page)
{
	unsigned long pfn = page_to_pfn(pa, page);
	unsigned int order = pa->pageblock_order;
	struct page *head;

	do {
		if (++order > PA_MAX_ORDER)
			return;
		head = pfn_to_page(pa, pfn & ~((1ul << order) - 1));
	} while (!page_buddy(head) || buddy_order(head) != order);

	del_page_from_free_list(head, zone, order);
	while (order > pa->pageblock_order) {
		struct page *half = head + (1ul << --order);

		if (page >= half) {
			put_back(pa, zone, head, order);
			head = half;
		} else {
			put_back(pa, zone, half, order);
		}
	}
	put_back(pa, zone, head, order);
}

/* Only blocks that end in their zone, and serve ordinary requests. */
static bool may_isolate(struct pa *pa, unsigned long pfn)
{
	struct page *page = pfn_to_page(pa, pfn);

	return !(block_end(pa, pfn) & (pageblock_pages(pa) - 1)) &&
	       get_pageblock_migratetype(pa, page) < MIGRATE_PCPTYPES;
}

/*
 * A pageblock that is free as a whole may merge with its new equals. True if
 * it was; then pa_buddy_free() has counted what becomes usable.
 */
static bool requeue_whole(struct pa *pa, struct zone *zone, struct page *page,
			  unsigned int migratetype)
{
	unsigned int order = pa->pageblock_order;

	if (!page_buddy(page) || buddy_order(page) != order)
		return false;
	del_page_from_free_list(page, zone, order);
	pa_buddy_free(pa, zone, page, page_to_pfn(pa, page), order,
		      migratetype);
	return true;
}

static int isolate_block(struct pa *pa, unsigned long pfn)
{
	struct page *page = pfn_to_page(pa, pfn);
	struct zone *zone = page_zone(pa, page);
	unsigned long moved = pageblock_pages(pa);
	int ret = -EBUSY;

	spin_lock(&zone->lock);
	if (may_isolate(pa, pfn)) {
		split_around(pa, zone, page);
		set_pageblock_migratetype(pa, page, MIGRATE_ISOLATE);
		atomic_fetch_add_explicit(&zone->nr_isolate_pageblock, 1,
					  memory_order_relaxed);
		if (!requeue_whole(pa, zone, page, MIGRATE_ISOLATE))
			moved = pa_move_freepages_block(pa, zone, page,
							MIGRATE_ISOLATE);
		mod_zone_freepage_state(pa, zone, -(long)moved);
		ret = 0;
	}
	spin_unlock(&zone->lock);
	return ret;
}

static void unisolate_block(struct pa *pa, unsigned long pfn)
{
	struct page *page = pfn_to_page(pa, pfn);
	struct zone *zone = page_zone(pa, page);

	spin_lock(&zone->lock);
	if (is_migrate_isolate(get_pageblock_migratetype(pa, page))) {
		split_around(pa, zone, page);
		set_pageblock_migratetype(pa, page, MIGRATE_MOVABLE);
		atomic_fetch_sub_explicit(&zone->nr_isolate_pageblock, 1,
					  memory_order_relaxed);
		if (!requeue_whole(pa, zone, page, MIGRATE_MOVABLE))
			mod_zone_freepage_state(pa, zone,
				pa_move_freepages_block(pa, zone, page,
							MIGRATE_MOVABLE));
	}
	spin_unlock(&zone->lock);
}

static void unisolate_until(struct pa *pa, unsigned long pfn,
			    unsigned long end_pfn)
{
	for (; pfn < end_pfn; pfn = block_end(pa, pfn))
		unisolate_block(pa, pfn);
}

void pa_unisolate_range(struct pa *pa, unsigned long start, unsigned long nr)
{
	if (nr && start < pa->nr_pages && nr <= pa->nr_pages - start)
		unisolate_until(pa, block_start(pa, start), start + nr);
}

int pa_isolate_range(struct pa *pa, unsigned long start, unsigned long nr)
{
	unsigned long first, pfn;

	if (!nr || start >= pa->nr_pages || nr > pa->nr_pages - start)
		return -EINVAL;

	first = block_start(pa, start);
	for (pfn = first; pfn < start + nr; pfn = block_end(pa, pfn)) {
		if (!may_isolate(pa, pfn))
			return -EBUSY;
	}
	for (pfn = first; pfn < start + nr; pfn = block_end(pa, pfn)) {
		if (isolate_block(pa, pfn) < 0) {
			/* somebody else came between the two walks */
			unisolate_until(pa, first, pfn);
			return -EBUSY;
		}
	}
	return 0;
}
