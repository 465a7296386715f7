/*
 * libpagemalloc.so: the core as the malloc of a whole program.
 *
 *	up to 8 KiB	an object of pa_kmalloc()
 *	up to 4 MiB	a block of 2^N pages
 *	above		a mapping of its own, and so is what an alignment of
 *			more than a page asks for
 *
 * Memory of the first two comes from instances of the core. The first has 64
 * MiB; when all are full another one is opened, each twice as large as the one
 * before. They are address space until they are used. An address belongs to
 * the instance whose arena it is in, or it is a mapping, which has a header
 * before its first byte.
 *
 * While an instance is being opened, requests of that thread get mappings,
 * since opening asks for memory itself. All locks are taken around fork().
 *
 * What a program does wrong with its memory, as far as it is noticed, is said
 * on stderr in one line, and the program ends by abort().
 * libpagemalloc-debug.so notices more: every second free and every pointer that
 * is no object, writes beside an object when it is freed, and writes to a free
 * one when it is handed out again, up to 8 KiB; a freed mapping cannot be used
 * any more.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <threads.h>
#include <unistd.h>

#include "forklock.h"
#include "mmzone.h"

#define EXPORT		__attribute__((visibility("default")))

#define MAX_INSTANCES	12
#define FIRST_PAGES	((64ul << 20) / PA_PAGE_SIZE)
#define MAX_BLOCK	(PA_PAGE_SIZE << PA_MAX_ORDER)
#define MIN_ALIGN	16		/* of everything, as the ABI wants */
#define MAP_MAGIC	0x70616d616c6c6f63ul

/* Before the first byte of a mapping. */
struct map_header {
	unsigned long magic;	/* MAP_MAGIC ^ the address of the first byte */
	char *base;		/* of the mapping, and its size, all in all */
	size_t bytes;
	unsigned long unused;	/* 32 bytes, so that alignment stays */
};

static struct {
	atomic_uint nr;			/* instances that are open */
	struct pa *pa[MAX_INSTANCES];
	struct spinlock opening;
} front;

static thread_local bool opening;	/* by this thread */

/* Of libpagemalloc-debug.so. */
#if PA_MALLOC_DEBUG
#define KMALLOC_FLAGS	(PA_CACHE_RED_ZONE | PA_CACHE_POISON)
#else
#define KMALLOC_FLAGS	0
#endif

/* ---- what is wrong ---- */

static cold void die(const char *what)
{
	char line[256];
	int n = snprintf(line, sizeof(line), "libpagemalloc: %s\n", what);

	if (write(2, line, n) < 0)
		abort();
	abort();
}

static void object_bug(void *arg, const struct pa_object_bug *bug)
{
	char text[200];

	(void)arg;
	pa_object_bug_text(text, sizeof(text), bug);
	die(text);
}

/* It lies in no instance, and there is no mapping's header before it. */
static cold void foreign(const void *p)
{
	char text[100];

	snprintf(text, sizeof(text),
		 "freed or resized what is no object in use: %p", p);
	die(text);
}

static void page_bug(void *arg, enum pa_bug bug, struct page *page)
{
	(void)arg;
	(void)bug;
	(void)page;
	die("memory was written to that is not the program's");
}

/* ---- mappings ---- */

static struct map_header *map_header(const void *p)
{
	struct map_header *h = (struct map_header *)p - 1;

	if ((uintptr_t)p % MIN_ALIGN ||
	    h->magic != (MAP_MAGIC ^ (uintptr_t)p))
		foreign(p);
	return h;
}

static size_t map_usable(const void *p)
{
	const struct map_header *h = map_header(p);

	return h->base + h->bytes - (const char *)p;
}

