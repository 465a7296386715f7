/*
 * What a debug build makes of callers' mistakes: one report each that says
 * which it was, and nothing is damaged.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buddy.h"
#include "test-pa-fixture.h"

static struct {
	struct pa_page_bug bug;
	unsigned int n;
} seen;

static void note_bug(void *arg, const struct pa_page_bug *bug)
{
	(void)arg;
	seen.bug = *bug;
	seen.n++;
}

static struct pa *open_debug(struct pa_config config)
{
	config.page_bug = note_bug;
	config.pcp_batch = 4;
	if (!config.node_pages)
		config.node_pages = 256;
	memset(&seen, 0, sizeof(seen));
	return open_pa(config);
}

/* How each report begins, and what has to be in it. */
static const char *words(enum pa_bug bug)
{
	switch (bug) {
	case PA_BUG_DOUBLE_FREE:
		return "freed a block twice: page %lu, order ";
	case PA_BUG_FREE_TAIL:
		return "freed a page inside of a block in use: page %lu, ";
	case PA_BUG_FREE_ORDER:
		return "freed a block with another order than it has: "
		       "page %lu, order ";
	case PA_BUG_FREE_FOREIGN:
		return "freed what is no page of this instance: ";
	case PA_BUG_USED_FREE:
		return "somebody wrote to a free page: page %lu, byte ";
	default:
		return NULL;
	}
}

/* One report since the last time: of this, and a person can read it. */
static void assert_one(enum pa_bug bug, unsigned long pfn)
{
	char text[1000], begin[100];

	assert_int_equal(seen.n, 1);
	assert_int_equal(seen.bug.bug, bug);
	assert_int_equal(seen.bug.pfn, pfn);
	seen.n = 0;
	assert_non_null(words(bug));
	pa_page_bug_text(text, sizeof(text), &seen.bug);
	snprintf(begin, sizeof(begin), words(bug), pfn);
	assert_memory_equal(text, begin, strlen(begin));
	if (bug != PA_BUG_FREE_FOREIGN)
		assert_non_null(strstr(text, "\n  got by thread "));
}

static struct page *get(struct pa *pa, unsigned int order)
{
	struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL, order);

	assert_non_null(page);
	return page;
}

static void tells_a_double_free(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ 0 });
	static const unsigned int orders[] = { 0, 2, 5 };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct page *page = get(pa, orders[i]);

		pa_free_pages(pa, page, orders[i]);
		assert_int_equal(seen.n, 0);
		pa_free_pages(pa, page, orders[i]);
		assert_one(PA_BUG_DOUBLE_FREE, page_to_pfn(pa, page));
		assert_int_equal(seen.bug.owner.order, orders[i]);
		assert_int_not_equal(seen.bug.owner.got.thread, 0);
		assert_int_not_equal(seen.bug.owner.freed.thread, 0);
		assert_sound(pa);
	}
	close_clean(pa);
}

/* Freed, given to somebody else, and freed again by the first: his loss. */
static void tells_a_late_double_free(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ 0 });
	struct page *page = get(pa, 0);
	struct pa_owner owner;

	(void)state;
	pa_free_pages(pa, page, 0);
	pa_drain_all(pa);
	pa_free_pages(pa, page, 0);
	assert_one(PA_BUG_DOUBLE_FREE, page_to_pfn(pa, page));
	assert_false(pa_page_owner(pa, page, &owner));
	close_clean(pa);
}

static void tells_a_free_in_a_list(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ 0 });
	struct page *page = get(pa, 0), *other = get(pa, 0), *block;
	struct pa_list list;

	(void)state;
	block = get(pa, 1);
	pa_list_init(&list);
	pa_list_add_page(&list, page);
	pa_list_add_page(&list, block);
	pa_list_add_page(&list, other);
	pa_free_page_list(pa, &list);
	assert_one(PA_BUG_FREE_ORDER, page_to_pfn(pa, block));
	pa_free_pages(pa, block, 1);
	assert_int_equal(seen.n, 0);
	close_clean(pa);
}

static void tells_a_tail(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ 0 });

	(void)state;
	for (int comp = 0; comp < 2; comp++) {
		pa_gfp_t gfp = PA_GFP_KERNEL | (comp ? PA_GFP_COMP : 0);
		struct page *page = pa_alloc_pages(pa, gfp, 3);

		for (int i = 1; i < 8; i++) {
			pa_free_pages(pa, page + i, 0);
			assert_one(PA_BUG_FREE_TAIL,
				   page_to_pfn(pa, page + i));
			assert_int_equal(seen.bug.owner.order, 3);
		}
		pa_free_pages(pa, page, 3);
		assert_int_equal(seen.n, 0);
	}
	close_clean(pa);
}

static void tells_another_order(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ 0 });

	(void)state;
	for (unsigned int order = 0; order < 6; order++) {
		struct page *page = pa_alloc_pages(pa, PA_GFP_COMP |
						   PA_GFP_KERNEL, order);

		for (unsigned int wrong = 0; wrong < 12; wrong++) {
			if (wrong == order)
				continue;
			pa_free_pages(pa, page, wrong);
			assert_one(PA_BUG_FREE_ORDER, page_to_pfn(pa, page));
			assert_int_equal(seen.bug.order, wrong);
			assert_int_equal(seen.bug.owner.order, order);
		}
		pa_free_pages(pa, page, order);
		assert_int_equal(seen.n, 0);
	}
	close_clean(pa);
}

