/*
 * Splitting and merging, and what is noticed about blocks that come back.
 */
#include "test-pa-fixture.h"

#define PAGES	1024

static void merges_to_the_largest(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES });
	struct page *pages[PAGES];
	size_t n;

	(void)state;
	assert_int_equal(normal_zone(pa, 0)->free_area[PA_MAX_ORDER].nr_free,
			 1);
	n = take_all(pa, PA_GFP_MEMALLOC, 0, pages, PAGES);
	assert_int_equal(n, PAGES);
	assert_sound(pa);

	/* every second page first, so that nothing can merge for long */
	for (size_t i = 0; i < n; i += 2)
		pa_free_pages(pa, pages[i], 0);
	pa_drain_all(pa);
	assert_sound(pa);
	assert_int_equal(normal_zone(pa, 0)->free_area[0].nr_free, PAGES / 2);
	for (size_t i = 1; i < n; i += 2)
		pa_free_pages(pa, pages[i], 0);
	assert_all_free(pa);
	assert_int_equal(normal_zone(pa, 0)->free_area[PA_MAX_ORDER].nr_free,
			 1);
	close_clean(pa);
}

static void serves_each_order_aligned(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 4 * PAGES });

	(void)state;
	for (unsigned int order = 0; order <= PA_MAX_ORDER; order++) {
		struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL, order);

		assert_non_null(page);
		assert_int_equal(page_to_pfn(pa, page) & ((1ul << order) - 1),
				 0);
		assert_sound(pa);
		assert_int_equal(audit(pa).allocated, 1ul << order);
		pa_free_pages(pa, page, order);
		assert_sound(pa);
	}
	assert_null(pa_alloc_pages(pa, PA_GFP_KERNEL, PA_MAX_ORDER + 1));
	close_clean(pa);
}

/* A zone of 100 pages: 64 + 32 + 4. None of it is lost, none invented. */
static void takes_odd_sizes(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 100,
						    .dma_pages = 13 });
	struct page *pages[100];
	size_t n;

	(void)state;
	assert_sound(pa);
	n = take_all(pa, PA_GFP_MEMALLOC, 0, pages, 100);
	assert_int_equal(n, 100);
	free_all(pa, pages, n, 0);
	close_clean(pa);
}

/* Neighbours of two zones, both free, stay two blocks. */
static void keeps_zones_apart(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 64,
						    .dma_pages = 32 });

	(void)state;
	assert_int_equal(normal_zone(pa, 0)->free_area[5].nr_free, 1);
	assert_int_equal(pa->node_data[0]->zones[ZONE_DMA].free_area[5].nr_free,
			 1);
	close_clean(pa);
}

static void compound_tails_know_their_head(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES });
	struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL | PA_GFP_COMP, 3);

	(void)state;
	assert_true(page->flags & PG_HEAD);
	for (int i = 1; i < 8; i++)
		assert_int_equal(page[i].compound_head,
				 (unsigned long)page + 1);
	pa_free_pages(pa, page, 3);
	assert_false(page->flags & PG_HEAD);
	for (int i = 1; i < 8; i++)
		assert_false(page_compound(page + i));
	close_clean(pa);
}

struct seen {
	int n;
	enum pa_bug bug;
	struct page *page;
};

static void see(void *arg, enum pa_bug bug, struct page *page)
{
	struct seen *seen = arg;

	seen->n++;
	seen->bug = bug;
	seen->page = page;
}

static struct pa *open_seeing(struct seen *seen)
{
	*seen = (struct seen){ 0 };
	return open_pa((struct pa_config){ .node_pages = PAGES, .bug = see,
					   .arg = seen });
}

static void notices_a_second_free(void **state)
{
	struct seen seen;
	struct pa *pa = open_seeing(&seen);
	struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);

	(void)state;
	pa_free_pages(pa, page, 0);
	assert_int_equal(seen.n, 0);
	pa_free_pages(pa, page, 0);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.bug, PA_BUG_DOUBLE_FREE);
	assert_ptr_equal(seen.page, page);
	close_clean(pa);
}

/* Each field alone, in the first page of the block and in the last. */
static void keeps_used_pages_out(void **state)
{
	(void)state;
	for (int field = 0; field < 5; field++) {
		for (int at = 0; at < 4; at += 3) {
			struct seen seen;
			struct pa *pa = open_seeing(&seen);
			struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL,
							   2);

			switch (field) {
			case 0: page[at].mapcount = 0; break;
			case 1: page[at].mapping = pa; break;
			case 2: page[at].owner = pa; break;
			case 3: page[at].flags |= PG_DIRTY; break;
			case 4: page[at].refcount += 1; break;
			}
			pa_free_pages(pa, page, 2);
			pa_drain_all(pa);	/* some look only then */
			if (field == 4 && at == 0) {
				/* somebody else still holds it: no bug */
				assert_int_equal(seen.n, 0);
			} else {
				assert_int_equal(seen.n, 1);
				assert_int_equal(seen.bug, PA_BUG_FREE_STATE);
				assert_int_equal(audit(pa).bad, 4);
				assert_sound(pa);
			}
			pa_close(pa);
		}
	}
}

/* A compound page is freed with its order or not at all. */
static void a_head_is_not_freed_alone(void **state)
{
	struct seen seen;
	struct pa *pa = open_seeing(&seen);
	struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL | PA_GFP_COMP, 2);

	(void)state;
	pa_free_pages(pa, page, 0);
	pa_drain_all(pa);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.bug, PA_BUG_FREE_STATE);
	assert_int_equal(audit(pa).bad, 1);
	pa_close(pa);
}

/* A tail has no reference of its own. */
static void a_tail_is_not_freed(void **state)
{
	struct seen seen;
	struct pa *pa = open_seeing(&seen);
	struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL | PA_GFP_COMP, 2);

	(void)state;
	pa_free_pages(pa, page + 1, 0);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.bug, PA_BUG_DOUBLE_FREE);
	pa_free_pages(pa, page, 2);
	close_clean(pa);
}

static void notices_writes_to_free_pages(void **state)
{
	struct seen seen;
	struct pa *pa = open_seeing(&seen);
	struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	struct page *pages[PAGES + 1];
	size_t n;

	(void)state;
	pa_free_pages(pa, page, 0);
	pa_drain_all(pa);
	page->owner = pa;
	n = take_all(pa, PA_GFP_MEMALLOC, 0, pages, PAGES);
	assert_int_equal(n, PAGES - 1);
	for (size_t i = 0; i < n; i++)
		assert_ptr_not_equal(pages[i], page);
	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.bug, PA_BUG_NEW_STATE);
	free_all(pa, pages, n, 0);
	pa_drain_all(pa);
	assert_int_equal(audit(pa).bad, 1);
	assert_sound(pa);
	pa_close(pa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(merges_to_the_largest),
		cmocka_unit_test(serves_each_order_aligned),
		cmocka_unit_test(takes_odd_sizes),
		cmocka_unit_test(keeps_zones_apart),
		cmocka_unit_test(compound_tails_know_their_head),
		cmocka_unit_test(notices_a_second_free),
		cmocka_unit_test(keeps_used_pages_out),
		cmocka_unit_test(a_head_is_not_freed_alone),
		cmocka_unit_test(a_tail_is_not_freed),
		cmocka_unit_test(notices_writes_to_free_pages),
	};

	return cmocka_run_group_tests_name("pa-buddy", tests, NULL, NULL);
}
