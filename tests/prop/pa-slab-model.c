/*
 * Slabs under random operations, first alone against a model, then by threads
 * that share CPUs.
 *
 * The model is the table of objects that are out, each filled with a pattern of
 * its own. After each free or resize of the table the pattern must be whole,
 * and every few steps the audit of each cache must count what the table does.
 * The threads change their CPU before most operations and hand objects to each
 * other, so that the parts of one CPU are used from several threads at once,
 * each believing to be on that CPU: what a migration between two instructions
 * looks like, all the time. Last, all threads take and free the same few
 * objects of one CPU and are stopped by signals between any two instructions,
 * so that a list is as it was and yet has changed (ABA); each claims what it
 * was given, and finds it claimed if it was given twice.
 *
 *	pa-slab-model [SEED [STEPS]]
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pagealloc.h"

#define NR_CACHES	4	/* and kmalloc as the last "cache" */
#define MAX_OBJECTS	6000
#define AUDIT_EVERY	64
#define DEFAULT_STEPS	30000
#define NR_SEEDS	6
#define NR_THREADS	4
#define NR_SHARED	256

struct object {
	unsigned char *p;
	unsigned int size, cache;
	unsigned char tag;
};

struct random {
	uint64_t state;
};

struct model {
	struct pa *pa;
	struct pa_cache *cache[NR_CACHES];
	unsigned int size[NR_CACHES];
	unsigned long out[NR_CACHES + 1];
	struct object objects[MAX_OBJECTS];
	unsigned int nr;
	unsigned int cpus;
	struct random random;
	const char *failure;
};

static unsigned long below(struct random *r, unsigned long n)
{
	uint64_t x = r->state += 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return (x ^ (x >> 31)) % n;
}

static void fail(struct model *m, const char *why)
{
	if (!m->failure)
		m->failure = why;
}

static void note_bug(void *arg, const struct pa_object_bug *bug)
{
	(void)bug;
	fail(arg, "a bug was reported that is none");
}

static void *get(struct model *m, struct random *r, unsigned int cache,
		 unsigned int *size)
{
	if (cache < NR_CACHES) {
		*size = m->size[cache];
		return pa_cache_alloc(m->cache[cache], 0);
	}
	*size = 1 + below(r, below(r, 8) ? 512 : 12000);
	return pa_kmalloc(m->pa, *size, 0);
}

static void put(struct model *m, const struct object *o)
{
	for (unsigned int i = 0; i < o->size; i++) {
		if (o->p[i] != o->tag)
			fail(m, "an object was written to by others");
	}
	if (o->cache < NR_CACHES && o->tag & 1)
		pa_cache_free(m->cache[o->cache], o->p);
	else
		pa_kfree(m->pa, o->p);
}

static void do_alloc(struct model *m)
{
	struct object *o = &m->objects[m->nr];

	o->cache = below(&m->random, NR_CACHES + 1);
	o->p = get(m, &m->random, o->cache, &o->size);
	if (!o->p)
		return;		/* the arena is small: also a case */
	o->tag = below(&m->random, 256);
	memset(o->p, o->tag, o->size);
	m->out[o->cache]++;
	m->nr++;
}

static void do_free(struct model *m)
{
	unsigned int i = below(&m->random, m->nr);

	put(m, &m->objects[i]);
	m->out[m->objects[i].cache]--;
	m->objects[i] = m->objects[--m->nr];
}

/* Long runs of one kind fill and empty slabs; a single step rarely does. */
static void do_steps(struct model *m)
{
	unsigned long n = 1 + below(&m->random, 200);
	bool alloc = below(&m->random, 2);

	if (!below(&m->random, 20))
		pa_cache_shrink(m->cache[below(&m->random, NR_CACHES)]);
	while (n--) {
		if (!below(&m->random, 4))
			pa_set_cpu(below(&m->random, m->cpus));
		if (alloc && m->nr < MAX_OBJECTS)
			do_alloc(m);
		else if (m->nr)
			do_free(m);
	}
}

static void check(struct model *m)
{
	struct pa_report pages;

	for (int i = 0; i < NR_CACHES; i++) {
		struct pa_cache_report r;

		if (pa_cache_audit(m->cache[i], &r) < 0)
			fail(m, "no memory for the audit");
		else if (r.count_drift || r.bad_link || r.misplaced ||
			 r.list_drift || r.in_use + r.free != r.objects)
			fail(m, "a cache is not sound");
		else if (r.in_use != m->out[i])
			fail(m, "the cache counts other objects than we do");
	}
	if (pa_audit(m->pa, &pages) < 0 || pages.misplaced || pages.lost ||
	    pages.bad || pages.bad_state || pages.pcp_drift)
		fail(m, "the pages are not sound");
}

