#include "host-find.h"
#include "cpu-list.h"
#include "path.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What else happens on the machine: interrupts, load, lack, theft, power. */

#define LOAD_HIGH 0.5		/* runnable tasks besides us */
#define PRESSURE_HIGH 1.0	/* percent of the last ten seconds */

static bool list_has(const char *list, int cpu)
{
	long from, to;

	while (wb_cpu_list_next(&list, &from, &to))
		if (from <= cpu && cpu <= to)
			return true;
	return false;
}

static void add_range(struct wb_buf *list, long from, long to)
{
	if (from > to)
		return;
	wb_buf_addf(list, from < to ? "%s%ld-%ld" : "%s%ld",
		    list->len ? "," : "", from, to);
}

/* The list without cpu, as the kernel takes it; empty when it has no other. */
static void list_without(const char *list, int cpu, struct wb_buf *out)
{
	long from, to;

	wb_buf_reset(out);
	while (wb_cpu_list_next(&list, &from, &to)) {
		if (from <= cpu && cpu <= to) {
			add_range(out, from, cpu - 1);
			from = cpu + 1;
		}
		add_range(out, from, to);
	}
}

static bool is_number(const char *s)
{
	return *s && !s[strspn(s, "0123456789")];
}

void wb_host_interrupts(const char *root, int cpu, struct wb_findings *f)
{
	struct wb_buf list = WB_BUF_INIT, rest = WB_BUF_INIT;
	char *dir = wb_xasprintf("%s/proc/irq", root);
	struct wb_finding *i;
	struct dirent *e;
	char path[300];
	DIR *d = opendir(dir);
	int n = 0;

	i = wb_finding_add(f, "interrupts", WB_FINDING_GOOD, NULL, NULL);
	while (d && (e = readdir(d))) {
		if (!is_number(e->d_name))
			continue;
		snprintf(path, sizeof(path), "proc/irq/%s/smp_affinity_list",
			 e->d_name);
		if (!wb_setting_read(root, path, &list))
			continue;
		n++;
		list_without(list.ptr, cpu, &rest);
		if (list_has(list.ptr, cpu) && rest.len)
			wb_finding_setting(i, path, list.ptr, rest.ptr);
	}
	if (d)
		closedir(d);
	free(dir);
	if (i->nsettings) {
		i->state = WB_FINDING_NOTE;
		i->now = wb_xasprintf("%zu of %d may come to CPU %d, where "
				      "benches run", i->nsettings, n, cpu);
		i->effect = "a run that is interrupted is longer, and finds "
			    "its cache cold";
		/* each interrupt has its own list: the record knows them */
		i->change = wb_xstrdup("wb doctor --apply interrupts");
		i->undo = wb_xstrdup("wb doctor --undo");
	} else {
		i->now = wb_xasprintf(n ? "none of %d comes to CPU %d alone "
				      "or with others" : "not known", n, cpu);
	}
	wb_buf_clear(&list);
	wb_buf_clear(&rest);
}

static void look_load(const char *root, struct wb_findings *f)
{
	struct wb_buf text = WB_BUF_INIT;
	double load;
	char *end;

	if (wb_host_read(root, "proc/loadavg", &text) &&
	    ((load = strtod(text.ptr, &end)), end != text.ptr))
		wb_finding_add(f, "load", load > LOAD_HIGH ? WB_FINDING_BAD :
			       WB_FINDING_GOOD,
			       wb_xasprintf("%.2f in the last minute", load),
			       load > LOAD_HIGH ? "other work takes turns with "
			       "the bench and empties its caches: stop it, or "
			       "wait (top shows it)" : NULL);
	else
		wb_finding_add(f, "load", WB_FINDING_NOTE,
			       wb_xstrdup("not known"), NULL);
	wb_buf_clear(&text);
}

