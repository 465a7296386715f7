/*
 * Random operations against a simple model.
 *
 * The model is a table with one entry a page: who has it, and whether its
 * pageblock is isolated. After every step the pages that the allocator gave are
 * checked against it, and every few steps the audit is: what is allocated,
 * free and isolated must add up the same way on both sides.
 *
 *	pa-model [SEED [STEPS]]
 *
 * Without arguments a fixed set of seeds runs. What a step does is drawn from
 * the seed and the number of the step alone, so that steps can be left out: a
 * failure prints the seed, with which it can be repeated, and the few steps
 * that it takes.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "mmzone.h"
#include "pa-applied.h"
#include "shrink.h"

#define MAX_BLOCKS	4096
#define AUDIT_EVERY	16
#define DEFAULT_STEPS	12000
#define NR_SEEDS	10

struct block {
	struct page *page;
	unsigned int order;
	uint64_t tag;		/* in the first and last word of the block */
};

struct model {
	struct pa *pa;
	struct pa_config config;
	unsigned long nr_pages;
	uint64_t random;
	uint64_t next_tag;
	struct block blocks[MAX_BLOCKS];
	unsigned int nr_blocks;
	bool *taken;		/* by page */
	bool *isolated;		/* by page */
	unsigned long nr_taken, nr_isolated;
	unsigned long nr_ranges;	/* that were had in one piece */
	bool tell;
	const char *failure;
};

static unsigned long below(struct model *m, unsigned long n)
{
	uint64_t x = m->random += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return (x ^ (x >> 31)) % n;
}

static void fail(struct model *m, const char *why)
{
	if (!m->failure)
		m->failure = why;
}

static void expect(struct model *m, bool good, const char *why)
{
	if (!good)
		fail(m, why);
}

/* What a step did, when they are told. */
__attribute__((format(printf, 2, 3)))
static void tell(const struct model *m, const char *fmt, ...)
{
	va_list ap;

	if (!m->tell)
		return;
	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
}

static unsigned long pfn_of(struct model *m, const struct page *page)
{
	return page_to_pfn(m->pa, page);
}

static uint64_t *last_word(struct model *m, const struct block *b)
{
	char *start = pa_page_address(m->pa, b->page);

	return (uint64_t *)(start + (PA_PAGE_SIZE << b->order)) - 1;
}

/* Marks the pages of the block; they must have been free. */
static void take(struct model *m, struct page *page, unsigned int order)
{
	struct block *b = &m->blocks[m->nr_blocks++];
	unsigned long pfn = pfn_of(m, page);

	expect(m, !(pfn & ((1ul << order) - 1)), "a block is not aligned");
	expect(m, pfn + (1ul << order) <= m->nr_pages, "a block sticks out");
	if (m->failure)
		return;
	for (unsigned long i = pfn; i < pfn + (1ul << order); i++) {
		expect(m, !m->taken[i], "a page was given twice");
		expect(m, !m->isolated[i], "a page came out of isolation");
		m->taken[i] = true;
	}
	m->nr_taken += 1ul << order;

	*b = (struct block){ page, order, m->next_tag++ };
	*(uint64_t *)pa_page_address(m->pa, page) = b->tag;
	*last_word(m, b) = b->tag;
}

/* Forgets a block, and gives it to the caller to free. */
static struct block give_up(struct model *m, unsigned int at)
{
	struct block b = m->blocks[at];
	unsigned long pfn = pfn_of(m, b.page);

	expect(m, *(uint64_t *)pa_page_address(m->pa, b.page) == b.tag &&
	       *last_word(m, &b) == b.tag, "somebody wrote to a block");
	for (unsigned long i = pfn; i < pfn + (1ul << b.order); i++)
		m->taken[i] = false;
	m->nr_taken -= 1ul << b.order;
	m->blocks[at] = m->blocks[--m->nr_blocks];
	return b;
}

