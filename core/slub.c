/*
 * Allocating and freeing objects.
 *
 * The fast path takes an object off the list of this CPU's slab, or puts one
 * back that belongs to it, under the lock of the CPU's part of the cache.
 */
#include <string.h>

#include "slub.h"

/* Makes slab the cpu slab; its objects are in freelist. The lock is held. */
static void *load_slab(struct pa_cache *cache, struct pa_cache_cpu *c,
		       struct page *slab, void *freelist)
{
	c->slab = slab;
	c->freelist = get_freepointer(cache, freelist);
	return freelist;
}

/* What others freed into the cpu slab; if nothing, the slab is let go. */
static void *refill_from_slab(struct pa_cache *cache, struct pa_cache_cpu *c)
{
	void *freelist;

	if (!c->slab)
		return NULL;
	freelist = pa_take_objects(cache, c->slab);
	if (!freelist) {
		c->slab = NULL;
		return NULL;
	}
	return load_slab(cache, c, c->slab, freelist);
}

static void *refill_from_cpu_partial(struct pa_cache *cache,
				     struct pa_cache_cpu *c)
{
	struct page *slab;

	if (list_empty(&c->partial))
		return NULL;
	slab = lru_page(c->partial.next);
	list_del(&slab->lru);
	c->nr_partial--;
	return load_slab(cache, c, slab,
			 pa_take_objects(cache, slab));
}

/*
 * Freezes slabs of the node's list: the first becomes the cpu slab, a few more
 * go to this CPU's list, so that the node's lock is taken less often.
 */
static void *refill_from_node(struct pa_cache *cache, struct pa_cache_cpu *c,
			      struct pa_cache_node *node)
{
	struct page *first = NULL;

	if (list_empty(&node->partial))
		return NULL;
	spin_lock(&node->lock);
	while (!list_empty(&node->partial)) {
		struct page *slab = lru_page(node->partial.next);
		unsigned long word = read_state(slab);
		struct slab_state s;

		if (first && c->nr_partial >= (cache->cpu_partial + 1) / 2)
			break;
		pa_del_partial(cache, node, slab);
		do {
			s = unpack_state(word);
			s.frozen = true;
		} while (!swap_state(slab, &word, s));
		if (first) {
			list_add_tail(&slab->lru, &c->partial);
			c->nr_partial++;
		} else {
			first = slab;
		}
	}
	spin_unlock(&node->lock);
	return first ? load_slab(cache, c, first,
				 pa_take_objects(cache, first)) : NULL;
}

/* The node of this CPU first, then the others. */
static void *refill_from_nodes(struct pa_cache *cache, struct pa_cache_cpu *c)
{
	unsigned int nr = cache->pa->nr_nodes;
	unsigned int here = numa_node_id(cache->pa);

	for (unsigned int i = 0; i < nr; i++) {
		void *object = refill_from_node(cache, c,
						&cache->node[(here + i) % nr]);

		if (object)
			return object;
	}
	return NULL;
}

/* The lock of c is held. */
static void *refill(struct pa_cache *cache, struct pa_cache_cpu *c)
{
	void *object = refill_from_slab(cache, c);

	if (!object)
		object = refill_from_cpu_partial(cache, c);
	if (!object)
		object = refill_from_nodes(cache, c);
	return object;
}

/*
 * Takes a slab that nobody else has seen yet. If another thread was faster,
 * its slab is used and this one joins the list of its node.
 */
static void *install_new_slab(struct pa_cache *cache, struct pa_cache_cpu *c,
			      struct page *slab)
{
	void *object, *freelist;

	freelist = pa_take_objects(cache, slab);
	spin_lock(&c->lock);
	if (likely(!c->slab)) {
		object = load_slab(cache, c, slab, freelist);
		spin_unlock(&c->lock);
		return object;
	}
	spin_unlock(&c->lock);
	object = freelist;
	pa_deactivate_slab(cache, slab, get_freepointer(cache, freelist));
	return object;
}

static noinline void *slab_alloc_slow(struct pa_cache *cache, pa_gfp_t gfp)
{
	struct pa_cache_cpu *c = this_cpu_cache(cache);
	struct page *slab;
	void *object;

	spin_lock(&c->lock);
	object = c->freelist;
	if (object)
		c->freelist = get_freepointer(cache, object);
	else
		object = refill(cache, c);
	spin_unlock(&c->lock);
	if (object)
		return object;

	slab = pa_new_slab(cache, gfp);
	return slab ? install_new_slab(cache, c, slab) : NULL;
}

static inline void *slab_alloc(struct pa_cache *cache, pa_gfp_t gfp)
{
	struct pa_cache_cpu *c = this_cpu_cache(cache);
	void *object;

	spin_lock(&c->lock);
	object = c->freelist;
	if (likely(object))
		c->freelist = get_freepointer(cache, object);
	spin_unlock(&c->lock);
	return likely(object) ? object : slab_alloc_slow(cache, gfp);
}

