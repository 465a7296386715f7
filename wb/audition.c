#include "audition.h"
#include "build.h"
#include "env.h"
#include "lockstep.h"
#include "plan.h"
#include "proc.h"
#include "sandbox.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>

#define OUTPUT_MAX ((size_t)64 << 20)

/* From the format that is hardest to mistake to what takes anything. */
static const enum wb_reader order[] = {
	WB_READER_SLICES, WB_READER_SAMPLES, WB_READER_GOOGLE,
	WB_READER_HYPERFINE, WB_READER_PERF, WB_READER_GO, WB_READER_KTAP,
	WB_READER_MMTESTS, WB_READER_LINES, WB_READER_LAST_NUMBER,
	WB_READER_TIME,
};
#define SURE 9			/* of these */

/* A slice is half a millisecond; who takes longer to answer serves none. */
#define ANSWER_MAX 2.0
#define LISTEN 0.02		/* seconds for each metric */

/* The bench as wb run would ask it with reader = slices. */
static int hear_slices(struct wb_hearing *h, const struct wb_proc *plain,
		       struct wb_env *env, struct wb_error *err)
{
	struct wb_proc proc = *plain;
	struct wb_lockstep l = { .proc = &proc, .n = 1, .seconds = LISTEN };
	struct wb_lockstep_result r;
	struct wb_lockstep_metric *m;
	size_t i;

	wb_env_setf(env, "WB_SLICE_US", "%d", WB_SLICE_US);
	proc.env = env->v;
	if (!(proc.timeout > 0 && proc.timeout < ANSWER_MAX))
		proc.timeout = ANSWER_MAX;
	if (wb_lockstep(&l, &r, err) < 0) {
		wb_lockstep_result_clear(&r);
		return -1;
	}
	for (i = 0; i < r.nmetrics && !r.failure; i++) {
		m = &r.metric[i];
		wb_reading_add(&h->reading, m->name, m->unit, m->better,
			       m->value);
	}
	if (r.failure)
		h->reason = wb_xstrdup(wb_str_starts(r.failure, "run: ") ?
				       r.failure + strlen("run: ") : r.failure);
	else if (!r.nmetrics)
		h->reason = wb_xstrdup("lists no metric");
	wb_lockstep_result_clear(&r);
	return 0;
}

/* Those that can read it move to the front, in their order. */
static void hear(struct wb_audition *a, const struct wb_proc_result *r,
		 struct wb_hearing *slices)
{
	static const struct wb_bench_config nothing_said = { .name = NULL };
	size_t i, pass, count = sizeof(order) / sizeof(order[0]);
	struct wb_hearing all[WB_READERS] = { { .reason = NULL } };
	struct wb_error why;

	for (i = 0; i < count; i++) {
		all[i].reader = order[i];
		if (order[i] == WB_READER_TIME) {
			wb_trial_read_time(r, &all[i].reading);
			continue;
		}
		if (order[i] == WB_READER_SLICES) {
			all[i] = *slices;
			continue;
		}
		wb_error_clear(&why);
		if (wb_sample_read(order[i], r->out.ptr, r->out.len,
				   &nothing_said, &all[i].reading, &why) < 0) {
			all[i].reason = wb_xstrdup(why.msg);
			/* what it had up to there may be much */
			wb_reading_clear(&all[i].reading);
		}
	}
	for (pass = 0; pass < 2; pass++)
		for (i = 0; i < count; i++)
			if ((all[i].reason != NULL) == (pass == 1)) {
				a->nsure += !pass && i < SURE;
				a->hearing[a->n++] = all[i];
			}
}

static int run_bench(struct wb_audition *a, const struct wb_plan *p,
		     struct wb_git *git, struct wb_build *b,
		     int interrupt_fd, struct wb_error *err)
{
	const struct wb_bench_config *bench = p->bench[0].config;
	struct wb_proc proc = {
		.command = bench->command,
		.cwd = b->tree,
		.timeout = bench->timeout,
		.max_output = OUTPUT_MAX,
		.interrupt_fd = interrupt_fd,
	};
	struct wb_hearing slices = { .reader = WB_READER_SLICES };
	struct wb_proc_result r;
	struct wb_env env;
	int ret = -1;

	wb_proc_result_init(&r);
	wb_env_init(&env);
	if (wb_build_box(b, p, git, err) < 0)
		goto out;
	wb_build_env(&env, p, 0, git, b);
	wb_env_set(&env, "WB_CPU", "0");
	wb_env_set(&env, "WB_SEED", "1000000001");
	proc.env = env.v;
	proc.box = wb_sandbox_box(b->box);
	if (wb_proc_run(&proc, &r, err) < 0)
		goto out;
	if (r.end == WB_PROC_INTERRUPT) {
		wb_proc_fail_interrupted(r.code, err);
		goto out;
	}
	a->bench_seconds = r.wall;
	if (wb_proc_failed(&proc, &r, "bench", err) < 0) {
		/* the user is asked for another command */
		a->broken = wb_xstrdup(err->msg);
		wb_error_clear(err);
	} else {
		if (hear_slices(&slices, &proc, &env, err) < 0)
			goto out;
		hear(a, &r, &slices);
		a->output = r.out;
		wb_buf_init(&r.out);
	}
	ret = 0;
out:
	wb_proc_result_clear(&r);
	wb_env_clear(&env);
	return ret;
}

int wb_audition(struct wb_audition *a, struct wb_git *git,
		const struct wb_config *config, int interrupt_fd,
		struct wb_error *err)
{
	/* a stack without patches */
	static const struct wb_source head = { .word = "HEAD..HEAD" };
	struct wb_build_outcome out = { .broken = NULL };
	struct wb_build b = { .dir = NULL };
	struct wb_plan p;
	int ret = -1;

	memset(a, 0, sizeof(*a));
	wb_buf_init(&a->output);
	if (wb_plan_make(&p, git, config, &head, NULL, err) < 0 ||
	    wb_build_make(&p, 0, 0, git, interrupt_fd, &out, err) < 0)
		goto out;
	a->build_seconds = out.seconds;
	a->cached = out.cached;
	a->broken = out.broken;
	ret = 0;
	if (a->broken)
		goto out;
	if (wb_build_locate(&b, p.prefix[0].build[0], 0, err) < 0 ||
	    run_bench(a, &p, git, &b, interrupt_fd, err) < 0)
		ret = -1;
out:
	wb_build_clear(&b);
	wb_plan_clear(&p);
	return ret;
}

void wb_audition_clear(struct wb_audition *a)
{
	size_t i;

	for (i = 0; i < a->n; i++) {
		wb_reading_clear(&a->hearing[i].reading);
		free(a->hearing[i].reason);
	}
	wb_buf_clear(&a->output);
	free(a->broken);
	memset(a, 0, sizeof(*a));
}

const struct wb_hearing *wb_audition_of(const struct wb_audition *a,
					enum wb_reader reader)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		if (a->hearing[i].reader == reader)
			return &a->hearing[i];
	return NULL;
}
