/*
 * Walks everything and counts what is not as it should be.
 *
 * The walk keeps one byte a page: seen on a list, or in an allocated block.
 * What is left over afterwards is bad or lost.
 */
#include <errno.h>
#include <stdlib.h>

#include "pageblock.h"
#include "vmstat.h"

struct audit {
	struct pa *pa;
	struct pa_report *report;
	unsigned char *seen;
};

/* Counts the pages that were seen before. */
static void see_block(struct audit *a, unsigned long pfn, unsigned int order)
{
	for (unsigned long i = pfn; i < pfn + (1ul << order); i++) {
		if (i >= a->pa->nr_pages || a->seen[i])
			a->report->misplaced++;
		else
			a->seen[i] = 1;
	}
}

static void check_free_state(struct audit *a, unsigned long pfn,
			     unsigned int order)
{
	for (unsigned long i = pfn; i < pfn + (1ul << order); i++) {
		const struct page *page = pfn_to_page(a->pa, i);

		if (page->refcount || page->mapcount != -1)
			a->report->bad_state++;
	}
}

/* Pages of the block whose pageblock has another type than the list. */
static void check_type(struct audit *a, unsigned long pfn, unsigned int order,
		       unsigned int migratetype)
{
	unsigned long step = pageblock_pages(a->pa);

	if (1ul << order < step)
		step = 1ul << order;
	for (unsigned long i = pfn; i < pfn + (1ul << order); i += step) {
		const struct page *page = pfn_to_page(a->pa, i);

		if (get_pageblock_migratetype(a->pa, page) != migratetype)
			a->report->type_mismatch += step;
	}
}

static bool may_merge(struct audit *a, const struct page *page,
		      const struct page *buddy, unsigned int order)
{
	unsigned int mt, other;

	if (order < a->pa->pageblock_order)
		return true;
	mt = get_pageblock_migratetype(a->pa, page);
	other = get_pageblock_migratetype(a->pa, buddy);
	return mt == other || (mt < MIGRATE_PCPTYPES &&
			       other < MIGRATE_PCPTYPES);
}

/* Looks at the upper buddy only, so that each pair counts once. */
static void check_merged(struct audit *a, unsigned long pfn, unsigned int order)
{
	const struct page *page = pfn_to_page(a->pa, pfn);
	const struct page *buddy;

	if (order == PA_MAX_ORDER || (pfn & (1ul << order)))
		return;
	buddy = page + (1ul << order);
	if (!page_buddy(buddy) || buddy_order(buddy) != order)
		return;
	if ((page->flags ^ buddy->flags) & PAGE_PLACE_MASK)
		return;
	if (may_merge(a, page, buddy, order))
		a->report->unmerged++;
}

static void audit_free_block(struct audit *a, struct zone *zone,
			     struct page *page, unsigned int order,
			     unsigned int migratetype)
{
	unsigned long pfn = page_to_pfn(a->pa, page);

	if ((pfn & ((1ul << order) - 1)) || !page_buddy(page) ||
	    buddy_order(page) != order || page_zone(a->pa, page) != zone)
		a->report->misplaced++;
	see_block(a, pfn, order);
	check_free_state(a, pfn, order);
	check_type(a, pfn, order, migratetype);
	check_merged(a, pfn, order);
}

/* Returns the blocks on the list. */
static unsigned long audit_free_list(struct audit *a, struct zone *zone,
				     unsigned int order,
				     unsigned int migratetype)
{
	struct pa_list *head = &zone->free_area[order].free_list[migratetype];
	unsigned long blocks = 0;
	struct pa_list *pos;

	list_for_each(pos, head) {
		audit_free_block(a, zone, lru_page(pos), order, migratetype);
		blocks++;
	}
	if (is_migrate_isolate(migratetype))
		a->report->isolated += blocks << order;
	else
		a->report->free += blocks << order;
	return blocks;
}

static unsigned long distance(long a, long b)
{
	return a < b ? b - a : a - b;
}

static void audit_free_areas(struct audit *a, struct zone *zone)
{
	unsigned long free_before = a->report->free;
	unsigned long cma = 0;
	long nr;

	spin_lock(&zone->lock);
	for (unsigned int order = 0; order < NR_ORDERS; order++) {
		unsigned long blocks = 0;

		for (unsigned int mt = 0; mt < MIGRATE_TYPES; mt++) {
			unsigned long n = audit_free_list(a, zone, order, mt);

			blocks += n;
			if (is_migrate_cma(mt))
				cma += n << order;
		}
		a->report->nr_free_drift +=
			distance(blocks, zone->free_area[order].nr_free);
	}
	nr = pa_zone_page_state_snapshot(a->pa, zone, NR_FREE_PAGES);
	a->report->free_drift += distance(nr, a->report->free - free_before);
	nr = pa_zone_page_state_snapshot(a->pa, zone, NR_FREE_CMA);
	a->report->cma_drift += distance(nr, cma);
	spin_unlock(&zone->lock);
}

static void audit_pcp(struct audit *a, struct per_cpu_pages *pcp)
{
	unsigned long pages = 0;

	spin_lock(&pcp->lock);
	for (unsigned int i = 0; i < NR_PCP_LISTS; i++) {
		unsigned int order = i / MIGRATE_PCPTYPES;
		struct pa_list *pos;

		list_for_each(pos, &pcp->lists[i]) {
			unsigned long pfn = page_to_pfn(a->pa, lru_page(pos));

			see_block(a, pfn, order);
			check_free_state(a, pfn, order);
			pages += 1ul << order;
		}
	}
	a->report->pcp_drift += distance(pages, pcp->count);
	a->report->pcp += pages;
	spin_unlock(&pcp->lock);
}

static void audit_highatomic(struct audit *a, struct zone *zone)
{
	unsigned long step = pageblock_pages(a->pa);
	unsigned long pfn = zone->zone_start_pfn;
	unsigned long reserved = 0;

	while (pfn < zone_end_pfn(zone)) {
		if (get_pageblock_migratetype(a->pa, pfn_to_page(a->pa, pfn)) ==
		    MIGRATE_HIGHATOMIC)
			reserved += step;
		pfn = (pfn | (step - 1)) + 1;
	}
	a->report->highatomic_drift +=
		distance(reserved, zone->nr_reserved_highatomic);
}

/* Heads come before the rest of their blocks. */
static void audit_rest(struct audit *a)
{
	for (unsigned long pfn = 0; pfn < a->pa->nr_pages; pfn++) {
		const struct page *page = pfn_to_page(a->pa, pfn);

		if (a->seen[pfn])
			continue;
		if (page->flags & PG_BAD) {
			a->report->bad++;
		} else if (page_guard(page)) {
			see_block(a, pfn, buddy_order(page));
			a->report->guard += 1ul << buddy_order(page);
		} else if (page->refcount > 0) {
			see_block(a, pfn, page->private);
			a->report->allocated += 1ul << page->private;
		} else {
			a->report->lost++;
		}
	}
}

int pa_audit(struct pa *pa, struct pa_report *report)
{
	struct audit a = { .pa = pa, .report = report };
	struct zone *zone;

	a.seen = calloc(pa->nr_pages, 1);
	if (!a.seen)
		return -ENOMEM;

	*report = (struct pa_report){ .managed = pa->nr_pages };
	for_each_zone(zone, pa) {
		audit_free_areas(&a, zone);
		for (unsigned int cpu = 0; cpu < pa->nr_cpus; cpu++)
			audit_pcp(&a, &zone->pageset[cpu].pcp);
		audit_highatomic(&a, zone);
	}
	audit_rest(&a);
	free(a.seen);
	return 0;
}
