/*
 * A stream of operations on a small instance, a byte or two each, against a
 * model of two numbers: which pages are in use, and which are isolated. The
 * library is the debug build, so that every block is looked at.
 */
#include <stdint.h>
#include <stdlib.h>

#include "mmzone.h"

#define PAGES	64
#define BLOCK	8	/* pages of a pageblock */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct run {
	struct pa *pa;
	uint64_t taken, isolated;
	struct page *block[PAGES];
	unsigned char order[PAGES];
	unsigned int nr;
};

static void must(bool good)
{
	if (!good)
		abort();
}

static void bug(void *arg, enum pa_bug what, struct page *page)
{
	(void)arg, (void)what, (void)page;
	abort();
}

static uint64_t bits(unsigned long pfn, unsigned int order)
{
	return (order == 6 ? ~0ull : (1ull << (1u << order)) - 1) << pfn;
}

static void take(struct run *r, struct page *page, unsigned int order)
{
	unsigned long pfn = page_to_pfn(r->pa, page);

	must(pfn + (1ul << order) <= PAGES && !(pfn & ((1ul << order) - 1)));
	must(!((r->taken | r->isolated) & bits(pfn, order)));
	r->taken |= bits(pfn, order);
	r->block[r->nr] = page;
	r->order[r->nr++] = order;
}

static void do_alloc(struct run *r, uint8_t how)
{
	static const pa_gfp_t gfp[] = {
		PA_GFP_KERNEL, PA_GFP_ATOMIC, PA_GFP_MOVABLE | PA_GFP_MEMALLOC,
		PA_GFP_RECLAIMABLE | PA_GFP_MEMALLOC,
	};
	struct page *page = pa_alloc_pages(r->pa, gfp[how % 4], how / 4 % 7);

	if (page)
		take(r, page, how / 4 % 7);
}

static void do_free(struct run *r, uint8_t which)
{
	unsigned int at;
	struct page *page;

	if (!r->nr)
		return;
	at = which % r->nr--;
	page = r->block[at];
	r->taken &= ~bits(page_to_pfn(r->pa, page), r->order[at]);
	pa_free_pages(r->pa, page, r->order[at]);
	r->block[at] = r->block[r->nr];
	r->order[at] = r->order[r->nr];
}

/* All of it: the base cannot take a part of a larger free block out. */
static void do_isolate(struct run *r)
{
	if (!r->isolated && pa_isolate_range(r->pa, 0, PAGES) == 0)
		r->isolated = ~0ull;
	pa_drain_all(r->pa);
}

static void do_unisolate(struct run *r)
{
	pa_unisolate_range(r->pa, 0, PAGES);
	r->isolated = 0;
}

static void step(struct run *r, uint8_t op, uint8_t arg)
{
	switch (op % 8) {
	case 0: case 1: case 2:
		do_alloc(r, arg);
		break;
	case 3: case 4:
		do_free(r, arg);
		break;
	case 5:
		pa_set_cpu(arg % 2);
		break;
	case 6:
		pa_drain_all(r->pa);
		break;
	case 7:
		arg % 2 ? do_isolate(r) : do_unisolate(r);
	}
}

static void check(const struct run *r)
{
	struct pa_report report;

	must(pa_audit(r->pa, &report) == 0);
	must(report.allocated == (unsigned)__builtin_popcountll(r->taken));
	must(report.isolated == (unsigned)__builtin_popcountll(r->isolated &
							       ~r->taken));
	must(!report.misplaced && !report.lost && !report.bad &&
	     !report.bad_state && !report.free_drift && !report.unmerged &&
	     !report.nr_free_drift && !report.pcp_drift);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pa_config config = {
		.node_pages = PAGES, .pageblock_order = 3, .cpus = 2,
		.min_free_pages = 2, .pcp_batch = 2, .pcp_high = 6, .bug = bug,
	};
	struct run r = { .nr = 0 };

	pa_set_cpu(0);
	if (pa_open(&config, &r.pa) < 0)
		return 0;
	for (size_t i = 0; i + 1 < size; i += 2) {
		step(&r, data[i], data[i + 1]);
		check(&r);
	}
	pa_close(r.pa);
	return 0;
}
