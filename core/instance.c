/*
 * Opening and closing an instance, and the small calls on the whole of it.
 */
#include <errno.h>
#include <string.h>

#include "arena.h"
#include "mmzone.h"
#include "page_note.h"
#include "watermark.h"

#define DEFAULT_NODE_PAGES	4096
#define DEFAULT_PAGEBLOCK_ORDER	9
#define DEFAULT_PCP_BATCH	31
#define MIN_BATCHES		256	/* in the arena */
#define MAX_PCP_PAGES		(1u << 20)
#define MAX_CPUS		4096

static unsigned long int_sqrt(unsigned long x)
{
	unsigned long r = 0;

	while ((r + 1) * (r + 1) <= x)
		r++;
	return r;
}

/* Small arenas keep less of themselves in per-CPU lists. */
static unsigned int default_batch(unsigned long pages)
{
	unsigned long batch = pages / MIN_BATCHES;

	if (batch > DEFAULT_PCP_BATCH)
		return DEFAULT_PCP_BATCH;
	return batch ? batch : 1;
}

static void set_defaults(struct pa_config *c)
{
	if (!c->nodes)
		c->nodes = 1;
	if (!c->node_pages)
		c->node_pages = DEFAULT_NODE_PAGES;
	if (!c->pageblock_order)
		c->pageblock_order = DEFAULT_PAGEBLOCK_ORDER;
	if (!c->pcp_batch)
		c->pcp_batch = default_batch(c->nodes * c->node_pages);
	if (!c->pcp_high)
		c->pcp_high = 6 * c->pcp_batch;
	if (!c->cpus)
		c->cpus = pa_arena_cpus();
	if (!c->min_free_pages)
		c->min_free_pages = int_sqrt(c->nodes * c->node_pages *
					     (PA_PAGE_SIZE / 1024));
}

static bool config_valid(const struct pa_config *c)
{
	unsigned long total = c->nodes * c->node_pages;

	return c->nodes <= PA_MAX_NODES &&
	       c->node_pages <= (1ul << 40) / PA_PAGE_SIZE &&
	       c->dma_pages <= c->node_pages &&
	       c->movable_pages <= c->node_pages - c->dma_pages &&
	       c->pageblock_order <= PA_MAX_ORDER &&
	       c->guard_order <= PA_MAX_ORDER &&
	       !(c->shared && c->guard_order) &&
	       c->cma_pages <= c->node_pages - c->dma_pages -
			       c->movable_pages &&
	       !(c->cma_pages & ((1ul << c->pageblock_order) - 1)) &&
	       c->min_free_pages < total && c->pcp_batch <= MAX_PCP_PAGES &&
	       c->pcp_high <= MAX_PCP_PAGES && c->cpus <= MAX_CPUS;
}

static int map_memory(struct pa *pa)
{
	unsigned long max_block = 1ul << PA_MAX_ORDER;

	pa->nr_pages = pa->nr_nodes * pa->config.node_pages;
	pa->map_pages = (pa->nr_pages + max_block - 1) & ~(max_block - 1);
	pa->base = pa_arena_map(pa->nr_pages * PA_PAGE_SIZE, pa->config.shared);
	pa->mem_map = pa_arena_map(pa->map_pages * sizeof(struct page),
				   pa->config.shared);
	if (!pa->base || !pa->mem_map)
		return -ENOMEM;
	for (unsigned long pfn = pa->nr_pages; pfn < pa->map_pages; pfn++)
		pfn_to_page(pa, pfn)->flags = PG_RESERVED;
	return 0;
}

