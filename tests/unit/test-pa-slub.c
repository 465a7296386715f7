/*
 * Slabs and kmalloc: where objects come from and go, and what is noticed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slub.h"
#include "test-pa-fixture.h"

#define MANY	3000

static struct pa *open_small(void)
{
	return open_pa((struct pa_config){ .node_pages = 2048 });
}

static struct pa_cache *make(struct pa *pa, unsigned int size,
			     unsigned int flags)
{
	struct pa_cache_config config = { .name = "test", .size = size,
					  .flags = flags };
	struct pa_cache *cache = NULL;

	assert_int_equal(pa_cache_create(pa, &config, &cache), 0);
	return cache;
}

static struct pa_cache_report look(struct pa_cache *cache)
{
	struct pa_cache_report r;

	assert_int_equal(pa_cache_audit(cache, &r), 0);
	assert_int_equal(r.count_drift, 0);
	assert_int_equal(r.bad_link, 0);
	assert_int_equal(r.misplaced, 0);
	assert_int_equal(r.list_drift, 0);
	assert_int_equal(r.in_use + r.free, r.objects);
	return r;
}

static void take(struct pa_cache *cache, void **objects, int n)
{
	for (int i = 0; i < n; i++) {
		objects[i] = pa_cache_alloc(cache, PA_GFP_KERNEL);
		assert_non_null(objects[i]);
	}
}

static void give(struct pa_cache *cache, void **objects, int n)
{
	for (int i = 0; i < n; i++)
		pa_cache_free(cache, objects[i]);
}

static void close_caches(struct pa *pa, struct pa_cache *cache)
{
	look(cache);
	assert_int_equal(pa_cache_destroy(cache), 0);
	close_clean(pa);
}

static void sizes_that_cannot_be_are_refused(void **state)
{
	static const struct pa_cache_config bad[] = {
		{ .size = 0 },
		{ .size = PA_CACHE_MAX_SIZE + 1 },
		{ .size = 64, .align = 3 },
		{ .size = 64, .align = 4 },
		{ .size = 64, .align = 8192 },
	};
	struct pa *pa = open_small();
	struct pa_cache *cache = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(pa_cache_create(pa, &bad[i], &cache),
				 -EINVAL);
	assert_null(cache);
	assert_int_equal(pa_cache_destroy(NULL), 0);
	close_clean(pa);
}

/* Objects of every size and alignment are apart, aligned, and all there. */
static void objects_do_not_overlap(void **state)
{
	static const unsigned int sizes[] = { 1, 8, 9, 24, 100, 192, 700, 1500,
					      4096, 5000, 8192 };
	static const unsigned int aligns[] = { 8, 64, 4096 };
	static const unsigned int flags[] = { 0, PA_CACHE_RED_ZONE,
					      PA_CACHE_POISON };
	void *objects[40];

	(void)state;
	for (int i = 0; i < 11 * 3 * 3; i++) {
		struct pa *pa = open_small();
		struct pa_cache_config config = {
			.size = sizes[i / 9], .align = aligns[i / 3 % 3],
			.flags = flags[i % 3] };
		struct pa_cache *cache;

		assert_int_equal(pa_cache_create(pa, &config, &cache), 0);
		take(cache, objects, 40);
		for (int j = 0; j < 40; j++) {
			assert_int_equal((uintptr_t)objects[j] % config.align,
					 0);
			memset(objects[j], j, config.size);
		}
		for (int j = 0; j < 40; j++) {
			unsigned char *p = objects[j];

			assert_int_equal(p[0], j);
			assert_int_equal(p[config.size - 1], j);
		}
		assert_int_equal(look(cache).in_use, 40);
		give(cache, objects, 40);
		close_caches(pa, cache);
	}
}

static void last_freed_is_first_out(void **state)
{
	struct pa *pa = open_small();
	struct pa_cache *cache = make(pa, 64, 0);
	void *objects[3];

	(void)state;
	take(cache, objects, 3);
	give(cache, objects, 3);
	assert_ptr_equal(pa_cache_alloc(cache, 0), objects[2]);
	assert_ptr_equal(pa_cache_alloc(cache, 0), objects[1]);
	assert_int_equal(look(cache).in_use, 2);
	give(cache, objects + 1, 2);
	close_caches(pa, cache);
}

