#include "host-find.h"

#include <stdlib.h>
#include <string.h>

/*
 * Settings of one file each: which words are good, and what to change the
 * others to. A row without want is only told of.
 */
struct row {
	const char *topic, *path;
	const char *good;	/* words separated by blanks */
	const char *want;
	enum wb_finding_state state;	/* when it is not good */
	const char *effect;
};

static const struct row rows[] = {
	{ "smt", "sys/devices/system/cpu/smt/control",
	  "off forceoff notsupported notimplemented", "off", WB_FINDING_NOTE,
	  "a bench shares its core with whatever runs on the sibling: 10 to "
	  "40 % slower while it does" },
	{ "thp", "sys/kernel/mm/transparent_hugepage/enabled",
	  "madvise never", "madvise", WB_FINDING_BAD,
	  "whether a process gets huge pages depends on free memory: its times "
	  "have two humps" },
	{ "aslr", "proc/sys/kernel/randomize_va_space", "2", "2",
	  WB_FINDING_BAD,
	  "every process is measured at one layout, which may favour one "
	  "build: wb wants them drawn" },
	{ "numa-balancing", "proc/sys/kernel/numa_balancing", "0", "0",
	  WB_FINDING_BAD,
	  "pages are unmapped and moved during a run, and faults follow" },
	{ "nmi-watchdog", "proc/sys/kernel/nmi_watchdog", "0", "0",
	  WB_FINDING_NOTE,
	  "it holds one hardware counter: events are multiplexed earlier" },
	{ "perf-events", "proc/sys/kernel/perf_event_paranoid", "-1 0 1", "1",
	  WB_FINDING_NOTE,
	  "users other than root count user space only: no software events, "
	  "and hardware events end in :u" },
	{ "rt-throttle", "proc/sys/kernel/sched_rt_runtime_us", "950000", NULL,
	  WB_FINDING_NOTE,
	  "a SCHED_FIFO task is stopped for another part of each period than "
	  "usual (-1: never, and a bench that hangs takes its CPU)" },
};

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);
	const char *p = words;

	for (; *p; p += strcspn(p, " "), p += *p == ' ')
		if (!strncmp(p, word, n) && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

static void look_row(const char *root, const struct row *r,
		     struct wb_findings *f)
{
	struct wb_buf word = WB_BUF_INIT;
	struct wb_finding *s;

	if (!wb_setting_read(root, r->path, &word)) {
		wb_finding_add(f, r->topic, WB_FINDING_GOOD,
			       wb_xstrdup("none: this kernel has no such "
					  "setting"), NULL);
	} else if (has_word(r->good, word.ptr)) {
		wb_finding_add(f, r->topic, WB_FINDING_GOOD,
			       wb_xstrdup(word.ptr), NULL);
	} else {
		s = wb_finding_add(f, r->topic, r->state, wb_xstrdup(word.ptr),
				   r->effect);
		if (r->want) {
			s->change = wb_xasprintf("echo %s >/%s", r->want,
						 r->path);
			s->undo = wb_xasprintf("echo %s >/%s", word.ptr,
					       r->path);
			wb_finding_setting(s, r->path, word.ptr, r->want);
		}
	}
	wb_buf_clear(&word);
}

#define CLOCKS "sys/devices/system/clocksource/clocksource0/"

/* The best one that there is; reading a slow one costs microseconds. */
static void look_clock(const char *root, struct wb_findings *f)
{
	static const char fast[] = "tsc kvm-clock arch_sys_counter "
		"hyperv_clocksource_tsc_page timebase tod riscv_clocksource";
	struct wb_buf now = WB_BUF_INIT, all = WB_BUF_INIT;
	struct wb_finding *c;

	if (!wb_setting_read(root, CLOCKS "current_clocksource", &now)) {
		wb_finding_add(f, "clock", WB_FINDING_NOTE,
			       wb_xstrdup("not known"), NULL);
		goto out;
	}
	if (has_word(fast, now.ptr)) {
		wb_finding_add(f, "clock", WB_FINDING_GOOD,
			       wb_xstrdup(now.ptr), NULL);
		goto out;
	}
	c = wb_finding_add(f, "clock", WB_FINDING_BAD, wb_xstrdup(now.ptr),
			   "each reading of the clock is a system call and "
			   "takes microseconds: short sections come out long");
	if (wb_setting_read(root, CLOCKS "available_clocksource", &all) &&
	    has_word(all.ptr, "tsc")) {
		c->change = wb_xstrdup("echo tsc >/" CLOCKS
				       "current_clocksource");
		c->undo = wb_xasprintf("echo %s >/" CLOCKS
				       "current_clocksource", now.ptr);
		wb_finding_setting(c, CLOCKS "current_clocksource", now.ptr,
				   "tsc");
	}
out:
	wb_buf_clear(&now);
	wb_buf_clear(&all);
}

void wb_host_settings(const char *root, struct wb_findings *f)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		look_row(root, &rows[i], f);
	look_clock(root, f);
}
