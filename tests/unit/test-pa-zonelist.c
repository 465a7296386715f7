/*
 * Zonelists: their order, and that a walk visits what a naive search would.
 */
#include "alloc.h"
#include "test-pa-fixture.h"
#include "vmstat.h"

static struct pa *open_four(void)
{
	return open_pa((struct pa_config){ .nodes = 4, .node_pages = 256,
					   .dma_pages = 64,
					   .movable_pages = 64 });
}

/* Next zone after *place in the order of a zonelist, straight from its rule. */
static struct zone *naive_next(struct pa *pa, int nid, enum zone_type highidx,
			       const pa_nodemask_t *nodes, int *place)
{
	for (int i = *place; i < 4 * MAX_NR_ZONES; i++) {
		int node = (nid + i / MAX_NR_ZONES) % 4;
		int idx = MAX_NR_ZONES - 1 - i % MAX_NR_ZONES;
		struct zone *zone = &pa->node_data[node]->zones[idx];

		if (!zone->managed_pages || idx > (int)highidx ||
		    (nodes && !(*nodes & 1u << node)))
			continue;
		*place = i + 1;
		return zone;
	}
	return NULL;
}

static void compare_walks(struct pa *pa, int nid, enum zone_type highidx,
			  const pa_nodemask_t *nodes)
{
	struct zonelist *zonelist = &pa->node_data[nid]->fallback;
	struct zoneref *z;
	int place = 0;

	for_each_zoneref(z, zonelist, highidx, nodes)
		assert_ptr_equal(z->zone, naive_next(pa, nid, highidx, nodes,
						     &place));
	assert_null(naive_next(pa, nid, highidx, nodes, &place));
}

static void walks_like_a_naive_search(void **state)
{
	struct pa *pa = open_four();

	(void)state;
	for (int nid = 0; nid < 4; nid++) {
		for (int idx = 0; idx < MAX_NR_ZONES; idx++) {
			compare_walks(pa, nid, idx, NULL);
			for (pa_nodemask_t mask = 0; mask < 16; mask++)
				compare_walks(pa, nid, idx, &mask);
		}
	}
	close_clean(pa);
}

static void assert_place(pa_gfp_t gfp, unsigned int zone, unsigned int mt)
{
	assert_int_equal(gfp_place(gfp)->high_zoneidx, zone);
	assert_int_equal(gfp_place(gfp)->migratetype, mt);
}

static void maps_flags_to_places(void **state)
{
	(void)state;
	assert_place(PA_GFP_KERNEL, ZONE_NORMAL, MIGRATE_UNMOVABLE);
	assert_place(PA_GFP_MOVABLE, ZONE_NORMAL, MIGRATE_MOVABLE);
	assert_place(PA_GFP_HIGHMEM, ZONE_NORMAL, MIGRATE_UNMOVABLE);
	assert_place(PA_GFP_HIGHUSER_MOVABLE, ZONE_MOVABLE, MIGRATE_MOVABLE);
	assert_place(PA_GFP_DMA, ZONE_DMA, MIGRATE_UNMOVABLE);
	assert_place(PA_GFP_HIGHUSER_MOVABLE | PA_GFP_DMA, ZONE_DMA,
		     MIGRATE_MOVABLE);
	assert_place(PA_GFP_RECLAIMABLE, ZONE_NORMAL, MIGRATE_RECLAIMABLE);
	assert_place(PA_GFP_RECLAIMABLE | PA_GFP_MOVABLE, ZONE_NORMAL,
		     MIGRATE_UNMOVABLE);
}

static void serves_no_zone_above_the_request(void **state)
{
	struct pa *pa = open_four();
	struct page *pages[1025];
	size_t n;

	(void)state;
	n = take_all(pa, PA_GFP_MEMALLOC | PA_GFP_DMA, 0, pages, 1024);
	assert_int_equal(n, 64);
	free_all(pa, pages, n, 0);
	pa_drain_all(pa);
	n = take_all(pa, PA_GFP_MEMALLOC, 0, pages, 1024);
	assert_int_equal(n, 1024 - 4 * 64);
	free_all(pa, pages, n, 0);
	pa_drain_all(pa);
	n = take_all(pa, PA_GFP_MEMALLOC | PA_GFP_HIGHMEM | PA_GFP_MOVABLE, 0,
		     pages, 1024);
	assert_int_equal(n, 1024);
	free_all(pa, pages, n, 0);
	close_clean(pa);
}

static void thisnode_does_not_fall_back(void **state)
{
	struct pa *pa = open_four();
	struct page *pages[1025];
	size_t n = 0;

	(void)state;
	while ((pages[n] = pa_alloc_pages_node(pa, 2, PA_GFP_MEMALLOC |
					       PA_GFP_THISNODE, 0))) {
		assert_int_equal(page_node(pa, pages[n]), 2);
		n++;
	}
	assert_int_equal(n, 256 - 64);
	free_all(pa, pages, n, 0);
	/* only node 0 has zone DMA */
	assert_null(pa_alloc_pages_node(pa, 2, PA_GFP_KERNEL | PA_GFP_DMA |
					PA_GFP_NOFAIL | PA_GFP_THISNODE, 0));
	assert_null(pa_alloc_pages_node(pa, 4, PA_GFP_KERNEL, 0));
	close_clean(pa);
}

/* Local zones take turns: while both have pages, neither is left out. */
static void local_zones_take_turns(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 4096,
						    .dma_pages = 2048 });
	struct page *pages[1000];
	size_t n = take_all(pa, PA_GFP_KERNEL, 0, pages, 1000);
	size_t dma = 0;

	(void)state;
	for (size_t i = 0; i < n; i++)
		dma += page_zone(pa, pages[i])->idx == ZONE_DMA;
	assert_int_equal(n, 1000);
	assert_in_range(dma, 300, 700);
	free_all(pa, pages, n, 0);
	close_clean(pa);
}

/*
 * Two zones of a node give in turns, each by its share, and when the node has
 * nothing left above its marks, the next one gives.
 */
static void zones_take_turns(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .nodes = 2,
						    .node_pages = 2048,
						    .dma_pages = 512,
						    .min_free_pages = 400,
						    .pcp_batch = 1 });
	struct zone *dma = &pa->node_data[0]->zones[ZONE_DMA];
	struct page *pages[4097];
	size_t given[2][MAX_NR_ZONES] = { { 0 } };
	size_t n = 0;

	(void)state;
	while (n < 4096 && (pages[n] = pa_alloc_pages_node(pa, 0, 0, 0))) {
		struct zone *zone = page_zone(pa, pages[n++]);
		unsigned long left = zone_page_state(dma, NR_FREE_PAGES);

		given[zone->node][zone->idx]++;
		/* nobody goes elsewhere before this node is short */
		if (zone->node == 1)
			assert_true(left < dma->watermark[WMARK_LOW] + 64);
		if (n == 400)
			assert_in_range(given[0][ZONE_DMA], 50, 200);
	}
	assert_true(given[1][ZONE_NORMAL] > 1000);
	free_all(pa, pages, n, 0);
	close_clean(pa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walks_like_a_naive_search),
		cmocka_unit_test(maps_flags_to_places),
		cmocka_unit_test(serves_no_zone_above_the_request),
		cmocka_unit_test(thisnode_does_not_fall_back),
		cmocka_unit_test(local_zones_take_turns),
		cmocka_unit_test(zones_take_turns),
	};

	return cmocka_run_group_tests_name("pa-zonelist", tests, NULL, NULL);
}
