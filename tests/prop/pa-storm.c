/*
 * Threads that lose their CPU anywhere: every page is there exactly once.
 *
 *	pa-storm [SEED [ROUNDS]]
 *
 * Threads allocate and free single pages of all kinds, and hand them to each
 * other, while they are moved between CPUs, get signals, end and are followed
 * by others, while per-CPU lists are drained under their hands, and while the
 * process forks. A page that is given to two at once is noticed when it is
 * given, by a mark beside it; one that got lost, by the audit at the end. A
 * child checks what it got a copy of, in the middle of the storm.
 *
 * The first run takes the CPU from rseq, if there is rseq; the second one is
 * this program again without it (GLIBC_TUNABLES).
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "forklock.h"
#include "percpu.h"

#define THREADS		6
#define SLOTS		512
#define HELD		160	/* pages of a thread, at most */
#define LIFE		20000	/* steps of a thread */
#define DEFAULT_ROUNDS	60	/* lives of a place for a thread */
#define NODE_PAGES	8192
#define FORKS		12

struct storm {
	struct pa *pa;
	_Atomic(struct page *) slot[SLOTS];
	atomic_uchar *taken;		/* by pfn */
	atomic_uint seed;
	atomic_int running;
	atomic_bool broken;
	unsigned int rounds;
	pthread_t place[THREADS];
	atomic_int tid[THREADS];	/* who lives there; 0: nobody */
};

struct home {
	struct storm *storm;
	int place;
};

static unsigned int next_random(unsigned int *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 8;
}

static void fail(struct storm *s, const char *what)
{
	if (!atomic_exchange(&s->broken, true))
		printf("# %s\n", what);
}

static struct page *get(struct storm *s, unsigned int kind)
{
	static const pa_gfp_t gfp[] = {
		PA_GFP_KERNEL, PA_GFP_HIGHUSER_MOVABLE,
		PA_GFP_KERNEL | PA_GFP_RECLAIMABLE, PA_GFP_ATOMIC,
	};
	struct page *page = pa_alloc_pages(s->pa, gfp[kind % 4], 0);

	if (!page)
		return NULL;
	if (atomic_exchange(&s->taken[page_to_pfn(s->pa, page)], 1))
		fail(s, "a page was given out twice");
	if (page->refcount != 1)
		fail(s, "a page came without a reference");
	return page;
}

static void put(struct storm *s, struct page *page)
{
	if (atomic_exchange(&s->taken[page_to_pfn(s->pa, page)], 0) != 1)
		fail(s, "a page was freed that nobody had");
	pa_free_pages(s->pa, page, 0);
}

/* A thread, 0 being the caller: from wherever it is in its work. */
static void move(pid_t tid, unsigned int to)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (int cpu = 0; cpu < 2; cpu++) {
		if (to % 3 != (unsigned int)cpu)
			CPU_SET(cpu, &set);
	}
	sched_setaffinity(tid, sizeof(set), &set);
}

static void *live(void *arg)
{
	struct home *home = arg;
	struct storm *s = home->storm;
	unsigned int seed = atomic_fetch_add(&s->seed, 7919);
	struct page *held[HELD];
	unsigned int n = 0;

	s->tid[home->place] = gettid();
	for (int i = 0; i < LIFE && !s->broken; i++) {
		unsigned int r = next_random(&seed);

		/* sometimes up to the brim and down again */
		if (n < HELD && (n == 0 || (r >> (i / 1000 % 2)) % 5 < 3)) {
			held[n] = get(s, r >> 4);
			n += held[n] != NULL;
		} else {
			put(s, held[--n]);
		}
		if (r % 7 == 0 && n)
			held[n - 1] = atomic_exchange(&s->slot[r / 7 % SLOTS],
						      held[n - 1]);
		if (n && !held[n - 1])
			n--;
		if (r % 509 == 0)
			move(0, r / 509);
		if (r % 4001 == 0)
			pa_drain_all(s->pa);
	}
	while (n)
		put(s, held[--n]);
	s->tid[home->place] = 0;
	return NULL;
}

/* A place is taken by one thread after the other. */
static void *lives(void *arg)
{
	struct home *home = arg;
	struct storm *s = home->storm;

	for (unsigned int i = 0; i < s->rounds; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, live, home)) {
			fail(s, "no thread");
			break;
		}
		pthread_join(thread, NULL);
	}
	atomic_fetch_sub(&s->running, 1);
	return NULL;
}

static bool report_sound(const struct pa_report *r)
{
	return !(r->misplaced || r->free_drift || r->nr_free_drift ||
		 r->bad_state || r->pcp_drift || r->bad);
}

/*
 * All but this thread are gone. What they had stays theirs; what they were
 * about to get or to give may be nowhere, one page for each of them.
 */
