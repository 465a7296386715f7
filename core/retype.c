/*
 * Changing the migratetype of a pageblock together with its free pages.
 */
#include "buddy.h"
#include "fallback.h"
#include "pageblock.h"
#include "retype.h"

/* Pages that are isolated are not counted as free. */
static void count_free(struct pa *pa, struct zone *zone, long nr_pages,
		       unsigned int migratetype)
{
	if (!is_migrate_isolate(migratetype))
		mod_zone_freepage_state(pa, zone, nr_pages, migratetype);
}

void pa_retype_block(struct pa *pa, struct zone *zone, struct page *page,
		     unsigned int migratetype)
{
	unsigned long pfn = page_to_pfn(pa, page) & ~(pageblock_pages(pa) - 1);
	struct page *first = pfn_to_page(pa, pfn);
	unsigned int old = get_pageblock_migratetype(pa, page);
	unsigned int order = page_buddy(first) ? buddy_order(first) : 0;

	set_pageblock_migratetype(pa, page, migratetype);

	/* a pageblock that is free as a whole can have new equals beside it */
	if (order >= pa->pageblock_order) {
		count_free(pa, zone, -(1l << order), old);
		del_page_from_free_list(first, zone, order);
		pa_buddy_free(pa, zone, first, pfn, order, migratetype);
	} else {
		long moved = pa_move_freepages_block(pa, zone, page,
						     migratetype);

		count_free(pa, zone, -moved, old);
		count_free(pa, zone, moved, migratetype);
	}
}