static void zeroed_objects_are_zero(void **state)
{
	static const char zero[200];
	struct pa *pa = open_small();

	(void)state;
	for (unsigned int flags = 0; flags <= PA_CACHE_POISON; flags += 2) {
		struct pa_cache *cache = make(pa, 200, flags);
		char *p = pa_cache_alloc(cache, 0);

		memset(p, 1, 200);
		pa_cache_free(cache, p);
		p = pa_cache_alloc(cache, PA_GFP_ZERO);
		assert_memory_equal(p, zero, 200);
		pa_cache_free(cache, p);
		assert_int_equal(pa_cache_destroy(cache), 0);
	}
	close_clean(pa);
}

/* A slab goes through all of its states and no object is lost on the way. */
static void freed_elsewhere_comes_back(void **state)
{
	struct pa *pa = open_small();
	struct pa_cache *cache = make(pa, 256, 0);
	static void *objects[MANY];
	unsigned long slabs;

	(void)state;
	take(cache, objects, MANY);
	assert_int_equal(look(cache).in_use, MANY);
	slabs = look(cache).slabs;
	pa_set_cpu(1);
	for (int i = 0; i < MANY; i += 2)
		pa_cache_free(cache, objects[i]);
	assert_int_equal(look(cache).in_use, MANY / 2);
	for (int i = 0; i < MANY; i += 2)
		objects[i] = pa_cache_alloc(cache, 0);
	/* the free objects were used before new slabs were made */
	assert_in_range(look(cache).slabs, slabs, slabs + 1);
	assert_int_equal(look(cache).in_use, MANY);
	pa_set_cpu(0);
	give(cache, objects, MANY);
	assert_int_equal(look(cache).in_use, 0);
	close_caches(pa, cache);
}

/* Empty slabs go back to the pages, but for a few. */
static void keeps_few_empty_slabs(void **state)
{
	struct pa *pa = open_small();
	struct pa_cache *cache = make(pa, 256, 0);
	static void *objects[MANY];
	struct pa_cache_report r;

	(void)state;
	take(cache, objects, MANY);
	give(cache, objects, MANY);
	r = look(cache);
	assert_in_range(r.slabs, 1, cache->min_partial + 1 +
			2 * (cache->cpu_partial + 1));
	pa_cache_shrink(cache);
	assert_int_equal(look(cache).slabs, 0);
	close_caches(pa, cache);
}

static void destroy_waits_for_the_last_object(void **state)
{
	struct pa *pa = open_small();
	struct pa_cache *cache = make(pa, 40, 0);
	void *objects[2];

	(void)state;
	take(cache, objects, 2);
	assert_int_equal(pa_cache_destroy(cache), -EBUSY);
	pa_cache_free(cache, objects[0]);
	assert_int_equal(pa_cache_destroy(cache), -EBUSY);
	take(cache, objects, 1);
	give(cache, objects, 2);
	close_caches(pa, cache);
}

static void an_exhausted_arena_gives_null_and_recovers(void **state)
{
	static void *objects[70000];
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 256 });

	(void)state;
	for (unsigned int flags = 0; flags <= PA_CACHE_POISON; flags += 4) {
		struct pa_cache *cache = make(pa, 32, flags);
		int n = 0;

		while ((objects[n] = pa_cache_alloc(cache, PA_GFP_KERNEL)))
			n++;
		assert_in_range(n, 2000, 256 * 128);
		assert_int_equal(look(cache).in_use, n);
		assert_null(pa_cache_alloc(cache, 0));
		pa_cache_free(cache, objects[0]);
		assert_ptr_equal(pa_cache_alloc(cache, 0), objects[0]);
		give(cache, objects, n);
		look(cache);
		assert_int_equal(pa_cache_destroy(cache), 0);
	}
	close_clean(pa);
}

static struct pa_object_bug last_bug;
static unsigned int nr_bugs;

static void note_bug(void *arg, const struct pa_object_bug *bug)
{
	(void)arg;
	last_bug = *bug;
	nr_bugs++;
}

