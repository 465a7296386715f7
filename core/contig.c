/*
 * A range of pages that the caller names, in one piece.
 *
 * The pageblocks around the range are isolated, so that nothing in it is given
 * out any more. Pages in use are left to their owner to move away. When all of
 * the range is free, it is taken out; what stuck out of it goes back.
 */
#include <errno.h>

#include "buddy.h"
#include "compaction.h"
#include "page_note.h"

/* Pages in use that can be moved, until the owner has moved them all. */
#define MAX_MIGRATE_ROUNDS	5

/* A free block can reach as far as this from the range. */
static unsigned long outer_start(struct pa *pa, unsigned long start)
{
	struct zone *zone = page_zone(pa, pfn_to_page(pa, start));
	unsigned long pfn = start & ~((1ul << PA_MAX_ORDER) - 1);

	return pfn < zone->zone_start_pfn ? zone->zone_start_pfn : pfn;
}

static unsigned long outer_end(struct pa *pa, unsigned long end)
{
	struct zone *zone = page_zone(pa, pfn_to_page(pa, end - 1));
	unsigned long mask = (1ul << PA_MAX_ORDER) - 1;
	unsigned long pfn = (end + mask) & ~mask;

	return pfn > zone_end_pfn(zone) ? zone_end_pfn(zone) : pfn;
}

/* The head of the free block that pfn lies in, or NULL. */
static struct page *free_head(struct pa *pa, unsigned long pfn)
{
	for (unsigned int order = 0; order <= PA_MAX_ORDER; order++) {
		unsigned long head = pfn & ~((1ul << order) - 1);
		struct page *page = pfn_to_page(pa, head);

		if (page_buddy(page) &&
		    head + (1ul << buddy_order(page)) > pfn)
			return page;
	}
	return NULL;
}

/* Asks the owner for each page in use; true if all of the range is free. */
static bool migrate_range(struct pa *pa, unsigned long start, unsigned long end)
{
	bool all_free = true;

	for (unsigned long pfn = start; pfn < end; pfn++) {
		struct page *page = pfn_to_page(pa, pfn);

		if (free_head(pa, pfn))
			continue;
		all_free = false;
		if (page->refcount > 0 && pa->config.migrate)
			pa->config.migrate(pa->config.arg, page);
	}
	return all_free;
}

/* Takes the blocks of the range out; -EBUSY, and none, if one is in use. */
static int take_range(struct pa *pa, struct zone *zone, unsigned long start,
		      unsigned long end, unsigned long *first,
		      unsigned long *last)
{
	unsigned long pfn;

	spin_lock(&zone->lock);
	for (pfn = start; pfn < end; pfn++) {
		struct page *head = free_head(pa, pfn);

		if (!head || !is_migrate_isolate(
				get_pageblock_migratetype(pa, head))) {
			spin_unlock(&zone->lock);
			return -EBUSY;
		}
	}
	*first = page_to_pfn(pa, free_head(pa, start));
	for (pfn = *first; pfn < end;) {
		struct page *page = pfn_to_page(pa, pfn);
		unsigned int order = buddy_order(page);

		del_page_from_free_list(page, zone, order);
		pa_split_free_page(page, order);
		pa_note_taken(pa, page, 1ul << order);
		pfn += 1ul << order;
	}
	*last = pfn;
	spin_unlock(&zone->lock);
	return 0;
}

static void free_range(struct pa *pa, unsigned long pfn, unsigned long end)
{
	for (; pfn < end; pfn++)
		pa_free_pages(pa, pfn_to_page(pa, pfn), 0);
}

static int empty_and_take(struct pa *pa, struct zone *zone,
			  unsigned long start, unsigned long end)
{
	unsigned long first, last;
	int ret = -EBUSY;

	for (int i = 0; i < MAX_MIGRATE_ROUNDS; i++) {
		pa_drain_all(pa);
		if (migrate_range(pa, start, end))
			break;
	}
	if (take_range(pa, zone, start, end, &first, &last) == 0) {
		free_range(pa, first, start);
		free_range(pa, end, last);
		ret = 0;
	}
	return ret;
}

int pa_alloc_contig(struct pa *pa, unsigned long start, unsigned long nr)
{
	unsigned long end = start + nr, outer;
	struct zone *zone;
	int ret;

	if (!nr || start >= pa->nr_pages || nr > pa->nr_pages - start)
		return -EINVAL;
	zone = page_zone(pa, pfn_to_page(pa, start));
	if (page_zone(pa, pfn_to_page(pa, end - 1)) != zone)
		return -EINVAL;

	outer = outer_start(pa, start);
	ret = pa_isolate_range(pa, outer, outer_end(pa, end) - outer);
	if (ret < 0)
		return ret;
	ret = empty_and_take(pa, zone, start, end);
	pa_unisolate_range(pa, outer, outer_end(pa, end) - outer);
	return ret;
}

void pa_free_contig(struct pa *pa, unsigned long start, unsigned long nr)
{
	if (start < pa->nr_pages && nr <= pa->nr_pages - start)
		free_range(pa, start, start + nr);
}