static void tells_a_foreign_pointer(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ 0 });
	struct pa *other = open_debug((struct pa_config){ 0 });
	struct page *page = get(pa, 0), local = { .refcount = 1 };
	struct page *const foreign[] = {
		&local, NULL, get(other, 0),
		(struct page *)((char *)page + 8),
		pfn_to_page(pa, 256),
		(struct page *)pa_page_address(pa, page),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		pa_free_pages(pa, foreign[i], 0);
		assert_one(PA_BUG_FREE_FOREIGN, ~0ul);
	}
	assert_int_equal(local.refcount, 1);
	pa_free_pages(pa, page, 0);
	pa_free_pages(other, foreign[2], 0);
	assert_int_equal(seen.n, 0);
	close_clean(other);
	close_clean(pa);
}

#if !defined(__SANITIZE_ADDRESS__)
/* Every byte is looked at, in blocks that waited on a list or in the zone. */
static void tells_a_write_after_free(void **state)
{
	static const unsigned int at[] = { 0, 1, 2047, 4094, 4095, 8191 };

	(void)state;
	for (unsigned int i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		struct pa *pa = open_debug((struct pa_config){ 0 });
		struct page *page = get(pa, 1), *again;
		unsigned char *bytes = pa_page_address(pa, page);

		pa_free_pages(pa, page, 1);
		if (i % 2)
			pa_drain_all(pa);
		bytes[at[i]] = 0x5a;
		while (!seen.n && (again = pa_alloc_pages(pa, PA_GFP_MEMALLOC,
							  1)))
			;
		assert_one(PA_BUG_USED_FREE, page_to_pfn(pa, page) +
			   at[i] / PA_PAGE_SIZE);
		assert_ptr_equal(seen.bug.where, bytes + at[i]);
		assert_int_equal(seen.bug.found, 0x5a);
		assert_sound(pa);
		pa_set_cpu(-1);
		pa_close(pa);
	}
}
#endif

/* True if a process that writes there does not live on. */
static bool write_kills(unsigned char *where)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		close(STDERR_FILENO);	/* what a sanitizer says of it */
		*(volatile unsigned char *)where = 1;
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status != 0;
}

/* The block beside is out of reach until this one comes back. */
static void guards_catch_stray_writes(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ .guard_order = 2 });
	struct page *page = get(pa, 0);
	unsigned char *bytes = pa_page_address(pa, page);

	(void)state;
	assert_true(audit(pa).guard > 0);
	assert_false(write_kills(bytes));
	assert_false(write_kills(bytes + PA_PAGE_SIZE - 1));
	assert_true(write_kills(bytes + PA_PAGE_SIZE));
	pa_free_pages(pa, page, 0);
	assert_int_equal(seen.n, 0);
	close_clean(pa);
}

#if defined(__SANITIZE_ADDRESS__)
/* Where somebody watches addresses, the write itself is the end. */
static void a_sanitizer_knows_free_pages(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ 0 });
	struct page *page = get(pa, 0);
	unsigned char *bytes = pa_page_address(pa, page);

	(void)state;
	assert_false(write_kills(bytes));
	pa_free_pages(pa, page, 0);
	assert_true(write_kills(bytes));
	close_clean(pa);
}
#endif

static void knows_the_owner(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ 0 });
	struct page *page = pa_alloc_pages(pa, PA_GFP_ATOMIC, 2);
	struct pa_owner owner;

	(void)state;
	for (int i = 0; i < 4; i++) {
		assert_true(pa_page_owner(pa, page + i, &owner));
		assert_int_equal(owner.order, 2);
		assert_int_equal(owner.gfp & PA_GFP_ATOMIC,
				 PA_GFP_ATOMIC);
		assert_non_null(owner.got.caller[0]);
	}
	pa_free_pages(pa, page, 2);
	assert_false(pa_page_owner(pa, page, &owner));
	close_clean(pa);
}

static void says_it_in_words(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ 0 });
	struct page *page = get(pa, 0);
	char text[1000], little[10];
	int n;

	(void)state;
	pa_free_pages(pa, page, 0);
	pa_free_pages(pa, page, 0);
	n = pa_page_bug_text(text, sizeof(text), &seen.bug);
	assert_in_range(n, 60, sizeof(text) - 1);
	assert_non_null(strstr(text, "freed a block twice: page "));
	assert_non_null(strstr(text, "\n  got by thread "));
	assert_non_null(strstr(text, "\n  freed by thread "));
	assert_int_equal(pa_page_bug_text(little, sizeof(little), &seen.bug),
			 n);
	assert_memory_equal(little, text, sizeof(little) - 1);
	assert_int_equal(pa_page_bug_text(NULL, 0, &seen.bug), n);
	close_clean(pa);
}

