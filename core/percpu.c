/*
 * The settings of a thread, and which CPU it is on without rseq.
 */
#include <sched.h>

#include "percpu.h"

thread_local struct pa_thread pa_thread;

unsigned int pa_cpu_slow(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? pa_thread.slot : (unsigned int)cpu;
}

void pa_set_cpu(int cpu)
{
	pa_thread.cpu_plus_one = cpu < 0 ? 0 : cpu + 1;
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
