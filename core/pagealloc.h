/*
 * A page allocator in user space.
 *
 * An *instance* (struct pa) owns an *arena*: memory that is mapped, populated
 * and written when the instance is opened, so that no later call meets the
 * kernel. The arena is cut into pages of 4096 bytes; a *block of order O* is
 * 2^O pages that start at a multiple of 2^O. Each page is described by one
 * struct page, and a block is named by the struct page of its first page.
 *
 * Pages belong to one of 1..4 simulated *nodes*. A node's pages are split into
 * *zones*: DMA (few, for callers who insist), NORMAL, and MOVABLE (only for
 * what can be moved or dropped). Each node has a *zonelist*, the order in which
 * the zones of all nodes are tried for a request made there. A request names
 * the highest zone it can use; lower ones serve it too, less a reserve.
 *
 * Free blocks sit in their zone on lists by order and *migratetype*: whether
 * the owners of the pages around can give them up (MOVABLE), on pressure
 * (RECLAIMABLE), or never (UNMOVABLE). The arena is divided into *pageblocks*,
 * each with a migratetype, and requests of one kind are kept together in
 * blocks of that kind, so that long free ranges can come back. When a kind
 * runs out it takes the largest block that it can from another one.
 *
 * A part of zone NORMAL can be set aside as *CMA*: it serves MOVABLE requests
 * until somebody needs a long range of it in one piece (pa_alloc_contig()).
 *
 * In front of each zone every CPU has short lists of orders 0..3, the
 * *per-CPU lists*, which are filled and emptied in batches. *Watermarks* keep
 * the last pages of a zone for requests that must not fail.
 *
 * Calling rules:
 *  - All calls on one instance may be made from any thread at any time,
 *    except pa_open() and pa_close(), which must be alone, and pa_audit(),
 *    which wants the instance quiet. Nothing here is safe in a signal
 *    handler. Instances share nothing.
 *  - The library never prints or exits (but see pa_config.shared), and keeps
 *    no state outside the instance, apart from a few thread-local settings
 *    (pa_set_cpu() and others) and the number of the process.
 *  - A call that fails returns NULL or a negative errno and changes nothing.
 *  - Callers' mistakes that are noticed (a page freed twice, a page freed
 *    while in use) go to the bug callback; the page is then kept out of use.
 */
#ifndef PA_PAGEALLOC_H
#define PA_PAGEALLOC_H

#include <stdbool.h>
#include <stddef.h>

#define PA_PAGE_SHIFT	12
#define PA_PAGE_SIZE	(1UL << PA_PAGE_SHIFT)	/* bytes */
#define PA_MAX_ORDER	10			/* the largest block is 4 MiB */
#define PA_MAX_NODES	4

struct pa;
struct page;

/*
 * What the caller can live with. A request is one of the sets at the end, with
 * single flags added where needed.
 */
typedef unsigned int pa_gfp_t;

#define PA_GFP_DMA		0x0001u	/* from zone DMA only */
#define PA_GFP_HIGHMEM		0x0002u	/* with MOVABLE: zone MOVABLE too */
#define PA_GFP_MOVABLE		0x0008u	/* the owner can move it */
#define PA_GFP_RECLAIMABLE	0x0010u	/* the owner can drop it on pressure */
#define PA_GFP_HIGH		0x0020u	/* may use half of the reserve */
#define PA_GFP_HARDER		0x0040u	/* a quarter more, and highatomic */
#define PA_GFP_MEMALLOC		0x0080u	/* frees memory soon: may use it all */
#define PA_GFP_RECLAIM		0x0100u	/* may wait: drain, call reclaim */
#define PA_GFP_NOFAIL		0x0200u	/* with RECLAIM: waits for success */
#define PA_GFP_ZERO		0x0400u	/* fill with zero bytes */
#define PA_GFP_COMP		0x0800u	/* compound: tails know their head */
#define PA_GFP_HARDWALL		0x1000u	/* keep to the cpuset */
#define PA_GFP_THISNODE		0x2000u	/* no fallback to other nodes */

