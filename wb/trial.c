#include "trial.h"
#include "count.h"
#include "lockstep.h"
#include "perf.h"
#include "sample.h"
#include "sandbox.h"
#include "schedule.h"
#include "stats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define OUTPUT_MAX ((size_t)64 << 20)
#define PAGE 4096		/* environments differ by less than this */
#define PAD_STEP 16		/* the stack's alignment */

/*
 * Ten digits, so that environments are equally long, and no 0 in front, which
 * would make it octal to a shell's $((WB_SEED % 7)) and to strtoul.
 */
static uint32_t seed_told(uint64_t seed)
{
	const uint32_t least = 1000000000;

	return least + (uint32_t)(seed >> 32) % (UINT32_MAX - least);
}

static void make_env(const struct wb_trial *t, struct wb_env *env)
{
	uint64_t random = t->seed;
	size_t size;

	wb_env_init(env);
	wb_build_env(env, t->plan, t->prefix, t->git, t->build);
	wb_env_setf(env, "WB_CPU", "%d", t->cpu[0]);
	wb_env_setf(env, "WB_SEED", "%" PRIu32, seed_told(t->seed));
	if (t->bench->reader == WB_READER_SLICES && !t->counting)
		wb_env_setf(env, "WB_SLICE_US", "%d", WB_SLICE_US);
	if (t->counting) {
		/* a name's length would be counted where a shell reads it */
		wb_env_set(env, "WB_PREFIX", "0");
		wb_env_set(env, "WB_NAME", "count");
		wb_env_set(env, "WB_COUNT", "1");
		if (t->counter == WB_COUNTER_QEMU)
			wb_env_set(env, "WB_COUNTER", "qemu");
	}
	/* a page of room, so that a longer name later on still fits */
	size = wb_env_size(env) + sizeof("WB_PAD=");
	if (*t->env_size < size)
		*t->env_size = (size / PAGE + 2) * PAGE;
	size = *t->env_size;
	if (!t->counting)
		size += PAD_STEP * (size_t)(wb_schedule_random(&random) %
					    (PAGE / PAD_STEP));
	wb_env_pad(env, size);
}

struct entry {
	const struct wb_reading_number *number;
	size_t place;		/* in the output */
};

static int by_metric(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->number->metric, y->number->metric);

	return order ? order : x->place < y->place ? -1 : 1;
}

/* Equal names stand together; where the first of each came from. */
static struct entry *sort_entries(const struct wb_reading *in)
{
	struct entry *e = wb_xmalloc(in->n * sizeof(*e));
	size_t i;

	for (i = 0; i < in->n; i++)
		e[i] = (struct entry){ &in->v[i], i };
	qsort(e, in->n, sizeof(*e), by_metric);
	return e;
}

/*
 * Several numbers of one metric from one process are slices: their median is
 * the sample. Strings move from the reading to the result.
 */
static void fold_slices(struct wb_reading *in, struct wb_trial_result *out)
{
	struct entry *e = sort_entries(in);
	double *slice = wb_xmalloc(in->n * sizeof(*slice));
	struct wb_db_sample **at = wb_xcalloc(in->n, sizeof(*at));
	struct wb_db_sample *folded = wb_xcalloc(in->n, sizeof(*folded));
	size_t i, j, m, n = 0;

	for (i = 0; i < in->n; i = j) {
		for (j = i, m = 0; j < in->n &&
		     !strcmp(e[j].number->metric, e[i].number->metric); j++)
			slice[m++] = e[j].number->number;
		folded[n] = (struct wb_db_sample){
			.metric = e[i].number->metric,
			.unit = e[i].number->unit,
			.better = e[i].number->better,
			.level = e[i].number->level,
			.exact = e[i].number->exact,
			.value = wb_median(slice, m),
			.iter = (int64_t)m,
		};
		at[e[i].place] = &folded[n++];
	}
	/* in the order of printing again */
	out->sample = wb_xcalloc(n, sizeof(*out->sample));
	for (i = 0; i < in->n; i++)
		if (at[i])
			out->sample[out->n++] = *at[i];
	free(folded);
	free(at);
	free(slice);
	free(e);
}

