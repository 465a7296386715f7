#include "cpuset.h"
#include "buf.h"
#include "cpu-list.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST_MAX 65536
#define CPU_MAX 65536

static void parse_list(const char *list, struct wb_machine *cpus)
{
	size_t cap = 0;
	long from, to;

	while (wb_cpu_list_next(&list, &from, &to)) {
		for (; from >= 0 && from <= to && from < CPU_MAX; from++) {
			cpus->cpu = wb_grow(cpus->cpu, cpus->ncpus, &cap,
					    sizeof(*cpus->cpu));
			cpus->cpu[cpus->ncpus++] = (int)from;
		}
	}
}

int wb_cpuset_read(const char *dir, struct wb_machine *cpus,
		   struct wb_error *err)
{
	/* of version 2, which may be less than was asked for; of version 1 */
	static const char *const name[] = {
		"cpuset.cpus.effective", "cpuset.cpus",
	};
	char *procs = wb_xasprintf("%s/cgroup.procs", dir), *file;
	struct wb_buf list = WB_BUF_INIT;
	bool there = false;
	int ret = 0;
	size_t i;

	memset(cpus, 0, sizeof(*cpus));
	if (access(procs, W_OK))
		ret = wb_fail_errno(err, "wb.cpuset: %s", procs);
	for (i = 0; i < 2 && !ret && !there; i++) {
		file = wb_xasprintf("%s/%s", dir, name[i]);
		wb_buf_reset(&list);
		ret = wb_path_read(file, LIST_MAX, &list, &there, err);
		free(file);
	}
	parse_list(list.ptr, cpus);
	if (!ret && !cpus->ncpus)
		ret = wb_fail(err, WB_E_FATAL, "wb.cpuset: %s has no CPU: make "
			      "it as 'wb doctor isolation' says", dir);
	wb_buf_clear(&list);
	free(procs);
	return ret;
}
