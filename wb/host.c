#include "host-find.h"
#include "path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX ((size_t)4 << 20)
#define CPUS_MAX 4096

struct wb_finding *wb_finding_add(struct wb_findings *f, const char *topic,
				  enum wb_finding_state state, char *now,
				  const char *effect)
{
	f->v = wb_grow(f->v, f->n, &f->cap, sizeof(*f->v));
	f->v[f->n] = (struct wb_finding){
		.topic = topic, .state = state, .now = now, .effect = effect,
	};
	return &f->v[f->n++];
}

void wb_finding_setting(struct wb_finding *f, const char *path,
			const char *was, const char *want)
{
	f->setting = wb_grow(f->setting, f->nsettings, &f->capsettings,
			     sizeof(*f->setting));
	f->setting[f->nsettings++] = (struct wb_setting){
		wb_xstrdup(path), wb_xstrdup(was), wb_xstrdup(want),
	};
}

bool wb_host_read(const char *root, const char *path, struct wb_buf *out)
{
	struct wb_error ignored = WB_ERROR_INIT;
	char *file = wb_xasprintf("%s/%s", root, path);
	bool there = false;

	wb_buf_reset(out);
	/* what cannot be read is not known, which each finding can say */
	if (wb_path_read(file, FILE_MAX, out, &there, &ignored) < 0)
		there = false;
	free(file);
	return there;
}

/* ---- clock frequency ----------------------------------------------------- */

#define GOVERNOR "sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor"

/*
 * "echo powersave | tee FILE FILE; echo schedutil | tee FILE": each word goes
 * back to the CPUs that had it, and to no other.
 */
static char *put_back(const struct wb_finding *f)
{
	const struct wb_setting *v = f->setting;
	struct wb_buf b = WB_BUF_INIT;
	size_t i;

	for (i = 0; i < f->nsettings; i++) {
		if (!i || strcmp(v[i].was, v[i - 1].was))
			wb_buf_addf(&b, "%secho %s | tee", i ? "; " : "",
				    v[i].was);
		wb_buf_addf(&b, " /%s", v[i].path);
	}
	return wb_buf_detach(&b);
}

static void look_governor(const char *root, struct wb_findings *f)
{
	static const char all[] =
		"/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor";
	struct wb_buf word = WB_BUF_INIT, other = WB_BUF_INIT;
	struct wb_finding *g;
	bool alike = true;
	char path[128];
	int cpu, n = 0;

	g = wb_finding_add(f, "governor", WB_FINDING_GOOD, NULL, NULL);
	for (cpu = 0; cpu < CPUS_MAX; cpu++) {
		snprintf(path, sizeof(path), GOVERNOR, cpu);
		if (!wb_setting_read(root, path, &word))
			continue;
		n++;
		if (!strcmp(word.ptr, "performance"))
			continue;
		if (!other.len)
			wb_buf_addstr(&other, word.ptr);
		alike = alike && !strcmp(word.ptr, other.ptr);
		wb_finding_setting(g, path, word.ptr, "performance");
	}
	if (!n) {
		g->now = wb_xstrdup("none: no cpufreq (a virtual machine, or "
				    "the firmware decides)");
	} else if (!g->nsettings) {
		g->now = wb_xasprintf("performance on %d CPUs", n);
	} else {
		g->state = WB_FINDING_BAD;
		g->now = wb_xasprintf("%s%s on %zu of %d CPUs", other.ptr,
				      alike ? "" : " and others",
				      g->nsettings, n);
		g->effect = "the clock follows the load: a short run is timed "
			    "while it still rises";
		g->change = wb_xasprintf("echo performance | tee %s", all);
		g->undo = alike && (size_t)n == g->nsettings ?
			  wb_xasprintf("echo %s | tee %s", other.ptr, all) :
			  put_back(g);
	}
	wb_buf_clear(&word);
	wb_buf_clear(&other);
}

static void look_turbo(const char *root, struct wb_findings *f)
{
	static const struct {
		const char *path, *off, *on;
	} way[] = {
		{ "sys/devices/system/cpu/intel_pstate/no_turbo", "1", "0" },
		{ "sys/devices/system/cpu/cpufreq/boost", "0", "1" },
	};
	struct wb_buf word = WB_BUF_INIT;
	struct wb_finding *t;
	size_t i;

	for (i = 0; i < 2 && !wb_setting_read(root, way[i].path, &word); i++)
		;
	if (i == 2) {
		wb_finding_add(f, "turbo", WB_FINDING_GOOD,
			       wb_xstrdup("none: no switch for it here"), NULL);
	} else if (!strcmp(word.ptr, way[i].off)) {
		wb_finding_add(f, "turbo", WB_FINDING_GOOD, wb_xstrdup("off"),
			       NULL);
	} else {
		t = wb_finding_add(f, "turbo", WB_FINDING_BAD,
				   wb_xstrdup("on"),
				   "the clock depends on heat and on what the "
				   "other cores do: rounds differ by percents");
		t->change = wb_xasprintf("echo %s >/%s", way[i].off,
					 way[i].path);
		t->undo = wb_xasprintf("echo %s >/%s", way[i].on, way[i].path);
		wb_finding_setting(t, way[i].path, word.ptr, way[i].off);
	}
	wb_buf_clear(&word);
}

void wb_host_frequency(const char *root, struct wb_findings *f)
{
	look_governor(root, f);
	look_turbo(root, f);
}

/* ---- all ----------------------------------------------------------------- */

void wb_host_look(const char *root, int cpu, struct wb_findings *out)
{
	memset(out, 0, sizeof(*out));
	wb_host_frequency(root, out);
	wb_host_settings(root, out);
	wb_host_interrupts(root, cpu, out);
	wb_host_load(root, out);
	wb_host_limits(root, cpu, out);
	wb_host_programs(out);
}

void wb_findings_clear(struct wb_findings *f)
{
	struct wb_finding *v;
	size_t i, k;

	for (i = 0; i < f->n; i++) {
		v = &f->v[i];
		for (k = 0; k < v->nsettings; k++) {
			free(v->setting[k].path);
			free(v->setting[k].was);
			free(v->setting[k].want);
		}
		free(v->setting);
		free(v->now);
		free(v->change);
		free(v->undo);
	}
	free(f->v);
	memset(f, 0, sizeof(*f));
}

const char *wb_finding_word(enum wb_finding_state s)
{
	return s == WB_FINDING_GOOD ? "good" :
	       s == WB_FINDING_NOTE ? "note" : "bad";
}
