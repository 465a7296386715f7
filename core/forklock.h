/*
 * Forking with an instance in private memory.
 *
 * A child gets a copy of the locks as they are, held ones for ever. So who
 * forks takes all of them before and lets go after, in both processes. Covered
 * are the page lists and the caches behind pa_kmalloc(), which must exist by
 * then (see the first pa_kmalloc()), but no other caches.
 */
#ifndef PA_FORKLOCK_H
#define PA_FORKLOCK_H

#include "pagealloc.h"

void pa_fork_lock(struct pa *pa);
void pa_fork_unlock(struct pa *pa);

/* kmalloc.c, with every cpu lock before the first node lock */
void pa_kmalloc_lock(struct pa *pa);
void pa_kmalloc_unlock(struct pa *pa);

#endif
