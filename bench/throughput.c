/*
 * Windows, workers, and which windows count.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "throughput.h"

#define MAX_WINDOWS	4096
#define MIN_WINDOWS	3
#define WARM_UP_WINDOWS	2	/* before the first that counts */
#define LATE_PART	8	/* a mark this part of a window late is late */

/* What a worker did until the end of each window. */
struct mark {
	unsigned long operations;
	long switches, faults;
	bool late;		/* set some time after the end */
};

struct board {
	atomic_uint ready;
	atomic_ullong start_ns;		/* 0: wait */
	struct mark mark[];		/* windows + 1 a worker */
};

struct worker {
	const struct bench_load *load;
	struct board *board;
	unsigned int number;
	pthread_t thread;
	pid_t pid;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* The n-th CPU that the process may run on. */
static void pin(unsigned int n)
{
	cpu_set_t all, one;
	int left;

	if (sched_getaffinity(0, sizeof(all), &all) < 0)
		return;
	left = n % CPU_COUNT(&all);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all) || left--)
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		return;
	}
}

static unsigned int allowed_cpus(void)
{
	cpu_set_t all;

	return sched_getaffinity(0, sizeof(all), &all) < 0 ? 1 :
	       CPU_COUNT(&all);
}

static void set_mark(struct mark *mark, unsigned long operations)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	mark->operations = operations;
	mark->switches = usage.ru_nivcsw;
	mark->faults = usage.ru_minflt + usage.ru_majflt;
}

/*
 * A chunk of work counts for the window that it ends in. A worker that comes
 * back after a while sets several marks at once, and those are late.
 */
static void run_windows(struct worker *w, struct mark *mark)
{
	const struct bench_load *load = w->load;
	uint64_t window = load->window_us * 1000ull;
	uint64_t end = atomic_load(&w->board->start_ns) +
		       WARM_UP_WINDOWS * window;
	unsigned long operations = 0;
	unsigned int i = 0;

	while (i <= load->windows) {
		uint64_t now;

		operations += load->work(load->arg, w->number);
		now = now_ns();
		while (i <= load->windows && now >= end) {
			mark[i].late = now - end > window / LATE_PART;
			set_mark(&mark[i++], operations);
			end += window;
		}
	}
}

static void *worker_main(void *arg)
{
	struct worker *w = arg;
	struct mark *mark = w->board->mark + (size_t)w->number *
			    (w->load->windows + 1);

	pin(w->number);
	/* so that the marks themselves do not fault */
	memset(mark, 0, (w->load->windows + 1) * sizeof(*mark));
	if (w->load->start)
		w->load->start(w->load->arg, w->number);
	for (int i = 0; i < 3; i++)
		w->load->work(w->load->arg, w->number);
	atomic_fetch_add(&w->board->ready, 1);
	while (!atomic_load(&w->board->start_ns))
		sched_yield();
	run_windows(w, mark);
	return NULL;
}

static void start_worker(struct worker *w)
{
	if (!w->load->processes) {
		if (pthread_create(&w->thread, NULL, worker_main, w))
			bench_die("cannot start a thread");
		return;
	}
	fflush(stdout);
	w->pid = fork();
	if (w->pid < 0)
		bench_die("cannot start a process");
	if (!w->pid) {
		worker_main(w);
		_exit(0);
	}
}

static void join_worker(struct worker *w)
{
	int status;

	if (!w->load->processes)
		pthread_join(w->thread, NULL);
	else if (waitpid(w->pid, &status, 0) < 0 || status)
		bench_die("a worker process failed");
}

/* A process that died would leave the others to wait for it. */
static void wait_ready(struct worker *w, unsigned int n)
{
	while (atomic_load(&w->board->ready) < n) {
		for (unsigned int i = 0; w->load->processes && i < n; i++) {
			if (waitpid(w[i].pid, NULL, WNOHANG) > 0)
				bench_die("a worker process failed");
		}
		usleep(200);
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Adds the operations of window i over all workers; false if it is no good. */
static bool add_window(const struct bench_load *load, const struct mark *mark,
		       unsigned int i, bool crowded, double *operations)
{
	bool good = true;

	*operations = 0;
	for (unsigned int w = 0; w < load->workers; w++) {
		const struct mark *a = mark + (size_t)w *
				       (load->windows + 1) + i;

		if (!load->may_fault && a[1].faults != a[0].faults)
			bench_die("a page fault of the kernel inside of what "
				  "is timed");
		if (a[0].late || a[1].late || a[1].switches != a[0].switches)
			good = crowded;
		*operations += a[1].operations - a[0].operations;
	}
	return good;
}

static void evaluate(const struct bench_load *load, const struct mark *mark,
		     struct bench_rate *rate)
{
	bool crowded = load->workers > allowed_cpus();
	double good[MAX_WINDOWS];
	unsigned int n = 0;

	for (unsigned int i = 0; i < load->windows; i++) {
		if (add_window(load, mark, i, crowded, &good[n]))
			n++;
	}
	*rate = (struct bench_rate){ 0 };
	if (n < MIN_WINDOWS)
		return;
	qsort(good, n, sizeof(good[0]), by_value);
	rate->windows = n;
	rate->per_second = good[n / 2] * 1e6 / load->window_us;
}

void bench_throughput(const struct bench_load *load, struct bench_rate *rate)
{
	size_t size = sizeof(struct board) + (size_t)load->workers *
		      (load->windows + 1) * sizeof(struct mark);
	struct worker workers[BENCH_MAX_WORKERS];
	struct board *board;

	if (load->workers > BENCH_MAX_WORKERS || load->windows > MAX_WINDOWS)
		bench_die("too many workers or windows");
	board = mmap(NULL, size, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (board == MAP_FAILED)
		bench_die("out of memory");
	for (unsigned int i = 0; i < load->workers; i++) {
		workers[i] = (struct worker){ .load = load, .board = board,
					      .number = i };
		start_worker(&workers[i]);
	}
	wait_ready(workers, load->workers);
	atomic_store(&board->start_ns, now_ns());
	for (unsigned int i = 0; i < load->workers; i++)
		join_worker(&workers[i]);
	evaluate(load, board->mark, rate);
	munmap(board, size);
}

void bench_print_rate(const struct bench_metric *m,
		      const struct bench_rate *rate, double scale)
{
	if (!rate->windows) {
		fprintf(stderr, "%s %s: no result, the machine is too busy\n",
			m->bench, m->metric);
		return;
	}
	printf("{\"bench\":\"%s\",\"metric\":\"%s\",\"unit\":\"%s\","
	       "\"better\":\"higher\",\"value\":%.6g,\"iter\":%u}\n",
	       m->bench, m->metric, m->unit, rate->per_second * scale,
	       rate->windows);
}