#define PA_GFP_KERNEL		(PA_GFP_RECLAIM)
#define PA_GFP_USER		(PA_GFP_RECLAIM | PA_GFP_HARDWALL)
#define PA_GFP_ATOMIC		(PA_GFP_HIGH | PA_GFP_HARDER)
#define PA_GFP_HIGHUSER_MOVABLE	(PA_GFP_USER | PA_GFP_HIGHMEM | PA_GFP_MOVABLE)

/* A set of nodes, bit n for node n. Where a pointer is taken, NULL is "any". */
typedef unsigned int pa_nodemask_t;

/* A list of order-0 pages, linked through the pages themselves. */
struct pa_list {
	struct pa_list *next, *prev;
};

/* What went to the bug callback. */
enum pa_bug {
	PA_BUG_FREE_STATE,	/* freed while mapped, locked, owned, ... */
	PA_BUG_NEW_STATE,	/* was written to while it was free */
	PA_BUG_DOUBLE_FREE,	/* freed without a reference left */
	PA_BUG_SLEEP,		/* PA_GFP_RECLAIM in an atomic section */
	PA_BUG_ABANDONED,	/* by a killed process, see pa_config.shared */
	/* of objects, see struct pa_object_bug */
	PA_BUG_OBJECT_FOREIGN,	/* freed, and no object in use here */
	PA_BUG_OBJECT_DOUBLE_FREE, /* freed, and was free */
	PA_BUG_OBJECT_OVERRUN,	/* a byte before or behind it was written */
	PA_BUG_OBJECT_USED_FREE, /* was written to while it was free */
	/* told apart in a library built with -DPA_DEBUG=1 alone */
	PA_BUG_FREE_FOREIGN,	/* freed, and is no page of this instance */
	PA_BUG_FREE_TAIL,	/* freed, and lies inside of a block in use */
	PA_BUG_FREE_ORDER,	/* freed with another order than it has */
	PA_BUG_USED_FREE,	/* its memory was written to while free */
};

/* Where a thread was: return addresses, the innermost first, then NULLs. */
#define PA_TRAIL	6

struct pa_trail {
	const void *caller[PA_TRAIL];
	int thread;			/* as by gettid(); 0: nobody was */
};

/* Who has a block, or had it before it was free. */
struct pa_owner {
	unsigned int order;
	pa_gfp_t gfp;
	struct pa_trail got, freed;	/* freed: the time before, if any */
};

struct pa_page_bug {
	enum pa_bug bug;
	struct page *page;		/* as the caller gave it */
	unsigned long pfn;		/* of it, or ~0ul: no page */
	unsigned int order;		/* as the caller gave it */
	struct pa_owner owner;		/* of the block it is in, or was in */
	const void *where;		/* first byte written to, or NULL */
	unsigned char found, expected;	/* there */
};

struct pa_object_bug {
	enum pa_bug bug;
	const char *cache;		/* its name */
	const void *object;
	const void *where;		/* first wrong byte, or NULL */
	unsigned char found, expected;	/* there */
};

/*
 * Zero in a field means the default. Sizes are in pages.
 */
struct pa_config {
	unsigned int nodes;		/* 1..4, default 1 */
	unsigned long node_pages;	/* of each node, default 4096 */
	unsigned long dma_pages;	/* of node 0, zone DMA */
	unsigned long movable_pages;	/* of each node, zone MOVABLE */
	unsigned long cma_pages;	/* of each node, see above */
	unsigned int pageblock_order;	/* 1..10, default 9 */
	unsigned long min_free_pages;	/* reserve; default sqrt(arena KiB) */
	unsigned int pcp_batch;		/* pages moved at once, default <= 31 */
	unsigned int pcp_high;		/* of a CPU and zone, default 6 batch */
	unsigned int cpus;		/* default: those of the machine */
	unsigned int guard_order;	/* see guard.h; not if shared */
	/*
	 * In shared memory: processes that are forked from this one later use
	 * the instance together, as threads do. The last one to use it calls
	 * pa_close(); the others just end.
	 *
	 * One that is killed inside of a call can leave a lock behind, and
	 * what it guards half changed. Whoever waits for it then can neither
	 * go on nor return: PA_BUG_ABANDONED goes to the bug callback, which
	 * finds the culprit by pa_abandoned_by(), and when it returns abort()
	 * ends the process. (An mm has a lock of its own, without this.)
	 */
	bool shared;

