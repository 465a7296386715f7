#include "machine.h"
#include "hash.h"
#include "path.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The value of the first "KEY : VALUE" line, NULL without one. */
static char *value_of(const char *text, const char *key)
{
	const char *p;

	for (p = text; p && *p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (!wb_str_starts(p, key))
			continue;
		p += strlen(key);
		p += strspn(p, " \t");
		if (*p != ':')
			continue;
		p += 1 + strspn(p + 1, " \t");
		return wb_xstrndup(p, strcspn(p, "\n"));
	}
	return NULL;
}

/* What cannot be read is part of the identity as "unknown". */
static char *proc_value(const char *file, const char *key)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	char *value;
	bool there;

	wb_path_read(file, 1 << 22, &text, &there, &ignored);
	value = value_of(text.ptr, key);
	wb_buf_clear(&text);
	return value ? value : wb_xstrdup("unknown");
}

char *wb_machine_model(const char *cpuinfo)
{
	static const char *const names[] = { "model name", "cpu", "uarch" };
	static const char *const parts[] = {
		"CPU implementer", "CPU variant", "CPU part", "CPU revision",
	};
	struct wb_buf b = WB_BUF_INIT;
	char *value = NULL;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names) && !value; i++)
		value = value_of(cpuinfo, names[i]);
	if (value)
		return value;
	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		value = value_of(cpuinfo, parts[i]);
		if (value)
			wb_buf_addf(&b, "%s%s %s", b.len ? " " : "",
				    parts[i], value);
		free(value);
	}
	if (!b.len)
		wb_buf_addstr(&b, "unknown");
	return wb_buf_detach(&b);
}

static char *model_here(void)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	char *model;
	bool there;

	wb_path_read("/proc/cpuinfo", 1 << 22, &text, &there, &ignored);
	model = wb_machine_model(text.ptr);
	wb_buf_clear(&text);
	return model;
}

static char *first_line(const char *file)
{
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	char *value;
	bool there;

	/* as above */
	if (wb_path_read(file, 65536, &text, &there, &ignored) < 0 || !there)
		value = wb_xstrdup("unknown");
	else
		value = wb_xstrndup(text.ptr, strcspn(text.ptr, "\n"));
	wb_buf_clear(&text);
	return value;
}

static void read_cpus(struct wb_machine *m)
{
	cpu_set_t set;
	int i;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	m->cpu = wb_xcalloc(CPU_SETSIZE, sizeof(*m->cpu));
	for (i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &set))
			m->cpu[m->ncpus++] = i;
}

/* "24 GiB on 1 node": whole GiB, for the last pages come and go. */
static char *memory(void)
{
	char *value = proc_value("/proc/meminfo", "MemTotal"), *text;
	char path[64];
	int nodes;

	for (nodes = 0; nodes < 1024; nodes++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d",
			 nodes);
		if (access(path, F_OK))
			break;
	}
	text = wb_xasprintf("%ld GiB on %d node%s",
			    (atol(value) + (1 << 19)) >> 20,
			    nodes ? nodes : 1, nodes > 1 ? "s" : "");
	free(value);
	return text;
}

void wb_machine_read(struct wb_machine *m)
{
	struct wb_hash *h = wb_hash_new();
	struct utsname u;
	char *model, *microcode, *governor, *mem;
	size_t i;

	memset(m, 0, sizeof(*m));
	model = model_here();
	microcode = proc_value("/proc/cpuinfo", "microcode");
	governor = first_line(
		"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
	m->boot = first_line("/proc/sys/kernel/random/boot_id");
	read_cpus(m);
	mem = memory();
	uname(&u);
	wb_hash_addstr(h, model);
	wb_hash_addstr(h, microcode);
	for (i = 0; i < m->ncpus; i++)
		wb_hash_add(h, &m->cpu[i], sizeof(m->cpu[i]));
	wb_hash_addstr(h, mem);
	wb_hash_addstr(h, u.machine);
	wb_hash_addstr(h, u.release);
	wb_hash_addstr(h, governor);
	wb_hash_end(h, m->id);
	m->facts = wb_xasprintf("%s, microcode %s, %zu CPU%s, %s, Linux %s %s, "
				"governor %s", model, microcode, m->ncpus,
				m->ncpus == 1 ? "" : "s", mem, u.release,
				u.machine, governor);
	free(mem);
	free(model);
	free(microcode);
	free(governor);
}

void wb_machine_clear(struct wb_machine *m)
{
	free(m->facts);
	free(m->boot);
	free(m->cpu);
	memset(m, 0, sizeof(*m));
}

int wb_machine_pick(const struct wb_machine *m, size_t n, int *cpu,
		    struct wb_error *err)
{
	size_t i;

	if (n > m->ncpus)
		return wb_fail(err, WB_E_JUDGE, "the bench wants %zu CPUs and "
			       "this process may use %zu", n, m->ncpus);
	for (i = 0; i < n; i++)
		cpu[i] = m->cpu[m->ncpus - n + i];
	return 0;
}

static size_t fact_len(const char *s)
{
	const char *end = strstr(s, ", ");

	return end ? (size_t)(end - s) : strlen(s);
}

void wb_machine_differ(const char *mine, const char *other, struct wb_buf *out)
{
	size_t begin = out->len, n, m;

	while (*mine && *other) {
		n = fact_len(mine);
		m = fact_len(other);
		if (n != m || memcmp(mine, other, n))
			wb_buf_addf(out, "%s%.*s, here %.*s",
				    out->len > begin ? "; " : "",
				    (int)m, other, (int)n, mine);
		mine += n + 2 * (mine[n] == ',');
		other += m + 2 * (other[m] == ',');
	}
	if (out->len == begin)
		wb_buf_addstr(out, "other CPUs in use");
}
