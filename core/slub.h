/*
 * Slabs: blocks of pages cut into objects of one size.
 *
 * A *slab* is one block of a cache, and its objects. Free objects are linked
 * through themselves. A slab is in one of these states:
 *
 *	cpu slab	one CPU allocates from it: frozen, c->slab
 *	cpu partial	frozen too, waits on a short list of one CPU
 *	node partial	has free objects, on the list of its node
 *	full		has none, on no list; the next free finds it again
 *
 * Frozen slabs belong to a CPU, and others may give objects back to them but
 * not move them. The free objects of a cpu slab are of two kinds: those that
 * its CPU took as c->freelist, and those that others freed since, which hang
 * off the slab itself and count as free in its state word.
 *
 * What a slab keeps of itself is in its struct page:
 *
 *	owner		the cache
 *	mapcount	PAGE_TYPE_SLAB, so that freeing the page is an error
 *	index		the state word below
 *	lru		the list of a node or of a CPU
 *
 * The state word changes by compare-and-swap as a whole. It holds the first
 * free object as a number, so that head and count fit into one word. Objects
 * are pushed one at a time and popped all at once, so an old head that came
 * back does no harm.
 *
 * Locks: the lock of a cpu, then that of a node. Pages are allocated and freed
 * without either, since that may call the reclaim callback, which may free
 * objects. Who clears the frozen bit holds the lock of the node, so that a
 * slab that is neither frozen nor full is on its node's list whenever that
 * lock is free.
 */
#ifndef PA_SLUB_H
#define PA_SLUB_H

#include "percpu.h"

#define noinline	__attribute__((noinline))

/* page->mapcount of a slab, and of a kmalloc block that is no slab. */
#define PAGE_TYPE_SLAB		(-128)
#define PAGE_TYPE_KMALLOC	(-129)

#define MAX_SLAB_ORDER		3
#define MAX_SLAB_OBJECTS	32767
#define CACHE_NAME_SIZE		32

/* State word: head 16, inuse 16, objects 15, frozen 1. */
struct slab_state {
	unsigned int head;	/* 1 + number of the first free one; 0: none */
	unsigned int inuse;	/* objects not on the slab's own list */
	unsigned int objects;
	bool frozen;
};

struct pa_cache_cpu {
	alignas(CACHE_LINE) struct spinlock lock;
	unsigned int nr_partial;	/* slabs on partial */
	void *freelist;			/* of slab */
	struct page *slab;
	struct pa_list partial;
};

struct pa_cache_node {
	alignas(CACHE_LINE) struct spinlock lock;
	unsigned long nr_partial;	/* slabs on partial */
	struct pa_list partial;
	atomic_ulong nr_slabs;		/* all there are */
};

struct pa_cache {
	struct pa *pa;
	unsigned int object_size;	/* as asked for */
	unsigned int size;		/* from one object to the next */
	unsigned int start;		/* of the object, behind its red zone */
	unsigned int link;		/* where the free pointer is in it */
	unsigned int objects;		/* in a slab */
	unsigned int order;		/* of a slab */
	unsigned int flags;		/* PA_CACHE_ */
	unsigned int cpu_partial;	/* slabs a CPU may hold back */
	unsigned long min_partial;	/* empty slabs are kept up to this */
	unsigned int block_order;	/* of the pages that hold this struct */
	char name[CACHE_NAME_SIZE];
	struct pa_cache_node node[PA_MAX_NODES];
	struct pa_cache_cpu cpu[];
};

static inline bool cache_debug(const struct pa_cache *cache)
{
	return cache->flags & (PA_CACHE_RED_ZONE | PA_CACHE_POISON);
}

static inline struct pa_cache_cpu *this_cpu_cache(struct pa_cache *cache)
{
	return &cache->cpu[pa_cpu(cache->pa)];
}

static inline struct pa_cache_node *slab_node(struct pa_cache *cache,
					      const struct page *slab)
{
	return &cache->node[page_zone(cache->pa, slab)->node];
}

static inline bool page_slab(const struct page *page)
{
	return page->mapcount == PAGE_TYPE_SLAB;
}

