/*
 * Where the memory comes from: the only file that knows the system's calls.
 *
 * Everything is mapped, populated and written while the instance is opened,
 * since the first touch of a page can cost a thousand allocations.
 */
#ifndef PA_ARENA_H
#define PA_ARENA_H

#include <stdbool.h>
#include <stddef.h>

/*
 * size bytes of zeroes, rounded up to pages, all touched; NULL: no memory.
 * shared: processes that are forked later have the same memory.
 */
void *pa_arena_map(size_t size, bool shared);
void pa_arena_unmap(void *base, size_t size);	/* takes NULL */

/*
 * The same for what describes the arena: in whole cache lines and from the C
 * library if it is not shared. NULL: no memory.
 */
void *pa_arena_meta(size_t size, bool shared);
void pa_arena_meta_free(void *p, bool shared);	/* takes NULL */

/*
 * In a process that was forked since: shared memory becomes present here too,
 * whatever others do with it meanwhile. The second is for what describes it.
 */
void pa_arena_attach(void *base, size_t size);
void pa_arena_meta_attach(void *p);

/* Makes part of an arena unreadable, or readable again. */
void pa_arena_protect(void *start, size_t size, bool on);

/* CPUs that this machine can have; at least 1. */
unsigned int pa_arena_cpus(void);

#endif
