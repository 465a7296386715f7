/*
 * Opening, closing, and the calls on a whole instance.
 */
#include <string.h>

#include "test-pa-fixture.h"

static void refuses_what_cannot_be(void **state)
{
	static const struct pa_config bad[] = {
		{ .nodes = 5 },
		{ .node_pages = 100, .dma_pages = 101 },
		{ .node_pages = 100, .dma_pages = 60, .movable_pages = 41 },
		{ .pageblock_order = 11 },
		{ .node_pages = 64, .min_free_pages = 64 },
		{ .node_pages = 1ul << 60 },
		{ .cpus = 100000 },
		{ .shared = true, .guard_order = 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pa *pa = NULL;

		assert_int_equal(pa_open(&bad[i], &pa), -22);
		assert_null(pa);
	}
	pa_close(NULL);
}

static void works_at_any_shape(void **state)
{
	(void)state;
	for (unsigned int nodes = 1; nodes <= 4; nodes++) {
		for (unsigned int pb = 3; pb <= 10; pb++) {
			struct pa *pa = open_pa((struct pa_config){
				.nodes = nodes, .node_pages = 777 + pb,
				.dma_pages = 50 * (pb % 3),
				.movable_pages = 101 * (pb % 2),
				.pageblock_order = pb, .cpus = 3 });
			struct page *pages[200];
			size_t n = take_all(pa, PA_GFP_HIGHUSER_MOVABLE, 1,
					    pages, 200);

			assert_int_equal(n, 200);
			assert_sound(pa);
			free_all(pa, pages, n, 1);
			close_clean(pa);
		}
	}
}

static void addresses_and_pages_are_one_to_one(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .nodes = 2,
						    .node_pages = 128 });
	char *base = pa_page_address(pa, pfn_to_page(pa, 0));

	(void)state;
	for (unsigned long pfn = 0; pfn < 256; pfn++) {
		struct page *page = pfn_to_page(pa, pfn);
		char *address = pa_page_address(pa, page);

		assert_ptr_equal(address, base + pfn * PA_PAGE_SIZE);
		assert_ptr_equal(pa_address_page(pa, address), page);
		assert_ptr_equal(pa_address_page(pa, address + 4095), page);
	}
	assert_null(pa_address_page(pa, base - 1));
	assert_null(pa_address_page(pa, base + 256 * PA_PAGE_SIZE));
	assert_null(pa_page_address(pa, pfn_to_page(pa, 256)));
	close_clean(pa);
}

static void zeroes_on_request(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 1024 });

	(void)state;
	for (unsigned int order = 0; order < 5; order++) {
		size_t size = PA_PAGE_SIZE << order;
		struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL, order);
		unsigned char *p = pa_page_address(pa, page);

		memset(p, 0xa5, size);
		pa_free_pages(pa, page, order);
		page = pa_alloc_pages(pa, PA_GFP_KERNEL | PA_GFP_ZERO, order);
		p = pa_page_address(pa, page);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		pa_free_pages(pa, page, order);
	}
	close_clean(pa);
}

static void instances_share_nothing(void **state)
{
	struct pa *a = open_pa((struct pa_config){ .node_pages = 256 });
	struct pa *b = open_pa((struct pa_config){ .node_pages = 256 });
	struct page *page = pa_alloc_pages(a, PA_GFP_KERNEL, 3);

	(void)state;
	assert_int_equal(audit(a).allocated, 8);
	assert_int_equal(audit(b).allocated, 0);
	assert_null(pa_address_page(b, pa_page_address(a, page)));
	pa_free_pages(a, page, 3);
	close_clean(a);
	close_clean(b);
}

static unsigned int nr_sleeps;

static void count_sleep(void *arg, enum pa_bug bug, struct page *page)
{
	(void)arg;
	assert_int_equal(bug, PA_BUG_SLEEP);
	assert_null(page);
	nr_sleeps++;
}

static void waiting_in_an_atomic_section_is_a_bug(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 256,
						    .bug = count_sleep });
	struct page *pages[3], *rest[257], *late;
	size_t n;

	(void)state;
	pages[0] = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	pa_atomic_enter();
	pages[1] = pa_alloc_pages(pa, PA_GFP_ATOMIC, 0);
	assert_int_equal(nr_sleeps, 0);
	/* whether it really would have waited is a matter of luck */
	pa_set_gfp_allowed(pa, ~PA_GFP_RECLAIM);
	pages[2] = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	assert_int_equal(nr_sleeps, 0);
	/* when memory is short there is no luck any more */
	pa_set_gfp_allowed(pa, ~0u);
	n = take_all(pa, 0, 0, rest, 256);
	/* draining may find one after all */
	late = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	assert_int_equal(nr_sleeps, 1);
	if (late)
		pa_free_pages(pa, late, 0);
	pa_atomic_leave();
	free_all(pa, rest, n, 0);
	free_all(pa, pages, 3, 0);
	close_clean(pa);
}

static void levels_add_up(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 1000 });
	struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL, 2);

	(void)state;
	assert_int_equal(pa_stat(pa, PA_STAT_MANAGED_PAGES), 1000);
	assert_int_equal(pa_stat(pa, PA_STAT_FREE_PAGES) +
			 pa_stat(pa, PA_STAT_PCP_PAGES) + 4, 1000);
	pa_free_pages(pa, page, 2);
	close_clean(pa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_cannot_be),
		cmocka_unit_test(works_at_any_shape),
		cmocka_unit_test(addresses_and_pages_are_one_to_one),
		cmocka_unit_test(zeroes_on_request),
		cmocka_unit_test(instances_share_nothing),
		cmocka_unit_test(waiting_in_an_atomic_section_is_a_bug),
		cmocka_unit_test(levels_add_up),
	};

	return cmocka_run_group_tests_name("pa-instance", tests, NULL, NULL);
}
