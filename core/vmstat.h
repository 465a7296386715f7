/*
 * Counters of a zone that many CPUs write and few read.
 *
 * Each item is an atomic sum in the zone plus one small signed difference a
 * CPU. Writers change their difference only, and fold it into the sum when it
 * leaves [-threshold, threshold]. So the sum alone is off by at most
 * CPUs x threshold; sum and differences together are exact.
 *
 * Folding is not free: the sums of a zone share a cache line, which every
 * allocation reads for the watermark. CPUs that allocate at the same time take
 * it from each other each time that one folds, be it an item that nobody reads.
 *
 * A difference is plain data with one owner at a time. Which lock owns it:
 * zone->lock for NR_FREE_PAGES, the pageset's own lock for all other items.
 * Who holds neither adds to the sum (zone_page_state_add).
 */
#ifndef PA_VMSTAT_H
#define PA_VMSTAT_H

#include "mmzone.h"

/* Adds delta to the item by way of the difference in pset. */
void pa_mod_zone_state(struct zone *zone, struct per_cpu_pageset *pset,
		       enum zone_stat_item item, long delta);

/*
 * Counts where an allocation was served: z gave the page, preferred was the
 * first choice. The caller owns pset, which is z's.
 */
void pa_zone_statistics(struct zone *preferred, struct zone *z,
			struct per_cpu_pageset *pset);

/* Folds all differences of all zones. Takes every lock in turn. */
void pa_refresh_vm_stats(struct pa *pa);

/* Sum and differences; exact if nobody writes. */
long pa_zone_page_state_snapshot(struct pa *pa, struct zone *zone,
				 enum zone_stat_item item);

signed char pa_stat_threshold(const struct pa *pa, const struct zone *zone);

static inline void zone_page_state_add(struct zone *zone,
				       enum zone_stat_item item, long delta)
{
	atomic_fetch_add_explicit(&zone->vm_stat[item], delta,
				  memory_order_relaxed);
}

/* The sum alone, which is what hot paths can afford. */
static inline long zone_page_state(const struct zone *zone,
				   enum zone_stat_item item)
{
	return atomic_load_explicit(&zone->vm_stat[item],
				    memory_order_relaxed);
}

static inline int read_diff(const struct per_cpu_pageset *pset,
			    enum zone_stat_item item)
{
	return atomic_load_explicit(&pset->vm_stat_diff[item],
				    memory_order_relaxed);
}

static inline void write_diff(struct per_cpu_pageset *pset,
			      enum zone_stat_item item, int diff)
{
	atomic_store_explicit(&pset->vm_stat_diff[item], (signed char)diff,
			      memory_order_relaxed);
}

#endif
