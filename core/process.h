/*
 * Processes that use an instance together: which one we are, and whether
 * another one is gone.
 *
 * A lock in shared memory outlives a process that is killed while it holds it.
 * So a lock carries the number of the process that has it, and who waits for
 * long looks whether there still is such a one. All have to be in one PID
 * namespace: from another one a process that lives cannot be told.
 */
#ifndef PA_PROCESS_H
#define PA_PROCESS_H

#include <stdbool.h>

/*
 * The number of this process, never 0. A child of fork() gets its own before
 * it runs on. Before pa_process_init() it is the same for all.
 */
extern int pa_process;

static inline int this_process(void)
{
	return __atomic_load_n(&pa_process, __ATOMIC_RELAXED);
}

/* To be called before there are locks that processes share; 0 or -ENOMEM. */
int pa_process_init(void);

/* True if it has ended, whether its parent has waited for it or not. */
bool pa_process_ended(int process);

#endif
