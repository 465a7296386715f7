/*
 * The counters of zones: sums, differences, and where they meet.
 */
#include <stdlib.h>

#include "test-pa-fixture.h"
#include "vmstat.h"

static struct pa *open_nodes(unsigned int nodes)
{
	return open_pa((struct pa_config){ .nodes = nodes, .node_pages = 1024,
					   .cpus = 4 });
}

/* Any steps in any direction: sum plus difference is what was added. */
static void loses_no_step(void **state)
{
	struct pa *pa = open_nodes(1);
	struct zone *zone = normal_zone(pa, 0);
	long before = pa_zone_page_state_snapshot(pa, zone, NR_ALLOC_BATCH);
	long want = 0;

	(void)state;
	srand(1);
	for (int i = 0; i < 20000; i++) {
		struct per_cpu_pageset *pset = &zone->pageset[rand() % 4];
		long delta = rand() % 401 - 200;

		pa_mod_zone_state(zone, pset, NR_ALLOC_BATCH, delta);
		want += delta;
		assert_int_equal(pa_zone_page_state_snapshot(pa, zone,
							     NR_ALLOC_BATCH),
				 before + want);
		assert_in_range(abs(read_diff(pset, NR_ALLOC_BATCH)), 0,
				pset->stat_threshold);
	}
	pa_refresh_vm_stats(pa);
	assert_int_equal(zone_page_state(zone, NR_ALLOC_BATCH), before + want);
	close_clean(pa);
}

/* Exactly the threshold stays in the difference, one more does not. */
static void folds_beyond_the_threshold(void **state)
{
	struct pa *pa = open_nodes(1);
	struct zone *zone = normal_zone(pa, 0);
	struct per_cpu_pageset *pset = &zone->pageset[1];
	int t = pset->stat_threshold;

	(void)state;
	for (int sign = -1; sign <= 1; sign += 2) {
		pa_refresh_vm_stats(pa);
		pa_mod_zone_state(zone, pset, NR_ALLOC_BATCH, sign * t);
		assert_int_equal(read_diff(pset, NR_ALLOC_BATCH), sign * t);
		pa_mod_zone_state(zone, pset, NR_ALLOC_BATCH, sign);
		assert_int_equal(read_diff(pset, NR_ALLOC_BATCH), 0);
	}
	close_clean(pa);
}

/*
 * A turn's share goes down by what was allocated, whatever the order, and also
 * when a difference is folded on the way, which takes some pages of order 0.
 */
static void counts_the_turn(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 1024,
						    .dma_pages = 256 });
	struct zone *zone = normal_zone(pa, 0);

	(void)state;
	for (int i = 0; i < 200; i++) {
		unsigned int order = i % 20 ? 0 : i / 20 % 6;
		long before = pa_zone_page_state_snapshot(pa, zone,
							  NR_ALLOC_BATCH);
		struct page *page;

		/* a share that is used up is refilled, which is no decrease */
		zone_page_state_add(zone, NR_ALLOC_BATCH, 10000 - before);
		page = pa_alloc_pages(pa, PA_GFP_KERNEL, order);
		assert_int_equal(pa_zone_page_state_snapshot(pa, zone,
							     NR_ALLOC_BATCH),
				 10000 - (1l << order));
		pa_free_pages(pa, page, order);
	}
	close_clean(pa);
}

/* A share is counted where there are zones to take turns with. */
static void a_lone_zone_takes_no_turns(void **state)
{
	struct pa *pa = open_nodes(1);
	struct zone *zone = normal_zone(pa, 0);
	long before = pa_zone_page_state_snapshot(pa, zone, NR_ALLOC_BATCH);
	struct page *pages[2];

	(void)state;
	pages[0] = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	pages[1] = pa_alloc_pages(pa, PA_GFP_KERNEL, 4);
	assert_int_equal(pa_zone_page_state_snapshot(pa, zone, NR_ALLOC_BATCH),
			 patch_applied(LONE_ZONES) ? before : before - 17);
	pa_free_pages(pa, pages[0], 0);
	pa_free_pages(pa, pages[1], 4);
	close_clean(pa);
}

static void counts_hits_and_misses(void **state)
{
	struct pa *pa = open_nodes(2);
	pa_nodemask_t second = 2;
	struct page *page;

	(void)state;
	pa_set_cpu(0);	/* of node 0 */
	page = pa_alloc_pages_node(pa, 0, PA_GFP_KERNEL, 0);
	pa_free_pages(pa, page, 0);
	assert_int_equal(pa_stat(pa, PA_STAT_NUMA_HIT), 1);
	assert_int_equal(pa_stat(pa, PA_STAT_NUMA_LOCAL), 1);

	page = pa_alloc_pages_node(pa, 1, PA_GFP_KERNEL, 0);
	pa_free_pages(pa, page, 0);
	assert_int_equal(pa_stat(pa, PA_STAT_NUMA_HIT), 2);
	assert_int_equal(pa_stat(pa, PA_STAT_NUMA_LOCAL), 1);
	assert_int_equal(pa_stat(pa, PA_STAT_NUMA_OTHER), 1);

	/* a mask moves the first choice, so this is no miss */
	page = pa_alloc_pages_nodemask(pa, PA_GFP_KERNEL, 0, 0, &second);
	assert_int_equal(page_node(pa, page), 1);
	pa_free_pages(pa, page, 0);
	assert_int_equal(pa_stat(pa, PA_STAT_NUMA_HIT), 3);
	assert_int_equal(pa_stat(pa, PA_STAT_NUMA_MISS), 0);
	close_clean(pa);
}

static void counts_a_miss_when_a_node_is_full(void **state)
{
	struct pa *pa = open_nodes(2);
	struct page *pages[1024], *page;
	size_t n = 0;

	(void)state;
	while ((page = pa_alloc_pages_node(pa, 0, PA_GFP_KERNEL |
					   PA_GFP_THISNODE, 0)))
		pages[n++] = page;
	assert_int_equal(pa_stat(pa, PA_STAT_NUMA_MISS), 0);
	page = pa_alloc_pages_node(pa, 0, PA_GFP_KERNEL, 0);
	assert_int_equal(page_node(pa, page), 1);
	assert_int_equal(pa_stat(pa, PA_STAT_NUMA_MISS), 1);
	pa_free_pages(pa, page, 0);
	free_all(pa, pages, n, 0);
	close_clean(pa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loses_no_step),
		cmocka_unit_test(folds_beyond_the_threshold),
		cmocka_unit_test(counts_the_turn),
		cmocka_unit_test(a_lone_zone_takes_no_turns),
		cmocka_unit_test(counts_hits_and_misses),
		cmocka_unit_test(counts_a_miss_when_a_node_is_full),
	};

	return cmocka_run_group_tests_name("pa-vmstat", tests, NULL, NULL);
}
