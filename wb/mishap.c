#include "mishap.h"
#include "buf.h"
#include "path.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define APART 0.1		/* seconds that no delay between readings has */
#define SLEW 500e-6		/* seconds a second, the most that NTP does */
#define STOLEN 0.02		/* of a round */
#define STAT_MAX (4 << 20)	/* /proc/stat of a machine of any size */

/* ---- clocks and counters ------------------------------------------------- */

static double seconds(clockid_t clock)
{
	struct timespec t;

	if (clock_gettime(clock, &t) < 0)
		return NAN;
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* "cpu3 user nice system idle iowait irq softirq steal ..." */
static int64_t steal_of(const char *stat, int cpu)
{
	char name[24];
	const char *line;
	long long steal;

	snprintf(name, sizeof(name), "cpu%d ", cpu);
	for (line = stat; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, strlen(name)))
			return sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s "
				      "%lld", &steal) == 1 ? steal : -1;
	}
	return -1;
}

static int64_t steal(const int *cpu, size_t ncpus)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_buf stat = WB_BUF_INIT;
	int64_t sum = 0, one;
	bool there;
	size_t i;

	/* without it nothing is known of steal, and the rest all the same */
	if (wb_path_read("/proc/stat", STAT_MAX, &stat, &there, &ignored) < 0)
		sum = -1;
	for (i = 0; i < ncpus && sum >= 0; i++) {
		one = there ? steal_of(stat.ptr, cpu[i]) : -1;
		sum = one < 0 ? -1 : sum + one;
	}
	wb_buf_clear(&stat);
	return sum;
}

static struct wb_moment look(const int *cpu, size_t ncpus)
{
	struct wb_moment m;

	/* the three at once: reading /proc/stat takes longer */
	m.monotonic = seconds(CLOCK_MONOTONIC);
	m.boot = seconds(CLOCK_BOOTTIME);
	m.real = seconds(CLOCK_REALTIME);
	m.steal = steal(cpu, ncpus);
	return m;
}

/* ---- the rule ------------------------------------------------------------ */

enum wb_mishap wb_mishap_between(const struct wb_moment *before,
				 const struct wb_moment *after, size_t ncpus,
				 long ticks, double *size)
{
	double took = after->monotonic - before->monotonic;
	double boot = after->boot - before->boot;
	double real = after->real - before->real;

	*size = boot - took;
	if (*size > APART)
		return WB_MISHAP_SUSPEND;
	*size = real - boot;
	if (fabs(*size) > APART + SLEW * boot)
		return WB_MISHAP_CLOCK;
	*size = 0;
	if (before->steal < 0 || after->steal <= before->steal || !(took > 0))
		return WB_MISHAP_NONE;
	*size = (double)(after->steal - before->steal - 1) / (double)ticks /
		(took * (double)ncpus);
	return *size > STOLEN ? WB_MISHAP_STEAL : WB_MISHAP_NONE;
}

void wb_mishap_begin(struct wb_mishap_watch *w, const int *cpu, size_t ncpus)
{
	w->began = look(cpu, ncpus);
}

static void describe(struct wb_mishap_end *end, double size)
{
	switch (end->what) {
	case WB_MISHAP_SUSPEND:
		snprintf(end->why, sizeof(end->why),
			 "the machine slept for %.1f s", size);
		break;
	case WB_MISHAP_CLOCK:
		snprintf(end->why, sizeof(end->why),
			 "the clock was set by %+.1f s", size);
		break;
	case WB_MISHAP_STEAL:
		snprintf(end->why, sizeof(end->why),
			 "the host took %.2g %% of its CPU time", 100 * size);
		break;
	case WB_MISHAP_NONE:
	case WB_MISHAPS:
		break;
	}
}

void wb_mishap_end(struct wb_mishap_watch *w, const int *cpu, size_t ncpus,
		   struct wb_mishap_end *end)
{
	struct wb_moment now = look(cpu, ncpus);
	unsigned before = w->in_a_row;
	double size;

	*end = (struct wb_mishap_end){
		.what = wb_mishap_between(&w->began, &now, ncpus,
					  sysconf(_SC_CLK_TCK), &size),
	};
	w->in_a_row = 0;
	if (end->what == WB_MISHAP_NONE)
		return;
	w->in_a_row = before + (before <= WB_MISHAP_ROW);
	end->discarded = before < WB_MISHAP_ROW;
	end->news = before <= WB_MISHAP_ROW;
	describe(end, size);
}

/* ---- words --------------------------------------------------------------- */

static const struct {
	const char *word, *meaning;
} words[WB_MISHAPS] = {
	[WB_MISHAP_NONE] = { "", "" },
	[WB_MISHAP_SUSPEND] = { "suspend", "the machine slept" },
	[WB_MISHAP_CLOCK] = { "clock", "the clock was set" },
	[WB_MISHAP_STEAL] = { "steal", "the host took the CPU away" },
};

const char *wb_mishap_word(enum wb_mishap m)
{
	return words[m].word;
}

const char *wb_mishap_meaning(const char *word)
{
	size_t i;

	for (i = 0; i < WB_MISHAPS; i++)
		if (!strcmp(words[i].word, word))
			return words[i].meaning;
	return word;
}