static int init_nodes(struct pa *pa)
{
	const struct pa_config *c = &pa->config;

	for (unsigned int nid = 0; nid < pa->nr_nodes; nid++) {
		unsigned long dma = nid ? 0 : c->dma_pages;
		unsigned long zone_pages[MAX_NR_ZONES] = {
			[ZONE_DMA] = dma,
			[ZONE_NORMAL] = c->node_pages - dma - c->movable_pages,
			[ZONE_MOVABLE] = c->movable_pages,
		};

		if (pa_init_node(pa, nid, nid * c->node_pages, zone_pages) < 0)
			return -ENOMEM;
	}
	pa_build_zonelists(pa);
	pa_setup_watermarks(pa, c->min_free_pages);
	return 0;
}

int pa_open(const struct pa_config *config, struct pa **out)
{
	struct pa_config c = *config;
	struct pa *pa;

	set_defaults(&c);
	if (!config_valid(&c))
		return -EINVAL;
	if (c.shared && pa_process_init() < 0)
		return -ENOMEM;
	pa = pa_arena_meta(sizeof(*pa), c.shared);
	if (!pa)
		return -ENOMEM;

	pa->config = c;
	pa->nr_nodes = c.nodes;
	pa->nr_cpus = c.cpus;
	pa->pageblock_order = c.pageblock_order;
	/* a block on a per-CPU list lies in one pageblock */
	pa->pcp_max_order = c.pageblock_order < PCP_MAX_ORDER ?
			    c.pageblock_order : PCP_MAX_ORDER;
	pa->guard_order = c.guard_order;
	pa->gfp_allowed_mask = ~0u;
	pa->mems_allowed = (1u << c.nodes) - 1;
	pa->nr_cpusets = 1;
	pa_spin_init(&pa->cpuset_lock, pa);
	if (map_memory(pa) < 0 || init_nodes(pa) < 0 || pa_notes_open(pa) < 0) {
		pa_close(pa);
		return -ENOMEM;
	}
	*out = pa;
	return 0;
}

void pa_close(struct pa *pa)
{
	if (!pa)
		return;
	pa_notes_close(pa);
	for (unsigned int nid = 0; nid < pa->nr_nodes; nid++)
		pa_free_node(pa, nid);
	pa_arena_unmap(pa->mem_map, pa->map_pages * sizeof(struct page));
	pa_arena_unmap(pa->base, pa->nr_pages * PA_PAGE_SIZE);
	pa_arena_meta_free(pa, pa->config.shared);
}

int pa_abandoned_by(const struct pa *pa)
{
	return atomic_load_explicit(&pa->abandoned_by, memory_order_relaxed);
}

void *pa_page_address(struct pa *pa, const struct page *page)
{
	unsigned long pfn = page_to_pfn(pa, page);

	return pfn < pa->nr_pages ? pa->base + pfn * PA_PAGE_SIZE : NULL;
}

struct page *pa_address_page(struct pa *pa, const void *address)
{
	unsigned long pfn = ((unsigned long)address -
			     (unsigned long)pa->base) / PA_PAGE_SIZE;

	return pfn < pa->nr_pages ? pfn_to_page(pa, pfn) : NULL;
}

void pa_set_gfp_allowed(struct pa *pa, pa_gfp_t mask)
{
	__atomic_store_n(&pa->gfp_allowed_mask, mask, __ATOMIC_RELAXED);
}

void pa_list_init(struct pa_list *list)
{
	list_init(list);
}

void pa_list_add_page(struct pa_list *list, struct page *page)
{
	list_add_tail(&page->lru, list);
}

void pa_attach(struct pa *pa)
{
	struct zone *zone;

	if (!pa->config.shared)
		return;
	pa_arena_attach(pa->base, pa->nr_pages * PA_PAGE_SIZE);
	pa_arena_attach(pa->mem_map, pa->map_pages * sizeof(struct page));
	pa_arena_meta_attach(pa);
	for (unsigned int nid = 0; nid < pa->nr_nodes; nid++)
		pa_arena_meta_attach(pa->node_data[nid]);
	for_each_zone(zone, pa) {
		pa_arena_meta_attach(zone->pageset);
		pa_arena_meta_attach(zone->pageblock_flags);
	}
}