static struct pa *open_noting(unsigned int kmalloc_flags)
{
	nr_bugs = 0;
	return open_pa((struct pa_config){ .node_pages = 2048,
					   .object_bug = note_bug,
					   .kmalloc_flags = kmalloc_flags });
}

static const char *words(enum pa_bug bug)
{
	switch (bug) {
	case PA_BUG_OBJECT_FOREIGN:
		return "freed what is no object in use";
	case PA_BUG_OBJECT_DOUBLE_FREE:
		return "freed an object twice";
	case PA_BUG_OBJECT_OVERRUN:
		return "somebody wrote beside an object";
	case PA_BUG_OBJECT_USED_FREE:
		return "somebody wrote to a free object";
	default:
		return "";
	}
}

/* One report since the last time: of this, and a person can read it. */
static void expect_bug(enum pa_bug bug, const void *object)
{
	char text[200], begin[100];

	assert_int_equal(nr_bugs, 1);
	assert_int_equal(last_bug.bug, bug);
	assert_ptr_equal(last_bug.object, object);
	nr_bugs = 0;
	pa_object_bug_text(text, sizeof(text), &last_bug);
	snprintf(begin, sizeof(begin), "%s: %p, cache %s", words(bug), object,
		 last_bug.cache);
	assert_memory_equal(text, begin, strlen(begin));
	if (last_bug.where) {
		snprintf(begin, sizeof(begin), ", byte %td is 0x%02x, not 0x",
			 (char *)last_bug.where - (char *)object,
			 last_bug.found);
		assert_non_null(strstr(text, begin));
	}
}

/* Of an object of kmalloc of that size. */
static size_t alignment(size_t size)
{
	size_t power = size & -size;

	return power > PA_PAGE_SIZE ? PA_PAGE_SIZE : power;
}

static void kmalloc_serves(unsigned int flags)
{
	struct pa *pa = open_noting(flags);

	assert_int_equal(pa_ksize(pa, NULL), 0);
	pa_kfree(pa, NULL);
	for (size_t size = 0; size < 40000; size += size / 64 + 1) {
		char *p = pa_kmalloc(pa, size, PA_GFP_KERNEL);
		size_t usable = pa_ksize(pa, p);

		assert_non_null(p);
		assert_in_range(usable, size ? size : 1,
				size <= 64 ? (size <= 8 ? 8 : 2 * size) :
				2 * size);
		assert_int_equal((uintptr_t)p % alignment(usable), 0);
		memset(p, 0x11, usable);
		pa_kfree(pa, p);
	}
	assert_null(pa_kmalloc(pa, (4ul << 20) + 1, PA_GFP_KERNEL));
	assert_null(pa_kmalloc(pa, (size_t)-1, PA_GFP_KERNEL));
	assert_int_equal(nr_bugs, 0);
	pa_kmalloc_shrink(pa);
	assert_sound(pa);
	pa_set_cpu(-1);
	pa_close(pa);
}

static void kmalloc_serves_every_size(void **state)
{
	(void)state;
	kmalloc_serves(0);
	kmalloc_serves(PA_CACHE_RED_ZONE);
	kmalloc_serves(PA_CACHE_RED_ZONE | PA_CACHE_POISON);
}

/* Pages used, with 64 bytes to describe each, against bytes handed out. */
static void kmalloc_overhead_is_an_eighth_at_most(void **state)
{
	static const unsigned int sizes[] = { 8, 16, 32, 64, 96, 128, 192, 256,
					      512, 1024, 2048, 4096, 8192 };

	(void)state;
	for (int i = 0; i < 13; i++) {
		struct pa *pa = open_pa((struct pa_config){
			.node_pages = 4096 });
		unsigned long n = (6ul << 20) / sizes[i];
		unsigned long before, pages;

		pa_kfree(pa, pa_kmalloc(pa, sizes[i], 0));
		pa_kmalloc_shrink(pa);
		before = audit(pa).allocated;
		for (unsigned long j = 0; j < n; j++)
			assert_non_null(pa_kmalloc(pa, sizes[i], 0));
		pages = audit(pa).allocated - before;
		assert_in_range(pages * (PA_PAGE_SIZE + sizeof(struct page)),
				n * sizes[i], n * sizes[i] * 9 / 8);
		pa_set_cpu(-1);
		pa_close(pa);
	}
}