	/*
	 * Asked in the slow path to make pages free; returns how many it freed,
	 * 0 to give up. Called without any lock, so it may free pages.
	 */
	unsigned long (*reclaim)(void *arg, unsigned int order);
	/*
	 * Asked by pa_alloc_contig() for a page in use: to move its content
	 * elsewhere and free it, now if it can. Called without any lock.
	 */
	void (*migrate)(void *arg, struct page *page);
	/* A mistake was noticed. Locks can be held: it must not call back. */
	void (*bug)(void *arg, enum pa_bug bug, struct page *page);
	/* Bugs of objects go here; without it to bug, with their page. */
	void (*object_bug)(void *arg, const struct pa_object_bug *bug);
	/* With -DPA_DEBUG=1, what is known of a bug; without it goes to bug. */
	void (*page_bug)(void *arg, const struct pa_page_bug *bug);
	void *arg;
	unsigned int kmalloc_flags;	/* PA_CACHE_ of the kmalloc caches */
};

/*
 * Opens an instance into *pa. Returns 0, -EINVAL for a configuration that
 * cannot be, or -ENOMEM. pa_close() gives all memory back, allocated pages
 * included, and takes NULL.
 */
int pa_open(const struct pa_config *config, struct pa **pa);
void pa_close(struct pa *pa);

/* The process that left a lock of a shared instance behind; 0: none did. */
int pa_abandoned_by(const struct pa *pa);

/*
 * For a process that was forked after pa_open() of a shared instance: all of
 * its memory becomes present there, so that no later call meets the kernel.
 * May take long. Without it a process meets the kernel once a page.
 */
void pa_attach(struct pa *pa);

/*
 * One block of the given order, or NULL. pa_alloc_pages() starts at the node of
 * the calling CPU, the others at node nid (-1: of the calling CPU); nodemask
 * leaves nodes out. The content is undefined without PA_GFP_ZERO.
 */
struct page *pa_alloc_pages(struct pa *pa, pa_gfp_t gfp, unsigned int order);
struct page *pa_alloc_pages_node(struct pa *pa, int nid, pa_gfp_t gfp,
				 unsigned int order);
struct page *pa_alloc_pages_nodemask(struct pa *pa, pa_gfp_t gfp,
				     unsigned int order, int nid,
				     const pa_nodemask_t *nodemask);

/*
 * Up to nr pages of order 0 into pages[]; returns how many there were, which
 * is less than nr when the fast sources are short: call again for the rest.
 */
unsigned long pa_alloc_bulk(struct pa *pa, pa_gfp_t gfp, unsigned long nr,
			    struct page **pages);

/* Gives a block back, whole and of the order it was asked with. */
void pa_free_pages(struct pa *pa, struct page *page, unsigned int order);

/* Gives all pages of a list back and leaves the list empty. */
void pa_free_page_list(struct pa *pa, struct pa_list *list);

/* Lists to hand to pa_free_page_list(): allocated pages of order 0 only. */
void pa_list_init(struct pa_list *list);
void pa_list_add_page(struct pa_list *list, struct page *page);

/* The first byte of the page, and back; NULL for what is not in the arena. */
void *pa_page_address(struct pa *pa, const struct page *page);
struct page *pa_address_page(struct pa *pa, const void *address);

/*
 * Moves every page of all per-CPU lists back to the zones, where free
 * neighbours merge, and folds the per-CPU parts of the statistics.
 */
void pa_drain_all(struct pa *pa);

/*
 * Takes the pageblocks that hold pages [start, start + nr) out of use: their
 * free pages serve no request, and pages freed there stay there. What waits on
 * per-CPU lists is out of reach until pa_drain_all() comes after. Ends are
 * rounded outward to pageblocks. Returns 0, -EINVAL for pages that do not
 * exist, or -EBUSY if a block is isolated or reserved already, or is cut off by
 * the end of its zone; then none is isolated.
 */
int pa_isolate_range(struct pa *pa, unsigned long start, unsigned long nr);

/* Gives isolated blocks of that range back, as CMA or MOVABLE. */
void pa_unisolate_range(struct pa *pa, unsigned long start, unsigned long nr);

