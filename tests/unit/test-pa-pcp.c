/*
 * Per-CPU lists: stock, limits, draining, and life without the lock.
 */
#include "pcp.h"
#include "test-pa-fixture.h"

#define PAGES	2048
#define BATCH	10
#define HIGH	40

static struct pa *open_stocked(void)
{
	return open_pa((struct pa_config){ .node_pages = PAGES,
					   .pcp_batch = BATCH,
					   .pcp_high = HIGH });
}

static struct per_cpu_pages *pcp_of(struct pa *pa, int cpu)
{
	return &normal_zone(pa, 0)->pageset[cpu].pcp;
}

static void last_freed_is_first_out(void **state)
{
	struct pa *pa = open_stocked();
	struct page *a = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	struct page *b = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);

	(void)state;
	assert_int_equal(pcp_of(pa, 0)->count, BATCH - 2);
	pa_free_pages(pa, a, 0);
	pa_free_pages(pa, b, 0);
	assert_ptr_equal(pa_alloc_pages(pa, PA_GFP_KERNEL, 0), b);
	assert_ptr_equal(pa_alloc_pages(pa, PA_GFP_KERNEL, 0), a);
	pa_free_pages(pa, a, 0);
	pa_free_pages(pa, b, 0);
	close_clean(pa);
}

/* Types and orders have lists of their own, and share one count. */
static void counts_pages_of_all_orders(void **state)
{
	struct pa *pa = open_stocked();
	int count = 0;

	(void)state;
	for (unsigned int order = 0; order <= PCP_MAX_ORDER; order++) {
		int blocks = BATCH >> order ? BATCH >> order : 1;
		struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL, order);

		count += (blocks - 1) << order;
		assert_int_equal(pcp_of(pa, 0)->count, count);
		pa_free_pages(pa, page, order);
		count += 1 << order;
		assert_int_equal(pcp_of(pa, 0)->count, count);
	}
	assert_sound(pa);
	close_clean(pa);
}

static void holds_no_more_than_its_limit(void **state)
{
	struct pa *pa = open_stocked();
	struct page *pages[500];

	(void)state;
	for (int i = 0; i < 500; i++)
		pages[i] = pa_alloc_pages(pa, PA_GFP_KERNEL, i % 4);
	for (int i = 0; i < 500; i++) {
		pa_free_pages(pa, pages[i], i % 4);
		assert_in_range(pcp_of(pa, 0)->count, 0, HIGH - 1);
	}
	assert_sound(pa);
	close_clean(pa);
}

static void each_cpu_has_its_own(void **state)
{
	struct pa *pa = open_stocked();
	struct page *page;

	(void)state;
	pa_set_cpu(1);
	page = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	assert_int_equal(pcp_of(pa, 0)->count, 0);
	assert_int_equal(pcp_of(pa, 1)->count, BATCH - 1);
	pa_set_cpu(0);
	pa_free_pages(pa, page, 0);
	assert_int_equal(pcp_of(pa, 0)->count, 1);
	pa_drain_all(pa);
	assert_int_equal(pa_stat(pa, PA_STAT_PCP_PAGES), 0);
	close_clean(pa);
}

/* Whoever finds the lock taken goes to the zone, and nothing is lost. */
static void works_while_the_lock_is_taken(void **state)
{
	struct pa *pa = open_stocked();
	struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	struct page *pages[3];
	struct pa_list list;
	int count = pcp_of(pa, 0)->count;

	(void)state;
	for (int i = 0; i < 3; i++)
		pages[i] = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	assert_true(spin_trylock(&pcp_of(pa, 0)->lock));
	pa_free_pages(pa, page, 0);
	pa_list_init(&list);
	for (int i = 0; i < 3; i++)
		pa_list_add_page(&list, pages[i]);
	pa_free_page_list(pa, &list);
	assert_int_equal(pcp_of(pa, 0)->count, count - 3);
	spin_unlock(&pcp_of(pa, 0)->lock);
	assert_true(list_empty(&list));
	assert_sound(pa);
	close_clean(pa);
}

