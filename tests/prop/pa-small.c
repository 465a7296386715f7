/*
 * Every sequence of operations on a very small instance.
 *
 * 16 pages in pageblocks of 4. From each state every operation is tried, down
 * to a depth; after each the audit must be clean and agree with a model that
 * is two numbers of 16 bits: which pages are in use, and which are isolated.
 * All memory of the instance comes from one pool here, so a state is a copy of
 * that pool, and a state that was met before is not entered again.
 *
 *	pa-small [DEPTH]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "mmzone.h"
#include "pa-applied.h"

#define PAGES		16
#define BLOCK		4	/* pages of a pageblock */
#define DEFAULT_DEPTH	6
#define LONG_DEPTH	7
#define MAX_DEPTH	10
#define POOL		(64 << 10)
#define SEEN_BITS	24	/* slots of the table of states met before */

/* ---- memory of the instance ---------------------------------------------- */

static _Alignas(64) char pool[POOL];
static size_t pool_used;

/*
 * What is as large as the arena or its mem_map is not all part of the state:
 * nobody writes to the first, and the second describes no more than PAGES.
 */
void *pa_arena_map(size_t size, bool shared)
{
	(void)shared;
	if (size < POOL)
		return pa_arena_meta(size, false);
	return calloc(1, size);
}

void pa_arena_unmap(void *base, size_t size)
{
	(void)base, (void)size;
}

void *pa_arena_meta(size_t size, bool shared)
{
	char *p = pool + pool_used;

	(void)shared;
	pool_used += (size + 63) & ~63ul;
	return pool_used <= POOL ? p : NULL;
}

void pa_arena_attach(void *base, size_t size)
{
	(void)base, (void)size;
}

void pa_arena_meta_attach(void *p)
{
	(void)p;
}

void pa_arena_meta_free(void *p, bool shared)
{
	(void)p, (void)shared;
}

void pa_arena_protect(void *start, size_t size, bool on)
{
	(void)start, (void)size, (void)on;
}

unsigned int pa_arena_cpus(void)
{
	return 1;
}

/* ---- states -------------------------------------------------------------- */

struct model {
	unsigned int taken, isolated;	/* a bit a page */
	unsigned char order[PAGES];	/* of the block that starts here */
};

struct state {
	char pool[POOL];
	struct page page[PAGES];
	struct model model;
};

static struct pa *pa;
static struct model model;
static struct state saved[MAX_DEPTH];
static uint64_t *seen;
static unsigned long nr_states;
static int depth_limit;

static void save(struct state *s)
{
	memcpy(s->pool, pool, pool_used);
	memcpy(s->page, pa->mem_map, sizeof(s->page));
	s->model = model;
}

static void restore(const struct state *s)
{
	memcpy(pool, s->pool, pool_used);
	memcpy(pa->mem_map, s->page, sizeof(s->page));
	model = s->model;
}

static uint64_t mix(uint64_t h, const void *data, size_t size)
{
	const uint64_t *word = data;

	for (size_t i = 0; i < size / sizeof(*word); i++) {
		h = (h ^ word[i]) * 0x9e3779b97f4a7c15u;
		h ^= h >> 29;
	}
	return h;
}

/*
 * True the first time that this state is met with so many steps to go or more.
 * Two states with one hash would hide one of them: with 2^60 hashes and some
 * millions of states that is not to be feared.
 */
static bool is_new(int left)
{
	uint64_t h = mix(mix(mix(1, pool, pool_used), pa->mem_map,
			     PAGES * sizeof(struct page)), &model,
			 sizeof(model));
	uint64_t mask = (1ul << SEEN_BITS) - 1, key = h & ~15ul;

	for (uint64_t i = h >> (64 - SEEN_BITS);; i = (i + 1) & mask) {
		if (!seen[i]) {
			if (++nr_states > mask / 2) {
				printf("Bail out! more states than fit\n");
				exit(1);
			}
			seen[i] = key | left;
			return true;
		}
		if ((seen[i] & ~15ul) != key)
			continue;
		if ((int)(seen[i] & 15) >= left)
			return false;
		seen[i] = key | left;
		return true;
	}
}

/* ---- operations ---------------------------------------------------------- */

static const char *failure;

static void expect(bool good, const char *why)
{
	if (!good && !failure)
		failure = why;
}

static unsigned int bits(unsigned long pfn, unsigned int nr)
{
	return ((1u << nr) - 1) << pfn;
}

static void take(struct page *page, unsigned int order)
{
	unsigned long pfn = page_to_pfn(pa, page);

	expect(!(pfn & ((1ul << order) - 1)) && pfn + (1ul << order) <= PAGES,
	       "a block is not where it can be");
	if (failure)
		return;
	expect(!(model.taken & bits(pfn, 1 << order)), "given twice");
	expect(!(model.isolated & bits(pfn, 1 << order)), "out of isolation");
	model.taken |= bits(pfn, 1 << order);
	model.order[pfn] = order;
}

