/*
 * Faults: which page an address gets, who counts it, and where it goes.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "fault.h"
#include "test-pa-fixture.h"

#define P	PA_PAGE_SIZE

static struct pa *pa;
static struct pa_mm *mm;

static int set_up(void **state)
{
	(void)state;
	pa = open_pa((struct pa_config){ .node_pages = 4096 });
	assert_int_equal(pa_mm_create(pa, &mm), 0);
	return 0;
}

/* Nothing is left but the kmalloc caches and their slabs. */
static int tear_down(void **state)
{
	struct pa_report r;

	(void)state;
	pa_mm_destroy(mm);
	pa_kmalloc_shrink(pa);
	pa_drain_all(pa);
	r = audit(pa);
	assert_sound(pa);
	assert_in_range(r.allocated, 1, 8);
	assert_int_equal(r.bad, 0);
	pa_set_cpu(-1);
	pa_close(pa);
	return 0;
}

static struct pa_file *file_of(unsigned long pages)
{
	struct pa_file *file = NULL;

	assert_int_equal(pa_file_create(pa, pages, &file), 0);
	return file;
}

static unsigned long map(unsigned long pages, struct pa_file *file,
			 unsigned int flags)
{
	struct pa_map m = { .nr_pages = pages, .file = file, .flags = flags };
	unsigned long address = 1;

	assert_int_equal(pa_mm_map(mm, &m, &address), 0);
	return address;
}

static char *bytes(unsigned long address)
{
	struct page *page = pa_mm_page(mm, address);

	assert_non_null(page);
	return pa_page_address(pa, page);
}

static struct pa_mm_report look(void)
{
	struct pa_mm_report r;

	pa_mm_audit(mm, &r);
	assert_int_equal(r.bad, 0);
	return r;
}

static void anonymous_pages_are_zero_and_private(void **state)
{
	static const char zero[PA_PAGE_SIZE];
	unsigned long a = map(10, NULL, 0), b = map(10, NULL, 0);

	(void)state;
	assert_null(pa_mm_page(mm, a));
	for (int i = 0; i < 10; i++) {
		assert_int_equal(pa_mm_fault(mm, a + i * P, true), 0);
		assert_int_equal(pa_mm_fault(mm, b + i * P, false), 0);
		assert_memory_equal(bytes(a + i * P), zero, P);
		memset(bytes(a + i * P), i + 1, P);
		assert_memory_equal(bytes(b + i * P), zero, P);
	}
	/* a second fault changes nothing */
	assert_int_equal(pa_mm_fault(mm, a + 5 * P + 7, true), 0);
	assert_int_equal(*bytes(a + 5 * P), 6);
	assert_int_equal(look().anon, 20);
	assert_int_equal(pa_mm_unmap(mm, a), 0);
	assert_null(pa_mm_page(mm, a));
	assert_int_equal(look().anon, 10);
}

static void addresses_without_a_mapping_fault(void **state)
{
	unsigned long a = map(3, NULL, 0);

	(void)state;
	assert_int_equal(pa_mm_fault(mm, a + 3 * P, true), -EFAULT);
	assert_int_equal(pa_mm_fault(mm, 1ul << 30, true), -EFAULT);
	assert_int_equal(pa_mm_fault(mm, -1ul, false), -EFAULT);
	assert_int_equal(pa_mm_unmap(mm, a + P), -EINVAL);
	assert_int_equal(pa_mm_unmap(mm, a + 1), -EINVAL);
	assert_int_equal(pa_mm_unmap(mm, a), 0);
	assert_int_equal(pa_mm_unmap(mm, a), -EINVAL);
	assert_int_equal(pa_mm_fault(mm, a, true), -EFAULT);
}

static void mappings_do_not_overlap_and_holes_are_used(void **state)
{
	unsigned long a = map(100, NULL, 0), b = map(50, NULL, 0);
	unsigned long c = map(10, NULL, 0);
	struct pa_map all = { .nr_pages = TABLE_PAGES };
	unsigned long address;

	(void)state;
	assert_int_equal(b, a + 100 * P);
	assert_int_equal(c, b + 50 * P);
	assert_int_equal(pa_mm_unmap(mm, b), 0);
	assert_int_equal(map(40, NULL, 0), b);
	assert_int_equal(map(11, NULL, 0), c + 10 * P);
	assert_int_equal(map(10, NULL, 0), b + 40 * P);
	assert_int_equal(pa_mm_map(mm, &all, &address), -ENOMEM);
}

static void impossible_mappings_are_refused(void **state)
{
	struct pa_file *file = file_of(8);
	const struct pa_map bad[] = {
		{ .nr_pages = 0 },
		{ .nr_pages = TABLE_PAGES + 1 },
		{ .nr_pages = 1, .flags = PA_MAP_SHARED },
		{ .nr_pages = 1, .offset = 1 },
		{ .nr_pages = 9, .file = file },
		{ .nr_pages = 1, .file = file, .offset = 8 },
		{ .nr_pages = -1ul, .file = file, .offset = 2 },
	};
	struct pa_file *none;
	unsigned long address;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(pa_mm_map(mm, &bad[i], &address), -EINVAL);
	assert_int_equal(pa_file_create(pa, 0, &none), -EINVAL);
	assert_int_equal(pa_file_create(pa, TABLE_PAGES + 1, &none), -EINVAL);
	assert_int_equal(pa_file_destroy(file), 0);
	assert_int_equal(pa_file_destroy(NULL), 0);
}

