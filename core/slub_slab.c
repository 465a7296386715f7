/*
 * The life of a slab: from the page allocator to a CPU, to the list of its
 * node, and back.
 */
#include "slub.h"

static void link_objects(const struct pa_cache *cache, struct page *slab)
{
	for (unsigned int i = 0; i < cache->objects; i++) {
		char *object = slab_object(cache, slab, i);

		if (cache_debug(cache))
			pa_debug_init_object(cache, object);
		set_freepointer(cache, object, i + 1 < cache->objects ?
				object + cache->size : NULL);
	}
}

/*
 * All objects are free and the slab is frozen, as if it had come off a list;
 * NULL if there are no pages.
 */
struct page *pa_new_slab(struct pa_cache *cache, pa_gfp_t gfp)
{
	pa_gfp_t mobility = PA_GFP_MOVABLE | PA_GFP_HIGHMEM |
			    PA_GFP_RECLAIMABLE | PA_GFP_ZERO;
	struct page *slab;

	gfp &= ~mobility;
	if (cache->flags & PA_CACHE_RECLAIMABLE)
		gfp |= PA_GFP_RECLAIMABLE;
	slab = pa_alloc_pages(cache->pa, gfp | PA_GFP_COMP, cache->order);
	if (unlikely(!slab))
		return NULL;
	slab->owner = cache;
	slab->mapcount = PAGE_TYPE_SLAB;
	link_objects(cache, slab);
	__atomic_store_n(&slab->index, pack_state((struct slab_state){
		.head = 1, .objects = cache->objects, .frozen = true }),
		__ATOMIC_RELEASE);
	atomic_fetch_add(&slab_node(cache, slab)->nr_slabs, 1);
	return slab;
}

/* The slab is empty and on no list. */
void pa_discard_slab(struct pa_cache *cache, struct page *slab)
{
	atomic_fetch_sub(&slab_node(cache, slab)->nr_slabs, 1);
	slab->owner = NULL;
	slab->mapcount = -1;
	pa_free_pages(cache->pa, slab, cache->order);
}

/*
 * Takes all free objects of a frozen slab and returns the first. If there are
 * none the slab is full: it returns NULL, and the slab is no longer frozen.
 */
void *pa_take_objects(struct pa_cache *cache, struct page *slab)
{
	unsigned long word = read_state(slab);
	struct slab_state s;
	void *freelist;

	do {
		s = unpack_state(word);
		freelist = state_object(cache, slab, s.head);
		s.head = 0;
		s.inuse = s.objects;
		s.frozen = freelist;
	} while (!swap_state(slab, &word, s));
	return freelist;
}

/* Both: the lock of the node is held. */
void pa_add_partial(struct pa_cache *cache, struct pa_cache_node *node,
		    struct page *slab)
{
	count_event(cache->pa, PA_STAT_PARTIAL_LIST);
	list_add(&slab->lru, &node->partial);
	node->nr_partial++;
}

void pa_del_partial(struct pa_cache *cache, struct pa_cache_node *node,
		    struct page *slab)
{
	count_event(cache->pa, PA_STAT_PARTIAL_LIST);
	list_del(&slab->lru);
	node->nr_partial--;
}

static void *last_object(const struct pa_cache *cache, void *freelist,
			 unsigned int *n)
{
	void *next;

	*n = 1;
	while ((next = get_freepointer(cache, freelist))) {
		freelist = next;
		(*n)++;
	}
	return freelist;
}

/*
 * Lets a frozen slab go, with the objects of it that its CPU had taken (NULL:
 * none). It joins the list of its node, or is full, or empty and not needed.
 */
void pa_deactivate_slab(struct pa_cache *cache, struct page *slab,
			void *freelist)
{
	struct pa_cache_node *node = slab_node(cache, slab);
	unsigned long word = read_state(slab);
	void *last = NULL;
	unsigned int n = 0;
	struct slab_state s;
	bool discard;

	if (freelist)
		last = last_object(cache, freelist, &n);
	spin_lock(&node->lock);
	do {
		s = unpack_state(word);
		if (freelist) {
			set_freepointer(cache, last,
					state_object(cache, slab, s.head));
			s.head = object_nr(cache, slab, freelist) + 1;
			s.inuse -= n;
		}
		s.frozen = false;
	} while (!swap_state(slab, &word, s));

	discard = !s.inuse && node->nr_partial >= cache->min_partial;
	if (s.head && !discard)
		pa_add_partial(cache, node, slab);
	spin_unlock(&node->lock);
	if (discard)
		pa_discard_slab(cache, slab);
}

static void deactivate_all(struct pa_cache *cache, struct pa_list *slabs)
{
	struct pa_list *pos, *next;

	list_for_each_safe(pos, next, slabs)
		pa_deactivate_slab(cache, lru_page(pos), NULL);
}

/* Leaves to empty and its slabs in to. The lock of c is held. */
static void take_cpu_partial(struct pa_cache_cpu *c, struct pa_list *to)
{
	struct pa_list *pos, *next;

	list_init(to);
	list_for_each_safe(pos, next, &c->partial)
		list_move(pos, to);
	c->nr_partial = 0;
}

/*
 * Keeps a slab that was just frozen for this CPU. If that makes too many, all
 * that were there before go to their nodes.
 */
void pa_put_cpu_partial(struct pa_cache *cache, struct page *slab)
{
	struct pa_cache_cpu *c = this_cpu_cache(cache);
	struct pa_list excess;

	list_init(&excess);
	spin_lock(&c->lock);
	if (c->nr_partial >= cache->cpu_partial)
		take_cpu_partial(c, &excess);
	list_add(&slab->lru, &c->partial);
	c->nr_partial++;
	spin_unlock(&c->lock);
	deactivate_all(cache, &excess);
}

/* Leaves the CPU without any slab. */
void pa_flush_cpu(struct pa_cache *cache, struct pa_cache_cpu *c)
{
	struct pa_list partial;
	struct page *slab;
	void *freelist;

	spin_lock(&c->lock);
	slab = c->slab;
	freelist = c->freelist;
	c->slab = NULL;
	c->freelist = NULL;
	take_cpu_partial(c, &partial);
	spin_unlock(&c->lock);
	if (slab)
		pa_deactivate_slab(cache, slab, freelist);
	deactivate_all(cache, &partial);
}
