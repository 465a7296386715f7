/*
 * Changing the migratetype of a pageblock together with its free pages.
 */
#include "buddy.h"
#include "fallback.h"
#include "pageblock.h"
#include "retype.h"

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

/* Pages that are isolated are not counted as free. */
static void count_free(struct pa *pa, struct zone *zone, long nr_pages,
		       unsigned int migratetype)
{
	if (!is_migrate_isolate(migratetype))
		mod_zone_freepage_state(pa, zone, nr_pages);
}

void pa_retype_block(struct pa *pa, struct zone *zone, struct page *page,
		     unsigned int migratetype)
{
	unsigned long pfn = page_to_pfn(pa, page) & ~(pageblock_pages(pa) - 1);
	struct page *first = pfn_to_page(pa, pfn);
	unsigned int old = get_pageblock_migratetype(pa, page);
	unsigned int order = pa->pageblock_order;

	split_around(pa, zone, page);
	set_pageblock_migratetype(pa, page, migratetype);

	if (page_buddy(first) && buddy_order(first) == order) {
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
