/*
 * Types of pageblocks: packed, read back, taken over, isolated.
 */
#include "fallback.h"
#include "pageblock.h"
#include "test-pa-fixture.h"

#define PAGES	1024
#define BLOCK	8

/* Every type at every place of a word, the neighbours untouched. */
static void types_do_not_disturb_each_other(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES,
						    .dma_pages = 13 });

	(void)state;
	for (unsigned int mt = 0; mt < MIGRATE_TYPES; mt++) {
		for (unsigned long pfn = 16; pfn < PAGES; pfn += BLOCK) {
			struct page *page = pfn_to_page(pa, pfn + pfn % 7);
			unsigned int old = get_pageblock_migratetype(pa, page);

			set_pageblock_migratetype(pa, page, mt);
			for (int i = 0; i < BLOCK; i++)
				assert_int_equal(get_pageblock_migratetype(pa,
						pfn_to_page(pa, pfn + i)), mt);
			for (unsigned long other = 0; other < PAGES; other++) {
				if (other / BLOCK == pfn / BLOCK)
					continue;
				assert_int_equal(get_pageblock_migratetype(pa,
					pfn_to_page(pa, other)),
					MIGRATE_MOVABLE);
			}
			set_pageblock_migratetype(pa, page, old);
		}
	}
	close_clean(pa);
}

/* Page 13 begins a zone inside the block 8..15: each zone has its own part. */
static void a_block_cut_by_a_zone_has_two_types(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES,
						    .dma_pages = 13 });

	(void)state;
	set_pageblock_migratetype(pa, pfn_to_page(pa, 13), MIGRATE_UNMOVABLE);
	assert_int_equal(get_pageblock_migratetype(pa, pfn_to_page(pa, 12)),
			 MIGRATE_MOVABLE);
	assert_int_equal(get_pageblock_migratetype(pa, pfn_to_page(pa, 15)),
			 MIGRATE_UNMOVABLE);
	assert_int_equal(get_pageblock_migratetype(pa, pfn_to_page(pa, 16)),
			 MIGRATE_MOVABLE);
	set_pageblock_migratetype(pa, pfn_to_page(pa, 13), MIGRATE_MOVABLE);
	close_clean(pa);
}

/* The first request of another kind claims whole blocks, and stays in them. */
static void other_types_claim_whole_blocks(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES });
	struct page *pages[100];

	(void)state;
	for (int i = 0; i < 100; i++) {
		pa_gfp_t type = i % 2 ? PA_GFP_RECLAIMABLE : PA_GFP_MOVABLE;
		unsigned int mt = i % 2 ? MIGRATE_RECLAIMABLE : MIGRATE_MOVABLE;

		pages[i] = pa_alloc_pages(pa, PA_GFP_KERNEL | type, 0);
		assert_int_equal(get_pageblock_migratetype(pa, pages[i]), mt);
	}
	assert_int_equal(audit(pa).type_mismatch, 0);
	assert_sound(pa);
	free_all(pa, pages, 100, 0);
	close_clean(pa);
}

static void moves_the_free_blocks_of_one_pageblock(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES });
	struct zone *zone = normal_zone(pa, 0);
	struct page *pages[PAGES + 1];
	size_t n = take_all(pa, PA_GFP_MEMALLOC | PA_GFP_MOVABLE, 0, pages,
			    PAGES);
	struct page *first = pfn_to_page(pa, 40);

	(void)state;
	assert_int_equal(n, PAGES);
	pa_free_pages(pa, first + 1, 0);
	pa_free_pages(pa, first + 4, 0);
	pa_free_pages(pa, first + 5, 0);
	pa_free_pages(pa, first + 8, 0);	/* of the next block */
	pa_drain_all(pa);
	assert_int_equal(pa_move_freepages_block(pa, zone, first + 4,
						 MIGRATE_UNMOVABLE), 3);
	assert_int_equal(audit(pa).type_mismatch, 3);
	set_pageblock_migratetype(pa, first, MIGRATE_UNMOVABLE);
	assert_int_equal(audit(pa).type_mismatch, 0);
	assert_sound(pa);
	pa_close(pa);
}

