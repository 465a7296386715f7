/*
 * Sample lines of wb export, into a store.
 *
 * Each line is read twice: first for which run it belongs to, then, when all
 * lines have been brought together by run, for what it says. So lines may come
 * in any order, and nothing is written before all of them have been looked at.
 */
#include "export.h"
#include "json.h"
#include "sample.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PASSES_MAX 100000

/* A line, and the run it belongs to. */
struct line {
	const char *text;
	size_t len, number;
	char *run;		/* its round, place, build and kind */
};

/* What headers say. */
struct heads {
	struct wb_json **doc;
	size_t n, cap;
};

struct importer {
	const char *path;
	struct line *line;
	size_t n, cap;
	struct heads heads;
	size_t now;		/* number of the line being read */
};

/* ---- one line, checked ---- */

static int need_hex(const struct wb_json *v, const char *what, size_t min,
		    size_t max, const char **out, struct wb_error *err)
{
	size_t n;

	if (!wb_json_get_str(v, out))
		return wb_fail(err, WB_E_FATAL, "no \"%s\": it is not a file "
			       "of wb export ('wb report --samples FILE' reads "
			       "it)", what);
	n = strspn(*out, "0123456789abcdef");
	if ((*out)[n] || n < min || n > max)
		return wb_fail(err, WB_E_FATAL, "\"%s\" is '%.80s', no id",
			       what, *out);
	return 0;
}

static int need_int(const struct wb_json *v, const char *what, int64_t max,
		    int64_t *out, struct wb_error *err)
{
	if (wb_json_get_int(v, out) && *out >= 0 && *out <= max)
		return 0;
	return wb_fail(err, WB_E_FATAL, "\"%s\" is no whole number from 0 to "
		       "%" PRId64, what, max);
}

static int get_int(const struct wb_json *o, const char *key, int64_t *out,
		   struct wb_error *err)
{
	const struct wb_json *v = wb_json_get(o, key);

	*out = -1;
	return v ? need_int(v, key, INT64_MAX, out, err) : 0;
}

static int get_seconds(const struct wb_json *o, const char *key, bool needed,
		       double *out, struct wb_error *err)
{
	const struct wb_json *v = wb_json_get(o, key);

	*out = -1;
	if (!v && !needed)
		return 0;
	if (wb_json_get_num(v, out) && isfinite(*out) && *out >= 0)
		return 0;
	return wb_fail(err, WB_E_FATAL, "\"%s\" is no number of seconds", key);
}

static int get_time(const struct wb_json *v, int64_t *out,
		    struct wb_error *err)
{
	struct tm tm = { .tm_isdst = 0 };
	const char *s, *end;

	if (wb_json_get_str(v, &s)) {
		end = strptime(s, "%Y-%m-%dT%H:%M:%SZ", &tm);
		*out = end && !*end ? (int64_t)timegm(&tm) : 0;
		if (*out > 0)
			return 0;
	}
	return wb_fail(err, WB_E_FATAL, "\"time\" is not like "
		       "2026-01-31T12:00:00Z");
}

static int get_usage(const struct wb_json *env, struct wb_db_usage *u,
		     struct wb_error *err)
{
	return get_seconds(env, "user", false, &u->user, err) < 0 ||
	       get_seconds(env, "sys", false, &u->sys, err) < 0 ||
	       get_int(env, "maxrss", &u->maxrss, err) < 0 ||
	       get_int(env, "nvcsw", &u->nvcsw, err) < 0 ||
	       get_int(env, "faults", &u->faults, err) < 0 ||
	       get_int(env, "migrations", &u->migrations, err) < 0 ||
	       get_int(env, "task_clock", &u->task_clock, err) < 0 ? -1 : 0;
}

static int get_env(const struct wb_json *env, struct wb_db_record *r,
		   struct wb_error *err)
{
	const char *seed, *level;
	bool open;

	if (need_hex(wb_json_get(env, "bench"), "env.bench", 64, 64, &r->bench,
		     err) < 0 ||
	    need_hex(wb_json_get(env, "round"), "env.round", 32, 32, &r->round,
		     err) < 0 ||
	    need_hex(wb_json_get(env, "seed"), "env.seed", 16, 16, &seed,
		     err) < 0 ||
	    need_int(wb_json_get(env, "began"), "began", INT64_MAX, &r->began,
		     err) < 0 ||
	    get_int(env, "ended", &r->ended, err) < 0 ||
	    get_seconds(env, "wall", true, &r->run.wall, err) < 0 ||
	    get_seconds(env, "cpu", true, &r->run.cpu, err) < 0 ||
	    get_int(env, "nivcsw", &r->run.nivcsw, err) < 0 ||
	    get_usage(env, &r->run.usage, err) < 0)
		return -1;
	r->seed = strtoull(seed, NULL, 16);
	if (!wb_json_get_str(wb_json_get(env, "level"), &level) ||
	    !wb_level_parse(level, &r->run.level))
		return wb_fail(err, WB_E_FATAL, "\"env.level\" is not H, S or "
			       "I");
	r->run.open = wb_json_get_bool(wb_json_get(env, "open"), &open) ?
		      open : -1;
	return 0;
}

