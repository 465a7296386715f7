/*
 * The cpuset's wall, who may pass it, and gfp_allowed_mask. Two of these tests
 * are for defects that the changes after which our patches are modelled had
 * when they first appeared.
 */
#include <string.h>

#include "test-pa-fixture.h"

#define NODE_PAGES	512

static struct pa *open_confined(void)
{
	struct pa *pa = open_pa((struct pa_config){ .nodes = 2,
						    .node_pages = NODE_PAGES });

	assert_int_equal(pa_set_mems_allowed(pa, 1), 0);
	return pa;
}

/* All pages of a node, or with gfp = 0 those above the watermarks; and NULL. */
static size_t take_node(struct pa *pa, int nid, pa_gfp_t gfp,
			struct page **pages)
{
	pa_nodemask_t nodes = 1u << nid;
	size_t n = 0;

	while ((pages[n] = pa_alloc_pages_nodemask(pa, gfp, 0, nid, &nodes)))
		n++;
	return n;
}

static void stays_inside_while_there_is_room(void **state)
{
	struct pa *pa = open_confined();
	pa_nodemask_t both = 3;

	(void)state;
	for (int cpu = 0; cpu < 2; cpu++) {
		struct page *page;

		pa_set_cpu(cpu);	/* CPU 1 is of node 1 */
		page = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
		assert_int_equal(page_node(pa, page), 0);
		pa_free_pages(pa, page, 0);

		/* nor does a mask of the caller lead out of it */
		page = pa_alloc_pages_nodemask(pa, PA_GFP_KERNEL, 0, 1, &both);
		assert_int_equal(page_node(pa, page), 0);
		pa_free_pages(pa, page, 0);
	}
	close_clean(pa);
}

static void hardwall_holds_and_others_may_leave(void **state)
{
	struct pa *pa = open_confined();
	struct page *pages[NODE_PAGES + 1], *page;
	size_t n = take_node(pa, 0, PA_GFP_MEMALLOC, pages);

	(void)state;
	assert_int_equal(n, NODE_PAGES);
	assert_null(pa_alloc_pages(pa, PA_GFP_USER, 0));
	page = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	assert_non_null(page);
	assert_int_equal(page_node(pa, page), 1);
	pa_free_pages(pa, page, 0);

	/* no wall any more */
	assert_int_equal(pa_set_mems_allowed(pa, 3), 0);
	page = pa_alloc_pages(pa, PA_GFP_USER, 0);
	assert_non_null(page);
	pa_free_pages(pa, page, 0);
	free_all(pa, pages, n, 0);
	close_clean(pa);
}

/*
 * The first attempt walks the nodes of the cpuset. If that mask is still in
 * force when the slow path ignores all watermarks, the request fails although
 * it may have any page there is.
 */
static void no_watermarks_ignores_the_cpuset(void **state)
{
	struct pa *pa = open_confined();
	struct page *all[NODE_PAGES + 1], *most[NODE_PAGES + 1], *page;
	size_t nr_all = take_node(pa, 0, PA_GFP_MEMALLOC, all);
	size_t nr_most = take_node(pa, 1, 0, most);

	(void)state;
	assert_int_equal(nr_all, NODE_PAGES);
	assert_true(nr_most > 0 && nr_most < NODE_PAGES);
	assert_null(pa_alloc_pages(pa, 0, 0));
	page = pa_alloc_pages(pa, PA_GFP_MEMALLOC, 0);
	assert_non_null(page);
	assert_int_equal(page_node(pa, page), 1);

	pa_free_pages(pa, page, 0);
	free_all(pa, all, nr_all, 0);
	free_all(pa, most, nr_most, 0);
	close_clean(pa);
}

static void callers_mask_holds_in_the_slow_path(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .nodes = 2,
						    .node_pages = NODE_PAGES });
	struct page *pages[NODE_PAGES + 1];
	size_t n = take_node(pa, 0, PA_GFP_MEMALLOC, pages);
	pa_nodemask_t first = 1;

	(void)state;
	assert_int_equal(n, NODE_PAGES);
	assert_null(pa_alloc_pages_nodemask(pa, PA_GFP_KERNEL, 0, 0, &first));
	assert_null(pa_alloc_pages_nodemask(pa, PA_GFP_MEMALLOC, 0, 0,
					    &first));
	free_all(pa, pages, n, 0);
	close_clean(pa);
}

/*
 * If the flags of the first attempt are taken before the mask is applied, a
 * flag that is not allowed takes effect after all.
 */
static void allowed_mask_holds_for_the_first_attempt(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = NODE_PAGES });
	struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);

	(void)state;
	memset(pa_page_address(pa, page), 0x5a, PA_PAGE_SIZE);
	pa_free_pages(pa, page, 0);
	pa_set_gfp_allowed(pa, ~PA_GFP_ZERO);
	assert_ptr_equal(pa_alloc_pages(pa, PA_GFP_KERNEL | PA_GFP_ZERO, 0),
			 page);
	assert_int_equal(*(unsigned char *)pa_page_address(pa, page), 0x5a);
	pa_free_pages(pa, page, 0);

	pa_set_gfp_allowed(pa, ~0u);
	assert_ptr_equal(pa_alloc_pages(pa, PA_GFP_KERNEL | PA_GFP_ZERO, 0),
			 page);
	assert_int_equal(*(unsigned char *)pa_page_address(pa, page), 0);
	pa_free_pages(pa, page, 0);
	close_clean(pa);
}

static void allowed_mask_holds_under_a_cpuset(void **state)
{
	struct pa *pa = open_confined();
	struct page *page;

	(void)state;
	pa_set_gfp_allowed(pa, ~PA_GFP_COMP);
	page = pa_alloc_pages(pa, PA_GFP_KERNEL | PA_GFP_COMP, 2);
	assert_false(page_compound(page));
	pa_free_pages(pa, page, 2);
	close_clean(pa);
}

static void refuses_an_empty_cpuset(void **state)
{
	struct pa *pa = open_confined();

	(void)state;
	assert_int_equal(pa_set_mems_allowed(pa, 0), -22);
	assert_int_equal(pa_set_mems_allowed(pa, 4), -22);
	close_clean(pa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stays_inside_while_there_is_room),
		cmocka_unit_test(hardwall_holds_and_others_may_leave),
		cmocka_unit_test(no_watermarks_ignores_the_cpuset),
		cmocka_unit_test(callers_mask_holds_in_the_slow_path),
		cmocka_unit_test(allowed_mask_holds_for_the_first_attempt),
		cmocka_unit_test(allowed_mask_holds_under_a_cpuset),
		cmocka_unit_test(refuses_an_empty_cpuset),
	};

	return cmocka_run_group_tests_name("pa-cpuset", tests, NULL, NULL);
}
