/*
 * Walking every slab of a cache and every free object in it.
 *
 * Slabs are found through mem_map and not through the lists, so that one that
 * fell off its list is seen as well.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "slub.h"

struct slab_audit {
	struct pa_cache *cache;
	struct pa_cache_report *report;
	unsigned char *seen;		/* by object of one slab */
};

/* Counts the chain's objects; each must be in the slab, and only once. */
static unsigned int walk_chain(struct slab_audit *a, const struct page *slab,
			       void *object)
{
	unsigned int n = 0;

	while (object) {
		unsigned int nr = object_nr(a->cache, slab, object);

		if (nr >= a->cache->objects || a->seen[nr]) {
			a->report->bad_link++;
			break;
		}
		a->seen[nr] = 1;
		n++;
		object = get_freepointer(a->cache, object);
	}
	return n;
}

static bool on_list(const struct pa_list *head, const struct page *slab)
{
	const struct pa_list *pos;

	list_for_each(pos, head) {
		if (pos == &slab->lru)
			return true;
	}
	return false;
}

/* On how many lists, and as how many CPUs' slab, the slab is held. */
static void find_holders(struct slab_audit *a, const struct page *slab,
			 unsigned int *frozen, unsigned int *listed,
			 void **freelist)
{
	struct pa_cache *cache = a->cache;

	*frozen = 0;
	*freelist = NULL;
	for (unsigned int i = 0; i < cache->pa->nr_cpus; i++) {
		struct pa_cache_cpu *c = &cache->cpu[i];

		if (c->slab == slab) {
			*freelist = c->freelist;
			++*frozen;
		}
		*frozen += on_list(&c->partial, slab);
	}
	*listed = on_list(&slab_node(cache, slab)->partial, slab);
}

static void audit_slab(struct slab_audit *a, struct page *slab)
{
	struct slab_state s = unpack_state(read_state(slab));
	unsigned int frozen, listed, own, taken;
	void *freelist;

	memset(a->seen, 0, a->cache->objects);
	find_holders(a, slab, &frozen, &listed, &freelist);
	own = walk_chain(a, slab, state_object(a->cache, slab, s.head));
	taken = walk_chain(a, slab, freelist);

	a->report->slabs++;
	a->report->objects += s.objects;
	a->report->free += own + taken;
	a->report->in_use += s.inuse - taken;
	a->report->node_partial += listed;
	if (s.objects != a->cache->objects || s.inuse + own != s.objects ||
	    taken > s.inuse)
		a->report->count_drift++;
	if (frozen != s.frozen || (!s.frozen && listed != !!s.head) ||
	    (s.frozen && listed))
		a->report->misplaced++;
}

static unsigned long list_length(const struct pa_list *head)
{
	const struct pa_list *pos;
	unsigned long n = 0;

	list_for_each(pos, head)
		n++;
	return n;
}

static void audit_lists(struct slab_audit *a)
{
	struct pa_cache *cache = a->cache;
	unsigned long slabs = 0;

	for (unsigned int i = 0; i < cache->pa->nr_cpus; i++) {
		struct pa_cache_cpu *c = &cache->cpu[i];

		if (list_length(&c->partial) != c->nr_partial)
			a->report->list_drift++;
	}
	for (unsigned int i = 0; i < cache->pa->nr_nodes; i++) {
		struct pa_cache_node *node = &cache->node[i];

		if (list_length(&node->partial) != node->nr_partial)
			a->report->list_drift++;
		slabs += atomic_load(&node->nr_slabs);
	}
	if (slabs != a->report->slabs)
		a->report->list_drift++;
}

int pa_cache_audit(struct pa_cache *cache, struct pa_cache_report *report)
{
	struct slab_audit a = { .cache = cache, .report = report };
	struct pa *pa = cache->pa;

	a.seen = malloc(cache->objects);
	if (!a.seen)
		return -ENOMEM;
	*report = (struct pa_cache_report){ 0 };
	for (unsigned long pfn = 0; pfn < pa->nr_pages; pfn++) {
		struct page *page = pfn_to_page(pa, pfn);

		if (page->refcount > 0 && page_slab(page) &&
		    page->owner == cache)
			audit_slab(&a, page);
	}
	audit_lists(&a);
	free(a.seen);
	return 0;
}
