/*
 * Watermarks: setting them up, and the check before a zone is used.
 */
#include "vmstat.h"
#include "watermark.h"

/* A request for a higher zone leaves 1/256 of that in the lower ones. */
#define LOWMEM_RESERVE_RATIO	256

/*
 * Blocks of the highatomic reserve count only for those who may use it. Kept
 * apart, so that order 0 has no registers to save for it.
 */
static __attribute__((noinline)) bool
has_block(const struct zone *zone, unsigned int order, unsigned int alloc_flags)
{
	for (unsigned int o = order; o < NR_ORDERS; o++) {
		const struct free_area *area = &zone->free_area[o];

		if (!__atomic_load_n(&area->nr_free, __ATOMIC_RELAXED))
			continue;
		if (alloc_flags & ALLOC_HARDER)
			return true;
		if ((alloc_flags & ALLOC_CMA) &&
		    !list_empty(&area->free_list[MIGRATE_CMA]))
			return true;
		for (unsigned int mt = 0; mt < MIGRATE_PCPTYPES; mt++) {
			if (!list_empty(&area->free_list[mt]))
				return true;
		}
	}
	return false;
}

/* Runs without the zone's lock: the answer is an estimate. */
static inline bool above_mark(const struct zone *zone, long mark,
			      unsigned int classzone_idx, unsigned int order,
			      unsigned int alloc_flags)
{
	long free_pages = zone_page_state(zone, NR_FREE_PAGES);

	free_pages -= (1l << order) - 1;
	free_pages -= zone_reserved_highatomic(zone);
	if (unlikely(zone->cma_pages) && !(alloc_flags & ALLOC_CMA))
		free_pages -= zone_page_state(zone, NR_FREE_CMA);
	if (free_pages <= mark + zone->lowmem_reserve[classzone_idx])
		return false;
	return !order || has_block(zone, order, alloc_flags);
}

/*
 * HIGH may use half of what is below the mark, HARDER a quarter of what that
 * leaves, and the highatomic reserve.
 */
static cold bool above_lower_mark(const struct zone *zone, long mark,
				  unsigned int classzone_idx,
				  unsigned int order, unsigned int alloc_flags)
{
	if (alloc_flags & ALLOC_HIGH)
		mark -= mark / 2;
	if (alloc_flags & ALLOC_HARDER)
		mark -= mark / 4 + (long)zone_reserved_highatomic(zone);
	return above_mark(zone, mark, classzone_idx, order, alloc_flags);
}

bool pa_zone_watermark_ok(struct zone *zone, long mark,
			  unsigned int classzone_idx, unsigned int order,
			  unsigned int alloc_flags)
{
	if (unlikely(alloc_flags & (ALLOC_HIGH | ALLOC_HARDER)))
		return above_lower_mark(zone, mark, classzone_idx, order,
					alloc_flags);
	return above_mark(zone, mark, classzone_idx, order, alloc_flags);
}

static unsigned long total_managed(struct pa *pa)
{
	unsigned long total = 0;
	struct zone *zone;

	for_each_zone(zone, pa)
		total += zone->managed_pages;
	return total;
}

static void setup_lowmem_reserve(struct zone *zone)
{
	const struct zone *zones = zone->zone_pgdat->zones;
	long above = 0;

	for (int idx = zone->idx + 1; idx < MAX_NR_ZONES; idx++) {
		above += zones[idx].managed_pages;
		zone->lowmem_reserve[idx] = above / LOWMEM_RESERVE_RATIO;
	}
}

void pa_setup_watermarks(struct pa *pa, unsigned long min_free_pages)
{
	unsigned long total = total_managed(pa);
	struct zone *zone;

	for_each_zone(zone, pa) {
		unsigned long min = min_free_pages * zone->managed_pages /
				    total;

		zone->watermark[WMARK_MIN] = min;
		zone->watermark[WMARK_LOW] = min + min / 4;
		zone->watermark[WMARK_HIGH] = min + min / 2;
		/* a turn of the fair policy is never empty */
		zone_page_state_add(zone, NR_ALLOC_BATCH, 1 + min / 4);
		setup_lowmem_reserve(zone);
	}
}
