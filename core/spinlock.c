/*
 * What a waiter does while a lock is held: reads only, so that the holder
 * keeps its cache line, and then lets a preempted holder run.
 */
#include <sched.h>

#include "spinlock.h"

#define SPINS_BEFORE_YIELD	64

static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

#if PA_DEBUG
void (*pa_sched_point)(bool waiting);
#endif

void pa_spin_wait(struct spinlock *lock)
{
	sched_point(true);
	for (int i = 0; i < SPINS_BEFORE_YIELD; i++) {
		if (!atomic_load_explicit(&lock->locked, memory_order_relaxed))
			return;
		cpu_relax();
	}
	sched_yield();
}