/* Reads share the file's page; a write gets a copy, before or after a read. */
static void private_files_are_copied_on_write(void **state)
{
	struct pa_file *file = file_of(4);
	unsigned long shared = map(4, file, PA_MAP_SHARED);
	unsigned long private = map(4, file, 0);

	(void)state;
	assert_int_equal(pa_mm_fault(mm, shared, true), 0);
	memset(bytes(shared), 'f', P);
	assert_int_equal(pa_mm_fault(mm, private, false), 0);
	assert_ptr_equal(bytes(private), bytes(shared));
	assert_int_equal(pa_mm_page(mm, shared)->mapcount, 1);
	assert_int_equal(look().file, 2);

	assert_int_equal(pa_mm_fault(mm, private, true), 0);
	assert_ptr_not_equal(bytes(private), bytes(shared));
	assert_memory_equal(bytes(private), bytes(shared), P);
	assert_int_equal(pa_mm_page(mm, shared)->mapcount, 0);
	memset(bytes(private), 'p', P);
	assert_int_equal(*bytes(shared), 'f');
	assert_int_equal(look().file, 1);
	assert_int_equal(look().anon, 1);

	assert_int_equal(pa_mm_fault(mm, private + P, true), 0);
	assert_int_equal(look().anon, 2);
	assert_int_equal(pa_file_destroy(file), -EBUSY);
	assert_int_equal(pa_mm_unmap(mm, private), 0);
	assert_int_equal(*bytes(shared), 'f');
	assert_int_equal(pa_mm_unmap(mm, shared), 0);
	assert_int_equal(pa_file_destroy(file), 0);
}

static void shared_files_are_one_for_all_mms(void **state)
{
	struct pa_file *file = file_of(600);
	struct pa_mm *other = NULL;
	struct pa_map m = { .nr_pages = 600, .file = file,
			    .flags = PA_MAP_SHARED };
	unsigned long a = map(600, file, PA_MAP_SHARED), b;

	(void)state;
	assert_int_equal(pa_mm_create(pa, &other), 0);
	assert_int_equal(pa_mm_map(other, &m, &b), 0);
	for (unsigned long i = 0; i < 600; i++) {
		assert_int_equal(pa_mm_fault(mm, a + i * P, true), 0);
		assert_int_equal(pa_mm_fault(other, b + i * P, false), 0);
		assert_ptr_equal(pa_mm_page(mm, a + i * P),
				 pa_mm_page(other, b + i * P));
		assert_int_equal(pa_mm_page(mm, a + i * P)->mapcount, 1);
		assert_int_equal(pa_mm_page(mm, a + i * P)->refcount, 3);
	}
	assert_int_equal(look().tables, 2);
	pa_mm_destroy(other);
	assert_int_equal(pa_mm_page(mm, a)->mapcount, 0);
	assert_int_equal(pa_mm_page(mm, a)->refcount, 2);
	assert_int_equal(pa_mm_unmap(mm, a), 0);
	assert_int_equal(pa_file_destroy(file), 0);
}

/* Faults fail when the pages are gone, and all of them come back. */
static void an_exhausted_arena_is_enomem(void **state)
{
	unsigned long a = map(TABLE_PAGES, NULL, 0), n = 0;
	int ret;

	(void)state;
	while (!(ret = pa_mm_fault(mm, a + n * P, true)))
		n++;
	assert_int_equal(ret, -ENOMEM);
	assert_in_range(n, 3500, 4096);
	assert_int_equal(look().anon, n);
	assert_int_equal(pa_mm_unmap(mm, a), 0);
	a = map(100, NULL, PA_MAP_UNINITIALIZED);
	assert_int_equal(pa_mm_fault(mm, a, true), 0);
}

#define NR_THREADS	4
#define ROUNDS		60

static unsigned long common;

/* Own mappings come and go while all threads fault one of all. */
static void *fault_and_unmap(void *arg)
{
	struct pa_map m = { .nr_pages = 80, .flags = PA_MAP_UNINITIALIZED,
			    .file = arg };
	long failed = 0;

	pa_set_cpu(arg ? 0 : 1);
	for (int round = 0; round < ROUNDS; round++) {
		unsigned long own;

		failed += pa_mm_map(mm, &m, &own) != 0;
		for (int i = 0; i < 80; i++) {
			failed += pa_mm_fault(mm, own + i * P, i % 3) != 0;
			failed += pa_mm_fault(mm, own + i * P, true) != 0;
			failed += pa_mm_fault(mm, common + (i + round) % 128 *
					      P, i % 2) != 0;
		}
		failed += pa_mm_unmap(mm, own) != 0;
	}
	return (void *)failed;
}

static void threads_fault_side_by_side(void **state)
{
	struct pa_file *file = file_of(128);
	pthread_t thread[NR_THREADS];
	void *failed;

	(void)state;
	common = map(128, file, 0);
	for (int i = 0; i < NR_THREADS; i++)
		assert_int_equal(pthread_create(&thread[i], NULL,
			fault_and_unmap, i % 2 ? file : NULL), 0);
	for (int i = 0; i < NR_THREADS; i++) {
		assert_int_equal(pthread_join(thread[i], &failed), 0);
		assert_null(failed);
	}
	assert_int_equal(look().anon + look().file, 128);
	assert_int_equal(pa_mm_unmap(mm, common), 0);
	assert_int_equal(look().anon + look().file, 0);
	assert_int_equal(pa_file_destroy(file), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(anonymous_pages_are_zero_and_private),
		TEST(addresses_without_a_mapping_fault),
		TEST(mappings_do_not_overlap_and_holes_are_used),
		TEST(impossible_mappings_are_refused),
		TEST(private_files_are_copied_on_write),
		TEST(shared_files_are_one_for_all_mms),
		TEST(an_exhausted_arena_is_enomem),
		TEST(threads_fault_side_by_side),
	};

	return cmocka_run_group_tests_name("pa-fault", tests, NULL, NULL);
}
