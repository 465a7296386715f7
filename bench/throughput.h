/*
 * How much several workers do side by side in a second.
 *
 * The smallest of many slices, which serves one thread well, would catch the
 * moments when the others are off the CPU. So all workers run over a row of
 * *windows*, short stretches of time that are the same for all of them. A
 * window counts only if no worker was taken off its CPU in it; the result is
 * the median over those. If the machine is so busy that fewer than three
 * windows are left, there is no result.
 *
 * Workers are threads, or processes that share what was mapped as shared
 * before; worker w runs on the w-th CPU of those allowed, modulo their number.
 * More workers than CPUs take turns, and then every window counts.
 *
 * A page fault of the kernel's inside a window is a defect of the benchmark:
 * the program then ends with an error.
 */
#ifndef BENCH_THROUGHPUT_H
#define BENCH_THROUGHPUT_H

#include "harness.h"

#define BENCH_MAX_WORKERS	64

struct bench_load {
	unsigned int workers;
	bool processes;
	bool may_fault;		/* the kernel is part of what is measured */
	unsigned int windows, window_us;

	/* Once in each worker before the first window, or NULL. */
	void (*start)(void *arg, unsigned int worker);
	/* Some 10 to 100 us of work; returns how many operations that was. */
	unsigned long (*work)(void *arg, unsigned int worker);
	void *arg;
};

struct bench_rate {
	double per_second;
	unsigned int windows;	/* that counted; 0: no result */
};

void bench_throughput(const struct bench_load *load, struct bench_rate *rate);

/*
 * The sample line of a rate, higher is better; the value is multiplied by
 * scale first. Without a result there is none, and stderr says so.
 */
void bench_print_rate(const struct bench_metric *m,
		      const struct bench_rate *rate, double scale);

#endif