static int look_at_the_copy(struct storm *s)
{
	static struct page *pages[NODE_PAGES];
	struct pa_report before, after;
	size_t n = 0;

	if (pa_audit(s->pa, &before) < 0 || !report_sound(&before) ||
	    before.lost > THREADS)
		return 1;
	pa_drain_all(s->pa);
	if (pa_audit(s->pa, &after) < 0 || !report_sound(&after) || after.pcp ||
	    after.free != before.free + before.pcp)
		return 2;
	while (n < NODE_PAGES &&
	       (pages[n] = pa_alloc_pages(s->pa, PA_GFP_KERNEL, 0)))
		pages[n++]->index = 0;
	for (size_t i = 0; i < n; i++) {
		if (pages[i]->index++)
			return 3;
	}
	while (n)
		pa_free_pages(s->pa, pages[--n], 0);
	pa_drain_all(s->pa);
	return pa_audit(s->pa, &before) < 0 || !report_sound(&before) ||
	       before.free != after.free;
}

static void fork_in_the_storm(struct storm *s)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pa_fork_lock(s->pa);
	pid = fork();
	pa_fork_unlock(s->pa);
	if (!pid)
		_exit(look_at_the_copy(s));
	if (pid < 0 || waitpid(pid, &status, 0) < 0 || status) {
		printf("# the child says %d\n", pid < 0 ? -1 : status >> 8);
		fail(s, "a copy is not sound");
	}
}

static void on_signal(int signal)
{
	(void)signal;
}

static bool storm(unsigned int seed, unsigned int rounds)
{
	struct pa_config config = { .node_pages = NODE_PAGES,
				    .movable_pages = NODE_PAGES / 4 };
	struct storm s = { .seed = seed, .rounds = rounds,
			   .running = THREADS };
	struct sigaction action = { .sa_handler = on_signal };
	struct home homes[THREADS];
	struct pa_report r;
	sigset_t usr1;

	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	s.taken = calloc(NODE_PAGES, 1);
	if (!s.taken || pa_open(&config, &s.pa) < 0)
		return false;
	/* of the first use on, so that a fork finds it */
	pa_kfree(s.pa, pa_kmalloc(s.pa, 8, PA_GFP_KERNEL));
	for (int i = 0; i < THREADS; i++) {
		homes[i] = (struct home){ &s, i };
		pthread_create(&s.place[i], NULL, lives, &homes[i]);
	}
	/* signals are for the others */
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	for (int i = 0; s.running; i++) {
		pid_t tid = s.tid[i % THREADS];

		if (i % 512 == 0 && i / 512 < FORKS)
			fork_in_the_storm(&s);
		kill(getpid(), SIGUSR1);
		if (tid && i % 4 == 0)
			move(tid, next_random(&seed));
		if (i % 64 == 0)
			usleep(50);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(s.place[i], NULL);
	for (int i = 0; i < SLOTS; i++) {
		if (s.slot[i])
			put(&s, s.slot[i]);
	}
	pa_kmalloc_shrink(s.pa);
	pa_drain_all(s.pa);
	if (pa_audit(s.pa, &r) < 0 || !report_sound(&r) || r.lost ||
	    r.unmerged || r.pcp || r.free != r.managed - r.allocated)
		fail(&s, "not every page is there exactly once");
	for (unsigned long pfn = 0; pfn < NODE_PAGES; pfn++) {
		if (s.taken[pfn])
			fail(&s, "a page is still marked");
	}
	pa_close(s.pa);
	free(s.taken);
	return !s.broken;
}

static bool without_rseq(char **argv)
{
	char *envp[] = { "GLIBC_TUNABLES=glibc.pthread.rseq=0",
			 "PA_STORM=again", NULL };
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		execve(argv[0], argv, envp);
		_exit(99);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

int main(int argc, char **argv)
{
	unsigned int seed = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;
	unsigned int rounds = argc > 2 ? strtoul(argv[2], NULL, 0) :
					 DEFAULT_ROUNDS;
	bool sound;

	if (getenv("PA_STORM")) {
		if (pa_rseq_cpu() >= 0)
			printf("# there is rseq, and should not be\n");
		return !(storm(seed, rounds) && pa_rseq_cpu() < 0);
	}
	printf("1..2\n");
	sound = storm(seed, rounds);
	printf("%s 1 - seed %u, %s rseq\n", sound ? "ok" : "not ok", seed,
	       pa_rseq_cpu() >= 0 ? "with" : "without");
	if (!without_rseq(argv)) {
		sound = false;
		printf("not ");
	}
	printf("ok 2 - seed %u, without rseq\n", seed);
	return !sound;
}