/*
 * The first page of the block that an address lies in, if that block is one
 * page or a compound one; NULL outside of the arena and in free memory. Tails
 * have no reference of their own, and an odd first word.
 */
static inline struct page *address_head(struct pa *pa, const void *address)
{
	struct page *page = pa_address_page(pa, address);

	if (unlikely(!page))
		return NULL;
	if (likely(page->refcount > 0))
		return page;
	if (!(page->compound_head & 1))
		return NULL;
	return (struct page *)(page->compound_head - 1);
}

static inline unsigned long pack_state(struct slab_state s)
{
	return (unsigned long)s.head | (unsigned long)s.inuse << 16 |
	       (unsigned long)s.objects << 32 | (unsigned long)s.frozen << 47;
}

static inline struct slab_state unpack_state(unsigned long word)
{
	return (struct slab_state){
		.head = word & 0xffff,
		.inuse = word >> 16 & 0xffff,
		.objects = word >> 32 & 0x7fff,
		.frozen = word >> 47 & 1,
	};
}

static inline unsigned long read_state(const struct page *slab)
{
	return __atomic_load_n(&slab->index, __ATOMIC_ACQUIRE);
}

/* On failure *old is what was found. */
static inline bool swap_state(struct page *slab, unsigned long *old,
			      struct slab_state new)
{
	return __atomic_compare_exchange_n(&slab->index, old, pack_state(new),
					   false, __ATOMIC_ACQ_REL,
					   __ATOMIC_ACQUIRE);
}

static inline char *slab_object(const struct pa_cache *cache,
				const struct page *slab, unsigned int nr)
{
	return (char *)pa_page_address(cache->pa, slab) + cache->start +
	       (unsigned long)nr * cache->size;
}

/* The number of an object; at least cache->objects for any other address. */
static inline unsigned int object_nr(const struct pa_cache *cache,
				     const struct page *slab,
				     const void *object)
{
	unsigned int offset = (const char *)object -
			      slab_object(cache, slab, 0);
	unsigned int nr = offset / cache->size;

	return nr * cache->size == offset ? nr : MAX_SLAB_OBJECTS;
}

/* The first free object by the number in a state word. */
static inline void *state_object(const struct pa_cache *cache,
				 const struct page *slab, unsigned int head)
{
	return head ? slab_object(cache, slab, head - 1) : NULL;
}

static inline void *get_freepointer(const struct pa_cache *cache,
				    const void *object)
{
	return *(void *const *)((const char *)object + cache->link);
}

static inline void set_freepointer(const struct pa_cache *cache, void *object,
				   void *next)
{
	*(void **)((char *)object + cache->link) = next;
}

/* slub_slab.c: the life of slabs */
struct page *pa_new_slab(struct pa_cache *cache, pa_gfp_t gfp);
void pa_discard_slab(struct pa_cache *cache, struct page *slab);
void *pa_take_objects(struct pa_cache *cache, struct page *slab);
void pa_add_partial(struct pa_cache *cache, struct pa_cache_node *node,
		    struct page *slab);
void pa_del_partial(struct pa_cache *cache, struct pa_cache_node *node,
		    struct page *slab);
void pa_deactivate_slab(struct pa_cache *cache, struct page *slab,
			void *freelist);
void pa_put_cpu_partial(struct pa_cache *cache, struct page *slab);
void pa_flush_cpu(struct pa_cache *cache, struct pa_cache_cpu *c);

/* slub.c */
void pa_slab_free(struct pa_cache *cache, struct page *slab, void *object);

/* slub_cache.c: sets up zeroed memory; -EINVAL for sizes that cannot be */
int pa_cache_init(struct pa_cache *cache, struct pa *pa,
		  const struct pa_cache_config *config);
unsigned long pa_cache_bytes(const struct pa *pa);	/* of the struct */

/* slub_debug.c: red zones and poison */
void pa_debug_layout(struct pa_cache *cache, unsigned int align);
void pa_debug_init_object(const struct pa_cache *cache, void *object);
void *pa_debug_alloc(struct pa_cache *cache, pa_gfp_t gfp);
bool pa_debug_free(struct pa_cache *cache, struct page *slab, void *object);
cold void pa_object_bug(struct pa *pa, const struct pa_object_bug *bug);

#endif
