#include "config.h"
#include "opt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PAIRS 10000		/* of WB_CONFIG_COUNT */

const struct wb_config_key wb_config_keys[] = {
	{ "wb.series", "series",
	  "the stack: a quilt folder from the top of the work tree, or A..B" },
	{ "wb.profile", "quilt",
	  "how a quilt folder applies: strict, quilt, dpkg, git" },
	{ "wb.allow-header-only", "false",
	  "a patch of words alone changes nothing instead of failing" },
	{ "wb.margin", "0.5%",
	  "a change whose interval lies inside +-margin is 'same'" },
	{ "wb.gate", "0.5%", "a certain loss beyond this fails wb ci" },
	{ "wb.templates", NULL,
	  "folder in the work tree with templates of reports and mails" },
	{ "wb.fifo", "auto",
	  "run benches under SCHED_FIFO: auto, on, off" },
	{ "wb.cpuset", NULL,
	  "control group that benches run in, of version 1 or 2" },
	{ "wb.rounds", "12",
	  "rounds of each comparison before wb run looks at the verdicts" },
	{ "wb.max-rounds", "2000",
	  "rounds after which wb run gives up on a verdict" },
	{ "wb.sandbox", "auto",
	  "run commands of a stack in bubblewrap: auto (when it is there), on, "
	  "off; not from .wbconfig, as all wb.sandbox-*" },
	{ "wb.sandbox-read", NULL,
	  "more paths that commands may read" },
	{ "wb.sandbox-write", NULL,
	  "more paths that commands may write, such as ~/.cache/ccache" },
	{ "wb.sandbox-disk", "8G",
	  "what a command may write into its build folder" },
	{ "wb.sandbox-memory", NULL,
	  "memory of all that runs on one build; unset: three quarters" },
	{ "wb.sandbox-processes", "4096",
	  "processes of all that runs on one build" },
	{ "wb-build.command", NULL,
	  "builds a prefix; runs by sh -c in its tree; unset: nothing to "
	  "build" },
	{ "wb-build.inputs", NULL,
	  "paths that the build reads, its identity; unset: the whole tree" },
	{ "wb-build.overlay", NULL,
	  "paths taken from HEAD instead of the prefix" },
	{ "wb-build.layouts", "1",
	  "builds of each prefix with code laid out differently (WB_LAYOUT); "
	  "rounds go through them" },
	{ "wb-build.test", NULL,
	  "tests a prefix (wb series check --test); by sh -c in its tree" },
	{ "wb-build.timeout", "10m",
	  "a build that takes longer is ended and counts as broken" },
	{ "wb-bench.NAME.command", NULL,
	  "prints samples; runs by sh -c in the prefix's tree" },
	{ "wb-bench.NAME.reader", "samples",
	  "how its output is read: samples, slices, lines, time, last-number, "
	  "google-benchmark, hyperfine, go, perf-stat, ktap, mmtests" },
	{ "wb-bench.NAME.better", NULL,
	  "direction of metrics that do not say theirs: lower, higher" },
	{ "wb-bench.NAME.unit", NULL,
	  "unit of metrics that do not say theirs" },
	{ "wb-bench.NAME.judge", NULL,
	  "metrics that get verdicts, globs; unset: all, if at most 8" },
	{ "wb-bench.NAME.cpus", "1",
	  "how many CPUs the bench is pinned to" },
	{ "wb-bench.NAME.level", "auto",
	  "H: hardware events, S: clocks, I: instructions, auto: all" },
	{ "wb-bench.NAME.counter", "auto",
	  "of instructions: callgrind, qemu, auto: qemu without valgrind" },
	{ "wb-bench.NAME.events", NULL,
	  "perf events that are metrics too: instructions:u, LLC-misses" },
	{ "wb-bench.NAME.profile", NULL,
	  "functions whose inclusive share of the cost is a metric" },
	{ "wb-bench.NAME.toggle", NULL,
	  "function whose instructions are counted, of a bench without marks" },
	{ "wb-bench.NAME.timeout", "60s",
	  "a run that takes longer is ended and gives no sample" },
	{ NULL, NULL, NULL },
};

const char *wb_scope_word(enum wb_scope s)
{
	static const char *const word[] = {
		[WB_SCOPE_DEFAULT] = "default",
		[WB_SCOPE_SYSTEM] = "system",
		[WB_SCOPE_GLOBAL] = "global",
		[WB_SCOPE_PROJECT] = "project",
		[WB_SCOPE_LOCAL] = "local",
		[WB_SCOPE_ENV] = "environment",
		[WB_SCOPE_COMMAND] = "command",
	};

	return word[s];
}