/* ---- what callers do wrong ---- */

static void double_free_is_noticed(void **state)
{
	(void)state;
	for (unsigned int flags = 0; flags <= PA_CACHE_POISON; flags += 2) {
		struct pa *pa = open_noting(0);
		struct pa_cache *cache = make(pa, 64, flags);
		void *objects[200];

		/* the last one freed, to the cpu slab and to another */
		take(cache, objects, 200);
		pa_cache_free(cache, objects[199]);
		pa_cache_free(cache, objects[199]);
		expect_bug(PA_BUG_OBJECT_DOUBLE_FREE, objects[199]);
		pa_cache_free(cache, objects[0]);
		pa_cache_free(cache, objects[0]);
		expect_bug(PA_BUG_OBJECT_DOUBLE_FREE, objects[0]);
		assert_string_equal(last_bug.cache, "test");
		if (flags) {	/* one freed long ago */
			pa_cache_free(cache, objects[1]);
			pa_cache_free(cache, objects[0]);
			expect_bug(PA_BUG_OBJECT_DOUBLE_FREE, objects[0]);
		} else {
			pa_cache_free(cache, objects[1]);
		}
		assert_int_equal(look(cache).in_use, 197);
		give(cache, objects + 2, 197);
		assert_int_equal(nr_bugs, 0);
		close_caches(pa, cache);
	}
}

static void foreign_pointers_are_noticed(void **state)
{
	struct pa *pa = open_noting(0);
	struct pa_cache *cache = make(pa, 64, 0);
	struct pa_cache *other = make(pa, 64, PA_CACHE_RED_ZONE);
	struct page *page = pa_alloc_pages(pa, 0, 0);
	char *a = pa_cache_alloc(cache, 0), *b = pa_cache_alloc(other, 0);
	char on_stack[64], whole[64];

	(void)state;
	memset(a, 7, 64);
	memset(b, 7, 64);
	memset(whole, 7, 64);
	pa_cache_free(cache, on_stack);
	expect_bug(PA_BUG_OBJECT_FOREIGN, on_stack);
	pa_cache_free(cache, b);
	expect_bug(PA_BUG_OBJECT_FOREIGN, b);
	pa_cache_free(other, b + 8);
	expect_bug(PA_BUG_OBJECT_FOREIGN, b + 8);
	pa_cache_free(cache, pa_page_address(pa, page));
	expect_bug(PA_BUG_OBJECT_FOREIGN, pa_page_address(pa, page));
	pa_kfree(pa, on_stack);
	expect_bug(PA_BUG_OBJECT_FOREIGN, on_stack);
	pa_kfree(pa, pa_page_address(pa, page));
	expect_bug(PA_BUG_OBJECT_FOREIGN, pa_page_address(pa, page));
	pa_set_cpu(1);		/* not the CPU whose slab it is */
	pa_cache_free(cache, a + 8);
	expect_bug(PA_BUG_OBJECT_FOREIGN, a + 8);
	pa_set_cpu(0);

	/* nobody's object was touched */
	assert_memory_equal(a, whole, 64);
	assert_memory_equal(b, whole, 64);
	pa_cache_free(cache, a);
	pa_cache_free(other, b);
	pa_free_pages(pa, page, 0);
	assert_int_equal(pa_cache_destroy(other), 0);
	close_caches(pa, cache);
}

static void large_blocks_are_freed_once(void **state)
{
	struct pa *pa = open_noting(0);
	char *p = pa_kmalloc(pa, 20000, 0);

	(void)state;
	pa_kfree(pa, p + 4096);
	expect_bug(PA_BUG_OBJECT_FOREIGN, p + 4096);
	pa_kfree(pa, p);
	assert_int_equal(nr_bugs, 0);
	pa_kfree(pa, p);
	expect_bug(PA_BUG_OBJECT_FOREIGN, p);
	close_clean(pa);
}

