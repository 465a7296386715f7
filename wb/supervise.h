#ifndef WB_SUPERVISE_H
#define WB_SUPERVISE_H

#include "proc.h"

#include <limits.h>
#include <sys/resource.h>

/*
 * The process between wb and a command (proc.h): starts the command, tells how
 * it ended, and ends what is left of it.
 *
 * Outside of a box it is the subreaper of the tree and sweeps it, after a
 * control group, where it could make one (herd.h), has ended all of it. In a
 * box (box.h) there is one more between the two, the init of the run's own pid
 * namespace: it does the telling, and its end is that of everything in there.
 */

/* What is told of a command that ended by itself. */
struct wb_verdict {
	int status;
	struct rusage usage;
	struct wb_pmu_count count[WB_PMU_MAX];
};

/* A verdict goes through a pipe in one piece. */
_Static_assert(sizeof(struct wb_verdict) <= PIPE_BUF, "verdict too long");

/* Never returns. in is -1 for /dev/null; a wb_verdict goes to report. */
_Noreturn void wb_supervise(const struct wb_proc *p, int in, int out, int err,
			    int report, pid_t parent);

#endif