static void list_free_is_like_single_frees(void **state)
{
	struct pa *pa = open_stocked();
	struct page *pages[300];
	struct pa_list list;
	size_t n = 0;

	(void)state;
	while (n < 300) {
		unsigned long got = pa_alloc_bulk(pa, PA_GFP_KERNEL, 300 - n,
						  pages + n);

		assert_true(got > 0);
		n += got;
	}
	assert_int_equal(audit(pa).allocated, 300);
	pa_list_init(&list);
	for (size_t i = 0; i < n; i++)
		pa_list_add_page(&list, pages[i]);
	pa_free_page_list(pa, &list);
	assert_true(list_empty(&list));
	assert_in_range(pcp_of(pa, 0)->count, 0, HIGH - 1);
	assert_int_equal(audit(pa).allocated, 0);
	pa_free_page_list(pa, &list);	/* an empty one too */
	close_clean(pa);
}

static void list_free_crosses_zones(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .nodes = 2,
						    .node_pages = 512,
						    .dma_pages = 128 });
	struct pa_list list;

	(void)state;
	pa_list_init(&list);
	for (int i = 0; i < 120; i++)
		pa_list_add_page(&list, pa_alloc_pages_node(pa, i % 2,
				PA_GFP_KERNEL | (i % 3 ? 0 : PA_GFP_DMA), 0));
	pa_free_page_list(pa, &list);
	assert_sound(pa);
	close_clean(pa);
}

static unsigned int nr_bugs;

static void count_bug(void *arg, enum pa_bug bug, struct page *page)
{
	(void)arg;
	(void)page;
	assert_int_equal(bug, PA_BUG_FREE_STATE);
	nr_bugs++;
}

static void list_free_leaves_bad_pages_out(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES,
						    .bug = count_bug });
	struct page *pages[9];
	struct pa_list list;

	(void)state;
	pa_list_init(&list);
	for (int i = 0; i < 9; i++) {
		pages[i] = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
		pa_list_add_page(&list, pages[i]);
	}
	pages[0]->mapcount = 0;
	pages[4]->owner = pa;
	pages[8]->flags |= PG_LOCKED;
	pa_free_page_list(pa, &list);
	pa_drain_all(pa);	/* some look only then */
	assert_int_equal(nr_bugs, 3);
	assert_int_equal(audit(pa).bad, 3);
	assert_sound(pa);
	pa_close(pa);
}

static void bulk_gives_one_page_when_all_is_short(void **state)
{
	struct pa *pa = open_stocked();
	struct page *pages[PAGES + 1], *more[8];
	size_t n = take_all(pa, 0, 0, pages, PAGES);

	(void)state;
	assert_int_equal(pa_alloc_bulk(pa, PA_GFP_MEMALLOC, 8, more), 1);
	assert_int_equal(pa_alloc_bulk(pa, 0, 8, more + 1), 0);
	assert_int_equal(pa_alloc_bulk(pa, PA_GFP_MEMALLOC, 0, more + 1), 0);
	pa_free_pages(pa, more[0], 0);
	free_all(pa, pages, n, 0);
	close_clean(pa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_freed_is_first_out),
		cmocka_unit_test(counts_pages_of_all_orders),
		cmocka_unit_test(holds_no_more_than_its_limit),
		cmocka_unit_test(each_cpu_has_its_own),
		cmocka_unit_test(works_while_the_lock_is_taken),
		cmocka_unit_test(list_free_is_like_single_frees),
		cmocka_unit_test(list_free_crosses_zones),
		cmocka_unit_test(list_free_leaves_bad_pages_out),
		cmocka_unit_test(bulk_gives_one_page_when_all_is_short),
	};

	return cmocka_run_group_tests_name("pa-pcp", tests, NULL, NULL);
}
