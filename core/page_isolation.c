/*
 * Taking pageblocks out of use, and giving them back.
 */
#include <errno.h>

#include "pageblock.h"
#include "retype.h"

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

/* Only blocks that end in their zone, and are not in a reserve. */
static bool may_isolate(struct pa *pa, unsigned long pfn)
{
	unsigned int mt = get_pageblock_migratetype(pa, pfn_to_page(pa, pfn));

	return !(block_end(pa, pfn) & (pageblock_pages(pa) - 1)) &&
	       (mt < MIGRATE_PCPTYPES || is_migrate_cma(mt));
}

static int isolate_block(struct pa *pa, unsigned long pfn)
{
	struct page *page = pfn_to_page(pa, pfn);
	struct zone *zone = page_zone(pa, page);
	int ret = -EBUSY;

	spin_lock(&zone->lock);
	if (may_isolate(pa, pfn)) {
		atomic_fetch_add_explicit(&zone->nr_isolate_pageblock, 1,
					  memory_order_relaxed);
		pa_retype_block(pa, zone, page, MIGRATE_ISOLATE);
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
		pa_retype_block(pa, zone, page, zone_cma_pfn(zone, pfn) ?
				MIGRATE_CMA : MIGRATE_MOVABLE);
		atomic_fetch_sub_explicit(&zone->nr_isolate_pageblock, 1,
					  memory_order_relaxed);
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
