/*
 * Slabs and faults when the k-th request for pages fails, for every k.
 *
 * The linker sends every call of pa_alloc_pages() here first.
 */
#include <errno.h>

#include "slub.h"
#include "test-pa-fixture.h"

#define NR_OBJECTS	600
#define MAX_REQUESTS	200

static int fail_at;		/* requests until the one that fails; 0: none */

struct page *__real_pa_alloc_pages(struct pa *pa, pa_gfp_t gfp,
				   unsigned int order);
struct page *__wrap_pa_alloc_pages(struct pa *pa, pa_gfp_t gfp,
				   unsigned int order);

struct page *__wrap_pa_alloc_pages(struct pa *pa, pa_gfp_t gfp,
				   unsigned int order)
{
	if (fail_at && !--fail_at)
		return NULL;
	return __real_pa_alloc_pages(pa, gfp, order);
}

static void assert_cache_sound(struct pa_cache *cache, unsigned long in_use)
{
	struct pa_cache_report r;

	assert_int_equal(pa_cache_audit(cache, &r), 0);
	assert_int_equal(r.count_drift + r.bad_link + r.misplaced +
			 r.list_drift, 0);
	assert_int_equal(r.in_use, in_use);
}

/* Makes, fills, empties and ends a cache; returns the requests that failed. */
static int cache_life(struct pa *pa, unsigned int flags)
{
	struct pa_cache_config config = { .name = "fail", .size = 200,
					  .flags = flags };
	void *objects[NR_OBJECTS];
	struct pa_cache *cache;
	int failed = 0;
	unsigned long n = 0;

	if (pa_cache_create(pa, &config, &cache) < 0) {
		failed++;
		assert_int_equal(pa_cache_create(pa, &config, &cache), 0);
	}
	while (n < NR_OBJECTS) {
		objects[n] = pa_cache_alloc(cache, PA_GFP_KERNEL);
		if (objects[n])
			n++;
		else
			failed++;
		pa_set_cpu(n % 2);
	}
	assert_cache_sound(cache, n);
	while (n)
		pa_cache_free(cache, objects[--n]);
	assert_cache_sound(cache, 0);
	assert_int_equal(pa_cache_destroy(cache), 0);
	return failed;
}

static void sweep(unsigned int flags)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 2048 });
	int k = 1;

	for (; k < MAX_REQUESTS; k++) {
		int failed;

		fail_at = k;
		failed = cache_life(pa, flags);
		assert_all_free(pa);
		if (fail_at) {		/* there are fewer requests than k */
			assert_int_equal(failed, 0);
			break;
		}
		assert_int_equal(failed, 1);
	}
	fail_at = 0;
	assert_in_range(k, 10, MAX_REQUESTS - 1);
	close_clean(pa);
}

static void a_cache_survives_each_failure(void **state)
{
	(void)state;
	sweep(0);
}

static void a_debug_cache_survives_each_failure(void **state)
{
	(void)state;
	sweep(PA_CACHE_RED_ZONE | PA_CACHE_POISON);
}

static void kmalloc_survives_each_failure(void **state)
{
	(void)state;
	for (int k = 1; k <= 3; k++) {
		struct pa *pa = open_pa((struct pa_config){ 0 });
		void *small, *large;
		int failed = 0;

		fail_at = k;
		while (!(small = pa_kmalloc(pa, 100, 0)))
			failed++;
		while (!(large = pa_kmalloc(pa, 10000, 0)))
			failed++;
		assert_int_equal(failed, 1);
		assert_int_equal(fail_at, 0);
		pa_kfree(pa, small);
		pa_kfree(pa, large);
		assert_sound(pa);
		pa_set_cpu(-1);
		pa_close(pa);
	}
}

/* Maps, faults, copies and unmaps; returns the calls that failed. */
static int mm_life(struct pa *pa)
{
	struct pa_map map = { .nr_pages = 600 };
	struct pa_mm *mm;
	unsigned long file, anon;
	int failed = 0;

	while (pa_mm_create(pa, &mm) < 0)
		failed++;
	while (pa_file_create(pa, 600, &map.file) < 0)
		failed++;
	while (pa_mm_map(mm, &map, &file) < 0)
		failed++;
	for (unsigned long i = 0; i < 600; i += 100) {
		while (pa_mm_fault(mm, file + i * PA_PAGE_SIZE, false) < 0)
			failed++;
		while (pa_mm_fault(mm, file + i * PA_PAGE_SIZE, true) < 0)
			failed++;
	}
	assert_int_equal(pa_mm_unmap(mm, file), 0);
	assert_int_equal(pa_file_destroy(map.file), 0);
	map.file = NULL;
	while (pa_mm_map(mm, &map, &anon) < 0)
		failed++;
	while (pa_mm_fault(mm, anon, true) < 0)
		failed++;
	pa_mm_destroy(mm);
	return failed;
}

static void faults_survive_each_failure(void **state)
{
	struct pa *pa = open_pa((struct pa_config){ .node_pages = 2048 });
	unsigned long kept;
	int k = 1;

	(void)state;
	mm_life(pa);
	pa_kmalloc_shrink(pa);
	kept = audit(pa).allocated;
	for (; k < MAX_REQUESTS; k++) {
		int failed;

		fail_at = k;
		failed = mm_life(pa);
		pa_kmalloc_shrink(pa);
		assert_sound(pa);
		assert_int_equal(audit(pa).allocated, kept);
		if (fail_at) {
			assert_int_equal(failed, 0);
			break;
		}
		assert_int_equal(failed, 1);
	}
	fail_at = 0;
	assert_in_range(k, 15, MAX_REQUESTS - 1);
	pa_set_cpu(-1);
	pa_close(pa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cache_survives_each_failure),
		cmocka_unit_test(a_debug_cache_survives_each_failure),
		cmocka_unit_test(kmalloc_survives_each_failure),
		cmocka_unit_test(faults_survive_each_failure),
	};

	return cmocka_run_group_tests_name("pa-failures", tests, NULL, NULL);
}