/* "some avg10=0.00 avg60=..." */
static double pressure(const char *root, const char *path, struct wb_buf *text)
{
	const char *at;

	if (!wb_host_read(root, path, text))
		return -1;
	at = strstr(text->ptr, "avg10=");
	return at ? strtod(at + strlen("avg10="), NULL) : -1;
}

static void look_pressure(const char *root, struct wb_findings *f)
{
	struct wb_buf text = WB_BUF_INIT;
	double cpu = pressure(root, "proc/pressure/cpu", &text);
	double memory = pressure(root, "proc/pressure/memory", &text);
	bool high = cpu > PRESSURE_HIGH || memory > PRESSURE_HIGH;

	if (cpu < 0 || memory < 0)
		wb_finding_add(f, "pressure", WB_FINDING_NOTE,
			       wb_xstrdup("not known: this kernel has no "
					  "/proc/pressure"), NULL);
	else
		wb_finding_add(f, "pressure", high ? WB_FINDING_BAD :
			       WB_FINDING_GOOD,
			       wb_xasprintf("of the last 10 s tasks waited "
					    "%.1f %% for a CPU, %.1f %% for "
					    "memory", cpu, memory),
			       high ? "there is less than is asked for: runs "
			       "wait, and how long is chance" : NULL);
	wb_buf_clear(&text);
}

/* Time that the host took, of all time since the boot. */
static void look_steal(const char *root, struct wb_findings *f)
{
	struct wb_buf text = WB_BUF_INIT;
	double t[8], all = 0;
	int n = 0, i;
	bool virtual;

	if (wb_host_read(root, "proc/stat", &text))
		n = sscanf(text.ptr, "cpu %lf %lf %lf %lf %lf %lf %lf %lf",
			   &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6],
			   &t[7]);
	for (i = 0; i < n; i++)
		all += t[i];
	virtual = wb_host_read(root, "proc/cpuinfo", &text) &&
		  strstr(text.ptr, " hypervisor");
	if (n == 8 && all > 0 && t[7] > 0.001 * all)
		wb_finding_add(f, "host", WB_FINDING_BAD,
			       wb_xasprintf("a virtual machine; its host took "
					    "%.1f %% of the time",
					    100 * t[7] / all),
			       "runs stand still while other guests run");
	else if (virtual)
		wb_finding_add(f, "host", WB_FINDING_NOTE,
			       wb_xstrdup("a virtual machine"),
			       "other guests share its caches and memory, "
			       "mostly without a trace in here");
	else
		wb_finding_add(f, "host", WB_FINDING_GOOD,
			       wb_xstrdup("no hypervisor is seen"), NULL);
	wb_buf_clear(&text);
}

/* On battery when a mains supply is there and not plugged in. */
static void look_power(const char *root, struct wb_findings *f)
{
	static const char class[] = "sys/class/power_supply";
	char *dir = wb_xasprintf("%s/%s", root, class), path[400];
	struct wb_buf word = WB_BUF_INIT;
	bool mains = false, on = false;
	struct dirent *e;
	DIR *d = opendir(dir);

	while (d && (e = readdir(d))) {
		snprintf(path, sizeof(path), "%s/%s/type", class, e->d_name);
		if (!wb_setting_read(root, path, &word) ||
		    strcmp(word.ptr, "Mains"))
			continue;
		mains = true;
		snprintf(path, sizeof(path), "%s/%s/online", class, e->d_name);
		on |= wb_setting_read(root, path, &word) &&
		      !strcmp(word.ptr, "1");
	}
	if (d)
		closedir(d);
	free(dir);
	wb_finding_add(f, "power", mains && !on ? WB_FINDING_BAD :
		       WB_FINDING_GOOD,
		       wb_xstrdup(!mains ? "no battery is seen" :
				  on ? "mains" : "battery"),
		       mains && !on ? "the firmware saves energy: plug it in" :
		       NULL);
	wb_buf_clear(&word);
}

void wb_host_load(const char *root, struct wb_findings *f)
{
	look_load(root, f);
	look_pressure(root, f);
	look_steal(root, f);
	look_power(root, f);
}
