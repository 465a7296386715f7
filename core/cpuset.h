/*
 * Confinement of an instance's requests to some nodes.
 *
 * An instance has one cpuset below the root, and the root has all nodes.
 * Requests with PA_GFP_HARDWALL stay in it. Others may leave it, but only in
 * the slow path: a first attempt is always made with the wall up, so that
 * they stay near as long as there is something near.
 *
 * Changing the mask is rare, and readers do not lock. An attempt that failed
 * while the mask changed may have seen neither the old nor the new nodes; the
 * sequence count tells, and the attempt is made again.
 */
#ifndef PA_CPUSET_H
#define PA_CPUSET_H

#include "mmzone.h"

static inline bool cpusets_enabled(const struct pa *pa)
{
	return __atomic_load_n(&pa->nr_cpusets, __ATOMIC_RELAXED) > 1;
}

bool pa_cpuset_node_allowed(const struct pa *pa, int node, pa_gfp_t gfp);

static inline bool cpuset_zone_allowed(const struct pa *pa,
				       const struct zone *zone, pa_gfp_t gfp)
{
	return !cpusets_enabled(pa) ||
	       pa_cpuset_node_allowed(pa, zone->node, gfp);
}

/* Who changes the mask holds the lock, and is waited for. */
static inline unsigned int read_mems_allowed_begin(struct pa *pa)
{
	unsigned int seq = atomic_load_explicit(&pa->mems_allowed_seq,
						memory_order_acquire);

	if (likely(!(seq & 1)))
		return seq;
	spin_lock(&pa->cpuset_lock);
	seq = atomic_load_explicit(&pa->mems_allowed_seq,
				   memory_order_acquire);
	spin_unlock(&pa->cpuset_lock);
	return seq;
}

/*
 * True if the mask was being changed, or has changed, since begin. The count is
 * read by a write that changes nothing, which no earlier read can pass.
 */
static inline bool read_mems_allowed_retry(struct pa *pa, unsigned int seq)
{
	return (seq & 1) ||
	       atomic_fetch_add_explicit(&pa->mems_allowed_seq, 0,
					 memory_order_acq_rel) != seq;
}

#endif
