#ifndef WB_PMU_H
#define WB_PMU_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Counters of the kernel's perf events: hardware ones (level H) and software
 * ones (level S), named as libpfm4 names them ("instructions:u", "cycles",
 * "skl::INST_RETIRED:ANY_P").
 *
 * That a name can be encoded says nothing about this machine: virtual machines
 * mostly have no counters, and the kernel says so only when one is opened. So
 * an event goes through two steps, wb_pmu_encode() and wb_pmu_try().
 *
 * Events are opened on a process that has not yet called exec, start at that
 * call, and go on in all its children. The hardware events of a vector form one
 * group, which is on the hardware together, as far as they fit; software
 * events form another.
 *
 * When there are more events than counters the kernel takes turns. A count is
 * therefore kept raw, with the time it was wanted and the time it was on the
 * hardware; wb_pmu_scale() makes a number of it, which is an estimate when the
 * two differ.
 */
#define WB_PMU_MAX 16
#define WB_PMU_NAME 80

struct wb_pmu_event {
	char name[WB_PMU_NAME];	/* as written; the metric's name */
	uint32_t type;		/* these six as in perf_event_attr */
	uint64_t config, config1, config2;
	bool exclude_user, exclude_kernel;
	bool software;		/* counted by the kernel: level S */
};

/*
 * Fails on a name that libpfm4 does not know: with WB_E_JUDGE when it names a
 * model of processor ("skl::..."), for it may be right elsewhere, else with
 * WB_E_USAGE.
 */
int wb_pmu_encode(const char *name, struct wb_pmu_event *event,
		  struct wb_error *err);

/*
 * Opens and closes one event on this process. Where the kernel must not be
 * watched (perf_event_paranoid 2) a hardware event becomes one of user space
 * only, and its name ends in ":u"; *narrowed says so. A software event does
 * not: several of them then count nothing at all without saying so. Fails with
 * WB_E_JUDGE and a reason that says what is missing.
 */
int wb_pmu_try(struct wb_pmu_event *event, bool *narrowed,
	       struct wb_error *err);

/* What one event counted. enabled 0: nothing, it was not opened. */
struct wb_pmu_count {
	uint64_t value;
	uint64_t enabled, running;	/* ns wanted, ns on the hardware */
};

/*
 * The count over all the time it was wanted: value * enabled / running. False
 * when it never ran; then there is no number.
 */
bool wb_pmu_scale(const struct wb_pmu_count *c, double *out);

/* Whether it shared the hardware, so that the scaled count is an estimate. */
bool wb_pmu_shared(const struct wb_pmu_count *c);

/*
 * Opens the events on a process that is still to call exec; fd[i] is -1 for
 * one that does not open. Reading closes them all; c has n elements.
 */
void wb_pmu_open(const struct wb_pmu_event *v, size_t n, pid_t pid, int *fd);
void wb_pmu_read(int *fd, size_t n, struct wb_pmu_count *c);

#endif
