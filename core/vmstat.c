/*
 * Updating, folding and reading the counters of zones.
 */
#include "percpu.h"
#include "vmstat.h"

#define MAX_THRESHOLD	125
#define MIB_128_PAGES	(128ul << (20 - PA_PAGE_SHIFT))

/* Width of x in bits: 0 for 0, 3 for 4..7. */
static unsigned int bit_width(unsigned long x)
{
	unsigned int n = 0;

	for (; x; x >>= 1)
		n++;
	return n;
}

/*
 * More CPUs and bigger zones fold less often: the error that this allows
 * stays small against the zone.
 */
signed char pa_stat_threshold(const struct pa *pa, const struct zone *zone)
{
	unsigned int size = zone->managed_pages / MIB_128_PAGES;
	unsigned int t = 2 * bit_width(pa->nr_cpus) * (1 + bit_width(size));

	return t < MAX_THRESHOLD ? t : MAX_THRESHOLD;
}

void pa_mod_zone_state(struct zone *zone, struct per_cpu_pageset *pset,
		       enum zone_stat_item item, long delta)
{
	long x = read_diff(pset, item) + delta;
	long t = pset->stat_threshold;

	if (unlikely(x > t || x < -t)) {
		zone_page_state_add(zone, item, x);
		x = 0;
	}
	write_diff(pset, item, x);
}

/*
 * Folds half a threshold more than there is, so that a counter that only
 * grows folds half as often.
 */
static inline void inc_zone_state(struct zone *zone,
				  struct per_cpu_pageset *pset,
				  enum zone_stat_item item)
{
	int x = read_diff(pset, item) + 1;
	int t = pset->stat_threshold;

	if (unlikely(x > t)) {
		int overstep = t >> 1;

		zone_page_state_add(zone, item, x + overstep);
		x = -overstep;
	}
	write_diff(pset, item, x);
}

void pa_zone_statistics(struct zone *preferred, struct zone *z,
			struct per_cpu_pageset *pset)
{
	if (z->zone_pgdat == preferred->zone_pgdat) {
		inc_zone_state(z, pset, NUMA_HIT);
	} else {
		inc_zone_state(z, pset, NUMA_MISS);
		/* preferred's differences are not ours to touch */
		zone_page_state_add(preferred, NUMA_FOREIGN, 1);
	}
	if (z->node == pset->node)
		inc_zone_state(z, pset, NUMA_LOCAL);
	else
		inc_zone_state(z, pset, NUMA_OTHER);
}

static void fold_pageset(struct zone *zone, struct per_cpu_pageset *pset)
{
	spin_lock(&pset->pcp.lock);
	spin_lock(&zone->lock);
	for (unsigned int item = 0; item < NR_ZONE_STAT_ITEMS; item++) {
		int diff = read_diff(pset, item);

		if (!diff)
			continue;
		zone_page_state_add(zone, item, diff);
		write_diff(pset, item, 0);
	}
	spin_unlock(&zone->lock);
	spin_unlock(&pset->pcp.lock);
}

void pa_refresh_vm_stats(struct pa *pa)
{
	struct zone *zone;

	for_each_zone(zone, pa) {
		for (unsigned int cpu = 0; cpu < pa->nr_cpus; cpu++)
			fold_pageset(zone, &zone->pageset[cpu]);
	}
}

long pa_zone_page_state_snapshot(struct pa *pa, struct zone *zone,
				 enum zone_stat_item item)
{
	long sum = zone_page_state(zone, item);

	for (unsigned int cpu = 0; cpu < pa->nr_cpus; cpu++)
		sum += read_diff(&zone->pageset[cpu], item);
	return sum;
}
