/*
 * What a waiter does while a lock is held: reads only, so that the holder
 * keeps its cache line, then lets a preempted holder run, and in the end
 * finds out that there is none any more.
 */
#include <sched.h>
#include <stdlib.h>

#include "mmzone.h"

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

void pa_spin_init(struct spinlock *lock, struct pa *pa)
{
	atomic_init(&lock->holder, 0);
	lock->shared = pa->config.shared ? pa : NULL;
}

static int holder(const struct spinlock *lock)
{
	return atomic_load_explicit(&lock->holder, memory_order_relaxed);
}

/*
 * Who has ended gives nothing back: if the lock is still its own after that
 * was seen, it stays so for ever. Those who end here leave locks behind, too;
 * the one to be told of is the first.
 */
static void end_if_abandoned(const struct spinlock *lock)
{
	int process = holder(lock), nobody = 0;

	if (!process || process == this_process() ||
	    !pa_process_ended(process) || holder(lock) != process)
		return;
	atomic_compare_exchange_strong(&lock->shared->abandoned_by, &nobody,
				       process);
	pa_report_bug(lock->shared, PA_BUG_ABANDONED, NULL);
	abort();
}

void pa_spin_wait(struct spinlock *lock)
{
	sched_point(true);
	for (int i = 0; i < SPINS_BEFORE_YIELD; i++) {
		if (!holder(lock))
			return;
		cpu_relax();
	}
	if (unlikely(lock->shared))
		end_if_abandoned(lock);
	sched_yield();
}
