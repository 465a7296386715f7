/*
 * What every benchmark here needs: a clock, a minimum, a way to print a sample
 * and a way to have instructions counted.
 *
 * Timing. On a shared machine almost every disturbance makes a measurement
 * longer. So the work is cut into many short *slices*, each of them is timed,
 * and the smallest time per operation is what is printed, with the number of
 * slices it was the smallest of.
 *
 * Counting. With WB_COUNT=1 in the environment the program runs under
 * callgrind with instrumentation off, or with WB_COUNTER=qemu in qemu-user. It
 * then does a fixed amount of work per metric between bench_count_begin() and
 * bench_count_end(), and prints how many operations that was; who started the
 * counter divides.
 */
#ifndef BENCH_HARNESS_H
#define BENCH_HARNESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct bench_clock {
	double ns_per_tick;
	double overhead;	/* ticks between two reads at once */
};

/* Finds both out; takes some milliseconds. */
void bench_clock_init(struct bench_clock *clock);

static inline uint64_t bench_ticks(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc();
#else
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
#endif
}

/*
 * Keeps what the program touches in memory from now on, where it may lock as
 * much as it likes (by RLIMIT_MEMLOCK, which wb raises where it can, or as
 * root): a page that was put out would come back inside a timed region.
 * Elsewhere, and when instructions are counted, nothing is done.
 */
void bench_lock(void);

/* The smallest of what was added. */
struct bench_min {
	double value;
	unsigned long n;
};

void bench_min_add(struct bench_min *min, double value);

/*
 * The sample line of a time, or of an exact count, on stdout. A metric without
 * values prints nothing.
 */
struct bench_metric {
	const char *bench, *metric, *unit;
	bool exact;
};

void bench_print(const struct bench_metric *m, const struct bench_min *min);

/* True if the name matches the glob of the -m option; NULL matches all. */
bool bench_wanted(const char *glob, const char *metric);

/* True if this run is for counts. */
bool bench_counting(void);

/* False where nobody counts: not in qemu, and no valgrind, or built without. */
bool bench_count_possible(void);

/* Instrumentation on and off; between them warm up, then count metrics. */
void bench_count_start(void);
void bench_count_stop(void);

/* Around exactly n operations, which the unit says what they are. */
void bench_count_begin(void);
void bench_count_end(const struct bench_metric *m, unsigned long n);

/* By these names in the symbol table qemu's plugin knows where they are. */
void wb_region_begin(void);
void wb_region_end(void);

/* Seeded from WB_SEED, or always the same. */
struct bench_random {
	uint64_t state;
};

void bench_random_init(struct bench_random *r);
unsigned long bench_random_below(struct bench_random *r, unsigned long n);

/*
 * Options: one letter each, a row a letter. A row has one of number (with its
 * range), text and flag. -h prints usage; what is no option, or out of range,
 * is said on stderr and ends the program with 2.
 */
struct bench_option {
	char letter;		/* 0 ends the table */
	unsigned long *number;
	unsigned long min, max;
	const char **text;
	bool *flag;
};

void bench_options(int argc, char **argv, const struct bench_option *options,
		   const char *usage);

/* Says why on stderr and exits with 1. */
void bench_die(const char *why) __attribute__((noreturn));

#endif