void *pa_cache_alloc(struct pa_cache *cache, pa_gfp_t gfp)
{
	void *object;

	if (unlikely(cache_debug(cache)))
		object = pa_debug_alloc(cache, gfp);
	else
		object = slab_alloc(cache, gfp);
	if (unlikely(gfp & PA_GFP_ZERO) && object)
		memset(object, 0, cache->object_size);
	return object;
}

static cold void object_bug(struct pa_cache *cache, enum pa_bug bug,
			    const void *object)
{
	pa_object_bug(cache->pa, &(struct pa_object_bug){
		.bug = bug, .cache = cache->name, .object = object });
}

/* Where an object that went back to its slab leaves the slab. */
enum freed {
	FREED,			/* where it was */
	FREED_FROZEN,		/* was full, is now ours */
	FREED_LISTED,		/* was full, has to join its node's list */
	FREED_EMPTY,		/* has no object in use any more */
	FREED_TWICE,		/* the object was free already */
};

/*
 * Puts object number nr back. Unless it returns FREED or FREED_FROZEN, the
 * lock of the node is held afterwards: a slab that joins or leaves the list
 * does so under the lock that its state changed under.
 */
static enum freed push_object(struct pa_cache *cache, struct page *slab,
			      struct pa_cache_node *node, unsigned int nr)
{
	void *object = slab_object(cache, slab, nr);
	unsigned long word = read_state(slab);
	bool locked = false;
	enum freed result;

	for (;;) {
		struct slab_state s = unpack_state(word);
		bool was_full = !s.head && !s.frozen;

		if (unlikely(s.head == nr + 1 || !s.inuse)) {
			result = FREED_TWICE;
			break;
		}
		set_freepointer(cache, object,
				state_object(cache, slab, s.head));
		s.head = nr + 1;
		s.inuse--;
		if (was_full && cache->cpu_partial) {
			s.frozen = true;
			result = FREED_FROZEN;
		} else if (!s.frozen && (was_full || !s.inuse)) {
			if (!locked) {
				spin_lock(&node->lock);
				locked = true;
				word = read_state(slab);
				continue;
			}
			result = was_full ? FREED_LISTED : FREED_EMPTY;
		} else {
			result = FREED;
		}
		if (swap_state(slab, &word, s))
			break;
	}
	if (locked && (result == FREED || result == FREED_FROZEN))
		spin_unlock(&node->lock);
	else if (!locked && result == FREED_TWICE)
		spin_lock(&node->lock);
	return result;
}

/* Gives an object back to the slab itself. */
static noinline void slab_free_slow(struct pa_cache *cache, struct page *slab,
				    void *object)
{
	struct pa_cache_node *node = slab_node(cache, slab);
	unsigned int nr = object_nr(cache, slab, object);
	bool discard = false;

	if (unlikely(nr >= cache->objects)) {
		object_bug(cache, PA_BUG_OBJECT_FOREIGN, object);
		return;
	}
	switch (push_object(cache, slab, node, nr)) {
	case FREED:
		return;
	case FREED_FROZEN:
		pa_put_cpu_partial(cache, slab);
		return;
	case FREED_TWICE:
		spin_unlock(&node->lock);
		object_bug(cache, PA_BUG_OBJECT_DOUBLE_FREE, object);
		return;
	case FREED_LISTED:
		/* a slab of one object is full, then empty */
		pa_add_partial(cache, node, slab);
		break;
	case FREED_EMPTY:
		discard = node->nr_partial > cache->min_partial;
		if (discard)
			pa_del_partial(cache, node, slab);
		break;
	}
	spin_unlock(&node->lock);
	if (discard)
		pa_discard_slab(cache, slab);
}

static inline void slab_free(struct pa_cache *cache, struct page *slab,
			     void *object)
{
	struct pa_cache_cpu *c = this_cpu_cache(cache);

	spin_lock(&c->lock);
	if (likely(c->slab == slab)) {
		if (unlikely(c->freelist == object)) {
			spin_unlock(&c->lock);
			object_bug(cache, PA_BUG_OBJECT_DOUBLE_FREE, object);
			return;
		}
		set_freepointer(cache, object, c->freelist);
		c->freelist = object;
		spin_unlock(&c->lock);
		return;
	}
	spin_unlock(&c->lock);
	slab_free_slow(cache, slab, object);
}

void pa_slab_free(struct pa_cache *cache, struct page *slab, void *object)
{
	if (likely(!cache_debug(cache)))
		slab_free(cache, slab, object);
	else if (pa_debug_free(cache, slab, object))
		slab_free_slow(cache, slab, object);
}

void pa_cache_free(struct pa_cache *cache, void *object)
{
	struct page *slab;

	if (!object)
		return;
	slab = address_head(cache->pa, object);
	if (unlikely(!slab || !page_slab(slab) || slab->owner != cache)) {
		object_bug(cache, PA_BUG_OBJECT_FOREIGN, object);
		return;
	}
	pa_slab_free(cache, slab, object);
}
