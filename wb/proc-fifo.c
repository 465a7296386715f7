#include "proc.h"

#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether SCHED_FIFO is to be had, and on which terms. */

static double read_number(const char *file, double fallback)
{
	double value = fallback;
	FILE *f = fopen(file, "re");

	if (f && fscanf(f, "%lf", &value) != 1)
		value = fallback;
	if (f)
		fclose(f);
	return value;
}

double wb_proc_fifo_rest(void)
{
	double run = read_number("/proc/sys/kernel/sched_rt_runtime_us",
				 950000);
	double period = read_number("/proc/sys/kernel/sched_rt_period_us",
				    1000000);

	if (run < 0 || run >= period)
		return 0;
	/* a seventh on top: wakeups are late */
	return run > 0 ? 8.0 / 7 * (period - run) / run : 1;
}

bool wb_proc_can_fifo(void)
{
	struct sched_param param = { .sched_priority = WB_FIFO_PRIORITY };
	int status;
	pid_t pid;

	/* tried in a child, so that this process never is a real-time one */
	pid = fork();
	if (!pid)
		_exit(sched_setscheduler(0, SCHED_FIFO, &param) ? 1 : 0);
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}
