/*
 * Caches: how a size is cut into slabs, and the beginning and end of a cache.
 *
 * A cache lives in pages of the arena that it allocates from, so that whoever
 * shares the arena shares the cache.
 */
#include <errno.h>
#include <string.h>

#include "slub.h"

#define MIN_PARTIAL	5ul
#define MAX_PARTIAL	10ul
#define MIN_OBJECTS	16u	/* in a slab, where that wastes nothing more */

static unsigned int round_up(unsigned int x, unsigned int to)
{
	return (x + to - 1) / to * to;
}

static unsigned int waste(unsigned int size, unsigned int order)
{
	return (PA_PAGE_SIZE << order) % size;
}

/*
 * The smallest order that holds MIN_OBJECTS and wastes at most a 16th; failing
 * that, the one that wastes least of those that hold one object at all.
 */
static int slab_order(unsigned int size)
{
	int best = -1;

	for (unsigned int order = 0; order <= MAX_SLAB_ORDER; order++) {
		unsigned int bytes = PA_PAGE_SIZE << order;

		if (bytes < size)
			continue;
		if (bytes / size >= MIN_OBJECTS &&
		    waste(size, order) <= bytes / 16)
			return order;
		if (best < 0 || waste(size, order) << (MAX_SLAB_ORDER - order)
		    <= waste(size, best) << (MAX_SLAB_ORDER - best))
			best = order;
	}
	return best;
}

/* Small objects are many a slab, so that fewer slabs hold enough of them. */
static unsigned int default_cpu_partial(unsigned int size)
{
	if (size >= PA_PAGE_SIZE)
		return 2;
	return size >= 256 ? 4 : 3;
}

static unsigned long default_min_partial(unsigned int size)
{
	unsigned long log2 = 31 - __builtin_clz(size);

	log2 /= 2;
	if (log2 < MIN_PARTIAL)
		return MIN_PARTIAL;
	return log2 > MAX_PARTIAL ? MAX_PARTIAL : log2;
}

unsigned long pa_cache_bytes(const struct pa *pa)
{
	return sizeof(struct pa_cache) + pa->nr_cpus *
	       sizeof(struct pa_cache_cpu);
}

int pa_cache_init(struct pa_cache *cache, struct pa *pa,
		  const struct pa_cache_config *config)
{
	unsigned int align = config->align ? config->align : sizeof(void *);
	int order;

	if (align & (align - 1) || align < sizeof(void *) ||
	    align > PA_PAGE_SIZE || !config->size ||
	    config->size > PA_CACHE_MAX_SIZE)
		return -EINVAL;

	cache->pa = pa;
	cache->flags = config->flags;
	cache->object_size = config->size;
	cache->size = round_up(config->size, align);
	if (cache_debug(cache))
		pa_debug_layout(cache, align);
	order = slab_order(cache->size);
	if (order < 0)
		return -EINVAL;
	cache->order = order;
	cache->objects = (PA_PAGE_SIZE << order) / cache->size;
	cache->min_partial = default_min_partial(cache->size);
	if (!cache_debug(cache))
		cache->cpu_partial = default_cpu_partial(cache->size);
	strncpy(cache->name, config->name ? config->name : "",
		CACHE_NAME_SIZE - 1);

	for (unsigned int i = 0; i < PA_MAX_NODES; i++) {
		pa_spin_init(&cache->node[i].lock, pa);
		list_init(&cache->node[i].partial);
	}
	for (unsigned int i = 0; i < pa->nr_cpus; i++) {
		pa_spin_init(&cache->cpu[i].lock, pa);
		list_init(&cache->cpu[i].partial);
	}
	return 0;
}

int pa_cache_create(struct pa *pa, const struct pa_cache_config *config,
		    struct pa_cache **out)
{
	unsigned int order = 0;
	struct pa_cache *cache;
	struct page *page;
	int ret;

	while (PA_PAGE_SIZE << order < pa_cache_bytes(pa))
		order++;
	page = pa_alloc_pages(pa, PA_GFP_KERNEL | PA_GFP_ZERO, order);
	if (!page)
		return -ENOMEM;
	cache = pa_page_address(pa, page);
	cache->block_order = order;
	ret = pa_cache_init(cache, pa, config);
	if (ret < 0) {
		pa_free_pages(pa, page, order);
		return ret;
	}
	*out = cache;
	return 0;
}

/* The empty slabs of the node's list go to empty. */
static void take_empty(struct pa_cache *cache, struct pa_cache_node *node,
		       struct pa_list *empty)
{
	struct pa_list *pos, *next;

	spin_lock(&node->lock);
	list_for_each_safe(pos, next, &node->partial) {
		struct page *slab = lru_page(pos);

		if (unpack_state(read_state(slab)).inuse)
			continue;
		pa_del_partial(cache, node, slab);
		list_add(&slab->lru, empty);
	}
	spin_unlock(&node->lock);
}

void pa_cache_shrink(struct pa_cache *cache)
{
	struct pa_list empty, *pos, *next;

	list_init(&empty);
	for (unsigned int i = 0; i < cache->pa->nr_cpus; i++)
		pa_flush_cpu(cache, &cache->cpu[i]);
	for (unsigned int i = 0; i < cache->pa->nr_nodes; i++)
		take_empty(cache, &cache->node[i], &empty);
	list_for_each_safe(pos, next, &empty)
		pa_discard_slab(cache, lru_page(pos));
}

int pa_cache_destroy(struct pa_cache *cache)
{
	struct pa *pa;

	if (!cache)
		return 0;
	pa = cache->pa;
	pa_cache_shrink(cache);
	for (unsigned int i = 0; i < pa->nr_nodes; i++) {
		if (atomic_load(&cache->node[i].nr_slabs))
			return -EBUSY;
	}
	pa_free_pages(pa, pa_address_page(pa, cache), cache->block_order);
	return 0;
}
