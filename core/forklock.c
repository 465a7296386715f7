/*
 * All locks of an instance, in the order in which others nest them.
 */
#include "forklock.h"
#include "mmzone.h"

void pa_fork_lock(struct pa *pa)
{
	struct zone *zone;

	pa_kmalloc_lock(pa);
	spin_lock(&pa->cpuset_lock);
	for_each_zone(zone, pa) {
		for (unsigned int cpu = 0; cpu < pa->nr_cpus; cpu++)
			spin_lock(&zone->pageset[cpu].pcp.lock);
	}
	for_each_zone(zone, pa)
		spin_lock(&zone->lock);
}

void pa_fork_unlock(struct pa *pa)
{
	struct zone *zone;

	for_each_zone(zone, pa) {
		spin_unlock(&zone->lock);
		for (unsigned int cpu = 0; cpu < pa->nr_cpus; cpu++)
			spin_unlock(&zone->pageset[cpu].pcp.lock);
	}
	spin_unlock(&pa->cpuset_lock);
	pa_kmalloc_unlock(pa);
}