static enum pa_bug page_bug;

static void note_page_bug(void *arg, enum pa_bug bug, struct page *page)
{
	(void)arg;
	(void)page;
	page_bug = bug;
}

/* Freeing the page under a slab leaves the slab alone. */
static void slab_pages_are_not_freed_as_pages(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .bug = note_page_bug });
	struct pa_cache *cache = make(pa, 8, 0);
	void *object = pa_cache_alloc(cache, 0);

	(void)state;
	page_bug = PA_BUG_SLEEP;
	pa_free_pages(pa, pa_address_page(pa, object), cache->order);
	pa_drain_all(pa);	/* some look only then */
	assert_int_equal(page_bug, PA_BUG_FREE_STATE);
	pa_close(pa);
}

static void writes_beside_an_object_are_noticed(void **state)
{
	struct pa *pa = open_noting(PA_CACHE_RED_ZONE);
	struct pa_cache *cache = make(pa, 61, PA_CACHE_RED_ZONE);
	char *p = pa_cache_alloc(cache, 0);

	(void)state;
	p[61] = 'x';
	pa_cache_free(cache, p);
	expect_bug(PA_BUG_OBJECT_OVERRUN, p);
	assert_ptr_equal(last_bug.where, p + 61);
	assert_int_equal(last_bug.found, 'x');
	assert_int_not_equal(last_bug.expected, 'x');
	p = pa_cache_alloc(cache, 0);
	p[-1] = 'y';
	pa_cache_free(cache, p);
	expect_bug(PA_BUG_OBJECT_OVERRUN, p);
	assert_ptr_equal(last_bug.where, p - 1);
	look(cache);

	p = pa_kmalloc(pa, 100, 0);
	p[pa_ksize(pa, p)] = 'z';
	pa_kfree(pa, p);
	expect_bug(PA_BUG_OBJECT_OVERRUN, p);
	pa_set_cpu(-1);
	pa_close(pa);
}

static void writes_after_free_are_noticed(void **state)
{
	struct pa *pa = open_noting(0);
	struct pa_cache *cache = make(pa, 64, PA_CACHE_POISON);
	char *p = pa_cache_alloc(cache, 0), *q;

	(void)state;
	pa_cache_free(cache, p);
	p[17] = 'x';
	q = pa_cache_alloc(cache, 0);
	expect_bug(PA_BUG_OBJECT_USED_FREE, p);
	assert_ptr_equal(last_bug.where, p + 17);
	assert_ptr_not_equal(p, q);
	assert_int_equal(look(cache).in_use, 2);	/* p is lost */
	pa_cache_free(cache, q);
	q[64] = 'x';		/* by a neighbour, say */
	p = pa_cache_alloc(cache, 0);
	expect_bug(PA_BUG_OBJECT_OVERRUN, q);
	assert_ptr_equal(last_bug.where, q + 64);
	assert_ptr_not_equal(p, q);
	pa_cache_free(cache, p);
	pa_set_cpu(-1);
	pa_close(pa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_that_cannot_be_are_refused),
		cmocka_unit_test(objects_do_not_overlap),
		cmocka_unit_test(last_freed_is_first_out),
		cmocka_unit_test(zeroed_objects_are_zero),
		cmocka_unit_test(freed_elsewhere_comes_back),
		cmocka_unit_test(keeps_few_empty_slabs),
		cmocka_unit_test(destroy_waits_for_the_last_object),
		cmocka_unit_test(an_exhausted_arena_gives_null_and_recovers),
		cmocka_unit_test(kmalloc_serves_every_size),
		cmocka_unit_test(kmalloc_overhead_is_an_eighth_at_most),
		cmocka_unit_test(double_free_is_noticed),
		cmocka_unit_test(foreign_pointers_are_noticed),
		cmocka_unit_test(large_blocks_are_freed_once),
		cmocka_unit_test(slab_pages_are_not_freed_as_pages),
		cmocka_unit_test(writes_beside_an_object_are_noticed),
		cmocka_unit_test(writes_after_free_are_noticed),
	};

	return cmocka_run_group_tests_name("pa-slub", tests, NULL, NULL);
}
