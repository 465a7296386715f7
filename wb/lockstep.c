#include "lockstep.h"
#include "beside.h"
#include "schedule.h"
#include "slice-proc.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PASSES_MIN 20		/* of a round */
#define BURST 0.050		/* seconds between rests */
#define SWITCHED_MAX 0.02	/* share of slices */
/* By the kernel's own threads, while a process starts and finds its CPU. */
#define START_SWITCHES 2

double wb_lockstep_seconds(size_t n)
{
	return n <= 8 ? 0.5 : 0.5 + (double)(n - 8) / 32;
}

bool wb_lockstep_disturbed(const struct wb_lockstep_result *r, size_t n)
{
	double slices = 0, switches = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		if (r[i].failure)
			continue;
		slices += (double)r[i].slices;
		if (r[i].end.nivcsw > START_SWITCHES)
			switches += (double)(r[i].end.nivcsw - START_SWITCHES);
	}
	return switches > SWITCHED_MAX * slices;
}

/* What a process measured of a metric, pass by pass. */
struct track {
	bool wanted;		/* this process has this metric */
	double *pass;
	size_t n, cap;
	double sum;		/* of the means of the parts */
	char *unit;		/* NULL before the first slice */
	enum wb_better better;
	enum wb_level level;
	bool exact;
};

struct round {
	const struct wb_lockstep *l;
	struct wb_lockstep_result *r;
	struct wb_slice_proc *p;
	char **metric;		/* the union of what the processes have */
	size_t nmetrics, capmetrics;
	struct track *track;	/* [metric * l->n + process] */
	uint64_t random;
	double rest;		/* seconds after each burst; 0: none */
	double burst;		/* when the last rest ended */
};

/* ---- which metrics ------------------------------------------------------- */

static size_t metric_index(struct round *r, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < r->nmetrics; i++)
		if (strlen(r->metric[i]) == len &&
		    !memcmp(r->metric[i], name, len))
			return i;
	r->metric = wb_grow(r->metric, r->nmetrics, &r->capmetrics,
			    sizeof(*r->metric));
	r->metric[r->nmetrics] = wb_xstrndup(name, len);
	return r->nmetrics++;
}

static bool says_names(const char *judge)
{
	return judge && judge[strspn(judge, " \t")] && !strpbrk(judge, "*?[");
}

/* Every word of judge is a metric that every process has. */
static void take_names(struct round *r)
{
	const char *w = r->l->judge;
	size_t i, n;

	for (w += strspn(w, " \t"); *w; w += n + strspn(w + n, " \t")) {
		n = strcspn(w, " \t");
		metric_index(r, w, n);
	}
	r->track = wb_xcalloc(r->nmetrics * r->l->n, sizeof(*r->track));
	for (i = 0; i < r->nmetrics * r->l->n; i++)
		r->track[i].wanted = true;
}

static bool judged(const struct round *r, const char *name, size_t n)
{
	const char *judge = r->l->judge;

	return judge && judge[strspn(judge, " \t")] ?
	       wb_globs_match(judge, name) : n <= WB_JUDGED_BY_DEFAULT;
}

static void fail(struct wb_slice_proc *p, const char *fmt, size_t n)
{
	free(p->failure);
	p->failure = wb_xasprintf("run: lists %zu metrics, %s", n, fmt);
}

struct list {
	char **name;
	size_t n;
};

static int take_lists(struct round *r, struct list *list, struct wb_error *err)
{
	size_t i, k, at, some;

	for (i = 0; i < r->l->n; i++) {
		if (wb_slice_list(&r->p[i], &list[i].name, &list[i].n,
				  err) < 0)
			return -1;
		if (r->p[i].failure)
			wb_slice_stop(&r->p[i]);
		for (k = some = 0; k < list[i].n; k++) {
			if (!judged(r, list[i].name[k], list[i].n))
				continue;
			metric_index(r, list[i].name[k],
				     strlen(list[i].name[k]));
			some++;
		}
		if (list[i].n && !some)
			fail(&r->p[i], r->l->judge ? "none of wb-bench.NAME."
			     "judge" : "too many to ask for: choose some with "
			     "wb-bench.NAME.judge", list[i].n);
	}
	r->track = wb_xcalloc(r->nmetrics * r->l->n, sizeof(*r->track));
	for (i = 0; i < r->l->n; i++) {
		for (k = 0; k < list[i].n; k++) {
			if (!judged(r, list[i].name[k], list[i].n))
				continue;
			at = metric_index(r, list[i].name[k],
					  strlen(list[i].name[k]));
			r->track[at * r->l->n + i].wanted = true;
		}
	}
	return 0;
}

