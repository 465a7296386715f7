/*
 * Every interleaving of a few threads, up to some preemptions.
 *
 * The threads are coroutines on one thread of the system, each on a virtual
 * CPU. At each point that the locks of a debug build offer (spinlock.h), the
 * turn may go to another one: a preemption. Which ones happen is a list of
 * numbers, and all lists are tried in order, depth first, each by a run from
 * the start. Two or three preemptions are enough for nearly all defects that
 * interleavings can show.
 *
 *	pa-debug-interleave [PREEMPTIONS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "mmzone.h"
#include "pa-applied.h"
#include "retype.h"

#define MAX_THREADS	3
#define MAX_POINTS	4096
#define MAX_STEPS	100000	/* of a run: then nobody gets anywhere */
#define STACK_SIZE	(256 << 10)

/* ---- the scheduler ------------------------------------------------------- */

struct thread {
	ucontext_t context;
	char *stack;
	void (*run)(struct pa *pa);
	int cpu;
	bool done;
};

/* A point where a choice was made: option 0 goes on with who has the turn. */
struct point {
	unsigned char options, chosen;
};

static struct {
	struct thread thread[MAX_THREADS];
	int nr_threads, current;
	ucontext_t main;
	struct pa *pa;
	struct point point[MAX_POINTS];
	unsigned int nr_points, fixed;	/* the first are given, then 0 */
	unsigned int steps;
	int preemptions, limit;
	bool stuck;
	bool on;
} sched;

static void switch_to(int next)
{
	struct thread *from = &sched.thread[sched.current];

	sched.current = next;
	pa_set_cpu(sched.thread[next].cpu);
	swapcontext(&from->context, &sched.thread[next].context);
}

/* Threads that could have the turn instead; fills other[]. */
static int others(int *other)
{
	int n = 0;

	for (int i = 1; i < sched.nr_threads; i++) {
		int t = (sched.current + i) % sched.nr_threads;

		if (!sched.thread[t].done)
			other[n++] = t;
	}
	return n;
}

static unsigned int choose(unsigned int options)
{
	struct point *p = &sched.point[sched.nr_points];

	if (sched.nr_points == MAX_POINTS) {
		sched.stuck = true;
		return 0;
	}
	if (sched.nr_points++ >= sched.fixed)
		p->chosen = 0;
	p->options = options;
	return p->chosen;
}

static void give_up(void)
{
	sched.on = false;
	swapcontext(&sched.thread[sched.current].context, &sched.main);
}

static void point(bool waiting)
{
	int other[MAX_THREADS], n;
	unsigned int c;

	if (!sched.on)
		return;
	sched.stuck |= ++sched.steps > MAX_STEPS;
	if (sched.stuck)
		give_up();
	n = others(other);
	if (!n) {
		sched.stuck |= waiting;
		return;
	}
	if (waiting) {
		/* in turn, so that all get one: no choice */
		switch_to(other[0]);
	} else if (sched.preemptions < sched.limit) {
		c = choose(n + 1);
		if (c) {
			sched.preemptions++;
			switch_to(other[c - 1]);
		}
	}
}

static void body(void)
{
	struct thread *t = &sched.thread[sched.current];
	int other[MAX_THREADS], n;

	t->run(sched.pa);
	t->done = true;
	n = others(other);
	if (n)
		switch_to(other[choose(n)]);
	sched.on = false;
	swapcontext(&t->context, &sched.main);
}

static void run_threads(void)
{
	sched.nr_points = 0;
	sched.preemptions = 0;
	sched.steps = 0;
	sched.stuck = false;
	sched.current = 0;
	for (int i = 0; i < sched.nr_threads; i++) {
		struct thread *t = &sched.thread[i];

		t->done = false;
		getcontext(&t->context);
		t->context.uc_stack.ss_sp = t->stack;
		t->context.uc_stack.ss_size = STACK_SIZE;
		t->context.uc_link = NULL;
		makecontext(&t->context, body, 0);
	}
	pa_set_cpu(sched.thread[0].cpu);
	sched.on = true;
	swapcontext(&sched.main, &sched.thread[0].context);
	sched.on = false;
	pa_set_cpu(0);
}

/* The next list of choices; false after the last. */
static bool next_list(void)
{
	unsigned int n = sched.nr_points;

	while (n && sched.point[n - 1].chosen + 1 >= sched.point[n - 1].options)
		n--;
	if (!n)
		return false;
	sched.point[n - 1].chosen++;
	sched.fixed = n;
	return true;
}

