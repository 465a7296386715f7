/*
 * Staying alive and measuring one slice at a time, when asked.
 *
 * With WB_SLICE_US in the environment a bench calls bench_slices_serve()
 * instead of measuring all it has. It reads lines from stdin:
 *
 *	list			prints {"metrics":[NAME, ...]}
 *	run METRIC SEED		prints a sample line with "parts"
 *	quit, end of file	returns
 *
 * A slice takes WB_SLICE_US microseconds: the first fifth untimed, to get its
 * data back into the caches after other processes had the CPU; the rest in 8
 * parts, each timed by itself. The value is the median part. Who asks compares
 * processes of several builds slice by slice.
 *
 * Arenas are small (BENCH_SLICE_MIB), for all those processes are there at
 * once and are started anew every half second.
 */
#ifndef BENCH_SLICES_H
#define BENCH_SLICES_H

#include "harness.h"

#define BENCH_SLICE_MIB	16

/* Something that can be asked for. */
struct bench_sliced {
	char name[48];
	unsigned long ops;	/* operations in one round of its work */
	unsigned long what;	/* for the bench to know it by */
};

struct bench_slices {
	const char *bench, *unit;
	const struct bench_sliced *metric;
	unsigned long nr_metrics;

	/* Before each slice, untimed; or NULL. */
	void (*begin)(void *arg, const struct bench_sliced *m);
	/* Does that many rounds; the ticks that their timed part took. */
	double (*time)(void *arg, const struct bench_sliced *m,
		       unsigned long rounds);
	void *arg;
};

/* Whether this run is to serve slices. */
bool bench_slices_wanted(void);

void bench_slices_serve(const struct bench_slices *s,
			const struct bench_clock *clock);

#endif
