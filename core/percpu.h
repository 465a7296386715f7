/*
 * On which CPU are we? The answer may be old before it is used, since user
 * code can be moved at any instruction. So it is only ever a good guess at
 * which per-CPU data is near, and a lock makes the rest right.
 *
 * In order: what the thread asked for (pa_set_cpu), the cpu_id that the kernel
 * keeps up to date in the thread's rseq area, the getcpu call, the thread's
 * slot (pa_set_slot). The rseq area counts as absent while cpu_id is negative:
 * under valgrind, with GLIBC_TUNABLES=glibc.pthread.rseq=0, on old kernels.
 */
#ifndef PA_PERCPU_H
#define PA_PERCPU_H

#include <threads.h>

#include "mmzone.h"

#if defined(__has_include)
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define PA_HAVE_RSEQ 1
#endif
#endif
#ifndef PA_HAVE_RSEQ
#define PA_HAVE_RSEQ 0
#endif

struct pa_thread {
	int cpu_plus_one;		/* 0: no wish */
	unsigned int slot;
	unsigned int atomic_depth;
};

extern thread_local struct pa_thread pa_thread;

/* The answer where rseq has none. */
cold unsigned int pa_cpu_slow(void);

static inline int rseq_cpu(void)
{
#if PA_HAVE_RSEQ
	const volatile struct rseq *rseq = (const volatile struct rseq *)
		((char *)__builtin_thread_pointer() + __rseq_offset);

	return (int)rseq->cpu_id;
#else
	return -1;
#endif
}

/* Always less than pa->nr_cpus, whatever the system says. */
static inline unsigned int pa_cpu(const struct pa *pa)
{
	int cpu = pa_thread.cpu_plus_one - 1;

	if (likely(cpu < 0))
		cpu = rseq_cpu();
	if (unlikely(cpu < 0))
		cpu = pa_cpu_slow();
	if (unlikely((unsigned int)cpu >= pa->nr_cpus))
		cpu = (unsigned int)cpu % pa->nr_cpus;
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