void wb_trial_read_time(const struct wb_proc_result *r, struct wb_reading *out)
{
	wb_reading_add(out, "wall", "s", WB_BETTER_LOWER, r->wall);
	wb_reading_add(out, "user", "s", WB_BETTER_LOWER, r->user);
	wb_reading_add(out, "sys", "s", WB_BETTER_LOWER, r->sys);
	wb_reading_add(out, "cpu", "s", WB_BETTER_LOWER, r->user + r->sys);
	wb_reading_add(out, "maxrss", "bytes", WB_BETTER_LOWER,
		       (double)r->maxrss);
}

/* Runs and reads; a failure of the bench is WB_E_JUDGE with its reason. */
static int time_once(const struct wb_trial *t, const struct wb_proc *proc,
		     struct wb_proc_result *res, struct wb_reading *out,
		     struct wb_error *err)
{
	/* what the store keeps is what the bench said; what it did not say is
	   looked up in the configuration when it is reported (plan.c) */
	static const struct wb_bench_config nothing_said = { .name = NULL };
	const struct wb_bench_config *b = t->bench;
	if (wb_proc_run(proc, res, err) < 0)
		return -1;
	if (res->end == WB_PROC_INTERRUPT)
		return wb_proc_fail_interrupted(res->code, err);
	if (wb_proc_failed(proc, res, "run", err) < 0)
		return -1;
	if (b->reader == WB_READER_TIME) {
		wb_trial_read_time(res, out);
		return 0;
	}
	if (wb_sample_read(b->reader, res->out.ptr, res->out.len,
			   &nothing_said, out, err) < 0) {
		err->kind = WB_E_JUDGE;
		return wb_fail_at(err, "run");
	}
	return 0;
}

static int refuse_counts(const struct wb_reading *reading, struct wb_error *err)
{
	size_t i;

	for (i = 0; i < reading->n; i++)
		if (reading->v[i].counted)
			return wb_fail(err, WB_E_JUDGE, "run: '%s' has \"per\" "
				       "but no \"value\"",
				       reading->v[i].metric);
	return 0;
}

/*
 * The bench once more, sampled. A profile that cannot be had leaves the rest
 * of the trial as it is.
 */
static int sample_profile(const struct wb_trial *t, const struct wb_proc *proc,
			  struct wb_reading *out, struct wb_error *err)
{
	struct wb_inclusive profile;
	int ret;

	if (!t->sampled || !t->bench->profile)
		return 0;
	wb_inclusive_init(&profile, t->bench->profile);
	ret = wb_perf_sample(proc, t->build->dir, &profile, err);
	if (!ret) {
		wb_inclusive_read(&profile, NULL, WB_LEVEL_S, out);
	} else if (err->kind == WB_E_JUDGE) {
		wb_reading_remark(out, "profile: %.200s", err->msg);
		wb_error_clear(err);
		ret = 0;
	}
	wb_inclusive_clear(&profile);
	return ret;
}

static int measure(const struct wb_trial *t, const struct wb_proc *proc,
		   struct wb_proc_result *res, struct wb_reading *out,
		   struct wb_error *err)
{
	bool unmarked;

	if (t->counting)
		return wb_count_run(proc, &t->how, t->build->dir, out,
				    &unmarked, err);
	if (time_once(t, proc, res, out, err) < 0 ||
	    refuse_counts(out, err) < 0)
		return -1;
	return sample_profile(t, proc, out, err);
}

static void keep_strings(struct wb_reading *in, struct wb_trial_result *out)
{
	size_t i;

	out->own = wb_xcalloc(2 * in->n, sizeof(*out->own));
	for (i = 0; i < in->n; i++) {
		out->own[out->nown++] = in->v[i].metric;
		out->own[out->nown++] = in->v[i].unit;
		in->v[i].metric = in->v[i].unit = NULL;
	}
}