static bool open_model(struct model *m, unsigned long seed)
{
	struct pa_config config = { .pageblock_order = 3, .arg = m,
				    .object_bug = note_bug };

	*m = (struct model){ .random = { seed } };
	m->cpus = 1 + below(&m->random, 4);
	config.cpus = m->cpus;
	config.nodes = 1 + below(&m->random, 2);
	config.node_pages = 256 << below(&m->random, 4);
	if (pa_open(&config, &m->pa) < 0)
		return false;
	for (int i = 0; i < NR_CACHES; i++) {
		static const unsigned int flags[] = {
			0, PA_CACHE_RECLAIMABLE, PA_CACHE_RED_ZONE,
			PA_CACHE_RED_ZONE | PA_CACHE_POISON };
		struct pa_cache_config c = { .name = "model",
					     .flags = flags[i] };

		c.size = 1 + below(&m->random, below(&m->random, 3) ? 300 :
				   PA_CACHE_MAX_SIZE);
		m->size[i] = c.size;
		if (pa_cache_create(m->pa, &c, &m->cache[i]) < 0)
			return false;
	}
	return true;
}

static void close_model(struct model *m)
{
	struct pa_report r;

	for (int i = 0; i < NR_CACHES; i++) {
		if (pa_cache_destroy(m->cache[i]) < 0 && !m->failure)
			fail(m, "an empty cache does not end");
	}
	pa_kmalloc_shrink(m->pa);
	pa_drain_all(m->pa);
	/* what is left are the kmalloc caches themselves */
	if (pa_audit(m->pa, &r) < 0 || r.allocated > 8 || r.free_drift)
		fail(m, "pages are missing at the end");
	pa_set_cpu(-1);
	pa_close(m->pa);
}

static bool report(struct model *m, unsigned int number, unsigned long seed,
		   unsigned long steps, const char *what)
{
	if (m->failure)
		printf("# %s: pa-slab-model %lu %lu\n", m->failure, seed,
		       steps);
	printf("%sok %u - %s, seed %lu\n", m->failure ? "not " : "", number,
	       what, seed);
	return !m->failure;
}

static bool run_alone(unsigned int number, unsigned long seed,
		      unsigned long steps)
{
	static struct model m;

	if (!open_model(&m, seed)) {
		fail(&m, "cannot be set up");
		return report(&m, number, seed, steps, "model");
	}
	for (unsigned long done = 0; done < steps && !m.failure; done += 100) {
		do_steps(&m);
		if (done / 100 % (AUDIT_EVERY / 4) == 0)
			check(&m);
	}
	while (m.nr)
		do_free(&m);
	check(&m);
	close_model(&m);
	return report(&m, number, seed, steps, "model");
}

/* ---- threads ---- */

struct shared {
	struct model *m;
	struct object *slot[NR_SHARED];	/* swapped atomically */
	unsigned long steps;
};

struct worker {
	pthread_t thread;
	struct shared *shared;
	struct random random;
	const char *failure;
};

/* Puts a new object into a slot and frees what was there. */
static void swap_object(struct worker *w, struct object *o)
{
	struct shared *s = w->shared;
	struct model *m = s->m;
	struct object *old;
	void *p = NULL;

	if (o) {
		o->cache = below(&w->random, NR_CACHES + 1);
		p = get(m, &w->random, o->cache, &o->size);
		o->p = p;
		o->tag = below(&w->random, 256);
		if (p)
			memset(p, o->tag, o->size);
	}
	if (below(&w->random, 2))
		pa_set_cpu(below(&w->random, m->cpus));
	old = __atomic_exchange_n(&s->slot[below(&w->random, NR_SHARED)],
				  p ? o : NULL, __ATOMIC_ACQ_REL);
	if (o && !p)
		free(o);
	if (!old)
		return;
	for (unsigned int i = 0; i < old->size; i++) {
		if (old->p[i] != old->tag)
			w->failure = "an object was written to by others";
	}
	if (old->cache < NR_CACHES)
		pa_cache_free(m->cache[old->cache], old->p);
	else
		pa_kfree(m->pa, old->p);
	free(old);
}

static void *work(void *arg)
{
	struct worker *w = arg;

	for (unsigned long i = 0; i < w->shared->steps && !w->failure; i++) {
		if (below(&w->random, 4))
			pa_set_cpu(below(&w->random, w->shared->m->cpus));
		if (!below(&w->random, 1000))
			pa_cache_shrink(w->shared->m->cache[
				below(&w->random, NR_CACHES)]);
		swap_object(w, below(&w->random, 3) ?
			    calloc(1, sizeof(struct object)) : NULL);
	}
	return NULL;
}

static void empty_slots(struct shared *s)
{
	for (int i = 0; i < NR_SHARED; i++) {
		if (!s->slot[i])
			continue;
		put(s->m, s->slot[i]);
		free(s->slot[i]);
	}
}

