/*
 * Memory by size: a row of caches, and whole blocks above them.
 *
 * The sizes are the powers of two from 8 to 8192, and 96 and 192. A power of
 * two divides a page, so a slab of one wastes nothing and its objects are
 * aligned to their size. The caches are made together when the first object is
 * asked for, and last as long as the instance.
 */
#include <string.h>

#include "forklock.h"
#include "slub.h"

static const unsigned short kmalloc_size[] = {
	8, 16, 32, 64, 96, 128, 192, 256, 512, 1024, 2048, 4096, 8192,
};

#define NR_KMALLOC	(sizeof(kmalloc_size) / sizeof(kmalloc_size[0]))

/* Sizes up to 192, in steps of 8. */
static const unsigned char small_index[] = {
	0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5,
	6, 6, 6, 6, 6, 6, 6, 6,
};

#define MAX_SMALL	192
#define FIRST_LARGE	7	/* index of 256 */

static unsigned int kmalloc_index(size_t size)
{
	if (size <= MAX_SMALL)
		return size ? small_index[(size - 1) / 8] : 0;
	return FIRST_LARGE - 8 + (64 - __builtin_clzl(size - 1));
}

/* One cache after the other in one block. */
static unsigned long cache_stride(const struct pa *pa)
{
	return (pa_cache_bytes(pa) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

static struct pa_cache *kmalloc_cache(const struct pa *pa, char *caches,
				      unsigned int index)
{
	return (struct pa_cache *)(caches + index * cache_stride(pa));
}

/* What debug caches put around an object must not move it. */
static unsigned int kmalloc_align(unsigned int size)
{
	unsigned int power = size & -size;

	return power > PA_PAGE_SIZE ? PA_PAGE_SIZE : power;
}

static void init_caches(struct pa *pa, char *caches)
{
	for (unsigned int i = 0; i < NR_KMALLOC; i++) {
		struct pa_cache_config config = {
			.name = "kmalloc",
			.size = kmalloc_size[i],
			.align = kmalloc_align(kmalloc_size[i]),
			.flags = pa->config.kmalloc_flags,
		};

		pa_cache_init(kmalloc_cache(pa, caches, i), pa, &config);
	}
}

/* Of two threads that come here at once, one throws its caches away. */
static noinline char *make_caches(struct pa *pa)
{
	unsigned int order = 0;
	struct page *page;
	char *caches, *found = NULL;

	while (PA_PAGE_SIZE << order < NR_KMALLOC * cache_stride(pa))
		order++;
	page = pa_alloc_pages(pa, PA_GFP_KERNEL | PA_GFP_ZERO, order);
	if (!page)
		return NULL;
	caches = pa_page_address(pa, page);
	init_caches(pa, caches);
	if (__atomic_compare_exchange_n(&pa->kmalloc_caches, &found, caches,
					false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return caches;
	pa_free_pages(pa, page, order);
	return found;
}

static void *kmalloc_large(struct pa *pa, size_t size, pa_gfp_t gfp)
{
	unsigned int order = 0;
	struct page *page;

	while (order <= PA_MAX_ORDER && PA_PAGE_SIZE << order < size)
		order++;
	page = pa_alloc_pages(pa, gfp | PA_GFP_COMP, order);
	if (!page)
		return NULL;
	page->mapcount = PAGE_TYPE_KMALLOC;
	return pa_page_address(pa, page);
}

void *pa_kmalloc(struct pa *pa, size_t size, pa_gfp_t gfp)
{
	char *caches;

	if (unlikely(size > PA_CACHE_MAX_SIZE))
		return kmalloc_large(pa, size, gfp);
	caches = __atomic_load_n(&pa->kmalloc_caches, __ATOMIC_ACQUIRE);
	if (unlikely(!caches)) {
		caches = make_caches(pa);
		if (!caches)
			return NULL;
	}
	return pa_cache_alloc(kmalloc_cache(pa, caches, kmalloc_index(size)),
			      gfp);
}

static cold void foreign(struct pa *pa, const void *object)
{
	pa_object_bug(pa, &(struct pa_object_bug){
		.bug = PA_BUG_OBJECT_FOREIGN, .cache = "kmalloc",
		.object = object });
}

void pa_kfree(struct pa *pa, const void *object)
{
	struct page *page;

	if (!object)
		return;
	page = address_head(pa, object);
	if (likely(page && page_slab(page))) {
		pa_slab_free(page->owner, page, (void *)object);
	} else if (page && page->mapcount == PAGE_TYPE_KMALLOC &&
		   object == pa_page_address(pa, page)) {
		page->mapcount = -1;
		pa_free_pages(pa, page, page->private);
	} else {
		foreign(pa, object);
	}
}

size_t pa_ksize(struct pa *pa, const void *object)
{
	struct page *page = object ? address_head(pa, object) : NULL;

	if (!page)
		return 0;
	if (page_slab(page))
		return ((struct pa_cache *)page->owner)->object_size;
	return page->mapcount == PAGE_TYPE_KMALLOC ?
		PA_PAGE_SIZE << page->private : 0;
}

void pa_kmalloc_shrink(struct pa *pa)
{
	char *caches = __atomic_load_n(&pa->kmalloc_caches, __ATOMIC_ACQUIRE);

	for (unsigned int i = 0; caches && i < NR_KMALLOC; i++)
		pa_cache_shrink(kmalloc_cache(pa, caches, i));
}

void pa_kmalloc_lock(struct pa *pa)
{
	char *caches = __atomic_load_n(&pa->kmalloc_caches, __ATOMIC_ACQUIRE);

	for (unsigned int i = 0; caches && i < NR_KMALLOC; i++) {
		struct pa_cache *cache = kmalloc_cache(pa, caches, i);

		for (unsigned int cpu = 0; cpu < pa->nr_cpus; cpu++)
			spin_lock(&cache->cpu[cpu].lock);
	}
	for (unsigned int i = 0; caches && i < NR_KMALLOC; i++) {
		struct pa_cache *cache = kmalloc_cache(pa, caches, i);

		for (unsigned int nid = 0; nid < pa->nr_nodes; nid++)
			spin_lock(&cache->node[nid].lock);
	}
}

void pa_kmalloc_unlock(struct pa *pa)
{
	char *caches = __atomic_load_n(&pa->kmalloc_caches, __ATOMIC_ACQUIRE);

	for (unsigned int i = 0; caches && i < NR_KMALLOC; i++) {
		struct pa_cache *cache = kmalloc_cache(pa, caches, i);

		for (unsigned int nid = 0; nid < pa->nr_nodes; nid++)
			spin_unlock(&cache->node[nid].lock);
		for (unsigned int cpu = 0; cpu < pa->nr_cpus; cpu++)
			spin_unlock(&cache->cpu[cpu].lock);
	}
}