static int find_metrics(struct round *r, struct wb_error *err)
{
	struct list *list;
	size_t i, k;
	int ret;

	if (says_names(r->l->judge)) {
		take_names(r);
		return 0;
	}
	list = wb_xcalloc(r->l->n, sizeof(*list));
	ret = take_lists(r, list, err);
	for (i = 0; i < r->l->n; i++) {
		for (k = 0; k < list[i].n; k++)
			free(list[i].name[k]);
		free(list[i].name);
	}
	free(list);
	return ret;
}

/* ---- slices -------------------------------------------------------------- */

static void shuffle(uint64_t *random, size_t *v, size_t n)
{
	size_t i, j, t;

	for (i = 0; i < n; i++)
		v[i] = i;
	for (i = n; i > 1; i--) {
		j = (size_t)(wb_schedule_random(random) % i);
		t = v[i - 1];
		v[i - 1] = v[j];
		v[j] = t;
	}
}

/* What every slice of a metric says of it must be what the first one said. */
static bool describe(struct track *t, const struct wb_sample *s)
{
	const char *unit = s->unit ? s->unit : "";

	if (t->unit)
		return !strcmp(t->unit, unit) && t->better == s->better &&
		       t->level == s->level && t->exact == s->exact;
	t->unit = wb_xstrdup(unit);
	t->better = s->better;
	t->level = s->level;
	t->exact = s->exact;
	return true;
}

static int run_slice(struct round *r, size_t metric, size_t i, uint32_t seed,
		     bool keep, struct wb_error *err)
{
	struct track *t = &r->track[metric * r->l->n + i];
	struct wb_slice s;
	int rc;

	if (!t->wanted || r->p[i].failure)
		return 0;
	rc = wb_slice_run(&r->p[i], r->metric[metric], seed, &s, err);
	if (!rc)	/* it must not disturb the others any longer */
		wb_slice_stop(&r->p[i]);
	if (rc <= 0)
		return rc;
	r->r[i].slices++;
	if (!describe(t, &s.sample)) {
		r->p[i].failure = wb_xasprintf("run: slices of '%.80s' differ "
			"in unit, better, level or exact", r->metric[metric]);
	} else if (keep) {
		t->pass = wb_grow(t->pass, t->n, &t->cap, sizeof(*t->pass));
		t->pass[t->n++] = s.median;
		t->sum += s.mean;
	}
	wb_sample_clear(&s.sample);
	return 0;
}

static void rest(struct round *r)
{
	if (!(r->rest > 0) || wb_proc_now() - r->burst < BURST)
		return;
	wb_proc_sleep(r->rest, r->l->proc->interrupt_fd);
	r->burst = wb_proc_now();
}

static int run_pass(struct round *r, bool keep, size_t *metrics,
		    size_t *order, struct wb_error *err)
{
	uint32_t seed = (uint32_t)(wb_schedule_random(&r->random) >> 32);
	size_t m, i;

	shuffle(&r->random, metrics, r->nmetrics);
	for (m = 0; m < r->nmetrics; m++) {
		shuffle(&r->random, order, r->l->n);
		for (i = 0; i < r->l->n; i++) {
			if (run_slice(r, metrics[m], order[i], seed, keep,
				      err) < 0)
				return -1;
			rest(r);
		}
	}
	return 0;
}

static bool any_left(const struct round *r)
{
	size_t i;

	for (i = 0; i < r->l->n && r->p[i].failure; i++)
		;
	return i < r->l->n;
}

static int run_passes(struct round *r, struct wb_error *err)
{
	size_t *order = wb_xcalloc(r->l->n, sizeof(*order)), pass = 0;
	size_t *metrics = wb_xcalloc(r->nmetrics, sizeof(*metrics));
	double seconds = r->l->seconds > 0 ? r->l->seconds :
			 wb_lockstep_seconds(r->l->n), end;
	int ret = run_pass(r, false, metrics, order, err);

	end = wb_proc_now() + seconds * (double)r->nmetrics;
	while (!ret && any_left(r) &&
	       (pass < PASSES_MIN || wb_proc_now() < end)) {
		ret = run_pass(r, true, metrics, order, err);
		pass++;
	}
	free(order);
	free(metrics);
	return ret;
}

