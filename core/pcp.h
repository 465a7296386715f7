/*
 * Per-CPU lists: a small stock of free blocks before each zone.
 *
 * A CPU keeps one list per order 0..3 and migratetype. A block that is freed
 * goes to the front of its list and is the first to be handed out again, while
 * it is still in the cache. An empty list is filled with a batch from the
 * zone, and a CPU that holds `high` pages gives a batch back, oldest first.
 *
 * Pages here are free but in no free_area, and so not merged with anything.
 * Invariant: count is the sum of the lists in pages, and count < high + 2^3
 * whenever the lock is free.
 */
#ifndef PA_PCP_H
#define PA_PCP_H

#include "percpu.h"

/* Fills an empty list with a batch; false if the zone has none. */
bool pa_rmqueue_bulk(struct pa *pa, struct zone *zone,
		     struct per_cpu_pages *pcp, unsigned int order,
		     unsigned int migratetype);

/* Frees a block without references, by way of this CPU if order allows. */
void pa_free_unref_page(struct pa *pa, struct page *page, unsigned int order);

/* Empties the lists of one CPU for one zone. */
void pa_drain_pageset(struct pa *pa, struct zone *zone, unsigned int cpu);

static inline unsigned int order_to_pindex(unsigned int migratetype,
					   unsigned int order)
{
	return order * MIGRATE_PCPTYPES + migratetype;
}

static inline unsigned int pindex_to_order(unsigned int pindex)
{
	return pindex / MIGRATE_PCPTYPES;
}

/* A block from the lists of pcp, whose lock is held; NULL if there is none. */
static inline struct page *rmqueue_pcp(struct pa *pa, struct zone *zone,
				       struct per_cpu_pages *pcp,
				       unsigned int order,
				       unsigned int migratetype)
{
	struct pa_list *list = &pcp->lists[order_to_pindex(migratetype, order)];
	struct page *page;

	if (unlikely(list_empty(list)) &&
	    !pa_rmqueue_bulk(pa, zone, pcp, order, migratetype))
		return NULL;
	page = lru_page(list->next);
	list_del(&page->lru);
	pcp->count -= 1l << order;
	return page;
}

#endif