/*
 * Pages [start, start + nr) of one zone in one piece, each in use as a page of
 * order 0. What is in use there is offered to the migrate callback; the rest
 * of the largest blocks around the range is isolated meanwhile. Returns 0,
 * -EINVAL for a range that does not exist, or -EBUSY if part of it stays in
 * use or cannot be isolated. pa_free_contig() gives a range back.
 */
int pa_alloc_contig(struct pa *pa, unsigned long start, unsigned long nr);
void pa_free_contig(struct pa *pa, unsigned long start, unsigned long nr);

/*
 * Takes the free blocks that begin in pages [start, start + nr) out of the
 * zones and adds them to the list as pages of order 0 in use, as long as the
 * zone stays above its MIN watermark; returns how many. A place to move to,
 * for who empties another range.
 */
unsigned long pa_isolate_freepages(struct pa *pa, unsigned long start,
				   unsigned long nr, struct pa_list *list);

/*
 * The cpuset confines all requests on the instance to some nodes. Requests
 * without PA_GFP_HARDWALL may still leave it when its nodes are short. The mask
 * of all nodes lifts it. Returns 0, or -EINVAL if no node would be left.
 */
int pa_set_mems_allowed(struct pa *pa, pa_nodemask_t nodes);

/* Flags outside of the mask are ignored in every later request. */
void pa_set_gfp_allowed(struct pa *pa, pa_gfp_t mask);

/*
 * Settings of the calling thread. pa_set_cpu() makes it act as on that CPU
 * (-1: the real one again). pa_set_slot() names the CPU to use where the
 * system cannot tell. Between pa_atomic_enter() and pa_atomic_leave() the
 * thread promises not to wait.
 */
void pa_set_cpu(int cpu);
void pa_set_slot(unsigned int slot);
void pa_atomic_enter(void);
void pa_atomic_leave(void);

/*
 * Numbers of the whole instance. Levels are exact when it is quiet. Events are
 * counted only in a library built with -DPA_STATS=1; elsewhere they read -1.
 */
enum pa_stat_item {
	PA_STAT_FREE_PAGES,		/* level: free in zones, not isolated */
	PA_STAT_FREE_CMA,		/* level: those of CMA blocks */
	PA_STAT_PCP_PAGES,		/* level: on per-CPU lists */
	PA_STAT_MANAGED_PAGES,		/* level: all there are */
	PA_STAT_NUMA_HIT,		/* event: from the node wanted */
	PA_STAT_NUMA_MISS,		/* event: wanted elsewhere */
	PA_STAT_NUMA_LOCAL,		/* event: from the node of the CPU */
	PA_STAT_NUMA_OTHER,		/* event: from another node than that */
	/* events, with PA_STATS=1 only */
	PA_STAT_PAGEBLOCK_LOOKUP,	/* the type of a pageblock was read */
	PA_STAT_PCP_REFILL,		/* a per-CPU list was filled */
	PA_STAT_PCP_SPILL,		/* a batch went back from one */
	PA_STAT_FALLBACK,		/* served from another migratetype */
	PA_STAT_STEAL,			/* a pageblock changed its type */
	PA_STAT_SLOWPATH,		/* the first attempt failed */
	PA_STAT_PARTIAL_LIST,		/* a slab joined or left a node list */
	PA_STAT_NR,
};

long pa_stat(struct pa *pa, enum pa_stat_item item);

/*
 * The result of walking every list and every page. The first group are page
 * counts; in the second group each number is a count of violations, 0 when all
 * is well. type_mismatch may be positive without a defect of the caller.
 */
struct pa_report {
	unsigned long managed;
	unsigned long free;		/* on lists of usable types */
	unsigned long isolated;		/* on lists of isolated blocks */
	unsigned long pcp;		/* on per-CPU lists */
	unsigned long guard;		/* made unreadable beside allocated */
	unsigned long allocated;
	unsigned long bad;		/* kept out of use after a bug */