/* Name and command of the bench, facts of the machine: from the headers. */
static int look_up(const struct heads *h, struct wb_db_record *r,
		   struct wb_error *err)
{
	const struct wb_json *list, *o;
	const char *id;
	size_t i, k;

	for (i = 0; i < h->n; i++) {
		list = wb_json_get(h->doc[i], "benches");
		for (k = 0; k < wb_json_count(list); k++) {
			o = wb_json_at(list, k);
			if (wb_json_get_str(wb_json_get(o, "id"), &id) &&
			    !strcmp(id, r->bench) &&
			    wb_json_get_str(wb_json_get(o, "name"), &r->name))
				wb_json_get_str(wb_json_get(o, "command"),
						&r->command);
		}
		if (wb_json_get_str(wb_json_get(h->doc[i], "machine"), &id) &&
		    !strcmp(id, r->machine))
			wb_json_get_str(wb_json_get(h->doc[i],
						    "machine_facts"),
					&r->facts);
	}
	if (!r->name || !r->command)
		return wb_fail(err, WB_E_FATAL, "no header tells of bench "
			       "%.12s: take the whole file", r->bench);
	return r->facts ? 0 : wb_fail(err, WB_E_FATAL, "no header tells of "
				      "machine %.12s: take the whole file",
				      r->machine);
}

/*
 * All but the sample and what headers say, which may stand below. Strings live
 * as long as s.
 */
static int get_record(const struct wb_sample *s, struct wb_db_record *r,
		      struct wb_error *err)
{
	const struct wb_json *j = s->json;
	int64_t order;

	memset(r, 0, sizeof(*r));
	if (!wb_json_is_object(wb_json_get(j, "env")))
		return wb_fail(err, WB_E_FATAL, "no \"env\": it is not a file "
			       "of wb export ('wb report --samples FILE' reads "
			       "it)");
	if (need_hex(wb_json_get(j, "tree"), "tree", 40, 64, &r->tree,
		     err) < 0 ||
	    need_hex(wb_json_get(j, "build"), "build", 64, 64, &r->build,
		     err) < 0 ||
	    need_hex(wb_json_get(j, "machine"), "machine", 64, 64, &r->machine,
		     err) < 0 ||
	    need_int(wb_json_get(j, "order"), "order", INT32_MAX, &order,
		     err) < 0 ||
	    get_time(wb_json_get(j, "time"), &r->run.time, err) < 0 ||
	    get_env(wb_json_get(j, "env"), r, err) < 0)
		return -1;
	if (!s->boot || !s->bench)
		return wb_fail(err, WB_E_FATAL, "no \"%s\"",
			       s->boot ? "bench" : "boot");
	r->boot = s->boot;
	r->run.order = (int)order;
	r->run.control = s->control;
	r->run.reason = s->failed;
	return 0;
}

/* ---- first reading ---- */

static int note_line(struct importer *im, const char *text, size_t len,
		     struct wb_error *err)
{
	struct wb_db_record r;
	struct wb_sample s;
	int64_t version = 0;
	int ret = wb_sample_parse(&s, text, len, err);

	if (s.json && wb_json_get(s.json, "wb")) {
		wb_error_clear(err);
		if (!wb_json_get_int(wb_json_get(s.json, "wb"), &version) ||
		    version != 1) {
			ret = wb_fail(err, WB_E_FATAL, "header: \"wb\" is not "
				      "1, the version that this program "
				      "reads");
			goto out;
		}
		im->heads.doc = wb_grow(im->heads.doc, im->heads.n,
					&im->heads.cap,
					sizeof(*im->heads.doc));
		im->heads.doc[im->heads.n++] = s.json;
		s.json = NULL;
		ret = 0;
		goto out;
	}
	if (ret < 0 || (ret = get_record(&s, &r, err)) < 0)
		goto out;
	im->line = wb_grow(im->line, im->n, &im->cap, sizeof(*im->line));
	im->line[im->n++] = (struct line){
		.text = text, .len = len, .number = im->now,
		.run = wb_xasprintf("%s %10d %d %s %s %s %s", r.round,
				    r.run.order, r.run.control, r.build,
				    wb_level_word(r.run.level), r.bench,
				    r.machine),
	};
out:
	wb_sample_clear(&s);
	return ret;
}

