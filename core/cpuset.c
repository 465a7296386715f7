/*
 * The rule of the cpuset, and changing its nodes.
 */
#include <errno.h>

#include "cpuset.h"

bool pa_cpuset_node_allowed(const struct pa *pa, int node, pa_gfp_t gfp)
{
	pa_nodemask_t allowed = __atomic_load_n(&pa->mems_allowed,
						__ATOMIC_RELAXED);

	if (allowed & (1u << node))
		return true;
	/* without the wall the root's nodes will do, and those are all */
	return !(gfp & PA_GFP_HARDWALL);
}

/*
 * The count goes to two before the mask shrinks and back to one after it has
 * grown, so that whoever sees cpusets disabled may use every node.
 */
int pa_set_mems_allowed(struct pa *pa, pa_nodemask_t nodes)
{
	pa_nodemask_t all = (1u << pa->nr_nodes) - 1;

	if (!(nodes & all))
		return -EINVAL;
	nodes &= all;

	spin_lock(&pa->cpuset_lock);
	if (nodes != all)
		__atomic_store_n(&pa->nr_cpusets, 2, __ATOMIC_RELAXED);
	atomic_fetch_add_explicit(&pa->mems_allowed_seq, 1,
				  memory_order_acq_rel);
	__atomic_store_n(&pa->mems_allowed, nodes, __ATOMIC_RELAXED);
	atomic_fetch_add_explicit(&pa->mems_allowed_seq, 1,
				  memory_order_acq_rel);
	if (nodes == all)
		__atomic_store_n(&pa->nr_cpusets, 1, __ATOMIC_RELAXED);
	spin_unlock(&pa->cpuset_lock);
	return 0;
}
