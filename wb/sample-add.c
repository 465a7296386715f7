/*
 * From a line to a point: which column, metric, round and process it is of, and
 * whether it agrees with the lines before.
 */
#include "sample-add.h"
#include "calls.h"
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * A round belongs to a boot; the two are kept in one number, which a round of
 * no boot has for itself. Lines that name no run are processes of their own,
 * numbered where no given run can be.
 */
#define ROUNDS_PER_BOOT ((int64_t)1 << 24)
#define BOOTS_MAX 127

size_t wb_loader_column(struct wb_loader *l, const char *prefix)
{
	size_t i = wb_names_add(&l->prefixes, prefix);

	if (i == l->r->ncolumns)
		wb_result_add_column(l->r, (int)i, prefix);
	return i;
}

size_t wb_loader_metric(struct wb_loader *l, const char *bench,
			const char *name, const struct wb_axes *axes)
{
	const char *names = axes->names ? axes->names : "";
	const char *values = axes->values ? axes->values : "";
	size_t i;

	wb_buf_reset(&l->key);
	wb_buf_addf(&l->key, "%zu %zu %zu %s%s%s%s", strlen(names),
		    strlen(values), strlen(bench), names, values, bench, name);
	i = wb_names_add(&l->metrics, l->key.ptr);
	if (i == l->r->nmetrics) {
		wb_result_add_metric(l->r, bench, name);
		l->r->metric[i].axes = wb_xstrdup(axes->names);
		l->r->metric[i].values = wb_xstrdup(axes->values);
	}
	return i;
}

/* Keeps what is said first; what is said later must be the same. */
static int settle(char **kept, const char *said, const char *what,
		  const char *whose, struct wb_error *err)
{
	if (!said || (*kept && !strcmp(*kept, said)))
		return 0;
	if (*kept && **kept)
		return wb_fail(err, WB_E_FATAL, "%s '%.40s', but lines before "
			       "say '%.40s'%s%.80s; keep them in separate "
			       "files", what, said, *kept,
			       *whose ? " for " : "", whose);
	free(*kept);
	*kept = wb_xstrdup(said);
	return 0;
}

/* What a page says of a metric stands: a configuration may have helped. */
static int settle_metric(const struct wb_loader *l, struct wb_metric *m,
			 const struct wb_sample *s, struct wb_error *err)
{
	if (!l->known && settle(&m->unit, s->unit, "unit", m->name, err) < 0)
		return -1;
	if (!l->known && s->better && m->better && s->better != m->better)
		return wb_fail(err, WB_E_FATAL, "better is '%s', but lines "
			       "before say '%s' for %.80s",
			       wb_better_word(s->better),
			       wb_better_word(m->better), m->name);
	if (s->level && m->level && s->level != m->level)
		return wb_fail(err, WB_E_FATAL, "level is %s, but lines before "
			       "say %s for %.80s; numbers of different levels "
			       "are never mixed", wb_level_word(s->level),
			       wb_level_word(m->level), m->name);
	m->better = m->better ? m->better : s->better;
	m->level = m->level ? m->level : s->level;
	m->exact |= s->exact;
	return 0;
}

static int place(struct wb_loader *l, const struct wb_sample *s,
		 struct wb_point *p, struct wb_error *err)
{
	size_t boot = s->boot ? wb_names_add(&l->boots, s->boot) : 0;
	int64_t rounds = s->boot ? ROUNDS_PER_BOOT : INT32_MAX, switches;

	if (s->round >= rounds || boot >= BOOTS_MAX)
		return wb_fail(err, WB_E_FATAL, "round %lld of boot %zu is "
			       "beyond what a report can hold (%lld, %d)",
			       (long long)s->round, boot + 1,
			       (long long)rounds, BOOTS_MAX);
	if (s->layout >= WB_LAYOUTS_MAX)
		return wb_fail(err, WB_E_FATAL, "layout %lld: a build has %d "
			       "at most", (long long)s->layout, WB_LAYOUTS_MAX);
	if (s->run >= (int64_t)WB_OWN_RUN)
		return wb_fail(err, WB_E_FATAL, "run %lld is too large",
			       (long long)s->run);
	p->value = s->value;
	p->nivcsw = wb_json_get_int(wb_json_get(wb_json_get(s->json, "env"),
						"nivcsw"), &switches) &&
		    switches >= 0 && switches <= INT32_MAX ?
		    (int32_t)switches : -1;
	p->layout = s->layout > 0 ? (uint32_t)s->layout : 0;
	p->round = s->round < 0 ? -1 :
		   (int32_t)((int64_t)boot * ROUNDS_PER_BOOT + s->round);
	p->run = s->run < 0 ? WB_OWN_RUN + l->own_run++ : (uint32_t)s->run;
	return 0;
}

