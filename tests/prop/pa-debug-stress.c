/*
 * Threads, and then processes, at random on one instance, with the notes of a
 * debug build on. What a worker has carries its mark from end to end; a mark
 * that changed, a report, and an audit that is not clean are failures.
 *
 *	pa-debug-stress [STEPS [SEED]]
 *
 * Under ThreadSanitizer it is also about what the threads may read of each
 * other, under AddressSanitizer about free pages, which are out of bounds.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mmzone.h"
#include "pa-applied.h"

#define WORKERS		4
#define MAX_BLOCKS	64
#define DEFAULT_STEPS	20000
#define LONG_STEPS	2000000
#define PAGES		2048
#define CPUS		2	/* fewer than workers, so that they meet */

#if defined(__SANITIZE_THREAD__)
#define FORKS	false		/* it knows one process */
#else
#define FORKS	true
#endif

/* In shared memory, for processes. */
struct common {
	struct pa *pa;
	atomic_ulong bugs, marks, served;
	unsigned long steps, seed;
	char what[1000];	/* of the first bug */
};

struct worker {
	struct common *common;
	uint64_t random, mark;
	struct {
		struct page *page;
		unsigned int order;
	} block[MAX_BLOCKS];
	unsigned int nr;
};

static unsigned long below(struct worker *w, unsigned long n)
{
	uint64_t x = w->random += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return (x ^ (x >> 31)) % n;
}

static void note_bug(void *arg, const struct pa_page_bug *bug)
{
	struct common *c = arg;

	if (!atomic_fetch_add(&c->bugs, 1))
		pa_page_bug_text(c->what, sizeof(c->what), bug);
}

static void note_state(void *arg, enum pa_bug bug, struct page *page)
{
	struct common *c = arg;

	(void)page;
	if (!atomic_fetch_add(&c->bugs, 1))
		snprintf(c->what, sizeof(c->what), "bug %d", bug);
}

static void take(struct worker *w, struct page *page, unsigned int order)
{
	uint64_t *word = pa_page_address(w->common->pa, page);
	size_t last = (PA_PAGE_SIZE << order) / sizeof(*word) - 1;

	word[0] = word[last] = w->mark;
	w->block[w->nr].page = page;
	w->block[w->nr++].order = order;
	atomic_fetch_add_explicit(&w->common->served, 1, memory_order_relaxed);
}

static struct page *give_up(struct worker *w, unsigned int at,
			    unsigned int *order)
{
	struct page *page = w->block[at].page;
	uint64_t *word = pa_page_address(w->common->pa, page);

	*order = w->block[at].order;
	if (word[0] != w->mark ||
	    word[(PA_PAGE_SIZE << *order) / sizeof(*word) - 1] != w->mark)
		atomic_fetch_add(&w->common->marks, 1);
	w->block[at] = w->block[--w->nr];
	return page;
}

static void alloc_one(struct worker *w)
{
	static const pa_gfp_t gfp[] = {
		PA_GFP_KERNEL, PA_GFP_ATOMIC, PA_GFP_HIGHUSER_MOVABLE,
		PA_GFP_KERNEL | PA_GFP_RECLAIMABLE, PA_GFP_KERNEL | PA_GFP_COMP,
	};
	unsigned int order = below(w, 3) ? 0 : below(w, 6);
	struct page *page;

	if (w->nr == MAX_BLOCKS)
		return;
	page = pa_alloc_pages(w->common->pa, gfp[below(w, 5)], order);
	if (page)
		take(w, page, order);
}

static void free_one(struct worker *w)
{
	unsigned int order;
	struct page *page;

	if (!w->nr)
		return;
	page = give_up(w, below(w, w->nr), &order);
	pa_free_pages(w->common->pa, page, order);
}

static void bulk(struct worker *w)
{
	struct page *pages[16];
	unsigned long n;

	if (w->nr + 16 > MAX_BLOCKS)
		return;
	n = pa_alloc_bulk(w->common->pa, PA_GFP_KERNEL, 16, pages);
	for (unsigned long i = 0; i < n; i++)
		take(w, pages[i], 0);
}

static void free_list(struct worker *w)
{
	unsigned int order;
	struct pa_list list;

	pa_list_init(&list);
	for (unsigned int at = 0; at < w->nr;) {
		if (w->block[at].order)
			at++;
		else
			pa_list_add_page(&list, give_up(w, at, &order));
	}
	pa_free_page_list(w->common->pa, &list);
}

