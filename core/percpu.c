/*
 * The settings of a thread, and which CPU it is on where that is not at hand.
 */
#include <limits.h>
#include <sched.h>

#include "percpu.h"

#if defined(__has_include)
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#define HAVE_RSEQ 1
#endif
#endif

/* Where the pointer of a thread without a wish and without rseq stays. */
static const unsigned int no_cpu = UINT_MAX;

thread_local struct pa_thread pa_thread = { .cpu = &no_cpu };

#if HAVE_RSEQ
static const volatile unsigned int *rseq_cpu_id(void)
{
	const volatile struct rseq *rseq = (const volatile struct rseq *)
		((char *)__builtin_thread_pointer() + __rseq_offset);

	return (const volatile unsigned int *)&rseq->cpu_id;
}
#else
static const volatile unsigned int *rseq_cpu_id(void)
{
	return &no_cpu;
}
#endif

int pa_rseq_cpu(void)
{
	return (int)*rseq_cpu_id();
}

unsigned int pa_cpu_slow(const struct pa *pa)
{
	int cpu = *pa_thread.cpu;

	if (pa_thread.cpu == &no_cpu && pa_rseq_cpu() >= 0) {
		pa_thread.cpu = rseq_cpu_id();
		cpu = pa_rseq_cpu();
	}
	if (cpu < 0)
		cpu = sched_getcpu();
	if (cpu < 0)
		cpu = pa_thread.slot;
	/* an instance can have fewer CPUs than the machine */
	return (unsigned int)cpu % pa->nr_cpus;
}

void pa_set_cpu(int cpu)
{
	pa_thread.wish = cpu;
	pa_thread.cpu = cpu < 0 ? &no_cpu : &pa_thread.wish;
}

void pa_set_slot(unsigned int slot)
{
	pa_thread.slot = slot;
}

void pa_atomic_enter(void)
{
	pa_thread.atomic_depth++;
}

void pa_atomic_leave(void)
{
	pa_thread.atomic_depth--;
}
