/*
 * Objects that one CPU allocates and another frees, as messages between senders
 * and receivers are: each group is some senders and one receiver, joined by a
 * ring. A message is a header of 256 bytes and a body of 1024, both written,
 * as a socket's buffers are.
 *
 * One thread plays all members of all groups in turn, the receivers on the
 * other CPU, so the work does not depend on how the system schedules them. Or,
 * with -T and -P, a sender and a receiver of each group are threads or
 * processes of their own, which really meet.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "pagealloc.h"
#include "slices.h"
#include "throughput.h"

#define HEAD_BYTES	256
#define BODY_BYTES	1024
#define RING		64	/* messages on their way in a group */
#define MAX_GROUPS	64
#define LINE		64	/* bytes that CPUs give each other at once */

static const char usage[] =
"usage: hackbench-sim [options]\n"
"  -g N     groups, at most 64                            [10]\n"
"  -l N     messages of each group in a slice             [256]\n"
"  -s N     slices                                        [40]\n"
"  -a MIB   size of the arena                             [32]\n"
"  -T       each sender and receiver is a thread, -g at most 32\n"
"  -P       each is a process\n"
"  -w N     windows of 1 ms, with -T and -P               [200]\n"
"  -h       this text\n"
"\n"
"Prints time, the smallest over all slices, in ns a message; with -T or -P\n"
"messages-threads or messages-processes, messages/s of all groups: the median\n"
"of those windows in which nobody was taken off his CPU.\n";

struct message {
	void *head, *body;
};

/* Of a group: who sends writes sent, who receives writes received. */
struct ring {
	_Alignas(LINE) atomic_ulong sent;
	_Alignas(LINE) atomic_ulong received;
	_Alignas(LINE) struct message slot[RING];
};

struct run {
	unsigned long groups, loops, slices, arena_mib, windows;
	bool threads, processes;
	struct ring *shared[MAX_GROUPS];
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

/* Every ring is filled and emptied once. */
static void exchange_rings(struct run *r)
{
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

static void exchange(struct run *r)
{
	for (unsigned long i = 0; i < r->loops; i += RING)
		exchange_rings(r);
}

static void measure(struct run *r, const struct bench_clock *clock)
{
	struct bench_metric m = { "hackbench-sim", "time", "ns", false };
	struct bench_min min = { 0 };

	exchange(r);
	for (unsigned long i = 0; i < r->slices; i++) {
		uint64_t start = bench_ticks();

		exchange(r);
		bench_min_add(&min, (bench_ticks() - start - clock->overhead) *
			      clock->ns_per_tick / (r->groups * r->loops));
	}
	bench_print(&m, &min);
}

static unsigned long send_some(struct run *r, struct ring *ring)
{
	unsigned long at = atomic_load_explicit(&ring->sent,
						memory_order_relaxed);
	unsigned long end = RING + atomic_load_explicit(&ring->received,
							memory_order_acquire);

	if (at == end)
		sched_yield();
	while (at < end) {
		send_message(r, &ring->slot[at++ % RING]);
		atomic_store_explicit(&ring->sent, at, memory_order_release);
	}
	return 0;	/* it counts when it is received */
}

static unsigned long receive_some(struct run *r, struct ring *ring)
{
	unsigned long start = atomic_load_explicit(&ring->received,
						   memory_order_relaxed);
	unsigned long end = atomic_load_explicit(&ring->sent,
						 memory_order_acquire);

	if (start == end)
		sched_yield();
	for (unsigned long at = start; at < end;) {
		receive_message(r, &ring->slot[at++ % RING]);
		atomic_store_explicit(&ring->received, at,
				      memory_order_release);
	}
	return end - start;
}

static void start_member(void *arg, unsigned int number)
{
	struct run *r = arg;

	(void)number;
	if (r->processes)
		pa_attach(r->pa);
}

/* Even ones send and odd ones receive. */
static unsigned long be_member(void *arg, unsigned int number)
{
	struct run *r = arg;
	struct ring *ring = r->shared[number / 2];

	return number % 2 ? receive_some(r, ring) : send_some(r, ring);
}

static void measure_members(struct run *r)
{
	struct bench_load load = { .workers = 2 * r->groups, .arg = r,
				   .windows = r->windows, .window_us = 1000,
				   .processes = r->processes,
				   .start = start_member, .work = be_member };
	struct bench_metric m = { "hackbench-sim", r->processes ?
				  "messages-processes" : "messages-threads",
				  "messages/s", false };
	struct bench_rate rate;

	for (unsigned long g = 0; g < r->groups; g++) {
		r->shared[g] = pa_kmalloc(r->pa, sizeof(struct ring),
					  PA_GFP_KERNEL | PA_GFP_ZERO);
		if (!r->shared[g])
			bench_die("hackbench-sim: the arena is too small");
	}
	bench_throughput(&load, &rate);
	for (unsigned long g = 0; g < r->groups; g++) {
		receive_some(r, r->shared[g]);
		pa_kfree(r->pa, r->shared[g]);
	}
	bench_print_rate(&m, &rate, 1);
}

static double time_slice(void *arg, const struct bench_sliced *m,
			 unsigned long rounds)
{
	uint64_t start = bench_ticks();

	(void)m;
	while (rounds--)
		exchange_rings(arg);
	return bench_ticks() - start;
}

static void serve_slices(struct run *r, const struct bench_clock *clock)
{
	struct bench_sliced time = { "time", r->groups * RING, 0 };
	struct bench_slices s = {
		.bench = "hackbench-sim", .unit = "ns", .metric = &time,
		.nr_metrics = 1, .time = time_slice, .arg = r,
	};

	bench_slices_serve(&s, clock);
}

int main(int argc, char **argv)
{
	static struct run r = { .groups = 10, .loops = 256, .slices = 40,
				.arena_mib = 32, .windows = 200 };
	const struct bench_option options[] = {
		{ 'g', &r.groups, 1, MAX_GROUPS, NULL, NULL },
		{ 'l', &r.loops, RING, 1000000, NULL, NULL },
		{ 's', &r.slices, 1, 1000000, NULL, NULL },
		{ 'a', &r.arena_mib, 16, 65536, NULL, NULL },
		{ 'w', &r.windows, 3, 4000, NULL, NULL },
		{ 'T', NULL, 0, 0, NULL, &r.threads },
		{ 'P', NULL, 0, 0, NULL, &r.processes },
		{ 0, NULL, 0, 0, NULL, NULL },
	};
	struct pa_config config = { .cpus = 2 };
	struct pa_cache_config cache = { .name = "heads", .size = HEAD_BYTES };
	struct bench_clock clock;

	if (bench_slices_wanted())
		r.arena_mib = BENCH_SLICE_MIB;
	bench_options(argc, argv, options, usage);
	bench_lock();
	if ((r.threads || r.processes) && 2 * r.groups > BENCH_MAX_WORKERS)
		bench_die("hackbench-sim: at most 32 groups with -T or -P");
	config.shared = r.processes;
	config.node_pages = r.arena_mib << (20 - PA_PAGE_SHIFT);
	if (pa_open(&config, &r.pa) < 0 ||
	    pa_cache_create(r.pa, &cache, &r.heads) < 0)
		bench_die("hackbench-sim: no memory for the arena");
	r.loops -= r.loops % RING;
	bench_clock_init(&clock);
	if (bench_slices_wanted())
		serve_slices(&r, &clock);
	else if (r.threads || r.processes)
		measure_members(&r);
	else
		measure(&r, &clock);
	pa_close(r.pa);
	return 0;
}
