/*
 * What the tests of the allocator share: instances small enough to see
 * through, and one assertion that all invariants hold.
 */
#ifndef TEST_PA_FIXTURE_H
#define TEST_PA_FIXTURE_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "mmzone.h"
#include "pa-applied.h"

/*
 * WB_TEST=PROGRAM:CASE asks for one case, WB_SKIP="PROGRAM:CASE ..." leaves
 * cases out; CASE is a pattern. cmocka takes one pattern of each.
 */
static inline const char *pa_case_for_me(const char *list, size_t *len)
{
	const char *me = program_invocation_short_name, *found = NULL;
	size_t n = strlen(me), word;

	for (; list && *list; list += word + (list[word] == ' ')) {
		word = strcspn(list, " ");
		if (word <= n + 1 || strncmp(list, me, n) || list[n] != ':')
			continue;
		if (found)
			abort();	/* a second one would not be heard */
		found = list + n + 1;
		*len = word - n - 1;
	}
	return found;
}

__attribute__((constructor)) static void pa_choose_cases(void)
{
	static char only[128], skip[128];
	const char *p;
	size_t n = 0;

	p = pa_case_for_me(getenv("WB_TEST"), &n);
	if (p && n < sizeof(only)) {
		memcpy(only, p, n);
		cmocka_set_test_filter(only);
	}
	p = pa_case_for_me(getenv("WB_SKIP"), &n);
	if (p && n < sizeof(skip)) {
		memcpy(skip, p, n);
		cmocka_set_skip_filter(skip);
	}
}

/* Pageblocks of 8 pages, so that a few pages cross several of them. */
static inline struct pa *open_pa(struct pa_config config)
{
	struct pa *pa = NULL;

	if (!config.pageblock_order)
		config.pageblock_order = 3;
	if (!config.cpus)
		config.cpus = 2;
	pa_set_cpu(0);
	assert_int_equal(pa_open(&config, &pa), 0);
	return pa;
}

static inline struct pa_report audit(struct pa *pa)
{
	struct pa_report r;

	assert_int_equal(pa_audit(pa, &r), 0);
	return r;
}

/* Nothing is wrong, but for blocks on lists of another type. */
static inline void assert_sound(struct pa *pa)
{
	struct pa_report r = audit(pa);

	assert_int_equal(r.misplaced, 0);
	assert_int_equal(r.unmerged, 0);
	assert_int_equal(r.free_drift, 0);
	assert_int_equal(r.cma_drift, 0);
	assert_int_equal(r.nr_free_drift, 0);
	assert_int_equal(r.lost, 0);
	assert_int_equal(r.bad_state, 0);
	assert_int_equal(r.highatomic_drift, 0);
	assert_int_equal(r.pcp_drift, 0);
	assert_int_equal(r.free + r.isolated + r.pcp + r.guard +
			 r.allocated + r.bad,
			 r.managed);
}

/* Everything is free again, and in the zones. */
static inline void assert_all_free(struct pa *pa)
{
	pa_drain_all(pa);
	assert_sound(pa);
	assert_int_equal(audit(pa).free, audit(pa).managed);
}

static inline void close_clean(struct pa *pa)
{
	assert_all_free(pa);
	pa_set_cpu(-1);
	pa_close(pa);
}

static inline struct zone *normal_zone(struct pa *pa, int nid)
{
	return &pa->node_data[nid]->zones[ZONE_NORMAL];
}

static inline int page_node(struct pa *pa, const struct page *page)
{
	return page_zone(pa, page)->node;
}

/* Takes blocks until there are none left; returns how many. */
static inline size_t take_all(struct pa *pa, pa_gfp_t gfp, unsigned int order,
			      struct page **pages, size_t max)
{
	size_t n = 0;

	while (n < max && (pages[n] = pa_alloc_pages(pa, gfp, order)))
		n++;
	return n;
}

static inline void free_all(struct pa *pa, struct page **pages, size_t n,
			    unsigned int order)
{
	for (size_t i = 0; i < n; i++)
		pa_free_pages(pa, pages[i], order);
}

#endif