static int note_lines(struct importer *im, const char *text, size_t len,
		      struct wb_error *err)
{
	const char *end = text + len, *eol, *stop;

	for (; text < end; text = eol + 1) {
		im->now++;
		eol = memchr(text, '\n', (size_t)(end - text));
		eol = eol ? eol : end;
		for (stop = eol; stop > text && isspace((unsigned char)
							stop[-1]); stop--)
			;
		if (stop > text &&
		    note_line(im, text, (size_t)(stop - text), err) < 0)
			return -1;
	}
	return im->n ? 0 : wb_fail(err, WB_E_JUDGE, "no sample in it: nothing "
				   "measured");
}

static int by_run(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = strcmp(x->run, y->run);

	return order ? order : x->number < y->number ? -1 :
	       x->number > y->number;
}

/* ---- second reading ---- */

/* A run as it grows, line by line; memory of its own. */
struct growing {
	struct wb_sample *line;	/* owns every string */
	size_t nlines, caplines;
	struct wb_db_sample *sample;
	size_t nsamples, capsamples;
	struct wb_db_counter *counter;
	size_t ncounters, capcounters;
};

static void growing_clear(struct growing *g)
{
	size_t i;

	for (i = 0; i < g->nlines; i++)
		wb_sample_clear(&g->line[i]);
	for (i = 0; i < g->nsamples; i++)
		free((float *)g->sample[i].pass);
	free(g->line);
	free(g->sample);
	free(g->counter);
	memset(g, 0, sizeof(*g));
}

static int add_passes(const struct wb_json *list, const struct wb_json *mean,
		      struct wb_db_sample *s, struct wb_error *err)
{
	size_t n = wb_json_count(list), i;
	float *v;
	double d;

	if (!n)
		return 0;
	if (n > PASSES_MAX || !wb_json_get_num(mean, &s->mean))
		return wb_fail(err, WB_E_FATAL, "\"passes\" without \"mean\", "
			       "or more than %d", PASSES_MAX);
	v = wb_xcalloc(n, sizeof(*v));
	s->pass = v;
	s->npasses = n;
	for (i = 0; i < n; i++) {
		if (!wb_json_get_num(wb_json_at(list, i), &d) ||
		    !isfinite((float)d))
			return wb_fail(err, WB_E_FATAL, "\"passes\" has what "
				       "is no number");
		v[i] = (float)d;
	}
	return 0;
}

static int add_counter(struct growing *g, const struct wb_sample *s,
		       const struct wb_json *count, struct wb_error *err)
{
	struct wb_db_counter c = { .metric = s->metric, .level = s->level };
	int64_t v[3];
	size_t i;

	for (i = 0; i < 3; i++)
		if (need_int(wb_json_at(count, i), "count", INT64_MAX, &v[i],
			     err) < 0)
			return -1;
	c.count = (struct wb_pmu_count){ (uint64_t)v[0], (uint64_t)v[1],
					 (uint64_t)v[2] };
	for (i = 0; i < g->ncounters; i++) {
		if (strcmp(g->counter[i].metric, s->metric))
			continue;
		if (!memcmp(&g->counter[i].count, &c.count, sizeof(c.count)))
			return 0;	/* of another prefix of this build */
		return wb_fail(err, WB_E_FATAL, "a second count of %.80s in "
			       "one run", s->metric);
	}
	g->counter = wb_grow(g->counter, g->ncounters, &g->capcounters,
			     sizeof(*g->counter));
	g->counter[g->ncounters++] = c;
	return 0;
}

static int add_number(struct growing *g, const struct wb_sample *s,
		      struct wb_error *err)
{
	const struct wb_json *count = wb_json_get(s->json, "count");
	int64_t iter;
	size_t i;

	if (count)
		return add_counter(g, s, count, err);
	if (!s->has_value)
		return s->failed ? 0 : wb_fail(err, WB_E_FATAL,
					       "no \"value\"");
	for (i = 0; i < g->nsamples; i++) {
		if (strcmp(g->sample[i].metric, s->metric) ||
		    g->sample[i].level != s->level)
			continue;
		if (g->sample[i].value == s->value)
			return 0;	/* of another prefix of this build */
		return wb_fail(err, WB_E_FATAL, "a second value of %.80s in "
			       "one run", s->metric);
	}
	if (get_int(s->json, "iter", &iter, err) < 0)
		return -1;
	g->sample = wb_grow(g->sample, g->nsamples, &g->capsamples,
			    sizeof(*g->sample));
	g->sample[g->nsamples] = (struct wb_db_sample){
		.metric = s->metric, .unit = s->unit ? s->unit : "",
		.better = s->better, .level = s->level, .exact = s->exact,
		.value = s->value, .iter = iter > 0 ? iter : 0,
	};
	return add_passes(wb_json_get(s->json, "passes"),
			  wb_json_get(s->json, "mean"),
			  &g->sample[g->nsamples++], err);
}