static bool do_alloc(unsigned int what)
{
	static const pa_gfp_t gfp[] = {
		PA_GFP_MEMALLOC, PA_GFP_MEMALLOC | PA_GFP_MOVABLE,
	};
	unsigned int order = what / 2;
	struct page *page = pa_alloc_pages(pa, gfp[what % 2], order);

	if (page)
		take(page, order);
	return page;
}

/* The what-th block in use. */
static bool do_free(unsigned int what)
{
	for (unsigned long pfn = 0; pfn < PAGES; pfn++) {
		unsigned int order = model.order[pfn];

		if (!(model.taken & bits(pfn, 1)))
			continue;
		if (!what--) {
			model.taken &= ~bits(pfn, 1 << order);
			pa_free_pages(pa, pfn_to_page(pa, pfn), order);
			return true;
		}
		pfn += (1ul << order) - 1;
	}
	return false;
}

static bool do_drain(unsigned int what)
{
	(void)what;
	pa_drain_all(pa);
	return true;
}

/* Drained at once: what is on a CPU's list is still given out. */
static bool do_isolate(unsigned int what)
{
	if (model.isolated ||
	    pa_isolate_range(pa, what * BLOCK, BLOCK) < 0)
		return false;
	model.isolated |= bits(what * BLOCK, BLOCK);
	pa_drain_all(pa);
	return true;
}

static bool do_unisolate(unsigned int what)
{
	(void)what;
	if (!model.isolated)
		return false;
	pa_unisolate_range(pa, 0, PAGES);
	model.isolated = 0;
	return true;
}

static bool do_contig(unsigned int what)
{
	unsigned long start = what ? 6 : 3, nr = what ? 2 : 3;

	if (model.isolated || pa_alloc_contig(pa, start, nr) < 0)
		return false;
	for (unsigned long i = 0; i < nr; i++)
		take(pfn_to_page(pa, start + i), 0);
	return true;
}

static const struct op {
	const char *name;
	bool (*run)(unsigned int what);	/* false: nothing was done */
	unsigned int nr;		/* what goes from 0 to this */
	bool conversion;		/* needs the patch of that name */
} ops[] = {
	{ "alloc", do_alloc, 8, false },
	{ "free", do_free, 6, false },
	{ "drain", do_drain, 1, false },
	{ "isolate", do_isolate, 2, true },
	{ "unisolate", do_unisolate, 1, true },
	{ "contig", do_contig, 2, true },
};

#define NR_OPS	(sizeof(ops) / sizeof(ops[0]))

static void check(void)
{
	struct pa_report r;

	if (failure)
		return;
	expect(pa_audit(pa, &r) == 0, "no memory for the audit");
	expect(r.allocated == (unsigned long)__builtin_popcount(model.taken),
	       "pages in use differ");
	expect(r.isolated == (unsigned long)__builtin_popcount(model.isolated &
							       ~model.taken),
	       "isolated pages differ");
	expect(!r.misplaced && !r.lost && !r.bad && !r.bad_state,
	       "a page is not where it should be");
	expect(!r.unmerged, "unmerged buddies");
	expect(!r.free_drift && !r.nr_free_drift && !r.pcp_drift &&
	       !r.cma_drift && !r.highatomic_drift, "a count is wrong");
	expect(!patch_applied(ACCOUNTING) || !r.type_mismatch,
	       "a block is on the list of another type");
}

/* The steps that led here, as far as they are known on the way back. */
static bool explore(int depth)
{
	bool conversion = patch_applied(CONVERSION);

	if (depth == depth_limit || !is_new(depth_limit - depth))
		return true;
	save(&saved[depth]);
	for (size_t i = 0; i < NR_OPS; i++) {
		for (unsigned int what = 0; what < ops[i].nr; what++) {
			if (ops[i].conversion && !conversion)
				continue;
			if (ops[i].run(what))
				check();
			if (failure || !explore(depth + 1)) {
				printf("# step %d: %s %u\n", depth + 1,
				       ops[i].name, what);
				return false;
			}
			restore(&saved[depth]);
		}
	}
	return true;
}

int main(int argc, char **argv)
{
	struct pa_config config = {
		.node_pages = PAGES, .pageblock_order = 2, .cpus = 1,
		.min_free_pages = 1, .pcp_batch = 2, .pcp_high = 4,
	};
	const char *longer = getenv("LONG");
	bool good;

	depth_limit = argc > 1 ? atoi(argv[1]) :
		      longer && *longer ? LONG_DEPTH : DEFAULT_DEPTH;
	if (depth_limit > MAX_DEPTH)
		depth_limit = MAX_DEPTH;
	seen = calloc(1ul << SEEN_BITS, sizeof(*seen));
	pa_set_cpu(0);
	if (!seen || pa_open(&config, &pa) < 0) {
		printf("Bail out! cannot be set up\n");
		return 1;
	}
	printf("1..1\n");
	good = explore(0);
	if (failure)
		printf("# %s\n", failure);
	printf("%sok 1 - all sequences of %d steps, %lu states\n",
	       good ? "" : "not ", depth_limit, nr_states);
	return !good;
}