	unsigned long misplaced;	/* 1: misaligned, on two lists, ... */
	unsigned long unmerged;		/* 2: free buddies that should be one */
	unsigned long type_mismatch;	/* 3: not on the list of its block */
	unsigned long free_drift;	/* 4: statistic against the lists */
	unsigned long cma_drift;	/* 4: the same for CMA blocks */
	unsigned long nr_free_drift;	/* 5: nr_free against the lists */
	unsigned long lost;		/* 6: pages that are nowhere */
	unsigned long bad_state;	/* 7: free but referenced or mapped */
	unsigned long highatomic_drift;	/* 8: reserve against blocks, pages */
	unsigned long pcp_drift;	/* per-CPU count against its lists */
};

/* Fills *report; -ENOMEM if there is no memory for the walk, else 0. */
int pa_audit(struct pa *pa, struct pa_report *report);

/*
 * Debugging, in a library built with -DPA_DEBUG=1; elsewhere these return
 * -ENOTSUP and false.
 *
 * Of the requests for blocks of min_order and above, pa_set_fail() lets the
 * first `skip` pass, then makes every interval-th fail (1: all), `times` times
 * in all. Bulk requests count as one of order 0. NULL ends it.
 * pa_fail_seen() is how many requests were looked at since.
 */
struct pa_fail {
	unsigned long skip;
	unsigned long interval;		/* at least 1 */
	unsigned long times;
	unsigned int min_order;
};

int pa_set_fail(struct pa *pa, const struct pa_fail *fail);
unsigned long pa_fail_seen(const struct pa *pa);

/* Who has the block that the page is in; false if nobody has. */
bool pa_page_owner(struct pa *pa, const struct page *page,
		   struct pa_owner *owner);

/*
 * The bug in words: a line that says what and where, then lines on who got
 * the block and who freed it. As snprintf() does.
 */
int pa_page_bug_text(char *buf, size_t size, const struct pa_page_bug *bug);

/* The same for a bug of an object, in any library: one line. */
int pa_object_bug_text(char *buf, size_t size,
		       const struct pa_object_bug *bug);

/*
 * Objects.
 *
 * A *cache* hands out objects of one size, cut from blocks of pages, its
 * *slabs*. Each CPU has a slab of its own that it allocates from; objects may
 * be freed on any CPU. Contents are undefined without PA_GFP_ZERO. The same
 * rules hold as for pages: any thread, any time, not in a signal handler.
 * PA_GFP_ flags are those of the pages that a call may have to allocate; the
 * ones on mobility are ignored.
 *
 * A double free is noticed when nothing was freed or allocated in between, a
 * pointer that is no object when its slab is not the CPU's own. Caches with
 * PA_CACHE_RED_ZONE notice both always, and writes before or behind the object
 * at its free; those with PA_CACHE_POISON also notice writes to free objects,
 * when they are handed out again. The object then stays out of use.
 */
#define PA_CACHE_MAX_SIZE	8192	/* bytes */

#define PA_CACHE_RECLAIMABLE	0x1u	/* the owner can drop objects */
#define PA_CACHE_RED_ZONE	0x2u	/* debug: 24 bytes an object and time */
#define PA_CACHE_POISON		0x4u	/* debug: as RED_ZONE, more time */

struct pa_cache;

struct pa_cache_config {
	const char *name;	/* for reports; at most 31 bytes are kept */
	unsigned int size;	/* of an object, 1..PA_CACHE_MAX_SIZE bytes */
	unsigned int align;	/* power of two, 8..4096; default 8 */
	unsigned int flags;	/* PA_CACHE_ */
};

/* Makes a cache into *cache. Returns 0, -EINVAL or -ENOMEM. */
int pa_cache_create(struct pa *pa, const struct pa_cache_config *config,
		    struct pa_cache **cache);

/*
 * Ends a cache and gives its pages back; takes NULL. The caller must be alone
 * with it. Returns 0, or -EBUSY while objects are in use: it then goes on.
 * pa_close() ends all caches of the instance as they are.
 */
int pa_cache_destroy(struct pa_cache *cache);

void *pa_cache_alloc(struct pa_cache *cache, pa_gfp_t gfp);
void pa_cache_free(struct pa_cache *cache, void *object);	/* takes NULL */

/* Gives the pages of all empty slabs back, those of the CPUs included. */
void pa_cache_shrink(struct pa_cache *cache);