/* A run failed or it did not, whichever of its lines comes first. */
static int agree(const struct growing *g, const struct wb_sample *s,
		 struct wb_error *err)
{
	const char *first = g->line[0].failed;

	if (first ? s->failed && !strcmp(first, s->failed) : !s->failed)
		return 0;
	return wb_fail(err, WB_E_FATAL, "a run that failed has %s",
		       first && s->failed ? "a second reason" : "samples");
}

/* The lines of one run, from *at on. */
static int import_run(struct wb_db *db, struct importer *im, size_t *at,
		      struct wb_import *done, struct wb_error *err)
{
	const char *run = im->line[*at].run;
	struct growing g = { .nlines = 0 };
	struct wb_db_record r;
	struct wb_sample *s;
	bool added;
	int ret = -1;

	for (; *at < im->n && !strcmp(im->line[*at].run, run); (*at)++) {
		im->now = im->line[*at].number;
		g.line = wb_grow(g.line, g.nlines, &g.caplines,
				 sizeof(*g.line));
		s = &g.line[g.nlines++];
		if (wb_sample_parse(s, im->line[*at].text, im->line[*at].len,
				    err) < 0 ||
		    get_record(s, &r, err) < 0 ||
		    look_up(&im->heads, &r, err) < 0 ||
		    agree(&g, s, err) < 0 || add_number(&g, s, err) < 0)
			goto out;
	}
	r.run.sample = g.sample;
	r.run.nsamples = g.nsamples;
	r.run.counter = g.counter;
	r.run.ncounters = g.ncounters;
	if (wb_db_import(db, &r, &added, err) < 0)
		goto out;
	done->runs++;
	done->added += added;
	ret = 0;
out:
	growing_clear(&g);
	return ret;
}

static int import_broken(struct wb_db *db, const struct wb_json *head,
			 struct wb_error *err)
{
	const struct wb_json *list = wb_json_get(head, "broken"), *o;
	const char *build, *tree, *reason;
	size_t i;

	for (i = 0; i < wb_json_count(list); i++) {
		o = wb_json_at(list, i);
		if (need_hex(wb_json_get(o, "build"), "broken.build", 64, 64,
			     &build, err) < 0 ||
		    need_hex(wb_json_get(o, "tree"), "broken.tree", 40, 64,
			     &tree, err) < 0)
			return -1;
		if (!wb_json_get_str(wb_json_get(o, "reason"), &reason))
			return wb_fail(err, WB_E_FATAL, "no \"broken.reason\"");
		if (wb_db_import_broken(db, build, tree, reason, err) < 0)
			return -1;
	}
	return 0;
}

static int import_runs(struct wb_db *db, struct importer *im,
		       struct wb_import *done, struct wb_error *err)
{
	size_t at = 0, i;
	int ret = wb_db_import_begin(db, err);

	if (ret < 0)
		return -1;
	im->now = 1;
	for (i = 0; i < im->heads.n && !ret; i++)
		ret = import_broken(db, im->heads.doc[i], err);
	while (at < im->n && !ret)
		ret = import_run(db, im, &at, done, err);
	return wb_db_import_end(db, !ret, err);
}

int wb_import(struct wb_db *db, const char *path, const char *text,
	      size_t len, struct wb_import *done, struct wb_error *err)
{
	struct importer im = { .path = path };
	int ret = -1;
	size_t i;

	memset(done, 0, sizeof(*done));
	if (note_lines(&im, text, len, err) < 0) {
		wb_fail_at(err, "%s:%zu", path, im.now);
		goto out;
	}
	qsort(im.line, im.n, sizeof(*im.line), by_run);
	if (import_runs(db, &im, done, err) < 0) {
		wb_fail_at(err, "%s:%zu", path, im.now);
		goto out;
	}
	ret = 0;
out:
	for (i = 0; i < im.n; i++)
		free(im.line[i].run);
	for (i = 0; i < im.heads.n; i++)
		wb_json_free(im.heads.doc[i]);
	free(im.line);
	free(im.heads.doc);
	return ret;
}
