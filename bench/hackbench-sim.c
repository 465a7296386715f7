/*
 * Objects that one CPU allocates and another frees, as messages between senders
 * and receivers are: each group is some senders and one receiver, joined by a
 * ring. A message is a header of 256 bytes and a body of 1024, both written,
 * as a socket's buffers are.
 *
 * One thread plays all members of all groups in turn, the receivers on the
 * other CPU, so the work does not depend on how the system schedules them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "pagealloc.h"

#define HEAD_BYTES	256
#define BODY_BYTES	1024
#define RING		64	/* messages on their way in a group */
#define MAX_GROUPS	64

static const char usage[] =
"usage: hackbench-sim [options]\n"
"  -g N     groups, at most 64                            [10]\n"
"  -l N     messages of each group in a slice             [256]\n"
"  -s N     slices                                        [40]\n"
"  -a MIB   size of the arena                             [32]\n"
"  -h       this text\n"
"\n"
"Prints time, the smallest over all slices, in ns a message.\n";

struct message {
	void *head, *body;
};

struct run {
	unsigned long groups, loops, slices, arena_mib;
	struct pa *pa;
	struct pa_cache *heads;
	struct message ring[MAX_GROUPS][RING];
};

static void send_message(struct run *r, struct message *m)
{
	m->head = pa_cache_alloc(r->heads, PA_GFP_KERNEL);
	m->body = pa_kmalloc(r->pa, BODY_BYTES, PA_GFP_KERNEL);
	if (!m->head || !m->body)
		bench_die("hackbench-sim: the arena is too small");
	memset(m->head, 1, HEAD_BYTES);
	memset(m->body, 2, 100);
}

static void receive_message(struct run *r, struct message *m)
{
	pa_kfree(r->pa, m->body);
	pa_cache_free(r->heads, m->head);
}

static void exchange(struct run *r)
{
	for (unsigned long i = 0; i < r->loops; i += RING) {
		pa_set_cpu(0);
		for (unsigned long g = 0; g < r->groups; g++) {
			for (int k = 0; k < RING; k++)
				send_message(r, &r->ring[g][k]);
		}
		pa_set_cpu(1);
		for (unsigned long g = 0; g < r->groups; g++) {
			for (int k = 0; k < RING; k++)
				receive_message(r, &r->ring[g][k]);
		}
	}
}

int main(int argc, char **argv)
{
	static struct run r = { .groups = 10, .loops = 256, .slices = 40,
				.arena_mib = 32 };
	const struct bench_option options[] = {
		{ 'g', &r.groups, 1, MAX_GROUPS, NULL, NULL },
		{ 'l', &r.loops, RING, 1000000, NULL, NULL },
		{ 's', &r.slices, 1, 1000000, NULL, NULL },
		{ 'a', &r.arena_mib, 16, 65536, NULL, NULL },
		{ 0, NULL, 0, 0, NULL, NULL },
	};
	struct pa_config config = { .cpus = 2 };
	struct pa_cache_config cache = { .name = "heads", .size = HEAD_BYTES };
	struct bench_metric m = { "hackbench-sim", "time", "ns", false };
	struct bench_min min = { 0 };
	struct bench_clock clock;

	bench_options(argc, argv, options, usage);
	config.node_pages = r.arena_mib << (20 - PA_PAGE_SHIFT);
	if (pa_open(&config, &r.pa) < 0 ||
	    pa_cache_create(r.pa, &cache, &r.heads) < 0)
		bench_die("hackbench-sim: no memory for the arena");
	r.loops -= r.loops % RING;
	bench_clock_init(&clock);
	exchange(&r);
	for (unsigned long i = 0; i < r.slices; i++) {
		uint64_t start = bench_ticks();

		exchange(&r);
		bench_min_add(&min, (bench_ticks() - start - clock.overhead) *
			      clock.ns_per_tick / (r.groups * r.loops));
	}
	bench_print(&m, &min);
	pa_close(r.pa);
	return 0;
}
