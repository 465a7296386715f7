/*
 * Free blocks: split on the way out, merged on the way in.
 *
 * A free block of order o starts at a multiple of 2^o. Its *buddy* is the
 * neighbour that together with it makes a block of order o + 1: its pfn differs
 * in bit o alone. Two free buddies of one zone never stay apart, except across
 * pageblocks of which one is isolated or in the highatomic reserve.
 *
 * The list that a block is on says who may have it; ideally that is the type of
 * its pageblock, but nothing here looks that up: the caller says.
 *
 * All calls want zone->lock held, unless they say otherwise.
 */
#ifndef PA_BUDDY_H
#define PA_BUDDY_H

#include "pageblock.h"
#include "percpu.h"
#include "vmstat.h"

void pa_buddy_init_zone(struct pa *pa, struct zone *zone);	/* no lock */

/* Puts a block on the list of migratetype, merged as far as it goes. */
void pa_buddy_free(struct pa *pa, struct zone *zone, struct page *page,
		   unsigned long pfn, unsigned int order,
		   unsigned int migratetype);

/* The same; takes the lock, and looks the type up if blocks are isolated. */
void pa_free_one_page(struct pa *pa, struct zone *zone, struct page *page,
		      unsigned int order, unsigned int migratetype);

/*
 * A block from the smallest that will do on the lists of migratetype, split,
 * and with guards in debug builds; the second one takes from other types when
 * there is none. The caller accounts.
 */
struct page *pa_buddy_rmqueue_smallest(struct pa *pa, struct zone *zone,
				       unsigned int order,
				       unsigned int migratetype);
struct page *pa_buddy_rmqueue(struct pa *pa, struct zone *zone,
			      unsigned int order, unsigned int migratetype);

/* Who takes pages off the lists of migratetype, or adds some, says so here. */
static inline void mod_zone_freepage_state(struct pa *pa, struct zone *zone,
					   long nr_pages,
					   unsigned int migratetype)
{
	struct per_cpu_pageset *pset = this_cpu_pageset(pa, zone);

	pa_mod_zone_state(zone, pset, NR_FREE_PAGES, nr_pages);
	if (unlikely(is_migrate_cma(migratetype)))
		pa_mod_zone_state(zone, pset, NR_FREE_CMA, nr_pages);
}

static inline void add_to_free_list(struct page *page, struct zone *zone,
				    unsigned int order,
				    unsigned int migratetype)
{
	struct free_area *area = &zone->free_area[order];

	list_add(&page->lru, &area->free_list[migratetype]);
	__atomic_store_n(&area->nr_free, area->nr_free + 1, __ATOMIC_RELAXED);
}

/* To the end, so that it is used last: it may merge soon. */
static inline void add_to_free_list_tail(struct page *page, struct zone *zone,
					 unsigned int order,
					 unsigned int migratetype)
{
	struct free_area *area = &zone->free_area[order];

	list_add_tail(&page->lru, &area->free_list[migratetype]);
	__atomic_store_n(&area->nr_free, area->nr_free + 1, __ATOMIC_RELAXED);
}

static inline void move_to_free_list(struct page *page, struct zone *zone,
				     unsigned int order,
				     unsigned int migratetype)
{
	list_move(&page->lru, &zone->free_area[order].free_list[migratetype]);
}

static inline void del_page_from_free_list(struct page *page,
					   struct zone *zone,
					   unsigned int order)
{
	struct free_area *area = &zone->free_area[order];

	list_del(&page->lru);
	page->flags &= ~PG_BUDDY;
	page->private = 0;
	__atomic_store_n(&area->nr_free, area->nr_free - 1, __ATOMIC_RELAXED);
}

static inline void set_buddy_order(struct page *page, unsigned int order)
{
	page->private = order;
	page->flags |= PG_BUDDY;
}

/* The first block of that list, or NULL. */
static inline struct page *first_free_page(const struct free_area *area,
					   unsigned int migratetype)
{
	const struct pa_list *head = &area->free_list[migratetype];

	return list_empty(head) ? NULL : lru_page(head->next);
}

#endif