/* The seed that a round was ordered by, where the line has it. */
static void note_seed(struct wb_loader *l, const struct wb_sample *s,
		      int32_t round)
{
	const struct wb_json *env = wb_json_get(s->json, "env");
	const char *seed, *level;

	if (round < 0 || (l->nseeds && l->seed[l->nseeds - 1].round == round) ||
	    !wb_json_get_str(wb_json_get(env, "seed"), &seed) ||
	    !wb_json_get_str(wb_json_get(env, "level"), &level))
		return;
	l->seed = wb_grow(l->seed, l->nseeds, &l->capseeds, sizeof(*l->seed));
	l->seed[l->nseeds++] = (struct seed){
		.round = round, .counting = !strcmp(level, "I"),
		.seed = strtoull(seed, NULL, 16),
	};
}

static int by_round(const void *a, const void *b)
{
	const struct seed *x = a, *y = b;

	return x->round < y->round ? -1 : x->round > y->round;
}

/* Where another call of wb run begins. */
static void find_calls(struct wb_loader *l)
{
	struct wb_calls calls = WB_CALLS_INIT;
	size_t i;

	if (!l->nseeds)
		return;
	l->r->nstarts = 0;
	qsort(l->seed, l->nseeds, sizeof(*l->seed), by_round);
	for (i = 0; i < l->nseeds; i++)
		wb_calls_note(&calls, l->seed[i].round, l->seed[i].seed,
			      l->seed[i].counting, l->r);
}

/* The passes of lockstep slices behind a value. */
static int add_passes(struct wb_loader *l, const struct wb_sample *s,
		      const struct wb_point *p, struct wb_error *err)
{
	const struct wb_json *list = wb_json_get(s->json, "passes");
	struct wb_passes passes = {
		.metric = p->metric, .column = p->column, .round = p->round,
		.n = wb_json_count(list),
	};
	float *offset;
	double v;
	size_t i;

	if (!passes.n || !(p->value > 0))
		return 0;
	if (!wb_json_get_num(wb_json_get(s->json, "mean"), &passes.mean))
		return wb_fail(err, WB_E_FATAL, "\"passes\" without \"mean\"");
	passes.log = log(p->value);
	passes.offset = offset = wb_result_offsets(l->r, passes.n);
	for (i = 0; i < passes.n; i++) {
		if (!wb_json_get_num(wb_json_at(list, i), &v) ||
		    !isfinite((float)v))
			return wb_fail(err, WB_E_FATAL, "\"passes\" has what "
				       "is no number");
		offset[i] = (float)v;
	}
	if (s->control)
		wb_result_add_control_passes(l->r, &passes);
	else
		wb_result_add_passes(l->r, &passes);
	return 0;
}

static void note_failure(struct wb_loader *l, size_t column,
			 const struct wb_sample *s, const struct wb_axes *axes)
{
	l->failure = wb_grow(l->failure, l->nfailures, &l->capfailures,
			     sizeof(*l->failure));
	l->failure[l->nfailures++] = (struct failure){
		.column = column,
		.bench = wb_xstrdup(s->bench ? s->bench : ""),
		.values = wb_xstrdup(axes->values),
		.reason = wb_xstrdup(s->failed),
	};
}

/* A bench of a column whose runs all failed is broken, for the first reason. */
static void add_failures(struct wb_loader *l)
{
	const struct wb_result *r = l->r;
	struct wb_names benches = { .n = 0 };
	size_t *bench = wb_xcalloc(r->nmetrics, sizeof(*bench)), i, at;
	bool *told;

	for (i = 0; i < r->nmetrics; i++)
		bench[i] = wb_names_add(&benches, r->metric[i].bench);
	for (i = 0; i < l->nfailures; i++)
		wb_names_add(&benches, l->failure[i].bench);
	told = wb_xcalloc(benches.n * r->ncolumns, sizeof(*told));
	for (i = 0; i < r->npoints; i++)
		told[bench[r->point[i].metric] * r->ncolumns +
		     r->point[i].column] = true;
	for (i = 0; i < l->nfailures; i++) {
		at = wb_names_add(&benches, l->failure[i].bench) *
		     r->ncolumns + l->failure[i].column;
		if (told[at])
			continue;
		told[at] = true;
		wb_result_add_hole(l->r, l->failure[i].column,
				   l->failure[i].bench, WB_HOLE_BROKEN,
				   l->failure[i].reason);
	}
	wb_names_clear(&benches);
	free(bench);
	free(told);
}