static pa_gfp_t random_gfp(struct model *m)
{
	static const pa_gfp_t base[] = {
		PA_GFP_KERNEL, PA_GFP_USER, PA_GFP_ATOMIC,
		PA_GFP_HIGHUSER_MOVABLE, PA_GFP_KERNEL | PA_GFP_RECLAIMABLE,
		PA_GFP_KERNEL | PA_GFP_MOVABLE, 0, PA_GFP_KERNEL | PA_GFP_DMA,
	};
	pa_gfp_t gfp = base[below(m, sizeof(base) / sizeof(base[0]))];

	if (!below(m, 8))
		gfp |= PA_GFP_COMP;
	if (!below(m, 16))
		gfp |= PA_GFP_MEMALLOC;
	if (!below(m, 16))
		gfp |= PA_GFP_THISNODE;
	if (!below(m, 64))
		gfp |= PA_GFP_ZERO;
	return gfp;
}

/* Mostly small ones, as in life. */
static unsigned int random_order(struct model *m)
{
	return below(m, 4) ? below(m, 3) : below(m, PA_MAX_ORDER + 1);
}

static void do_alloc(struct model *m)
{
	unsigned int order = random_order(m);
	pa_nodemask_t nodes = 1 + below(m, 15);
	int nid = (int)below(m, m->config.nodes + 1) - 1;
	pa_gfp_t gfp = random_gfp(m);
	bool any = below(m, 4);
	struct page *page;

	if (m->nr_blocks == MAX_BLOCKS)
		return;
	page = pa_alloc_pages_nodemask(m->pa, gfp, order, nid,
				       any ? NULL : &nodes);
	tell(m, "alloc order %u gfp 0x%x node %d of 0x%x: page %ld", order, gfp,
	     nid, any ? ~0u : nodes, page ? (long)pfn_of(m, page) : -1);
	if (page)
		take(m, page, order);
}

static void do_free(struct model *m)
{
	if (m->nr_blocks) {
		struct block b = give_up(m, below(m, m->nr_blocks));

		tell(m, "free page %lu order %u", pfn_of(m, b.page), b.order);
		pa_free_pages(m->pa, b.page, b.order);
	}
}

static void do_bulk(struct model *m)
{
	struct page *pages[64];
	unsigned long n = 1 + below(m, 64);
	pa_gfp_t gfp = random_gfp(m);

	if (m->nr_blocks + n > MAX_BLOCKS)
		return;
	tell(m, "bulk of %lu gfp 0x%x", n, gfp);
	n = pa_alloc_bulk(m->pa, gfp, n, pages);
	for (unsigned long i = 0; i < n && !m->failure; i++)
		take(m, pages[i], 0);
}

static void do_free_list(struct model *m)
{
	unsigned long n = 1 + below(m, 100);
	struct pa_list list;

	pa_list_init(&list);
	for (unsigned int at = 0; at < m->nr_blocks && n;) {
		if (m->blocks[at].order) {
			at++;
			continue;
		}
		tell(m, "to a list: page %lu", pfn_of(m, m->blocks[at].page));
		pa_list_add_page(&list, give_up(m, at).page);
		n--;
	}
	tell(m, "free the list");
	pa_free_page_list(m->pa, &list);
}

static void set_isolated(struct model *m, unsigned long start,
			 unsigned long end, bool isolated)
{
	for (unsigned long i = start; i < end; i++) {
		m->nr_isolated += isolated - m->isolated[i];
		m->isolated[i] = isolated;
	}
}

/* Drained at once, since pages on per-CPU lists are still handed out. */
static void do_isolate(struct model *m)
{
	/* before that patch a free block must not stick out of the range */
	unsigned long size = 1ul << (patch_applied(CONVERSION) ?
				     m->config.pageblock_order : PA_MAX_ORDER);
	unsigned long start = below(m, m->nr_pages) & ~(size - 1);
	unsigned long nr = size * (1 + below(m, 3));

	if (start + nr > m->nr_pages ||
	    m->nr_isolated > m->nr_pages / 8)
		return;
	tell(m, "isolate %lu pages from %lu, and drain", nr, start);
	if (pa_isolate_range(m->pa, start, nr) == 0)
		set_isolated(m, start, start + nr, true);
	pa_drain_all(m->pa);
}