static void isolated_blocks_serve_nobody(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES });
	struct page *pages[PAGES + 1];
	size_t n;

	(void)state;
	/* 100..149 lies in the blocks 96..151 */
	assert_int_equal(pa_isolate_range(pa, 100, 50), 0);
	assert_sound(pa);
	assert_int_equal(audit(pa).isolated, 56);
	assert_int_equal(pa_stat(pa, PA_STAT_FREE_PAGES), PAGES - 56);
	n = take_all(pa, PA_GFP_MEMALLOC, 0, pages, PAGES);
	assert_int_equal(n, PAGES - 56);
	for (size_t i = 0; i < n; i++)
		assert_false(page_to_pfn(pa, pages[i]) >= 96 &&
			     page_to_pfn(pa, pages[i]) < 152);
	free_all(pa, pages, n, 0);
	pa_unisolate_range(pa, 100, 50);
	close_clean(pa);
}

/* Freed one by one, by list, or with the lists of the CPU in between. */
static void pages_freed_into_isolation_stay_there(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = PAGES });
	struct page *pages[48];
	struct pa_list list;
	unsigned long start;

	(void)state;
	for (int i = 0; i < 48; i++)
		pages[i] = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	start = page_to_pfn(pa, pages[0]);
	pa_free_pages(pa, pages[0], 0);		/* waits on a CPU's list */
	assert_int_equal(pa_isolate_range(pa, start, 48), 0);
	pa_free_pages(pa, pages[1], 0);

	/* in turn: inside, outside */
	pa_list_init(&list);
	for (int i = 2; i < 40; i++)
		pa_list_add_page(&list, pages[i]);
	for (int i = 0; i < 10; i++)
		pa_list_add_page(&list, pa_alloc_pages(pa, PA_GFP_HIGH |
						       PA_GFP_MOVABLE, 0));
	pa_free_page_list(pa, &list);
	assert_true(list_empty(&list));
	for (int i = 40; i < 48; i++)
		pa_free_pages(pa, pages[i], 0);
	pa_drain_all(pa);
	assert_sound(pa);
	assert_int_equal(audit(pa).type_mismatch, 0);
	assert_int_equal(audit(pa).isolated,
			 ((start + 48 + 7) & ~7ul) - (start & ~7ul));
	pa_unisolate_range(pa, start, 48);
	close_clean(pa);
}

static void isolation_is_all_or_nothing(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 100 });

	(void)state;
	assert_int_equal(pa_isolate_range(pa, 16, 8), 0);
	assert_int_equal(pa_isolate_range(pa, 0, 32), -16);
	assert_int_equal(audit(pa).isolated, 8);
	/* 96..99 is cut off, 100 does not exist */
	assert_int_equal(pa_isolate_range(pa, 90, 10), -16);
	assert_int_equal(pa_isolate_range(pa, 90, 11), -22);
	assert_int_equal(pa_isolate_range(pa, 0, 0), -22);
	assert_int_equal(audit(pa).isolated, 8);
	pa_unisolate_range(pa, 0, 100);
	close_clean(pa);
}

/* The last ones isolate a part of a larger free block. */
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_do_not_disturb_each_other),
		cmocka_unit_test(a_block_cut_by_a_zone_has_two_types),
		cmocka_unit_test(other_types_claim_whole_blocks),
		cmocka_unit_test(moves_the_free_blocks_of_one_pageblock),
		cmocka_unit_test(isolated_blocks_serve_nobody),
		cmocka_unit_test(pages_freed_into_isolation_stay_there),
		cmocka_unit_test(isolation_is_all_or_nothing),
	};
	size_t n = sizeof(tests) / sizeof(tests[0]);

	if (!patch_applied(CONVERSION)) {
		puts("# three tests are for prefixes with " CONVERSION);
		n -= 3;
	}
	return _cmocka_run_group_tests("pa-pageblock", tests, n, NULL, NULL);
}