static bool run_threads(unsigned int number, unsigned long seed,
			unsigned long steps)
{
	static struct model m;
	struct shared s = { .m = &m, .steps = steps };
	struct worker w[NR_THREADS];

	if (!open_model(&m, seed)) {
		fail(&m, "cannot be set up");
		return report(&m, number, seed, steps, "threads");
	}
	for (int i = 0; i < NR_THREADS; i++) {
		w[i] = (struct worker){ .shared = &s,
					.random = { seed * 100 + i } };
		if (pthread_create(&w[i].thread, NULL, work, &w[i]))
			abort();
	}
	for (int i = 0; i < NR_THREADS; i++) {
		pthread_join(w[i].thread, NULL);
		if (w[i].failure)
			fail(&m, w[i].failure);
	}
	pa_set_cpu(0);
	empty_slots(&s);
	check(&m);
	close_model(&m);
	return report(&m, number, seed, steps, "threads");
}

/* ---- the same few objects for all ---- */

struct storm {
	pthread_t thread;
	struct pa_cache *cache;
	struct random random;
	unsigned long steps, twice;
	bool done;
};

/* The first word may be the link of a free object; the second is the claim. */
struct claimed {
	void *link;
	unsigned long claim;
};

static void *storm_work(void *arg)
{
	struct storm *s = arg;
	struct claimed *held[3] = { NULL };

	pa_set_cpu(0);
	for (unsigned long i = 0; i < s->steps; i++) {
		struct claimed **p = &held[below(&s->random, 3)];

		if (*p) {
			__atomic_store_n(&(*p)->claim, 0, __ATOMIC_RELAXED);
			pa_cache_free(s->cache, *p);
			*p = NULL;
			continue;
		}
		*p = pa_cache_alloc(s->cache, 0);
		if (!*p || __atomic_exchange_n(&(*p)->claim, 1,
					       __ATOMIC_RELAXED)) {
			s->twice++;
			break;		/* both holders would free it */
		}
	}
	for (int i = 0; i < 3 && !s->twice; i++) {
		if (held[i])
			__atomic_store_n(&held[i]->claim, 0, __ATOMIC_RELAXED);
		pa_cache_free(s->cache, held[i]);
	}
	__atomic_store_n(&s->done, true, __ATOMIC_RELEASE);
	return NULL;
}

/* Objects begin unclaimed: one life of each clears them. */
static void clear_objects(struct pa_cache *cache)
{
	void *objects[512];

	for (int i = 0; i < 512; i++)
		objects[i] = pa_cache_alloc(cache, PA_GFP_ZERO);
	for (int i = 0; i < 512; i++)
		pa_cache_free(cache, objects[i]);
}

/* Away from the CPU, wherever the thread is. */
static void on_signal(int number)
{
	(void)number;
	sched_yield();
}

static void disturb(struct storm *s)
{
	bool all = false;

	while (!all) {
		struct timespec pause = { .tv_nsec = 50000 };

		all = true;
		for (int i = 0; i < NR_THREADS; i++) {
			if (__atomic_load_n(&s[i].done, __ATOMIC_ACQUIRE))
				continue;
			all = false;
			pthread_kill(s[i].thread, SIGUSR1);
		}
		nanosleep(&pause, NULL);
	}
}

static bool run_storm(unsigned int number, unsigned long steps)
{
	static struct model m;
	struct pa_cache_config c = { .name = "storm",
				     .size = sizeof(struct claimed) };
	struct pa_cache *cache;
	struct storm s[NR_THREADS];

	if (!open_model(&m, 1) || pa_cache_create(m.pa, &c, &cache) < 0) {
		fail(&m, "cannot be set up");
		return report(&m, number, 1, steps, "storm");
	}
	pa_set_cpu(0);
	clear_objects(cache);
	signal(SIGUSR1, on_signal);
	for (int i = 0; i < NR_THREADS; i++) {
		s[i] = (struct storm){ .cache = cache, .random = { i },
				       .steps = steps };
		if (pthread_create(&s[i].thread, NULL, storm_work, &s[i]))
			abort();
	}
	disturb(s);
	for (int i = 0; i < NR_THREADS; i++) {
		pthread_join(s[i].thread, NULL);
		if (s[i].twice)
			fail(&m, "an object was given to two at once");
	}
	if (!m.failure && pa_cache_destroy(cache) < 0)
		fail(&m, "an object was lost");
	close_model(&m);
	return report(&m, number, 1, steps, "storm");
}

int main(int argc, char **argv)
{
	const char *wants_long = getenv("LONG");
	unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	unsigned long steps = argc > 2 ? strtoul(argv[2], NULL, 0) :
			      wants_long && *wants_long ? 20 * DEFAULT_STEPS :
							  DEFAULT_STEPS;
	unsigned int first = seed ? seed : 1;
	unsigned int last = seed ? seed : NR_SEEDS;
	bool good = true;
	unsigned int number = 0;

	printf("1..%u\n", 2 * (last - first + 1) + 1);
	for (unsigned int i = first; i <= last; i++) {
		good = run_alone(++number, i, steps) && good;
		good = run_threads(++number, i, steps) && good;
	}
	return !run_storm(++number, 200 * steps) || !good;
}
