/*
 * Anonymous memory, populated and touched.
 */
#include <stdlib.h>
#include <string.h>
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

#define META_LINE 64ul

/* A populated page can still be slow at its first write: make two. */
#define TOUCHES	(PA_POPULATE ? 2 : 0)

void *pa_arena_map(size_t size, bool shared)
{
	volatile char *p;
	void *base = mmap(NULL, size, PROT_READ | PROT_WRITE,
			  (shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS |
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

void *pa_arena_meta(size_t size, bool shared)
{
	char *p;

	/* a line in front keeps the size of a mapping */
	size = (size + 2 * META_LINE - 1) & ~(META_LINE - 1);
	p = shared ? pa_arena_map(size, true) : aligned_alloc(META_LINE, size);
	if (!p)
		return NULL;
	memset(p, 0, size);
	*(size_t *)p = size;
	return p + META_LINE;
}

/*
 * A write that changes nothing, so that it disturbs nobody. A sanitizer that
 * knows free pages, as in a debug build, is not asked. Where the system can do
 * all pages at once (Linux 5.14), that spares it most of the time, but a first
 * touch in a virtual machine can be slow all the same.
 */
__attribute__((no_sanitize_address))
void pa_arena_attach(void *base, size_t size)
{
	char *p = base;

#ifdef MADV_POPULATE_WRITE
	(void)!madvise(base, size, MADV_POPULATE_WRITE);
#endif
	for (size_t i = 0; i < size; i += PA_PAGE_SIZE)
		__atomic_fetch_or(&p[i], 0, __ATOMIC_RELAXED);
}

void pa_arena_meta_attach(void *p)
{
	char *start = (char *)p - META_LINE;

	pa_arena_attach(start, *(size_t *)start);
}

void pa_arena_meta_free(void *p, bool shared)
{
	char *start = p ? (char *)p - META_LINE : NULL;

	if (!shared)
		free(start);
	else if (p)
		pa_arena_unmap(start, *(size_t *)start);
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
