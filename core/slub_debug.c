/*
 * Caches that watch their objects.
 *
 * With PA_CACHE_RED_ZONE there are bytes before and behind each object that
 * tell whether it is in use; whoever writes past an object changes them. With
 * PA_CACHE_POISON a free object is filled with a pattern that tells who writes
 * to it. Either keeps the free pointer out of the object, behind its red zone:
 *
 *	red zone | object | red zone | free pointer
 *
 * Such a cache has no cpu slabs. All is done under the lock of the node, which
 * costs time and makes the checks exact. An object that fails a check is
 * reported and never handed out again.
 */
#include <string.h>

#include "slub.h"

#define RED_FREE	0xbb
#define RED_IN_USE	0xcc
#define POISON_FREE	0x6b
#define POISON_NEW	0x5a
#define RED_ZONE_BYTES	8u

void pa_object_bug(struct pa *pa, const struct pa_object_bug *bug)
{
	if (pa->config.object_bug)
		pa->config.object_bug(pa->config.arg, bug);
	else
		pa_report_bug(pa, bug->bug, address_head(pa, bug->object));
}

static unsigned int round_up(unsigned int x, unsigned int to)
{
	return (x + to - 1) / to * to;
}

/* Without red zones to write, RED_ZONE alone still tells double frees. */
void pa_debug_layout(struct pa_cache *cache, unsigned int align)
{
	cache->start = round_up(RED_ZONE_BYTES, align);
	cache->link = round_up(cache->object_size + RED_ZONE_BYTES,
			       sizeof(void *));
	cache->size = round_up(cache->start + cache->link + sizeof(void *),
			       align);
}

static void set_red_zones(const struct pa_cache *cache, char *object, int byte)
{
	memset(object - RED_ZONE_BYTES, byte, RED_ZONE_BYTES);
	memset(object + cache->object_size, byte, RED_ZONE_BYTES);
}

static void fill(const struct pa_cache *cache, char *object, int byte)
{
	if (cache->flags & PA_CACHE_POISON)
		memset(object, byte, cache->object_size);
}

void pa_debug_init_object(const struct pa_cache *cache, void *object)
{
	set_red_zones(cache, object, RED_FREE);
	fill(cache, object, POISON_FREE);
}

/* The first byte of n that differs, or NULL. */
static const char *differs(const char *p, unsigned int n, unsigned char byte)
{
	for (unsigned int i = 0; i < n; i++) {
		if ((unsigned char)p[i] != byte)
			return p + i;
	}
	return NULL;
}

static const char *red_zone_differs(const struct pa_cache *cache,
				    const char *object, unsigned char byte)
{
	const char *where = differs(object - RED_ZONE_BYTES, RED_ZONE_BYTES,
				    byte);

	return where ? where : differs(object + cache->object_size,
				       RED_ZONE_BYTES, byte);
}

static void wrong_byte(struct pa_object_bug *bug, enum pa_bug kind,
		       const char *where, unsigned char expected)
{
	bug->bug = kind;
	bug->where = where;
	bug->found = (unsigned char)*where;
	bug->expected = expected;
}

/* False, and *bug says why, if someone wrote to a free object. */
static bool free_object_ok(const struct pa_cache *cache, const char *object,
			   struct pa_object_bug *bug)
{
	const char *where = red_zone_differs(cache, object, RED_FREE);

	if (where) {
		wrong_byte(bug, PA_BUG_OBJECT_OVERRUN, where, RED_FREE);
		return false;
	}
	if (!(cache->flags & PA_CACHE_POISON))
		return true;
	where = differs(object, cache->object_size, POISON_FREE);
	if (where) {
		wrong_byte(bug, PA_BUG_OBJECT_USED_FREE, where, POISON_FREE);
		return false;
	}
	return true;
}

/* Pops an object of the node's first slab; the lock of the node is held. */
static void *pop_object(struct pa_cache *cache, struct pa_cache_node *node)
{
	struct page *slab = lru_page(node->partial.next);
	unsigned long word = read_state(slab);
	struct slab_state s = unpack_state(word);
	void *object = state_object(cache, slab, s.head);
	void *next = get_freepointer(cache, object);

	/* pushes can happen meanwhile only under the lock or onto others */
	do {
		s = unpack_state(word);
		object = state_object(cache, slab, s.head);
		next = get_freepointer(cache, object);
		s.head = next ? object_nr(cache, slab, next) + 1 : 0;
		s.inuse++;
	} while (!swap_state(slab, &word, s));
	if (!s.head)
		pa_del_partial(cache, node, slab);
	return object;
}

/* Some object of the node, good or not; NULL if it has none. */
static void *take_object(struct pa_cache *cache, struct pa_cache_node *node,
			 struct pa_object_bug *bug, bool *good)
{
	char *object = NULL;

	spin_lock(&node->lock);
	if (!list_empty(&node->partial)) {
		object = pop_object(cache, node);
		*good = free_object_ok(cache, object, bug);
		set_red_zones(cache, object, RED_IN_USE);
		fill(cache, object, POISON_NEW);
	}
	spin_unlock(&node->lock);
	return object;
}

static void *alloc_from_nodes(struct pa_cache *cache)
{
	unsigned int nr = cache->pa->nr_nodes;
	unsigned int here = numa_node_id(cache->pa);
	unsigned int i = 0;

	while (i < nr) {
		struct pa_object_bug bug = { .cache = cache->name };
		bool good = false;
		void *object;

		object = take_object(cache, &cache->node[(here + i) % nr],
				     &bug, &good);
		if (object && good)
			return object;
		if (!object) {
			i++;
			continue;
		}
		bug.object = object;
		pa_object_bug(cache->pa, &bug);
	}
	return NULL;
}

void *pa_debug_alloc(struct pa_cache *cache, pa_gfp_t gfp)
{
	for (;;) {
		void *object = alloc_from_nodes(cache);
		struct page *slab;

		if (object)
			return object;
		slab = pa_new_slab(cache, gfp);
		if (!slab)
			return NULL;
		pa_deactivate_slab(cache, slab, NULL);
	}
}

/* False, and *bug says why, for what is no object in use. */
static bool used_object_ok(const struct pa_cache *cache,
			   const struct page *slab, const char *object,
			   struct pa_object_bug *bug)
{
	const char *where;

	if (object_nr(cache, slab, object) >= cache->objects) {
		bug->bug = PA_BUG_OBJECT_FOREIGN;
		return false;
	}
	where = red_zone_differs(cache, object, RED_IN_USE);
	if (!where)
		return true;
	if (!red_zone_differs(cache, object, RED_FREE))
		bug->bug = PA_BUG_OBJECT_DOUBLE_FREE;
	else
		wrong_byte(bug, PA_BUG_OBJECT_OVERRUN, where, RED_IN_USE);
	return false;
}

/* True if the object may go back to its slab. */
bool pa_debug_free(struct pa_cache *cache, struct page *slab, void *object)
{
	struct pa_object_bug bug = { .cache = cache->name, .object = object };
	struct pa_cache_node *node = slab_node(cache, slab);
	bool good;

	spin_lock(&node->lock);
	good = used_object_ok(cache, slab, object, &bug);
	if (good)
		pa_debug_init_object(cache, object);
	spin_unlock(&node->lock);
	if (!good)
		pa_object_bug(cache->pa, &bug);
	return good;
}