/*
 * Memory by size: from caches of 8, 16, 32, 64, 96, 128, 192, 256 ... 8192
 * bytes, and above that in blocks of 2^N pages, up to 4 MiB. Powers of two are
 * aligned to their size, but never more than to a page; 96 and 192 are to 32
 * and 64. Size 0 is an object like others. pa_kfree() takes NULL.
 */
void *pa_kmalloc(struct pa *pa, size_t size, pa_gfp_t gfp);
void pa_kfree(struct pa *pa, const void *object);

/* The bytes that may be used, at least those asked for; 0: no such object. */
size_t pa_ksize(struct pa *pa, const void *object);

/* pa_cache_shrink() of the caches behind pa_kmalloc(). */
void pa_kmalloc_shrink(struct pa *pa);

/*
 * The result of walking all slabs of a cache. As in struct pa_report the second
 * group counts violations.
 */
struct pa_cache_report {
	unsigned long slabs;
	unsigned long objects;		/* in all slabs */
	unsigned long in_use;
	unsigned long free;
	unsigned long node_partial;	/* slabs on lists of nodes */

	unsigned long count_drift;	/* slabs: in use + free != objects */
	unsigned long bad_link;		/* free lists that lead astray */
	unsigned long misplaced;	/* slabs on the wrong list, or none */
	unsigned long list_drift;	/* counts of lists and of slabs */
};

/* Fills *report; wants the cache quiet. -ENOMEM, or 0. */
int pa_cache_audit(struct pa_cache *cache, struct pa_cache_report *report);

/*
 * Address spaces.
 *
 * An *mm* stands for the memory of a process: mappings at addresses from 0 to
 * 1 GiB, and the page behind each address that was touched. The addresses are
 * numbers; nothing is there to be read or written through them. pa_mm_fault()
 * does the work of a page fault without its trap, pa_mm_unmap() that of taking
 * a mapping away. Any thread may call these at any time, but for destroy,
 * which wants its mm or file alone.
 */
struct pa_mm;
struct pa_file;

#define PA_MAP_SHARED		0x1u	/* writes go to the file's pages */
#define PA_MAP_UNINITIALIZED	0x2u	/* anonymous pages are not cleared */

struct pa_map {
	unsigned long nr_pages;	/* 1..2^18 */
	unsigned int flags;	/* PA_MAP_ */
	struct pa_file *file;	/* NULL: anonymous, and then not shared */
	unsigned long offset;	/* in the file, pages */
};

int pa_mm_create(struct pa *pa, struct pa_mm **mm);	/* 0 or -ENOMEM */
void pa_mm_destroy(struct pa_mm *mm);	/* with its mappings; takes NULL */

/*
 * Finds room for a mapping and says where in *address, bytes. 0; -EINVAL if
 * the file has not that many pages, -ENOMEM if there is no room.
 */
int pa_mm_map(struct pa_mm *mm, const struct pa_map *map,
	      unsigned long *address);

/* Ends the mapping that starts there; -EINVAL if none does. */
int pa_mm_unmap(struct pa_mm *mm, unsigned long address);

/*
 * Makes the page at the address present, and with write one that may be
 * written to: a page of its own, or the shared one. Returns 0, -EFAULT for an
 * address without a mapping, or -ENOMEM.
 */
int pa_mm_fault(struct pa_mm *mm, unsigned long address, bool write);

/* The page at the address; NULL if it is not present. */
struct page *pa_mm_page(struct pa_mm *mm, unsigned long address);

/* A file of nr_pages pages of zeroes, 1..2^18; 0, -EINVAL or -ENOMEM. */
int pa_file_create(struct pa *pa, unsigned long nr_pages,
		   struct pa_file **file);
int pa_file_destroy(struct pa_file *file);	/* -EBUSY while mapped */

struct pa_mm_report {
	unsigned long anon, file;	/* entries, by whose page it is */
	unsigned long tables;		/* pages of second levels */
	unsigned long bad;		/* entries whose page counts wrong */
};

/* Fills *report; wants the mm quiet. */
void pa_mm_audit(struct pa_mm *mm, struct pa_mm_report *report);

#endif