/* Before that patch a free block must not stick out of the range. */
static void isolate(struct worker *w)
{
	unsigned long size = patch_applied(CONVERSION) ? 64 : 1024;

	if (pa_isolate_range(w->common->pa, below(w, PAGES / size) * size,
			     size) == 0)
		sched_yield();
}

static void step(struct worker *w)
{
	unsigned long what = below(w, 100);

	if (what < 45)
		alloc_one(w);
	else if (what < 85)
		free_one(w);
	else if (what < 89)
		bulk(w);
	else if (what < 93)
		free_list(w);
	else if (what < 97)
		pa_set_cpu(below(w, CPUS));
	else if (what < 98)
		pa_drain_all(w->common->pa);
	else if (what < 99)
		isolate(w);
	else
		pa_unisolate_range(w->common->pa, 0, PAGES);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	pa_set_cpu(w->mark % CPUS);
	for (unsigned long i = 0; i < w->common->steps; i++)
		step(w);
	while (w->nr)
		free_one(w);
	pa_set_cpu(-1);
	return NULL;
}

static void run_threads(struct worker *w)
{
	pthread_t thread[WORKERS];
	int n = 0;

	while (n < WORKERS && !pthread_create(&thread[n], NULL, work, &w[n]))
		n++;
	while (n)
		pthread_join(thread[--n], NULL);
}

/* Each child has a copy of its worker, and its part of the instance. */
static void run_processes(struct worker *w)
{
	int left = 0, status;

	for (int i = 0; i < WORKERS; i++) {
		pid_t pid = fork();

		if (!pid) {
			work(&w[i]);
			_exit(0);
		}
		left += pid > 0;
	}
	while (left--) {
		if (wait(&status) < 0 || status)
			atomic_fetch_add(&w->common->bugs, 1);
	}
}

static const char *check(struct common *c)
{
	struct pa_report r;

	pa_unisolate_range(c->pa, 0, PAGES);
	pa_drain_all(c->pa);
	if (pa_audit(c->pa, &r) < 0)
		return "no memory for the audit";
	if (atomic_load(&c->bugs))
		return *c->what ? c->what : "a worker died";
	if (atomic_load(&c->marks))
		return "somebody wrote to a block of another";
	if (r.free != r.managed)
		return "not all is free at the end";
	if (r.misplaced || r.unmerged || r.free_drift || r.cma_drift ||
	    r.nr_free_drift || r.lost || r.bad_state || r.highatomic_drift ||
	    r.pcp_drift)
		return "the audit is not clean";
	if (atomic_load(&c->served) < c->steps)
		return "hardly anything was served";
	return NULL;
}

static bool stress(int number, const char *what, struct common *c,
		   void (*run)(struct worker *))
{
	static struct worker worker[WORKERS];
	struct pa_config config = {
		.node_pages = PAGES, .pageblock_order = 6, .cpus = CPUS,
		.pcp_batch = 8, .page_bug = note_bug, .bug = note_state,
		.shared = true, .arg = c,
	};
	const char *why;

	atomic_store(&c->bugs, 0);
	atomic_store(&c->marks, 0);
	atomic_store(&c->served, 0);
	if (pa_open(&config, &c->pa) < 0) {
		printf("not ok %d - %s: cannot be set up\n", number, what);
		return false;
	}
	for (int i = 0; i < WORKERS; i++)
		worker[i] = (struct worker){ .common = c, .mark = i + 1,
					     .random = c->seed * 100 + i };
	run(worker);
	why = check(c);
	pa_close(c->pa);
	if (why)
		printf("# %s\n", why);
	printf("%sok %d - %s, seed %lu\n", why ? "not " : "", number, what,
	       c->seed);
	return !why;
}

int main(int argc, char **argv)
{
	struct common *c = mmap(NULL, sizeof(*c), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const char *longer = getenv("LONG");
	bool good;

	if (c == MAP_FAILED)
		return 1;
	c->steps = argc > 1 ? strtoul(argv[1], NULL, 0) :
		   longer && *longer ? LONG_STEPS : DEFAULT_STEPS;
	c->seed = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
	printf("1..2\n");
	fflush(stdout);
	good = stress(1, "threads", c, run_threads);
	fflush(stdout);
	if (!FORKS)
		printf("ok 2 - processes # SKIP not under ThreadSanitizer\n");
	else
		good = stress(2, "processes", c, run_processes) && good;
	return !good;
}