/* ---- a round ------------------------------------------------------------- */

static void fill_metric(const char *name, struct track *t,
			struct wb_lockstep_metric *m)
{
	double *sorted = wb_xmalloc(t->n * sizeof(*sorted));
	size_t i;

	memcpy(sorted, t->pass, t->n * sizeof(*sorted));
	*m = (struct wb_lockstep_metric){
		.name = wb_xstrdup(name),
		.unit = wb_xstrdup(t->unit),
		.better = t->better,
		.level = t->level,
		.exact = t->exact,
		.value = wb_median(sorted, t->n),
		.mean = t->sum / (double)t->n,
		.log = wb_xcalloc(t->n, sizeof(*m->log)),
		.passes = t->n,
	};
	for (i = 0; i < t->n; i++)
		m->log[i] = (float)log(t->pass[i] / m->value);
	free(sorted);
}

static void fill_results(struct round *r)
{
	struct wb_lockstep_result *out;
	struct track *t;
	size_t i, m;

	for (i = 0; i < r->l->n; i++) {
		out = &r->r[i];
		out->end = r->p[i].end;
		wb_proc_result_init(&r->p[i].end);
		out->failure = wb_xstrdup(r->p[i].failure);
		if (out->failure)
			continue;
		out->metric = wb_xcalloc(r->nmetrics, sizeof(*out->metric));
		for (m = 0; m < r->nmetrics; m++) {
			t = &r->track[m * r->l->n + i];
			if (t->n)
				fill_metric(r->metric[m], t,
					    &out->metric[out->nmetrics++]);
		}
	}
}

static int start_all(struct round *r, struct wb_error *err)
{
	size_t i;

	for (i = 0; i < r->l->n; i++)
		if (wb_slice_start(&r->p[i], &r->l->proc[i], err) < 0)
			return -1;
	return 0;
}

/* All are told before any is waited for. */
static void stop_all(struct round *r)
{
	size_t i;

	for (i = 0; i < r->l->n; i++)
		wb_slice_quit(&r->p[i]);
	for (i = 0; i < r->l->n; i++)
		wb_slice_stop(&r->p[i]);
}

static void clear(struct round *r)
{
	size_t i;

	for (i = 0; i < r->l->n; i++)
		wb_slice_clear(&r->p[i]);
	for (i = 0; r->track && i < r->nmetrics * r->l->n; i++) {
		free(r->track[i].pass);
		free(r->track[i].unit);
	}
	for (i = 0; i < r->nmetrics; i++)
		free(r->metric[i]);
	free(r->metric);
	free(r->track);
	free(r->p);
}

int wb_lockstep(const struct wb_lockstep *l, struct wb_lockstep_result *res,
		struct wb_error *err)
{
	struct round r = {
		.l = l, .r = res, .random = l->seed,
		.p = wb_xcalloc(l->n, sizeof(*r.p)),
	};
	struct wb_beside *was;
	int ret = -1;
	size_t i;

	memset(res, 0, l->n * sizeof(*res));
	for (i = 0; i < l->n; i++)
		wb_proc_result_init(&res[i].end);
	if (start_all(&r, err) < 0)
		goto out;
	was = wb_beside(l->proc->cpus, l->proc->ncpus, l->proc->fifo);
	r.burst = wb_proc_now();
	if (l->proc->fifo)
		r.rest = BURST * wb_proc_fifo_rest();
	if (!find_metrics(&r, err))
		ret = run_passes(&r, err);
	wb_beside_end(was);
	if (ret)
		goto out;
	stop_all(&r);
	fill_results(&r);
out:
	clear(&r);
	return ret;
}

void wb_lockstep_result_clear(struct wb_lockstep_result *r)
{
	size_t i;

	for (i = 0; i < r->nmetrics; i++) {
		free(r->metric[i].name);
		free(r->metric[i].unit);
		free(r->metric[i].log);
	}
	wb_proc_result_clear(&r->end);
	free(r->metric);
	free(r->failure);
	memset(r, 0, sizeof(*r));
}
