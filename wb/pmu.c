#include "pmu.h"
#include "buf.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Names that perf takes and libpfm4 does not. perf reads a cache event without
 * "load" or "store" as one of loads.
 */
static const struct {
	const char *name, *stands_for;
} alias[] = {
	{ "LLC-misses", "LLC-LOAD-MISSES" },
	{ "LLC-references", "LLC-LOADS" },
};

static void spell(const char *word, char *out, size_t size)
{
	size_t n = strcspn(word, ":"), i;

	for (i = 0; i < sizeof(alias) / sizeof(*alias); i++) {
		if (strlen(alias[i].name) != n ||
		    strncasecmp(alias[i].name, word, n))
			continue;
		snprintf(out, size, "%s%s", alias[i].stands_for, word + n);
		return;
	}
	snprintf(out, size, "%s", word);
}

/* What the kernel does, and no program: in user space alone it is always 0. */
static bool is_kernels(const struct wb_pmu_event *e)
{
	return e->software && (e->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
			       e->config == PERF_COUNT_SW_CPU_MIGRATIONS ||
			       e->config == PERF_COUNT_SW_CGROUP_SWITCHES);
}

int wb_pmu_encode(const char *word, struct wb_pmu_event *e,
		  struct wb_error *err)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	pfm_perf_encode_arg_t arg = { .attr = &attr, .size = sizeof(arg) };
	char name[2 * WB_PMU_NAME];
	int rc;

	/* room for the ":u" that wb_pmu_try() may add */
	if (strlen(word) > sizeof(e->name) - 3)
		return wb_fail(err, WB_E_USAGE, "'%.40s...': the name of an "
			       "event is too long", word);
	rc = pfm_initialize();
	if (rc != PFM_SUCCESS)
		return wb_fail(err, WB_E_FATAL, "libpfm4: %s",
			       pfm_strerror(rc));
	spell(word, name, sizeof(name));
	/* both rings: software events of user space alone count nothing */
	rc = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3,
				       PFM_OS_PERF_EVENT, &arg);
	if (rc != PFM_SUCCESS)
		return wb_fail(err, strstr(word, "::") ? WB_E_JUDGE :
			       WB_E_USAGE, "'%s' is no event of this machine "
			       "(libpfm4: %s)", word, pfm_strerror(rc));
	*e = (struct wb_pmu_event){
		.type = attr.type,
		.config = attr.config,
		.config1 = attr.config1,
		.config2 = attr.config2,
		.exclude_user = attr.exclude_user,
		.exclude_kernel = attr.exclude_kernel,
		.software = attr.type == PERF_TYPE_SOFTWARE,
	};
	if (e->exclude_kernel && is_kernels(e))
		return wb_fail(err, WB_E_USAGE, "'%s' is always 0: it is the "
			       "kernel that does it; ask without the u", word);
	snprintf(e->name, sizeof(e->name), "%s", word);
	return 0;
}

/* pid 0: this process. leader -1: a group of its own. */
static int open_event(const struct wb_pmu_event *e, pid_t pid, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = e->type,
		.config = e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.exclude_user = e->exclude_user,
		.exclude_kernel = e->exclude_kernel,
		/* members follow their leader */
		.disabled = leader < 0,
		.enable_on_exec = leader < 0,
		.inherit = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, -1, leader,
			    PERF_FLAG_FD_CLOEXEC);
}

static int refused(const struct wb_pmu_event *e, int error,
		   struct wb_error *err)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return wb_fail(err, WB_E_JUDGE, "'%s' is a known event, but "
			       "this machine has no counter for it%s", e->name,
			       e->software ? "" : " (a virtual machine?)");
	case EACCES:
	case EPERM:
		return wb_fail(err, WB_E_JUDGE, "'%s' is not allowed to this "
			       "user: sysctl kernel.perf_event_paranoid=1, or "
			       "CAP_PERFMON", e->name);
	case ENOSYS:
		return wb_fail(err, WB_E_JUDGE, "'%s': this kernel, or what "
			       "confines wb, has no perf events", e->name);
	default:
		return wb_fail(err, WB_E_JUDGE, "'%s' does not open: %s",
			       e->name, strerror(error));
	}
}

int wb_pmu_try(struct wb_pmu_event *e, bool *narrowed, struct wb_error *err)
{
	struct wb_pmu_event narrow = *e;
	int fd = open_event(e, 0, -1), error = errno;

	*narrowed = false;
	if (fd < 0 && (error == EACCES || error == EPERM) && !e->software &&
	    !e->exclude_kernel && !e->exclude_user) {
		narrow.exclude_kernel = true;
		/* wb_pmu_encode() left room */
		memcpy(narrow.name + strlen(narrow.name), ":u", sizeof(":u"));
		fd = open_event(&narrow, 0, -1);
		error = errno;
		if (fd >= 0) {
			*e = narrow;
			*narrowed = true;
		}
	}
	if (fd < 0)
		return refused(e, error, err);
	close(fd);
	return 0;
}

bool wb_pmu_scale(const struct wb_pmu_count *c, double *out)
{
	if (!c->running)
		return false;
	/* the quotient first: the product of two counts may not fit */
	*out = (double)c->value * ((double)c->enabled / (double)c->running);
	return true;
}

bool wb_pmu_shared(const struct wb_pmu_count *c)
{
	return c->running < c->enabled;
}

void wb_pmu_open(const struct wb_pmu_event *v, size_t n, pid_t pid, int *fd)
{
	int leader[2] = { -1, -1 };	/* of hardware, of software events */
	size_t i;

	for (i = 0; i < n; i++) {
		int *group = &leader[v[i].software];

		fd[i] = open_event(&v[i], pid, *group);
		/* a group that would not fit on the hardware is refused; alone
		   the event gets its turn */
		if (fd[i] < 0 && *group >= 0)
			fd[i] = open_event(&v[i], pid, -1);
		if (*group < 0)
			*group = fd[i];
	}
}

void wb_pmu_read(int *fd, size_t n, struct wb_pmu_count *c)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (fd[i] < 0 || read(fd[i], &c[i], sizeof(c[i])) !=
		    (ssize_t)sizeof(c[i]))
			memset(&c[i], 0, sizeof(c[i]));
		if (fd[i] >= 0)
			close(fd[i]);
		fd[i] = -1;
	}
}
