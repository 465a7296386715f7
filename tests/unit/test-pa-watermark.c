/*
 * Watermarks: the check against its rule, and the reserve against requests.
 */
#include "test-pa-fixture.h"
#include "vmstat.h"
#include "watermark.h"

#define PAGES	1024

/* The rule as pagealloc.h and watermark.h state it, one clause a line. */
static bool naive_ok(const struct zone *zone, long free, long mark,
		     int classzone_idx, unsigned int order, unsigned int flags)
{
	if (flags & ALLOC_HIGH)
		mark = mark - mark / 2;
	if (flags & ALLOC_HARDER)
		mark = mark - mark / 4;
	else
		free = free - (long)zone->nr_reserved_highatomic;
	free = free - ((1l << order) - 1);
	return free > mark + zone->lowmem_reserve[classzone_idx];
}

static void follows_the_rule(void **state)
{
	static const unsigned int flags[] = {
		0, ALLOC_HIGH, ALLOC_HARDER, ALLOC_HIGH | ALLOC_HARDER,
	};
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES });
	struct zone *zone = normal_zone(pa, 0);

	(void)state;
	for (int i = 0; i < 4; i++) {
		for (long mark = 0; mark < PAGES + 20; mark++) {
			unsigned int order = mark % 4;
			int idx = mark % MAX_NR_ZONES;

			zone->lowmem_reserve[idx] = mark % 13;
			zone->nr_reserved_highatomic = mark % 3 * 8;
			assert_int_equal(pa_zone_watermark_ok(zone, mark, idx,
							      order, flags[i]),
					 naive_ok(zone, PAGES, mark, idx, order,
						  flags[i]));
		}
	}
	zone->nr_reserved_highatomic = 0;
	close_clean(pa);
}

/* What the zone lets through, by whichever check, is what the rule says. */
static void requests_follow_the_rule(void **state)
{
	static const pa_gfp_t gfp[] = { 0, PA_GFP_HIGH, PA_GFP_HARDER,
					PA_GFP_ATOMIC };
	static const unsigned int flags[] = {
		0, ALLOC_HIGH, ALLOC_HARDER, ALLOC_HIGH | ALLOC_HARDER,
	};
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES,
						    .pcp_batch = 1 });
	struct zone *zone = normal_zone(pa, 0);
	struct page *page;

	(void)state;
	for (int i = 0; i < 4; i++) {
		for (long mark = PAGES / 2; mark < PAGES + 50; mark++) {
			bool ok;

			/* the slow path may do no more than the first try */
			zone->watermark[WMARK_MIN] = mark;
			zone->watermark[WMARK_LOW] = mark;
			zone->lowmem_reserve[ZONE_NORMAL] = mark % 13;
			zone->nr_reserved_highatomic = mark % 3 * 8;
			ok = naive_ok(zone, zone_page_state(zone,
							    NR_FREE_PAGES),
				      mark, ZONE_NORMAL, 0, flags[i]);
			page = pa_alloc_pages(pa, gfp[i], 0);
			assert_int_equal(!!page, ok);
			if (page)
				pa_free_pages(pa, page, 0);
			pa_drain_all(pa);
		}
	}
	zone->nr_reserved_highatomic = 0;
	close_clean(pa);
}

/* Enough pages are not enough: one block must be as large as the request. */
static void wants_a_block_of_the_order(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES });
	struct page *pages[PAGES + 1];
	size_t n = take_all(pa, PA_GFP_MEMALLOC, 0, pages, PAGES);
	struct zone *zone = normal_zone(pa, 0);

	(void)state;
	for (size_t i = 0; i < n; i += 2)
		pa_free_pages(pa, pages[i], 0);
	pa_drain_all(pa);
	assert_true(pa_zone_watermark_ok(zone, 10, 0, 0, 0));
	assert_false(pa_zone_watermark_ok(zone, 10, 0, 1, 0));
	for (size_t i = 1; i < n; i += 2)
		pa_free_pages(pa, pages[i], 0);
	close_clean(pa);
}

