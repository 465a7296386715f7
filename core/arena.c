/*
 * Anonymous memory, populated and touched.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "arena.h"
#include "pagealloc.h"

#ifndef MAP_POPULATE
#define MAP_POPULATE 0
#endif

/* 0 in the malloc front: most programs never touch most of it. */
#ifndef PA_POPULATE
#define PA_POPULATE 1
#endif

/* A populated page can still be slow at its first write: make two. */
#define TOUCHES	(PA_POPULATE ? 2 : 0)

void *pa_arena_map(size_t size)
{
	volatile char *p;
	void *base = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS |
			  (PA_POPULATE ? MAP_POPULATE : MAP_NORESERVE), -1, 0);

	if (base == MAP_FAILED)
		return NULL;
	p = base;
	for (int touch = 0; touch < TOUCHES; touch++) {
		for (size_t i = 0; i < size; i += PA_PAGE_SIZE)
			p[i] = 0;
	}
	return base;
}

void pa_arena_unmap(void *base, size_t size)
{
	if (base)
		munmap(base, size);
}

/* Where the system refuses, the memory stays readable: a guard less. */
void pa_arena_protect(void *start, size_t size, bool on)
{
	(void)!mprotect(start, size, on ? PROT_NONE : PROT_READ | PROT_WRITE);
}

unsigned int pa_arena_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);

	return n > 0 ? n : 1;
}