/* Zeroes, aligned to align, a power of two. */
static void *map_alloc(size_t size, size_t align)
{
	size_t room = align > PA_PAGE_SIZE ? align : PA_PAGE_SIZE;
	struct map_header *h;
	size_t bytes;
	char *base, *p;

	if (size > PTRDIFF_MAX - 2 * room)
		return NULL;
	bytes = (size + room + sizeof(*h) + PA_PAGE_SIZE - 1) &
		~(PA_PAGE_SIZE - 1);
	base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (base == MAP_FAILED)
		return NULL;
	p = base + sizeof(*h) + room - 1;
	p -= (uintptr_t)p % room;
	h = (struct map_header *)p - 1;
	*h = (struct map_header){ .magic = MAP_MAGIC ^ (uintptr_t)p,
				  .base = base, .bytes = bytes };
	return p;
}

static void map_free(void *p)
{
	struct map_header *h = map_header(p);

	h->magic = 0;
#if PA_MALLOC_DEBUG
	/* the header's page stays, to tell a second free; the rest faults */
	munmap(p, h->base + h->bytes - (char *)p);
	munmap(h->base, (char *)p - PA_PAGE_SIZE - h->base);
#else
	munmap(h->base, h->bytes);
#endif
}

/* ---- instances ---- */

static void fork_prepare(void)
{
	unsigned int nr;

	spin_lock(&front.opening);
	nr = atomic_load(&front.nr);
	for (unsigned int i = 0; i < nr; i++)
		pa_fork_lock(front.pa[i]);
}

static void fork_done(void)
{
	unsigned int nr = atomic_load(&front.nr);

	for (unsigned int i = 0; i < nr; i++)
		pa_fork_unlock(front.pa[i]);
	spin_unlock(&front.opening);
}

/* Opens one more; false if there can be none. The lock is held. */
static bool open_next(void)
{
	unsigned int nr = atomic_load(&front.nr);
	struct pa_config config = { .node_pages = FIRST_PAGES << nr,
				    .object_bug = object_bug,
				    .bug = page_bug,
				    .kmalloc_flags = KMALLOC_FLAGS };
	bool good;

	if (nr == MAX_INSTANCES)
		return false;
	opening = true;
	good = pa_open(&config, &front.pa[nr]) == 0;
	if (good) {
		/* makes the caches, which a fork must find */
		pa_kfree(front.pa[nr], pa_kmalloc(front.pa[nr], 1,
						  PA_GFP_KERNEL));
		atomic_store(&front.nr, nr + 1);
	}
	if (good && !nr)
		pthread_atfork(fork_prepare, fork_done, fork_done);
	opening = false;
	return good;
}

/* True if there are more instances than the caller knew, now or before. */
static cold bool grow(unsigned int known)
{
	bool more;

	spin_lock(&front.opening);
	more = atomic_load(&front.nr) != known || open_next();
	spin_unlock(&front.opening);
	return more;
}

static struct pa *owner(const void *p)
{
	unsigned int nr = atomic_load_explicit(&front.nr,
					       memory_order_acquire);

	for (unsigned int i = 0; i < nr; i++) {
		if (pa_address_page(front.pa[i], p))
			return front.pa[i];
	}
	return NULL;
}

/* From the newest instance, which has most room, to the oldest. */
static void *instance_alloc(size_t size, pa_gfp_t gfp)
{
	for (;;) {
		unsigned int nr = atomic_load_explicit(&front.nr,
						       memory_order_acquire);

		for (unsigned int i = nr; i-- > 0;) {
			void *p = pa_kmalloc(front.pa[i], size, gfp);

			if (likely(p))
				return p;
		}
		if (!grow(nr))
			return NULL;
	}
}

static inline void *alloc(size_t size, pa_gfp_t gfp)
{
	void *p = NULL;

	if (size < MIN_ALIGN)
		size = MIN_ALIGN;
	if (likely(size <= MAX_BLOCK && !opening))
		p = instance_alloc(size, gfp);
	if (unlikely(!p))
		p = map_alloc(size, MIN_ALIGN);
	if (unlikely(!p))
		errno = ENOMEM;
	return p;
}