void wb_config_init(struct wb_config *c)
{
	memset(c, 0, sizeof(*c));
}

static void clear_fields(struct wb_config *c)
{
	size_t i;

	free(c->series);
	free(c->templates);
	free(c->profile);
	free(c->cpuset);
	free(c->sandbox_read);
	free(c->sandbox_write);
	free(c->build.command);
	free(c->build.inputs);
	free(c->build.overlay);
	free(c->build.test);
	for (i = 0; i < c->nbenches; i++) {
		free(c->bench[i].name);
		free(c->bench[i].command);
		free(c->bench[i].better);
		free(c->bench[i].unit);
		free(c->bench[i].judge);
		free(c->bench[i].events);
		free(c->bench[i].toggle);
		free(c->bench[i].profile);
	}
	free(c->bench);
}

void wb_config_clear(struct wb_config *c)
{
	size_t i;

	clear_fields(c);
	for (i = 0; i < c->nentries; i++) {
		free(c->entry[i].origin);
		free(c->entry[i].key);
		free(c->entry[i].value);
	}
	free(c->entry);
	free(c->project);
	free(c->unboxed_said);
	wb_config_init(c);
}

void wb_config_add(struct wb_config *c, enum wb_scope scope,
		   const char *origin, const char *key, const char *value)
{
	c->entry = wb_grow(c->entry, c->nentries, &c->capentries,
			   sizeof(*c->entry));
	c->entry[c->nentries++] = (struct wb_config_entry){
		.scope = scope,
		.origin = wb_xstrdup(origin),
		.key = wb_xstrdup(key),
		.value = wb_xstrdup(value),
	};
}

/*
 * git's spelling of a key: section and name in lowercase, the part between
 * the first and the last dot as it is. NULL when it is no key.
 */
static char *canonical_key(const char *key, size_t len)
{
	const char *first = memchr(key, '.', len);
	const char *last = memrchr(key, '.', len);
	char *out, *p;

	if (!first || first == key || last == key + len - 1)
		return NULL;
	out = wb_xstrndup(key, len);
	for (p = out; *p; p++) {
		size_t at = (size_t)(p - out);

		if ((at < (size_t)(first - key) || at > (size_t)(last - key)) &&
		    *p >= 'A' && *p <= 'Z')
			*p += 'a' - 'A';
	}
	return out;
}

int wb_config_add_word(struct wb_config *c, const char *word,
		       struct wb_error *err)
{
	const char *eq = strchr(word, '=');
	char *key = canonical_key(word, eq ? (size_t)(eq - word) :
					strlen(word));

	if (!key)
		return wb_fail(err, WB_E_USAGE,
			       "-c %s: not of the form section.name=value",
			       word);
	wb_config_add(c, WB_SCOPE_COMMAND, "-c", key, eq ? eq + 1 : NULL);
	free(key);
	return 0;
}

int wb_config_add_env(struct wb_config *c, struct wb_error *err)
{
	const char *count = getenv("WB_CONFIG_COUNT"), *key, *value;
	char name[40], *k;
	long n, i;

	if (!count || !*count)
		return 0;
	if (wb_parse_int(count, 0, MAX_PAIRS, &n, err) < 0)
		return wb_fail_at(err, "WB_CONFIG_COUNT");
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "WB_CONFIG_KEY_%ld", i);
		key = getenv(name);
		if (!key)
			return wb_fail(err, WB_E_USAGE, "%s is not set, but "
				       "WB_CONFIG_COUNT is %ld", name, n);
		k = canonical_key(key, strlen(key));
		if (!k)
			return wb_fail(err, WB_E_USAGE,
				       "%s: '%s' is not a key", name, key);
		snprintf(name, sizeof(name), "WB_CONFIG_VALUE_%ld", i);
		value = getenv(name);
		if (value)
			wb_config_add(c, WB_SCOPE_ENV, "environment", k, value);
		free(k);
		if (!value)
			return wb_fail(err, WB_E_USAGE, "%s is not set, but "
				       "WB_CONFIG_COUNT is %ld", name, n);
	}
	return 0;
}

const struct wb_bench_config *wb_config_bench(const struct wb_config *c,
					      const char *name)
{
	size_t i;

	for (i = 0; i < c->nbenches; i++)
		if (!strcmp(c->bench[i].name, name))
			return &c->bench[i];
	return NULL;
}