/* The build of a prefix, of which there is one in each layout. */
static int settle_build(struct wb_loader *l, size_t column,
			const struct wb_sample *s, struct wb_error *err)
{
	if (s->layout > 0)
		return 0;
	return settle(&l->r->column[column].build, s->build, "build",
		      s->prefix, err);
}

static int add_sample(struct wb_loader *l, const struct wb_sample *s,
		      const struct wb_axes *axes, struct wb_error *err)
{
	struct wb_point p;
	size_t column, metric;

	if (!s->prefix || !*s->prefix)
		return wb_fail(err, WB_E_FATAL, "no \"prefix\"; a file needs "
			       "prefix, metric and value in each line");
	column = wb_loader_column(l, s->prefix);
	if (l->known && column >= l->ncolumns)
		return wb_fail(err, WB_E_FATAL, "a prefix '%.80s' that the "
			       "page does not know", s->prefix);
	if (s->failed) {
		if (!l->known)
			note_failure(l, column, s, axes);
		return 0;
	}
	if (!s->has_value && wb_json_is_array(wb_json_get(s->json, "count")))
		return 0;	/* an event that never was on the hardware */
	if (!s->has_value)
		return wb_fail(err, WB_E_FATAL, "no \"value\"");
	metric = wb_loader_metric(l, s->bench ? s->bench : "", s->metric, axes);
	if (l->known && metric >= l->nmetrics)
		return wb_fail(err, WB_E_FATAL, "a metric '%.80s' that the "
			       "page does not know", s->metric);
	if (settle_metric(l, &l->r->metric[metric], s, err) < 0 ||
	    settle(&l->r->column[column].tree, s->tree, "tree", s->prefix,
		   err) < 0 ||
	    settle_build(l, column, s, err) < 0 ||
	    settle(&l->r->machine, s->machine, "machine", "", err) < 0 ||
	    place(l, s, &p, err) < 0)
		return -1;
	p.column = (uint32_t)column;
	p.metric = (uint32_t)metric;
	if (s->control)
		wb_result_add_control(l->r, &p);
	else
		wb_result_add_point(l->r, &p);
	if (p.layout && p.layout >= l->r->layouts)
		l->r->layouts = p.layout + 1;
	note_seed(l, s, p.round);
	return add_passes(l, s, &p, err);
}

int wb_loader_add(struct wb_loader *l, const struct wb_sample *s,
		  struct wb_error *err)
{
	const struct wb_json *own = wb_json_get(s->json, "axes");
	struct wb_axes axes;
	int ret;

	/* a page knows groups by the names of their benches already */
	if (!own || l->known)
		return add_sample(l, s, &l->axes, err);
	ret = wb_axes_read(&axes, own, err);
	if (!ret)
		ret = add_sample(l, s, &axes, err);
	wb_axes_clear(&axes);
	return ret;
}

void wb_loader_init(struct wb_loader *l, struct wb_result *r, bool known)
{
	size_t i;

	*l = (struct wb_loader){
		.r = r, .known = known, .ncolumns = r->ncolumns,
		.nmetrics = r->nmetrics, .key = WB_BUF_INIT,
	};
	for (i = 0; i < r->ncolumns; i++)
		wb_names_add(&l->prefixes, r->column[i].name);
	for (i = 0; i < r->nmetrics; i++)
		wb_loader_metric(l, r->metric[i].bench, r->metric[i].name,
				 &l->axes);
}

static void part_benches(struct wb_loader *l)
{
	struct wb_result *r = l->r;
	size_t n = r->nmetrics + l->nfailures, i;
	struct wb_axes_user *u = wb_xcalloc(n, sizeof(*u));

	for (i = 0; i < r->nmetrics; i++)
		u[i] = (struct wb_axes_user){
			&r->metric[i].bench, r->metric[i].values,
		};
	for (i = 0; i < l->nfailures; i++)
		u[r->nmetrics + i] = (struct wb_axes_user){
			&l->failure[i].bench, l->failure[i].values,
		};
	wb_axes_part(u, n);
	free(u);
}

void wb_loader_end(struct wb_loader *l)
{
	if (!l->known)
		part_benches(l);
	add_failures(l);
	find_calls(l);
}

void wb_loader_clear(struct wb_loader *l)
{
	size_t i;

	wb_names_clear(&l->prefixes);
	wb_names_clear(&l->metrics);
	wb_names_clear(&l->listed);
	wb_names_clear(&l->boots);
	for (i = 0; i < l->nfailures; i++) {
		free(l->failure[i].bench);
		free(l->failure[i].values);
		free(l->failure[i].reason);
	}
	free(l->failure);
	free(l->seed);
	wb_buf_clear(&l->key);
	wb_axes_clear(&l->axes);
}