static void do_unisolate(struct model *m)
{
	tell(m, "end all isolation");
	pa_unisolate_range(m->pa, 0, m->nr_pages);
	set_isolated(m, 0, m->nr_pages, false);
}

/* Whoever is asked for a page in the range gives it back: it was a cache. */
static void drop_page(void *arg, struct page *page)
{
	struct model *m = arg;

	for (unsigned int at = 0; at < m->nr_blocks; at++) {
		if (m->blocks[at].page == page && below(m, 16)) {
			struct block b = give_up(m, at);

			tell(m, "asked for page %lu: free", pfn_of(m, b.page));
			pa_free_pages(m->pa, b.page, b.order);
			return;
		}
	}
}

/* Nothing may be isolated meanwhile but by the call itself. */
static void do_contig(struct model *m)
{
	unsigned long nr = 1 + below(m, 20);
	unsigned long start = below(m, m->nr_pages);

	if (m->nr_isolated || !patch_applied(ACCOUNTING) ||
	    m->nr_blocks + nr > MAX_BLOCKS)
		return;
	tell(m, "%lu pages in one piece from %lu", nr, start);
	if (pa_alloc_contig(m->pa, start, nr) < 0)
		return;
	for (unsigned long i = 0; i < nr && !m->failure; i++)
		take(m, pfn_to_page(m->pa, start + i), 0);
	m->nr_ranges++;
}

static void do_cpu(struct model *m)
{
	int cpu = below(m, m->config.cpus);

	tell(m, "go on on CPU %d", cpu);
	pa_set_cpu(cpu);
}

static void do_drain(struct model *m)
{
	tell(m, "drain");
	pa_drain_all(m->pa);
}

static void do_cpuset(struct model *m)
{
	pa_nodemask_t nodes = 1 + below(m, 15);

	tell(m, "cpuset of nodes 0x%x", nodes);
	pa_set_mems_allowed(m->pa, nodes);
}

static void do_step(struct model *m)
{
	unsigned long what = below(m, 1000);

	/* fills up for a while, then empties for a while */
	bool filling = m->next_tag / 500 % 2;

	if (what < 850)
		below(m, 10) < (filling ? 6 : 4) ? do_alloc(m) : do_free(m);
	else if (what < 890)
		do_bulk(m);
	else if (what < 940)
		do_free_list(m);
	else if (what < 970)
		do_cpu(m);
	else if (what < 980)
		do_drain(m);
	else if (what < 988)
		do_isolate(m);
	else if (what < 991)
		do_unisolate(m);
	else if (what < 994)
		do_contig(m);
	else
		do_cpuset(m);
}

/* Free pages inside isolated blocks, as the model sees them. */
static unsigned long isolated_free(struct model *m)
{
	unsigned long n = 0;

	for (unsigned long i = 0; i < m->nr_pages; i++)
		n += m->isolated[i] && !m->taken[i];
	return n;
}

static void check(struct model *m)
{
	struct pa_report r;

	if (pa_audit(m->pa, &r) < 0) {
		fail(m, "no memory for the audit");
		return;
	}
	expect(m, r.allocated == m->nr_taken, "allocated pages differ");
	expect(m, r.isolated == isolated_free(m), "isolated pages differ");
	expect(m, !r.misplaced, "audit: misplaced");
	expect(m, !r.unmerged, "audit: unmerged");
	expect(m, !r.free_drift, "audit: free_drift");
	expect(m, !r.cma_drift, "audit: cma_drift");
	expect(m, !r.nr_free_drift, "audit: nr_free_drift");
	expect(m, !r.lost, "audit: lost");
	expect(m, !r.bad && !r.bad_state, "audit: bad pages");
	expect(m, !r.highatomic_drift, "audit: highatomic_drift");
	expect(m, !r.pcp_drift, "audit: pcp_drift");
}

