#include "beside.h"
#include "buf.h"
#include "proc.h"

#include <sched.h>
#include <stdlib.h>

struct wb_beside {
	cpu_set_t cpus;
	struct sched_param param;
	int policy;
};

struct wb_beside *wb_beside(const int *cpus, size_t n, bool fifo)
{
	struct sched_param param = { .sched_priority = WB_FIFO_PRIORITY };
	struct wb_beside *was = wb_xcalloc(1, sizeof(*was));
	cpu_set_t set;
	size_t i;

	was->policy = sched_getscheduler(0);
	sched_getparam(0, &was->param);
	sched_getaffinity(0, sizeof(was->cpus), &was->cpus);
	CPU_ZERO(&set);
	for (i = 0; i < n; i++)
		CPU_SET((size_t)cpus[i], &set);
	sched_setaffinity(0, sizeof(set), &set);
	if (fifo)
		sched_setscheduler(0, SCHED_FIFO, &param);
	return was;
}

void wb_beside_end(struct wb_beside *was)
{
	sched_setscheduler(0, was->policy, &was->param);
	sched_setaffinity(0, sizeof(was->cpus), &was->cpus);
	free(was);
}
