/*
 * The lock of a zone and of a per-CPU list.
 *
 * Holders do bounded work and call nothing that waits, but unlike in a kernel
 * they can be preempted. So waiters give the CPU away after a short spin, and
 * allocating and freeing only *try* the per-CPU lists: whoever fails to get
 * one goes to the zone instead.
 *
 * Holders that are processes of their own can even be killed. Then what the
 * lock guards is half changed, and nobody may have it any more: a waiter that
 * finds the holder gone ends the wait as pa_config.shared says.
 *
 * Order: a per-CPU lock is taken before the lock of its zone, and nobody
 * holds two locks of one kind.
 */
#ifndef PA_SPINLOCK_H
#define PA_SPINLOCK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "process.h"

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#define cold		__attribute__((cold))

struct pa;

struct spinlock {
	atomic_int holder;	/* a process, 0: nobody */
	struct pa *shared;	/* the instance, if it is one of several */
};

void pa_spin_init(struct spinlock *lock, struct pa *pa);
void pa_spin_wait(struct spinlock *lock);

/*
 * Where a test may take the turn from one thread and give it to another:
 * before a lock is tried, after it was given back, and while it is waited for,
 * when somebody else has to have a turn. Only in builds with -DPA_DEBUG=1.
 */
#if PA_DEBUG
extern void (*pa_sched_point)(bool waiting);

static inline void sched_point(bool waiting)
{
	if (pa_sched_point)
		pa_sched_point(waiting);
}
#else
static inline void sched_point(bool waiting)
{
	(void)waiting;
}
#endif

static inline bool spin_trylock(struct spinlock *lock)
{
	int nobody = 0;

	sched_point(false);
	return atomic_compare_exchange_strong_explicit(&lock->holder, &nobody,
						       this_process(),
						       memory_order_acquire,
						       memory_order_relaxed);
}

static inline void spin_lock(struct spinlock *lock)
{
	while (unlikely(!spin_trylock(lock)))
		pa_spin_wait(lock);
}

static inline void spin_unlock(struct spinlock *lock)
{
	atomic_store_explicit(&lock->holder, 0, memory_order_release);
	sched_point(false);
}

#endif