/* ---- scenarios ----------------------------------------------------------- */

#define PAGES	64

struct scenario {
	const char *name;
	struct pa_config config;
	void (*setup)(struct pa *pa);
	void (*thread[MAX_THREADS])(struct pa *pa);
	int cpu[MAX_THREADS];
	const char *(*check)(struct pa *pa, const struct pa_report *r);
	const char *patch;		/* that it takes to be sound, or NULL */
};

static struct page *held[PAGES];
static unsigned int nr_bugs;

static void count_bug(void *arg, enum pa_bug bug, struct page *page)
{
	(void)arg, (void)bug, (void)page;
	nr_bugs++;
}

static void take_everything(struct pa *pa)
{
	while (pa_alloc_pages(pa, PA_GFP_MOVABLE | PA_GFP_MEMALLOC, 0))
		;
}

/*
 * Half of a pageblock is free and the other half is about to be, in one piece
 * too large for the lists of a CPU. A request of another type claims the block.
 */
static void half_a_block(struct pa *pa)
{
	take_everything(pa);
	for (unsigned long pfn = 0; pfn < 16; pfn++)
		pa_free_pages(pa, pfn_to_page(pa, 32 + pfn), 0);
	pa_drain_all(pa);
	held[0] = pa_alloc_pages(pa, PA_GFP_MOVABLE | PA_GFP_MEMALLOC, 4);
	for (unsigned long pfn = 48; pfn < 64; pfn++)
		pa_free_pages(pa, pfn_to_page(pa, pfn), 0);
	pa_drain_all(pa);
}

static void free_half(struct pa *pa)
{
	pa_free_pages(pa, held[0], 4);
}

static void claim_block(struct pa *pa)
{
	held[1] = pa_alloc_pages(pa, PA_GFP_MEMALLOC, 3);
}

static const char *types_match(struct pa *pa, const struct pa_report *r)
{
	(void)pa;
	return r->type_mismatch ? "free pages on the list of another type" :
				  NULL;
}

/* Two threads on one CPU, and one that empties its lists. */
static void turn_over(struct pa *pa)
{
	struct page *a = pa_alloc_pages(pa, PA_GFP_KERNEL, 0);
	struct page *b = pa_alloc_pages(pa, PA_GFP_KERNEL, 1);

	if (a && a == b)
		nr_bugs++;
	if (a)
		pa_free_pages(pa, a, 0);
	if (b)
		pa_free_pages(pa, b, 1);
}

static void drain(struct pa *pa)
{
	pa_drain_all(pa);
}

static const char *all_free(struct pa *pa, const struct pa_report *r)
{
	(void)pa;
	return r->free + r->pcp != r->managed ? "pages are missing" : NULL;
}

static void two_pages(struct pa *pa)
{
	held[0] = pa_alloc_pages(pa, PA_GFP_MOVABLE, 0);
	held[1] = pa_alloc_pages(pa, PA_GFP_MOVABLE, 0);
	pa_drain_all(pa);
}

static void free_two(struct pa *pa)
{
	struct pa_list list;

	pa_list_init(&list);
	pa_list_add_page(&list, held[0]);
	pa_list_add_page(&list, held[1]);
	pa_free_page_list(pa, &list);
}

static void isolate_theirs(struct pa *pa)
{
	unsigned long pfn = page_to_pfn(pa, held[0]);

	if (pa_isolate_range(pa, pfn & ~31ul, 32) < 0)
		nr_bugs++;
}

/* Pages that were freed meanwhile may wait on a list, but not for long. */
static const char *stays_isolated(struct pa *pa, const struct pa_report *r)
{
	struct pa_report after;

	(void)r;
	pa_drain_all(pa);
	if (pa_audit(pa, &after) < 0)
		return "no memory";
	return after.isolated != 32 || after.pcp ? "a page got out" : NULL;
}

/*
 * The cpuset moves from node 0, where one page is left, to node 1, where one
 * is free, and then that of node 0 is taken. A request always has one.
 */
static void ask_inside(struct pa *pa)
{
	held[0] = pa_alloc_pages(pa, PA_GFP_USER | PA_GFP_MEMALLOC, 0);
}

static void move_nodes(struct pa *pa)
{
	pa_set_mems_allowed(pa, 2);
	pa_alloc_pages_node(pa, 0, PA_GFP_MEMALLOC | PA_GFP_THISNODE, 0);
}

