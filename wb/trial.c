#include "trial.h"
#include "count.h"
#include "env.h"
#include "sample.h"
#include "schedule.h"
#include "stats.h"

#include <stdlib.h>
#include <string.h>

#define OUTPUT_MAX ((size_t)64 << 20)
#define PAGE 4096		/* environments differ by less than this */
#define PAD_STEP 16		/* the stack's alignment */

static void make_env(const struct wb_trial *t, struct wb_env *env)
{
	uint64_t random = t->seed;
	size_t size;

	wb_env_init(env);
	wb_build_env(env, t->plan, t->prefix, t->git, t->build);
	wb_env_setf(env, "WB_CPU", "%d", t->cpu[0]);
	wb_env_setf(env, "WB_SEED", "%010u", (unsigned)(t->seed >> 32));
	if (t->counting) {
		/* a name's length would be counted where a shell reads it */
		wb_env_set(env, "WB_PREFIX", "0");
		wb_env_set(env, "WB_NAME", "count");
		wb_env_set(env, "WB_COUNT", "1");
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

/*
 * Several numbers of one metric from one process are slices: their median is
 * the sample. Strings move from the reading to the result.
 */
static void fold_slices(struct wb_reading *in, struct wb_trial_result *out)
{
	double *slice = wb_xmalloc(in->n * sizeof(*slice));
	size_t i, j, m;

	out->sample = wb_xcalloc(in->n, sizeof(*out->sample));
	for (i = 0; i < in->n; i++) {
		for (j = 0; j < out->n; j++)
			if (!strcmp(out->sample[j].metric, in->v[i].metric))
				break;
		if (j < out->n)
			continue;
		for (m = 0, j = i; j < in->n; j++)
			if (!strcmp(in->v[j].metric, in->v[i].metric))
				slice[m++] = in->v[j].number;
		out->sample[out->n++] = (struct wb_db_sample){
			.metric = in->v[i].metric,
			.unit = in->v[i].unit,
			.better = in->v[i].better,
			.exact = in->v[i].exact,
			.value = wb_median(slice, m),
			.iter = (int64_t)m,
		};
	}
	free(slice);
}

static void time_reading(const struct wb_proc_result *r, struct wb_reading *out)
{
	wb_reading_add(out, "wall", "s", WB_BETTER_LOWER, r->wall);
	wb_reading_add(out, "user", "s", WB_BETTER_LOWER, r->user);
	wb_reading_add(out, "sys", "s", WB_BETTER_LOWER, r->sys);
	wb_reading_add(out, "maxrss", "bytes", WB_BETTER_LOWER,
		       (double)r->maxrss);
}

/* The last line of stderr, which is where a program says what went wrong. */
static void add_last_line(const struct wb_buf *text, struct wb_buf *out)
{
	size_t end = text->len, begin;

	while (end && strchr(" \n\t\r", text->ptr[end - 1]))
		end--;
	for (begin = end; begin && text->ptr[begin - 1] != '\n'; begin--)
		;
	if (end > begin + 200)
		end = begin + 200;
	if (end > begin)
		wb_buf_addf(out, ": %.*s", (int)(end - begin),
			    text->ptr + begin);
}

/* Runs and reads; a failure of the bench is WB_E_JUDGE with its reason. */
static int time_once(const struct wb_trial *t, const struct wb_proc *proc,
		     struct wb_proc_result *res, struct wb_reading *out,
		     struct wb_error *err)
{
	const struct wb_bench_config *b = t->bench;
	struct wb_buf why = WB_BUF_INIT;

	if (wb_proc_run(proc, res, err) < 0)
		return -1;
	if (res->end == WB_PROC_INTERRUPT)
		return wb_proc_fail_interrupted(res->code, err);
	if (res->end != WB_PROC_EXIT || res->code) {
		wb_proc_describe(proc, res, &why);
		add_last_line(&res->err, &why);
		wb_fail(err, WB_E_JUDGE, "run: %s", why.ptr);
		wb_buf_clear(&why);
		return -1;
	}
	if (b->reader == WB_READER_TIME) {
		time_reading(res, out);
		return 0;
	}
	if (wb_sample_read(b->reader, res->out.ptr, res->out.len, b, out,
			   err) < 0) {
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

static int measure(const struct wb_trial *t, const struct wb_proc *proc,
		   struct wb_proc_result *res, struct wb_reading *out,
		   struct wb_error *err)
{
	bool unmarked = false;

	if (!t->counting) {
		if (time_once(t, proc, res, out, err) < 0)
			return -1;
		return refuse_counts(out, err);
	}
	if (!wb_count_run(proc, *t->whole, t->bench, out, &unmarked,
			  err))
		return 0;
	if (!unmarked)
		return -1;
	/* it does not know callgrind: then its whole run is what counts */
	*t->whole = true;
	wb_error_clear(err);
	wb_reading_clear(out);
	return wb_count_run(proc, true, t->bench, out, &unmarked, err);
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

int wb_trial_run(const struct wb_trial *t, struct wb_trial_result *r,
		 struct wb_error *err)
{
	struct wb_proc proc = {
		.command = t->bench->command,
		.cwd = t->build->tree,
		.cpus = t->cpu,
		.ncpus = (size_t)t->bench->cpus,
		.fifo = t->fifo && !t->counting,
		.timeout = t->bench->timeout,
		.max_output = OUTPUT_MAX,
		.interrupt_fd = t->interrupt_fd,
	};
	struct wb_error why = WB_ERROR_INIT;
	struct wb_reading reading = { .n = 0 };
	struct wb_proc_result res;
	struct wb_env env;
	double began = wb_proc_now();
	int ret = -1;

	memset(r, 0, sizeof(*r));
	wb_proc_result_init(&res);
	make_env(t, &env);
	proc.env = env.v;
	if (measure(t, &proc, &res, &reading, &why) < 0) {
		if (why.kind != WB_E_JUDGE) {
			*err = why;
			goto out;
		}
		r->failure = wb_xstrdup(why.msg);
	} else {
		fold_slices(&reading, r);
		keep_strings(&reading, r);
	}
	r->wall = t->counting ? wb_proc_now() - began : res.wall;
	r->cpu = res.user + res.sys;
	r->nivcsw = res.nivcsw;
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
	memset(r, 0, sizeof(*r));
}