/* Goes on with what it has when a request fails, and gives it all back. */
static unsigned int life(struct pa *pa)
{
	struct page *pages[40] = { 0 }, *bulk[16];
	unsigned int failed = 0;
	unsigned long n;

	for (unsigned int i = 0; i < 40; i++) {
		pages[i] = pa_alloc_pages(pa, PA_GFP_KERNEL, i % 4);
		failed += !pages[i];
	}
	n = pa_alloc_bulk(pa, PA_GFP_KERNEL, 16, bulk);
	failed += !n;
	while (n)
		pa_free_pages(pa, bulk[--n], 0);
	for (unsigned int i = 0; i < 40; i++) {
		if (pages[i])
			pa_free_pages(pa, pages[i], i % 4);
	}
	return failed;
}

static void each_request_can_fail(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ .node_pages = 1024 });
	unsigned long k;

	(void)state;
	for (k = 0; k < 100; k++) {
		struct pa_fail fail = { .skip = k, .interval = 1, .times = 1 };
		unsigned int failed;

		assert_int_equal(pa_set_fail(pa, &fail), 0);
		failed = life(pa);
		assert_sound(pa);
		if (pa_fail_seen(pa) <= k) {
			assert_int_equal(failed, 0);
			break;
		}
		assert_int_equal(failed, 1);
	}
	assert_int_equal(k, 41);
	assert_int_equal(pa_set_fail(pa, NULL), 0);
	close_clean(pa);
}

static void fails_as_often_as_told(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ .node_pages = 1024 });
	struct pa_fail fail = { .interval = 3, .times = 5 };
	struct pa_fail never = { .interval = 0 };

	(void)state;
	assert_int_equal(pa_set_fail(pa, &never), -EINVAL);
	assert_int_equal(pa_set_fail(pa, &fail), 0);
	assert_int_equal(life(pa), 5);
	fail = (struct pa_fail){ .interval = 1, .times = ~0ul, .min_order = 2 };
	assert_int_equal(pa_set_fail(pa, &fail), 0);
	assert_int_equal(life(pa), 20);
	/* who may not fail does not */
	for (int i = 0; i < 3; i++) {
		struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL |
						   PA_GFP_NOFAIL, 2);

		assert_non_null(page);
		pa_free_pages(pa, page, 2);
	}
	assert_int_equal(pa_set_fail(pa, NULL), 0);
	assert_int_equal(life(pa), 0);
	close_clean(pa);
}

/* The arena runs dry, nothing is reported, and all of it comes back. */
static void an_empty_arena_is_no_bug(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ 0 });
	struct page *pages[256];
	size_t n;

	(void)state;
	n = take_all(pa, PA_GFP_MEMALLOC, 0, pages, 256);
	assert_int_equal(n, 256);
	assert_null(pa_alloc_pages(pa, PA_GFP_MEMALLOC, 0));
	assert_null(pa_alloc_pages(pa, PA_GFP_KERNEL, 3));
	free_all(pa, pages, n, 0);
	assert_int_equal(seen.n, 0);
	close_clean(pa);
}

static void ranges_have_owners_too(void **state)
{
	struct pa *pa = open_debug((struct pa_config){ .cma_pages = 64 });
	struct pa_owner owner;
	struct pa_list list;

	(void)state;
	assert_int_equal(pa_alloc_contig(pa, 200, 7), 0);
	assert_true(pa_page_owner(pa, pfn_to_page(pa, 206), &owner));
	assert_false(pa_page_owner(pa, pfn_to_page(pa, 207), &owner));
	pa_free_contig(pa, 200, 7);
	pa_free_contig(pa, 200, 1);
	assert_one(PA_BUG_DOUBLE_FREE, 200);
	pa_list_init(&list);
	assert_true(pa_isolate_freepages(pa, 0, 16, &list) >= 16);
	assert_true(pa_page_owner(pa, pfn_to_page(pa, 3), &owner));
	pa_free_page_list(pa, &list);
	assert_int_equal(seen.n, 0);
	pa_drain_all(pa);
	pa_set_cpu(-1);
	pa_close(pa);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_a_double_free),
		cmocka_unit_test(tells_a_late_double_free),
		cmocka_unit_test(tells_a_free_in_a_list),
		cmocka_unit_test(tells_a_tail),
		cmocka_unit_test(tells_another_order),
		cmocka_unit_test(tells_a_foreign_pointer),
		cmocka_unit_test(guards_catch_stray_writes),
#if defined(__SANITIZE_ADDRESS__)
		cmocka_unit_test(a_sanitizer_knows_free_pages),
#else
		cmocka_unit_test(tells_a_write_after_free),
#endif
		cmocka_unit_test(knows_the_owner),
		cmocka_unit_test(says_it_in_words),
		cmocka_unit_test(each_request_can_fail),
		cmocka_unit_test(fails_as_often_as_told),
		cmocka_unit_test(an_empty_arena_is_no_bug),
		cmocka_unit_test(ranges_have_owners_too),
	};

	return cmocka_run_group_tests_name("pa-debug", tests, NULL, NULL);
}