static void one_page_a_node(struct pa *pa)
{
	take_everything(pa);
	pa_set_mems_allowed(pa, 1);
	pa_free_pages(pa, pfn_to_page(pa, 7), 0);
	pa_free_pages(pa, pfn_to_page(pa, PAGES + 7), 0);
	pa_drain_all(pa);
}

static const char *was_served(struct pa *pa, const struct pa_report *r)
{
	(void)pa, (void)r;
	return held[0] ? NULL : "a request saw no mask as it was";
}

static const struct scenario scenarios[] = {
	{ "freeing_and_stealing", { 0 }, half_a_block,
	  { free_half, claim_block }, { 0, 1 }, types_match, FREE_RACE },
	{ "drain_and_use", { 0 }, NULL,
	  { turn_over, drain, turn_over }, { 0, 1, 0 }, all_free, NULL },
	{ "use_of_one_cpu", { 0 }, NULL,
	  { turn_over, turn_over, turn_over }, { 0, 0, 0 }, all_free, NULL },
	{ "freeing_and_isolation", { 0 }, two_pages,
	  { free_two, isolate_theirs }, { 0, 1 }, stays_isolated, NULL },
	{ "a_cpuset_that_moves", { .nodes = 2 }, one_page_a_node,
	  { ask_inside, move_nodes }, { 0, 1 }, was_served, NULL },
};

#define NR_SCENARIOS	((int)(sizeof(scenarios) / sizeof(scenarios[0])))

static const char *run_once(const struct scenario *s)
{
	struct pa_config config = s->config;
	const char *why = NULL;
	struct pa_report r;

	config.node_pages = PAGES;
	config.pageblock_order = 5;
	config.min_free_pages = 1;
	config.pcp_batch = 2;
	config.pcp_high = 4;
	config.cpus = 2;
	config.bug = count_bug;
	nr_bugs = 0;
	memset(held, 0, sizeof(held));
	pa_set_cpu(0);
	if (pa_open(&config, &sched.pa) < 0)
		return "cannot be set up";
	if (s->setup)
		s->setup(sched.pa);
	run_threads();

	if (sched.stuck)
		why = "nobody can go on";
	else if (pa_audit(sched.pa, &r) < 0)
		why = "no memory for the audit";
	else if (nr_bugs)
		why = "a bug was reported";
	else if (r.misplaced || r.lost || r.bad || r.bad_state || r.unmerged)
		why = "a page is not where it should be";
	else if (r.free_drift || r.nr_free_drift || r.pcp_drift)
		why = "a count is wrong";
	else
		why = s->check(sched.pa, &r);
	if (!sched.stuck)
		pa_close(sched.pa);
	return why;
}

/* Which preemptions it took. */
static void print_list(const char *why)
{
	printf("# %s, by choices", why);
	for (unsigned int i = 0, n = 0; i < sched.nr_points && n < 8; i++)
		if (sched.point[i].chosen && ++n)
			printf(" %u:%u", i, sched.point[i].chosen);
	printf("\n");
}

static bool explore(int number, const struct scenario *s)
{
	bool applied = !s->patch || patch_applied(s->patch);
	unsigned long runs = 0;
	const char *why;

	sched.nr_threads = 0;
	for (int i = 0; i < MAX_THREADS && s->thread[i]; i++) {
		sched.thread[i].run = s->thread[i];
		sched.thread[i].cpu = s->cpu[i];
		sched.nr_threads++;
	}
	sched.fixed = 0;
	do {
		why = run_once(s);
		runs++;
	} while (!why && next_list());

	if (why)
		print_list(why);
	printf("# %s: %lu runs\n", s->name, runs);
	if (!s->patch) {
		printf("%sok %d - %s\n", why ? "not " : "", number, s->name);
		return !why;
	}
	return tap_fix(number, s->name, !why, s->patch) && (applied || why);
}

int main(int argc, char **argv)
{
	const char *longer = getenv("LONG");
	bool good = true;

	sched.limit = argc > 1 ? atoi(argv[1]) : longer && *longer ? 3 : 2;
	for (int i = 0; i < MAX_THREADS; i++) {
		sched.thread[i].stack = malloc(STACK_SIZE);
		if (!sched.thread[i].stack)
			return 1;
	}
	pa_sched_point = point;
	printf("1..%d\n", NR_SCENARIOS);
	for (int i = 0; i < NR_SCENARIOS; i++)
		good = explore(i + 1, &scenarios[i]) && good;
	return !good;
}
