/*
 * Numbers of a whole instance.
 */
#include "vmstat.h"

static long sum_zones(struct pa *pa, enum zone_stat_item item)
{
	struct zone *zone;
	long sum = 0;

	for_each_zone(zone, pa)
		sum += pa_zone_page_state_snapshot(pa, zone, item);
	return sum;
}

static long pcp_pages(struct pa *pa)
{
	struct zone *zone;
	long sum = 0;

	for_each_zone(zone, pa) {
		for (unsigned int cpu = 0; cpu < pa->nr_cpus; cpu++) {
			struct per_cpu_pages *pcp = &zone->pageset[cpu].pcp;

			spin_lock(&pcp->lock);
			sum += pcp->count;
			spin_unlock(&pcp->lock);
		}
	}
	return sum;
}

static long event(struct pa *pa, enum pa_stat_item item)
{
#if PA_STATS
	return atomic_load_explicit(&pa->events[item], memory_order_relaxed);
#else
	(void)pa;
	(void)item;
	return -1;
#endif
}

long pa_stat(struct pa *pa, enum pa_stat_item item)
{
	switch (item) {
	case PA_STAT_FREE_PAGES:
		return sum_zones(pa, NR_FREE_PAGES);
	case PA_STAT_FREE_CMA:
		return sum_zones(pa, NR_FREE_CMA);
	case PA_STAT_PCP_PAGES:
		return pcp_pages(pa);
	case PA_STAT_MANAGED_PAGES:
		return pa->nr_pages;
	case PA_STAT_NUMA_HIT:
		return sum_zones(pa, NUMA_HIT);
	case PA_STAT_NUMA_MISS:
		return sum_zones(pa, NUMA_MISS);
	case PA_STAT_NUMA_LOCAL:
		return sum_zones(pa, NUMA_LOCAL);
	case PA_STAT_NUMA_OTHER:
		return sum_zones(pa, NUMA_OTHER);
	default:
		return event(pa, item);
	}
}
