/*
 * On which CPU are we? The answer may be old before it is used, since user
 * code can be moved at any instruction. So it is only ever a good guess at
 * which per-CPU data is near, and a lock makes the rest right.
 *
 * Each thread has a pointer to where its CPU number stands: the rseq area,
 * which the kernel keeps up to date, or the thread's own wish (pa_set_cpu).
 * What stands there is out of range before the thread's first call, and where
 * there is no rseq: under valgrind, with GLIBC_TUNABLES=glibc.pthread.rseq=0,
 * on old kernels. Then the getcpu call is asked, and at last the thread's slot
 * (pa_set_slot).
 */
#ifndef PA_PERCPU_H
#define PA_PERCPU_H

#include <threads.h>

#include "mmzone.h"

struct pa_thread {
	const volatile unsigned int *cpu;	/* never NULL */
	unsigned int wish;
	unsigned int slot;
	unsigned int atomic_depth;
};

extern thread_local struct pa_thread pa_thread;

/* The CPU number of this thread's rseq area; negative: there is none. */
int pa_rseq_cpu(void);

/* The answer where the thread's pointer has none. */
cold unsigned int pa_cpu_slow(const struct pa *pa);

/* Always less than pa->nr_cpus, whatever the system says. */
static inline unsigned int pa_cpu(const struct pa *pa)
{
	unsigned int cpu = *pa_thread.cpu;

	if (unlikely(cpu >= pa->nr_cpus))
		cpu = pa_cpu_slow(pa);
	return cpu;
}

static inline struct per_cpu_pageset *this_cpu_pageset(const struct pa *pa,
						       struct zone *zone)
{
	return &zone->pageset[pa_cpu(pa)];
}

/* CPUs are dealt to the nodes in turn. */
static inline unsigned int cpu_to_node(const struct pa *pa, unsigned int cpu)
{
	return cpu % pa->nr_nodes;
}

/* The node of the CPU we are on, for which one node needs no CPU. */
static inline unsigned int numa_node_id(const struct pa *pa)
{
	return pa->nr_nodes == 1 ? 0 : cpu_to_node(pa, pa_cpu(pa));
}

#endif