static void choose_shape(struct model *m)
{
	struct pa_config *c = &m->config;

	c->nodes = 1 + below(m, 3);
	c->node_pages = 1500 + below(m, 1500);
	c->dma_pages = below(m, 2) * below(m, 300);
	c->movable_pages = below(m, 2) * below(m, 600);
	c->pageblock_order = 1 + below(m, 10);
	c->cma_pages = below(m, 2) * below(m, 300);
	c->cma_pages &= ~((1ul << c->pageblock_order) - 1);
	c->cpus = 1 + below(m, 4);
	c->migrate = drop_page;
	c->arg = m;
	c->pcp_batch = 1 + below(m, 31);
	c->pcp_high = c->pcp_batch * (1 + below(m, 6));
}

static void finish(struct model *m)
{
	struct pa_report r;

	while (m->nr_blocks && !m->failure)
		do_free(m);
	do_unisolate(m);
	pa_drain_all(m->pa);
	check(m);
	if (!m->failure && pa_audit(m->pa, &r) == 0)
		expect(m, r.free == r.managed, "not all is free at the end");
}

/* All steps but those left out; *arg is the seed. */
static bool play(void *arg, const struct shrink *s, bool tell_all)
{
	static struct model m;
	unsigned long seed = *(unsigned long *)arg, step;

	m = (struct model){ .random = seed, .tell = tell_all };
	choose_shape(&m);
	m.nr_pages = m.config.nodes * m.config.node_pages;
	m.taken = calloc(m.nr_pages, sizeof(bool));
	m.isolated = calloc(m.nr_pages, sizeof(bool));
	if (!m.taken || !m.isolated || pa_open(&m.config, &m.pa) < 0) {
		printf("# seed %lu cannot be set up\n", seed);
		return false;
	}
	for (step = 0; step < s->steps && !m.failure; step++) {
		if (s->left_out[step])
			continue;
		m.random = seed * 1000003 + step * 7919;
		do_step(&m);
		if (step % AUDIT_EVERY == 0 || tell_all)
			check(&m);
	}
	if (!m.failure)
		finish(&m);
	if (!tell_all)
		printf("# seed %lu: %lu ranges in one piece\n", seed,
		       m.nr_ranges);
	if (m.failure)
		printf("# %s, at step %lu of: pa-model %lu %lu\n", m.failure,
		       step, seed, s->steps);
	pa_set_cpu(-1);
	pa_close(m.pa);
	free(m.taken);
	free(m.isolated);
	return !m.failure;
}

static bool run(unsigned int number, unsigned long seed, unsigned long steps)
{
	struct shrink s = { .steps = steps, .left_out = calloc(steps, 1),
			    .play = play, .arg = &seed };
	bool good = s.left_out && !shrink_fails(&s, false, 0);

	if (!good && s.left_out) {
		unsigned long left = shrink(&s);

		printf("# %lu of %lu steps are enough:\n", left, steps);
		shrink_fails(&s, true, 0);
	}
	printf("%sok %u - seed %lu\n", good ? "" : "not ", number, seed);
	free(s.left_out);
	return good;
}

int main(int argc, char **argv)
{
	unsigned long steps = argc > 2 ? strtoul(argv[2], NULL, 0) :
					 DEFAULT_STEPS;
	bool good = true;

	if (argc > 1) {
		printf("1..1\n");
		return !run(1, strtoul(argv[1], NULL, 0), steps);
	}
	printf("1..%d\n", NR_SEEDS);
	for (unsigned int i = 1; i <= NR_SEEDS; i++)
		good = run(i, i, steps) && good;
	return !good;
}
