#include "perf.h"
#include "env.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>

#define PROBE_TIMEOUT 10
#define STACK_BYTES 4096	/* of each sample */
#define HERTZ 997		/* no divisor of what a program does in steps */

/* perf's own remarks go nowhere, the command's output neither. */
static char *wrap(const char *command, const char *file)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_buf_addf(&b, "perf record -q -e cpu-clock:u -F %d "
		    "--call-graph dwarf,%d -o ", HERTZ, STACK_BYTES);
	wb_buf_addquoted(&b, file);
	wb_buf_addstr(&b, " -- /bin/sh -c ");
	wb_buf_addquoted(&b, command);
	wb_buf_addstr(&b, " >/dev/null && perf script -i ");
	wb_buf_addquoted(&b, file);
	wb_buf_addstr(&b, " --no-inline -F ip,sym");
	return wb_buf_detach(&b);
}

bool wb_perf_available(char **why)
{
	struct wb_proc p = {
		.command = "command -v perf >/dev/null || exit 9; "
			   "perf record -q -e cpu-clock:u -o - true >/dev/null",
		.cwd = "/",
		.timeout = PROBE_TIMEOUT,
		.max_output = 1 << 20,
		.interrupt_fd = -1,
	};
	struct wb_error err = WB_ERROR_INIT;
	struct wb_proc_result r;
	struct wb_env env;

	*why = NULL;
	wb_proc_result_init(&r);
	wb_env_init(&env);
	p.env = env.v;
	if (wb_proc_run(&p, &r, &err) < 0)
		*why = wb_xstrdup(err.msg);
	else if (r.end == WB_PROC_EXIT && r.code == 9)
		*why = wb_xstrdup("no perf (package linux-perf)");
	else if (r.end != WB_PROC_EXIT || r.code)
		*why = wb_xstrdup("perf may not sample here "
				  "(kernel.perf_event_paranoid above 2?)");
	wb_proc_result_clear(&r);
	wb_env_clear(&env);
	return !*why;
}

int wb_perf_sample(const struct wb_proc *p, const char *room,
		   struct wb_inclusive *out, struct wb_error *err)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_proc_result r;
	struct wb_proc sampled = *p;
	char *dir, *file, *command = NULL;
	int ret = -1;

	wb_proc_result_init(&r);
	dir = wb_xasprintf("%s/perf-XXXXXX", room);
	file = wb_xasprintf("%s/data", dir);
	if (!mkdtemp(dir)) {
		wb_fail_errno(err, "%s", dir);
		goto out;
	}
	memcpy(file, dir, strlen(dir));
	command = wrap(p->command, file);
	sampled.command = command;
	sampled.nevents = 0;
	/* reading the stacks takes its time too */
	sampled.timeout *= 2;
	if (wb_proc_run(&sampled, &r, err) < 0)
		goto out;
	if (r.end == WB_PROC_INTERRUPT) {
		wb_proc_fail_interrupted(r.code, err);
	} else if (!wb_proc_failed(&sampled, &r, "sampled run", err)) {
		wb_inclusive_add_stacks(out, r.out.ptr);
		ret = 0;
	}
out:
	/* a folder that stays behind goes with the build it lies in */
	wb_path_remove(dir, &ignored);
	wb_proc_result_clear(&r);
	free(command);
	free(file);
	free(dir);
	return ret;
}