static struct wb_proc make_proc(const struct wb_trial *t,
				const struct wb_env *env)
{
	return (struct wb_proc){
		.command = t->bench->command,
		.cwd = t->build->tree,
		.env = env->v,
		.box = wb_sandbox_box(t->build->box),
		.cpus = t->cpu,
		.group = t->plan->config->cpuset,
		.ncpus = (size_t)t->bench->cpus,
		.fifo = t->fifo && !t->counting,
		.timeout = t->bench->timeout,
		.max_output = OUTPUT_MAX,
		.interrupt_fd = t->interrupt_fd,
		/* valgrind's own work is not what is asked for */
		.event = t->counting ? NULL : t->events->v,
		.nevents = t->counting ? 0 : t->events->n,
	};
}

static void take_counts(const struct wb_trial *t,
			const struct wb_proc_result *res,
			struct wb_trial_result *r)
{
	static const struct wb_db_usage unknown = WB_DB_USAGE_UNKNOWN;

	r->usage = unknown;
	if (t->counting)
		return;
	wb_events_usage(t->events, res, &r->usage);
	if (!r->failure)
		r->ncounters = wb_events_counters(t->events, res, r->counter);
}

struct wb_proc wb_trial_prepare(const struct wb_trial *t, struct wb_env *env)
{
	make_env(t, env);
	return make_proc(t, env);
}

int wb_trial_probe(const struct wb_trial *t, struct wb_count_how *how,
		   struct wb_error *err)
{
	struct wb_reading reading = { .n = 0 };
	struct wb_proc proc;
	struct wb_env env;
	bool unmarked;
	int ret;

	*how = (struct wb_count_how){
		t->counter, WB_COUNT_FUNCTION, t->bench->toggle,
		t->bench->profile,
	};
	if (how->function)
		return 0;
	how->mode = WB_COUNT_MARKED;
	proc = wb_trial_prepare(t, &env);
	ret = wb_count_run(&proc, how, t->build->dir, &reading, &unmarked,
			   err);
	if (unmarked)
		how->mode = WB_COUNT_WHOLE;
	if (ret < 0 && err->kind == WB_E_JUDGE) {
		/* as said above */
		wb_error_clear(err);
		ret = 0;
	}
	wb_reading_clear(&reading);
	wb_env_clear(&env);
	return ret;
}

int wb_trial_run(const struct wb_trial *t, struct wb_trial_result *r,
		 struct wb_error *err)
{
	struct wb_error why = WB_ERROR_INIT;
	struct wb_reading reading = { .n = 0 };
	struct wb_proc_result res;
	struct wb_proc proc;
	struct wb_env env;
	double began = wb_proc_now();
	int ret = -1;

	memset(r, 0, sizeof(*r));
	wb_proc_result_init(&res);
	proc = wb_trial_prepare(t, &env);
	if (measure(t, &proc, &res, &reading, &why) < 0) {
		if (why.kind != WB_E_JUDGE) {
			*err = why;
			goto out;
		}
		r->failure = wb_xstrdup(why.msg);
	} else {
		fold_slices(&reading, r);
		keep_strings(&reading, r);
		r->remark = reading.remark;
		reading.remark = NULL;
	}
	r->wall = t->counting ? wb_proc_now() - began : res.wall;
	r->cpu = res.user + res.sys;
	r->nivcsw = res.nivcsw;
	take_counts(t, &res, r);
	ret = 0;
out:
	wb_reading_clear(&reading);
	wb_proc_result_clear(&res);
	wb_env_clear(&env);
	return ret;
}

void wb_trial_result_clear(struct wb_trial_result *r)
{
	size_t i;

	for (i = 0; i < r->nown; i++)
		free(r->own[i]);
	free(r->own);
	free(r->sample);
	free(r->failure);
	free(r->remark);
	memset(r, 0, sizeof(*r));
}