/* Each right goes deeper into the reserve than the one before. */
static void reserve_is_for_those_who_may(void **state)
{
	static const pa_gfp_t rights[] = {
		PA_GFP_KERNEL, PA_GFP_HIGH, PA_GFP_ATOMIC, PA_GFP_MEMALLOC,
	};
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES,
						    .min_free_pages = 100 });
	struct page *pages[PAGES + 1];
	/* min 100; half of it; three quarters of that */
	static const long left[] = { 100, 50, 37, 0 };
	size_t n = 0;

	(void)state;
	for (int i = 0; i < 4; i++) {
		size_t more = take_all(pa, rights[i], 0, pages + n, PAGES - n);

		n += more;
		assert_true(more > 0);
		/* the sum lags behind by what CPUs have not folded yet */
		assert_in_range(PAGES - n, left[i] > 20 ? left[i] - 20 : 0,
				left[i] + 20);
	}
	assert_int_equal(n, PAGES);
	free_all(pa, pages, n, 0);
	close_clean(pa);
}

static void low_zones_keep_a_reserve(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 8192,
						    .dma_pages = 1024 });
	const struct zone *dma = &pa->node_data[0]->zones[ZONE_DMA];

	(void)state;
	assert_int_equal(dma->lowmem_reserve[ZONE_DMA], 0);
	assert_int_equal(dma->lowmem_reserve[ZONE_NORMAL], 7168 / 256);
	assert_true(dma->watermark[WMARK_MIN] < dma->watermark[WMARK_LOW]);
	assert_true(dma->watermark[WMARK_LOW] < dma->watermark[WMARK_HIGH]);
	close_clean(pa);
}

/* A block is set aside by the first such request and serves the next ones. */
static void highatomic_blocks_are_kept(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES });
	struct page *rest[PAGES + 1];
	struct page *page = NULL;
	size_t n;

	(void)state;
	/* the slow path is where rights count: bring the zone down to it */
	n = take_all(pa, PA_GFP_KERNEL, 0, rest, PAGES);
	page = pa_alloc_pages(pa, PA_GFP_ATOMIC, 1);
	assert_non_null(page);
	assert_int_equal(normal_zone(pa, 0)->nr_reserved_highatomic, 8);
	assert_sound(pa);
	pa_free_pages(pa, page, 1);
	free_all(pa, rest, n, 0);
	pa_drain_all(pa);
	assert_sound(pa);

	/* given up when a waiting request needs the last pages */
	n = take_all(pa, PA_GFP_KERNEL | PA_GFP_NOFAIL, 0, rest, PAGES);
	assert_int_equal(n, PAGES);
	assert_int_equal(normal_zone(pa, 0)->nr_reserved_highatomic, 0);
	free_all(pa, rest, n, 0);
	close_clean(pa);
}

static struct page *spare[64];
static size_t nr_spare;

static unsigned long give_spare(void *arg, unsigned int order)
{
	struct pa *pa = *(struct pa **)arg;
	unsigned long n = nr_spare;

	(void)order;
	free_all(pa, spare, nr_spare, 0);
	nr_spare = 0;
	return n;
}

static void reclaim_is_asked_before_failing(void **state)
{
	static struct pa *pa;
	struct page *pages[PAGES + 1];
	size_t n;

	(void)state;
	pa = open_pa((struct pa_config){ .node_pages = PAGES,
					 .reclaim = give_spare, .arg = &pa });
	nr_spare = take_all(pa, PA_GFP_KERNEL, 0, spare, 64);
	n = take_all(pa, PA_GFP_ATOMIC, 0, pages, PAGES);
	assert_int_equal(nr_spare, 64);
	pages[n] = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	assert_non_null(pages[n]);
	assert_int_equal(nr_spare, 0);
	free_all(pa, pages, n + 1, 0);
	close_clean(pa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(follows_the_rule),
		cmocka_unit_test(requests_follow_the_rule),
		cmocka_unit_test(wants_a_block_of_the_order),
		cmocka_unit_test(reserve_is_for_those_who_may),
		cmocka_unit_test(low_zones_keep_a_reserve),
		cmocka_unit_test(highatomic_blocks_are_kept),
		cmocka_unit_test(reclaim_is_asked_before_failing),
	};

	return cmocka_run_group_tests_name("pa-watermark", tests, NULL, NULL);
}