/* Objects of a power of two are aligned to it, up to a page. */
static void *alloc_aligned(size_t align, size_t size)
{
	if (size < align)
		size = align;
	if (align > PA_PAGE_SIZE) {
		void *p = map_alloc(size, align);

		if (!p)
			errno = ENOMEM;
		return p;
	}
	if (align > MIN_ALIGN && size <= PA_PAGE_SIZE)
		size = 1ul << (64 - __builtin_clzl(size - 1));
	return alloc(size, PA_GFP_KERNEL);
}

static bool power_of_two(size_t x)
{
	return x && !(x & (x - 1));
}

/* ---- the calls ---- */

EXPORT void *malloc(size_t size)
{
	return alloc(size, PA_GFP_KERNEL);
}

EXPORT void free(void *p)
{
	struct pa *pa;
	int saved;

	if (!p)
		return;
	pa = owner(p);
	if (likely(pa)) {
		pa_kfree(pa, p);
		return;
	}
	saved = errno;
	map_free(p);
	errno = saved;
}

EXPORT void *calloc(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return alloc(bytes, PA_GFP_KERNEL | PA_GFP_ZERO);
}

EXPORT size_t malloc_usable_size(void *p)
{
	struct pa *pa = p ? owner(p) : NULL;

	if (!p)
		return 0;
	return pa ? pa_ksize(pa, p) : map_usable(p);
}

/* Another mapping of the same pages; NULL leaves the old one as it is. */
static void *map_resize(void *p, size_t size)
{
	struct map_header *h = map_header(p);
	size_t before = (char *)p - h->base;
	size_t bytes;
	char *base;

	if (size > PTRDIFF_MAX - before - PA_PAGE_SIZE)
		return NULL;
	bytes = (before + size + PA_PAGE_SIZE - 1) & ~(PA_PAGE_SIZE - 1);
	base = mremap(h->base, h->bytes, bytes, MREMAP_MAYMOVE);
	if (base == MAP_FAILED)
		return NULL;
	p = base + before;
	h = (struct map_header *)p - 1;
	*h = (struct map_header){ .magic = MAP_MAGIC ^ (uintptr_t)p,
				  .base = base, .bytes = bytes };
	return p;
}

/* An object stays while it fits and is not more than twice what it needs. */
EXPORT void *realloc(void *p, size_t size)
{
	size_t usable;
	void *to;

	if (!p)
		return malloc(size);
	if (!size) {
		free(p);
		return NULL;
	}
	usable = malloc_usable_size(p);
	if (!usable)
		foreign(p);
	if (size <= usable && size > usable / 2)
		return p;
	if (size > MAX_BLOCK && !owner(p)) {
		to = map_resize(p, size);
		if (!to)
			errno = ENOMEM;
		return to;
	}
	to = malloc(size);
	if (!to)
		return NULL;
	memcpy(to, p, size < usable ? size : usable);
	free(p);
	return to;
}

EXPORT void *reallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, bytes);
}

EXPORT int posix_memalign(void **out, size_t align, size_t size)
{
	int saved = errno;
	void *p;

	if (!power_of_two(align) || align % sizeof(void *))
		return EINVAL;
	p = alloc_aligned(align, size);
	errno = saved;
	if (!p)
		return ENOMEM;
	*out = p;
	return 0;
}

EXPORT void *aligned_alloc(size_t align, size_t size)
{
	if (!power_of_two(align)) {
		errno = EINVAL;
		return NULL;
	}
	return alloc_aligned(align, size);
}

EXPORT void *memalign(size_t align, size_t size)
{
	return aligned_alloc(align, size);
}

EXPORT void *valloc(size_t size)
{
	return alloc_aligned(PA_PAGE_SIZE, size);
}

EXPORT void *pvalloc(size_t size)
{
	if (size > PTRDIFF_MAX) {
		errno = ENOMEM;
		return NULL;
	}
	return valloc((size + PA_PAGE_SIZE - 1) & ~(PA_PAGE_SIZE - 1));
}
