/*
 * Filling, using and emptying the per-CPU lists.
 */
#include "buddy.h"
#include "page_check.h"
#include "page_note.h"
#include "pageblock.h"
#include "pcp.h"

/* Pages of a list that are freed before others may have the lock. */
#define LIST_FREE_BATCH	32

bool pa_rmqueue_bulk(struct pa *pa, struct zone *zone,
		     struct per_cpu_pages *pcp, unsigned int order,
		     unsigned int migratetype)
{
	struct pa_list *list = &pcp->lists[order_to_pindex(migratetype, order)];
	int count = pcp->batch >> order;
	int i;

	if (!count)
		count = 1;
	count_event(pa, PA_STAT_PCP_REFILL);
	spin_lock(&zone->lock);
	for (i = 0; i < count; i++) {
		struct page *page;

		page = pa_buddy_rmqueue(pa, zone, order, migratetype);
		if (unlikely(!page))
			break;
		/* neighbours leave in the order of their addresses */
		list_add_tail(&page->lru, list);
		if (unlikely(is_migrate_cma(pcppage_migratetype(page))))
			pa_mod_zone_state(zone, this_cpu_pageset(pa, zone),
					  NR_FREE_CMA, -(1l << order));
	}
	pa_mod_zone_state(zone, this_cpu_pageset(pa, zone), NR_FREE_PAGES,
			  -((long)i << order));
	spin_unlock(&zone->lock);
	pcp->count += i << order;
	return i;
}

/* Gives count pages back, first those of the list pindex, then the others. */
static void free_pcppages_bulk(struct pa *pa, struct zone *zone,
			       struct per_cpu_pages *pcp, int count,
			       unsigned int pindex)
{
	if (count > pcp->count)
		count = pcp->count;

	spin_lock(&zone->lock);
	while (count > 0) {
		struct pa_list *list = &pcp->lists[pindex];
		unsigned int order = pindex_to_order(pindex);

		while (count > 0 && !list_empty(list)) {
			struct page *page = lru_page(list->prev);
			unsigned int mt = pcppage_migratetype(page);

			list_del(&page->lru);
			count -= 1 << order;
			pcp->count -= 1 << order;
			/* may have been isolated since the page came here */
			if (unlikely(has_isolate_pageblock(zone)))
				mt = get_pageblock_migratetype(pa, page);
			pa_buddy_free(pa, zone, page, page_to_pfn(pa, page),
				      order, mt);
		}
		pindex = (pindex + 1) % NR_PCP_LISTS;
	}
	spin_unlock(&zone->lock);
}

void pa_drain_pageset(struct pa *pa, struct zone *zone, unsigned int cpu)
{
	struct per_cpu_pages *pcp = &zone->pageset[cpu].pcp;

	spin_lock(&pcp->lock);
	if (pcp->count)
		free_pcppages_bulk(pa, zone, pcp, pcp->count, 0);
	spin_unlock(&pcp->lock);
}

void pa_drain_all(struct pa *pa)
{
	struct zone *zone;

	for_each_zone(zone, pa) {
		for (unsigned int cpu = 0; cpu < pa->nr_cpus; cpu++)
			pa_drain_pageset(pa, zone, cpu);
	}
	pa_refresh_vm_stats(pa);
}

/* Checks a block that comes back, and notes the type of its pageblock. */
static inline bool free_unref_page_prepare(struct pa *pa, struct page *page,
					   unsigned int order)
{
	unsigned long pfn = page_to_pfn(pa, page);

	if (!free_pages_prepare(pa, page, order))
		return false;
	set_pcppage_migratetype(page, get_pfnblock_migratetype(pa, page, pfn));
	return true;
}

static void free_unref_page_commit(struct pa *pa, struct zone *zone,
				   struct per_cpu_pages *pcp,
				   struct page *page, unsigned int order,
				   unsigned int migratetype)
{
	unsigned int pindex = order_to_pindex(migratetype, order);

	list_add(&page->lru, &pcp->lists[pindex]);
	pcp->count += 1 << order;
	if (unlikely(pcp->count >= pcp->high)) {
		count_event(pa, PA_STAT_PCP_SPILL);
		free_pcppages_bulk(pa, zone, pcp, pcp->batch, pindex);
	}
}

/*
 * Pages of isolated blocks go straight to the zone, where they stay out of
 * use. The highatomic reserve has no lists here; its pages wait with the
 * MOVABLE ones and go back to it when they are drained.
 */
void pa_free_unref_page(struct pa *pa, struct page *page, unsigned int order)
{
	struct per_cpu_pageset *pset;
	struct zone *zone;
	unsigned int mt;

	if (!free_unref_page_prepare(pa, page, order))
		return;

	zone = page_zone(pa, page);
	mt = pcppage_migratetype(page);
	if (unlikely(mt >= MIGRATE_PCPTYPES)) {
		if (is_migrate_isolate(mt)) {
			pa_free_one_page(pa, zone, page, order, mt);
			return;
		}
		mt = MIGRATE_MOVABLE;
	}

	pset = this_cpu_pageset(pa, zone);
	if (unlikely(order > pa->pcp_max_order ||
		     !spin_trylock(&pset->pcp.lock))) {
		pa_free_one_page(pa, zone, page, order,
				 pcppage_migratetype(page));
		return;
	}
	free_unref_page_commit(pa, zone, &pset->pcp, page, order, mt);
	spin_unlock(&pset->pcp.lock);
}

/*
 * Takes out of the list what is not to go to a per-CPU list: pages that fail
 * the checks, and those of isolated blocks, which are freed here, before any
 * per-CPU lock is taken.
 */
static void free_unref_page_list_prepare(struct pa *pa, struct pa_list *list)
{
	struct pa_list *pos, *next;

	list_for_each_safe(pos, next, list) {
		struct page *page = lru_page(pos);
		unsigned int mt;

		if (!put_page_testzero(pa, page) ||
		    !free_unref_page_prepare(pa, page, 0)) {
			list_del(pos);
			continue;
		}
		mt = pcppage_migratetype(page);
		if (unlikely(is_migrate_isolate(mt))) {
			list_del(pos);
			pa_free_one_page(pa, page_zone(pa, page), page, 0, mt);
		}
	}
}

static void free_unref_page_list(struct pa *pa, struct pa_list *list)
{
	struct per_cpu_pages *pcp = NULL;
	struct zone *locked_zone = NULL;
	struct pa_list *pos, *next;
	int batch = 0;

	free_unref_page_list_prepare(pa, list);

	list_for_each_safe(pos, next, list) {
		struct page *page = lru_page(pos);
		struct zone *zone = page_zone(pa, page);
		unsigned int mt = pcppage_migratetype(page);

		/* another zone's lock, or ours for long enough */
		if (zone != locked_zone || batch == LIST_FREE_BATCH) {
			if (pcp)
				spin_unlock(&pcp->lock);
			pcp = &this_cpu_pageset(pa, zone)->pcp;
			locked_zone = zone;
			batch = 0;
			if (unlikely(!spin_trylock(&pcp->lock))) {
				pcp = NULL;
				locked_zone = NULL;
				pa_free_one_page(pa, zone, page, 0, mt);
				continue;
			}
		}
		if (unlikely(mt >= MIGRATE_PCPTYPES))
			mt = MIGRATE_MOVABLE;
		free_unref_page_commit(pa, zone, pcp, page, 0, mt);
		batch++;
	}
	if (pcp)
		spin_unlock(&pcp->lock);
}

void pa_free_page_list(struct pa *pa, struct pa_list *list)
{
	pa_note_freed_list(pa, list);
	free_unref_page_list(pa, list);
	list_init(list);
}
