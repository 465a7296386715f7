/*
 * The scanner for free pages.
 */
#include "buddy.h"
#include "compaction.h"
#include "fallback.h"
#include "page_note.h"
#include "watermark.h"

/* Reserved and isolated blocks keep their type. */
static void convert_blocks(struct pa *pa, struct page *page,
			   unsigned int order)
{
	struct page *end = page + (1ul << order);

	for (; page < end; page += pageblock_pages(pa)) {
		if (get_pageblock_migratetype(pa, page) < MIGRATE_PCPTYPES)
			set_pageblock_migratetype(pa, page, MIGRATE_MOVABLE);
	}
}

unsigned long pa_isolate_free_page(struct pa *pa, struct zone *zone,
				   struct page *page, unsigned int order)
{
	unsigned int mt = get_pageblock_migratetype(pa, page);

	if (!is_migrate_isolate(mt)) {
		long mark = zone->watermark[WMARK_MIN] + (1l << order);

		if (!pa_zone_watermark_ok(zone, mark, 0, 0, ALLOC_CMA))
			return 0;
		pa_mod_zone_state(zone, this_cpu_pageset(pa, zone),
				  NR_FREE_PAGES, -(1l << order));
	}
	del_page_from_free_list(page, zone, order);
	if (order + 1 >= pa->pageblock_order)
		convert_blocks(pa, page, order);
	return 1ul << order;
}

void pa_split_free_page(struct page *page, unsigned int order)
{
	for (unsigned long i = 0; i < 1ul << order; i++) {
		page[i].private = 0;
		page[i].refcount = 1;
	}
}

/* The free block at pfn goes to the list, page by page; returns its pages. */
static unsigned long isolate_one(struct pa *pa, struct page *page,
				 struct pa_list *list)
{
	struct zone *zone = page_zone(pa, page);
	unsigned int order = 0;
	unsigned long n = 0;

	spin_lock(&zone->lock);
	if (page_buddy(page)) {
		order = buddy_order(page);
		n = pa_isolate_free_page(pa, zone, page, order);
	}
	spin_unlock(&zone->lock);
	if (!n)
		return 0;
	pa_split_free_page(page, order);
	pa_note_taken(pa, page, n);
	for (unsigned long i = 0; i < n; i++)
		list_add_tail(&page[i].lru, list);
	return n;
}

unsigned long pa_isolate_freepages(struct pa *pa, unsigned long start,
				   unsigned long nr, struct pa_list *list)
{
	unsigned long pfn = start, taken = 0;

	if (start >= pa->nr_pages || nr > pa->nr_pages - start)
		return 0;
	while (pfn < start + nr) {
		unsigned long n = isolate_one(pa, pfn_to_page(pa, pfn), list);

		taken += n;
		pfn += n ? n : 1;
	}
	return taken;
}
