#include "trial-slices.h"
#include "lockstep.h"

#include <stdlib.h>
#include <string.h>

/*
 * A slice is half a millisecond. Who computes for seconds on end hangs, and
 * under SCHED_FIFO keeps wb from its CPU meanwhile.
 */
#define RT_LIMIT 10.0

/* What a process gave becomes samples; its memory moves to the result. */
static void take_metrics(struct wb_lockstep_result *from,
			 struct wb_trial_result *to)
{
	struct wb_lockstep_metric *m;
	size_t i;

	to->sample = wb_xcalloc(from->nmetrics, sizeof(*to->sample));
	to->own = wb_xcalloc(3 * from->nmetrics, sizeof(*to->own));
	for (i = 0; i < from->nmetrics; i++) {
		m = &from->metric[i];
		to->sample[to->n++] = (struct wb_db_sample){
			.metric = m->name,
			.unit = m->unit,
			.better = m->better,
			.level = m->level,
			.exact = m->exact,
			.value = m->value,
			.iter = (int64_t)m->passes,
			.pass = m->log,
			.npasses = m->passes,
			.mean = m->mean,
		};
		to->own[to->nown++] = m->name;
		to->own[to->nown++] = m->unit;
		to->own[to->nown++] = (char *)m->log;
		m->name = m->unit = NULL;
		m->log = NULL;
	}
}

static void take_result(const struct wb_trial *t,
			struct wb_lockstep_result *from, double wall,
			struct wb_trial_result *to)
{
	to->wall = wall;
	to->cpu = from->end.user + from->end.sys;
	to->nivcsw = from->end.nivcsw;
	wb_events_usage(t->events, &from->end, &to->usage);
	if (from->failure)
		to->failure = wb_xstrdup(from->failure);
	else
		take_metrics(from, to);
}

int wb_trial_slices(const struct wb_trial *t, size_t n, uint64_t seed,
		    struct wb_trial_result *r, bool *disturbed,
		    struct wb_error *err)
{
	struct wb_lockstep_result *out = wb_xcalloc(n, sizeof(*out));
	struct wb_proc *proc = wb_xcalloc(n, sizeof(*proc));
	struct wb_env *env = wb_xcalloc(n, sizeof(*env));
	struct wb_lockstep l = {
		.proc = proc, .n = n, .judge = t->bench->judge, .seed = seed,
	};
	double began = wb_proc_now();
	size_t i;
	int ret;

	memset(r, 0, n * sizeof(*r));
	for (i = 0; i < n; i++) {
		proc[i] = wb_trial_prepare(&t[i], &env[i]);
		if (proc[i].fifo)
			proc[i].rt_limit = proc[i].timeout > 0 &&
				proc[i].timeout < RT_LIMIT ?
				proc[i].timeout : RT_LIMIT;
	}
	ret = wb_lockstep(&l, out, err);
	*disturbed = !ret && proc->fifo && wb_lockstep_disturbed(out, n);
	for (i = 0; i < n; i++) {
		if (!ret)
			take_result(&t[i], &out[i], (wb_proc_now() - began) /
				    (double)n, &r[i]);
		wb_lockstep_result_clear(&out[i]);
		wb_env_clear(&env[i]);
	}
	free(env);
	free(proc);
	free(out);
	return ret;
}
