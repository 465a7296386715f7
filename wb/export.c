#include "export.h"
#include "json.h"
#include "number.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct writer {
	struct wb_buf *out;
	const struct wb_result *r;	/* its columns: name, tree and builds */
	struct wb_buf tail;		/* of a run's lines, the same for all */
	char *last;			/* id of the round before */
	size_t rounds, runs;
};

static void add_text(struct wb_buf *b, const char *key, const char *s)
{
	struct wb_json *j = wb_json_str(s);

	wb_buf_addf(b, "\"%s\":", key);
	wb_json_print(j, b, 0);
	wb_buf_addch(b, ',');
	wb_json_free(j);
}

static void add_number(struct wb_buf *b, const char *key, double v)
{
	wb_buf_addf(b, ",\"%s\":", key);
	wb_number_add(b, v);
}

/* What is not known is left out. */
static void add_known(struct wb_buf *b, const char *key, int64_t v)
{
	if (v >= 0)
		wb_buf_addf(b, ",\"%s\":%" PRId64, key, v);
}

static void add_env(struct wb_buf *b, const struct wb_db_record *r)
{
	const struct wb_db_usage *u = &r->run.usage;

	wb_buf_addf(b, "\"env\":{\"bench\":\"%s\",\"round\":\"%s\","
		    "\"seed\":\"%016" PRIx64 "\",\"began\":%" PRId64, r->bench,
		    r->round, r->seed, r->began);
	add_known(b, "ended", r->ended);
	wb_buf_addf(b, ",\"level\":\"%s\"", wb_level_word(r->run.level));
	add_number(b, "wall", r->run.wall);
	add_number(b, "cpu", r->run.cpu);
	add_known(b, "nivcsw", r->run.nivcsw);
	if (r->run.open >= 0)
		wb_buf_addf(b, ",\"open\":%s", r->run.open ? "true" : "false");
	if (u->user >= 0)
		add_number(b, "user", u->user);
	if (u->sys >= 0)
		add_number(b, "sys", u->sys);
	add_known(b, "maxrss", u->maxrss);
	add_known(b, "nvcsw", u->nvcsw);
	add_known(b, "faults", u->faults);
	add_known(b, "migrations", u->migrations);
	add_known(b, "task_clock", u->task_clock);
	add_known(b, "locked", u->locked);
	wb_buf_addstr(b, "}}\n");
}

static void set_tail(struct writer *w, const struct wb_db_record *r)
{
	time_t when = (time_t)r->run.time;
	char text[32];
	struct tm tm;

	gmtime_r(&when, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	wb_buf_reset(&w->tail);
	wb_buf_addf(&w->tail, "\"machine\":\"%s\",", r->machine);
	add_text(&w->tail, "boot", r->boot);
	wb_buf_addf(&w->tail, "\"round\":%zu,\"order\":%d,\"run\":%zu,",
		    w->rounds - 1, r->run.order, w->runs);
	if (r->run.control)
		wb_buf_addstr(&w->tail, "\"control\":true,");
	wb_buf_addf(&w->tail, "\"time\":\"%s\",", text);
	add_env(&w->tail, r);
}

static void begin_sample(struct wb_buf *b, const struct wb_db_record *r,
			 const char *metric, const char *unit,
			 enum wb_better better, enum wb_level level)
{
	wb_buf_addch(b, '{');
	add_text(b, "bench", r->name);
	add_text(b, "metric", metric);
	add_text(b, "unit", unit);
	if (better)
		add_text(b, "better", wb_better_word(better));
	if (level)
		add_text(b, "level", wb_level_word(level));
}

static void end_line(struct writer *w, size_t column, size_t layout,
		     const struct wb_db_record *r)
{
	const struct wb_column *c = &w->r->column[column];

	add_text(w->out, "prefix", c->name);
	add_text(w->out, "tree", c->tree);
	add_text(w->out, "build", r->build);
	if (layout)
		wb_buf_addf(w->out, "\"layout\":%zu,", layout);
	wb_buf_add(w->out, w->tail.ptr, w->tail.len);
}

static void add_sample(struct wb_buf *b, const struct wb_db_record *r,
		       const struct wb_db_sample *s)
{
	size_t i;

	begin_sample(b, r, s->metric, s->unit, s->better, s->level);
	if (s->exact)
		wb_buf_addstr(b, "\"exact\":true,");
	wb_buf_addstr(b, "\"value\":");
	wb_number_add(b, s->value);
	add_known(b, "iter", s->iter ? s->iter : -1);
	if (s->npasses) {
		add_number(b, "mean", s->mean);
		wb_buf_addstr(b, ",\"passes\":[");
		for (i = 0; i < s->npasses; i++) {
			wb_buf_addstr(b, i ? "," : "");
			wb_number_add(b, (double)s->pass[i]);
		}
		wb_buf_addch(b, ']');
	}
	wb_buf_addch(b, ',');
}

static void add_counter(struct wb_buf *b, const struct wb_db_record *r,
			const struct wb_db_counter *c)
{
	double v;

	begin_sample(b, r, c->metric, "events", WB_BETTER_LOWER, c->level);
	if (wb_pmu_scale(&c->count, &v)) {
		wb_buf_addstr(b, "\"value\":");
		wb_number_add(b, v);
		wb_buf_addch(b, ',');
	}
	wb_buf_addf(b, "\"count\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "],",
		    c->count.value, c->count.enabled, c->count.running);
}

static void add_lines(struct writer *w, size_t column, size_t layout,
		      const struct wb_db_record *r)
{
	size_t i;

	for (i = 0; i < r->run.nsamples; i++) {
		add_sample(w->out, r, &r->run.sample[i]);
		end_line(w, column, layout, r);
	}
	for (i = 0; i < r->run.ncounters; i++) {
		add_counter(w->out, r, &r->run.counter[i]);
		end_line(w, column, layout, r);
	}
	if (i || r->run.nsamples)
		return;
	wb_buf_addch(w->out, '{');
	add_text(w->out, "bench", r->name);
	add_text(w->out, "failed", r->run.reason ? r->run.reason : "");
	end_line(w, column, layout, r);
}

static void add_record(void *arg, const struct wb_db_record *r)
{
	struct writer *w = arg;
	const struct wb_column *c;
	size_t i, l;

	if (!w->last || strcmp(w->last, r->round)) {
		free(w->last);
		w->last = wb_xstrdup(r->round);
		w->rounds++;
	}
	set_tail(w, r);
	w->runs++;
	for (i = 0; i < w->r->ncolumns; i++) {
		c = &w->r->column[i];
		if (c->build && !strcmp(c->build, r->build))
			add_lines(w, i, 0, r);
		for (l = 0; l < c->nlayouts; l++)
			if (!strcmp(c->layout[l], r->build))
				add_lines(w, i, l + 1, r);
	}
}

static void add_bench(struct wb_json *list, const char *id,
		      const struct wb_plan_bench *b)
{
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "id", wb_json_str(id));
	wb_json_set(o, "name", wb_json_str(b->config->name));
	wb_json_set(o, "command", wb_json_str(b->config->command));
	wb_json_append(list, o);
}

/* The reason without where this machine keeps the log. */
static struct wb_json *reason_json(const char *reason)
{
	const char *log = strstr(reason, ", log: ");
	struct wb_json *j;
	char *s;

	if (!log || !wb_str_ends(reason, ")"))
		return wb_json_str(reason);
	s = wb_xasprintf("%.*s)", (int)(log - reason), reason);
	j = wb_json_str(s);
	free(s);
	return j;
}

/* Builds that failed have no runs: the header names them, with the reason. */
static int add_broken(struct wb_db *db, const struct wb_column *c,
		      const char *build, struct wb_json *list,
		      struct wb_error *err)
{
	struct wb_json *o;
	char *reason = NULL;

	if (wb_db_broken(db, build, &reason, err) < 0)
		return -1;
	if (reason) {
		o = wb_json_object();
		wb_json_set(o, "prefix", wb_json_str(c->name));
		wb_json_set(o, "tree", wb_json_str(c->tree));
		wb_json_set(o, "build", wb_json_str(build));
		wb_json_set(o, "reason", reason_json(reason));
		wb_json_append(list, o);
	}
	free(reason);
	return 0;
}

static int add_all_broken(struct wb_db *db, const struct wb_result *r,
			  struct wb_json *list, struct wb_error *err)
{
	const struct wb_column *c;
	size_t i, l;

	for (i = 0; i < r->ncolumns; i++) {
		c = &r->column[i];
		if (c->build && add_broken(db, c, c->build, list, err) < 0)
			return -1;
		for (l = 0; l < c->nlayouts; l++)
			if (add_broken(db, c, c->layout[l], list, err) < 0)
				return -1;
	}
	return 0;
}

static int add_header(struct wb_db *db, const struct wb_plan *p,
		      const struct wb_result *r, const char *machine,
		      const char *facts, struct wb_buf *out,
		      struct wb_error *err)
{
	struct wb_json *o = wb_json_object(), *prefixes = wb_json_array();
	struct wb_json *benches = wb_json_array(), *broken = wb_json_array();
	int ret = add_all_broken(db, r, broken, err);
	size_t i;

	for (i = 0; i < r->ncolumns; i++)
		wb_json_append(prefixes, wb_json_str(r->column[i].name));
	for (i = 0; i < p->nbenches; i++) {
		add_bench(benches, p->bench[i].id, &p->bench[i]);
		if (strcmp(p->bench[i].id, p->bench[i].count_id))
			add_bench(benches, p->bench[i].count_id, &p->bench[i]);
	}
	wb_json_set(o, "wb", wb_json_int(1));
	wb_json_set(o, "prefixes", prefixes);
	wb_json_set(o, "benches", benches);
	wb_json_set(o, "broken", broken);
	wb_json_set(o, "machine", wb_json_str(machine));
	wb_json_set(o, "machine_facts", wb_json_str(facts));
	if (p->toolchain)
		wb_json_set(o, "toolchain", wb_json_str(p->toolchain));
	if (p->layout_toolchain)
		wb_json_set(o, "layout_toolchain",
			    wb_json_str(p->layout_toolchain));
	wb_json_print(o, out, 0);
	wb_buf_addch(out, '\n');
	wb_json_free(o);
	return ret;
}

/* Every build of the columns, in all layouts. */
static const char **builds_of(const struct wb_result *r, size_t *n)
{
	const char **v;
	size_t i, l, cap = 0;

	for (i = 0; i < r->ncolumns; i++)
		cap += 1 + r->column[i].nlayouts;
	v = wb_xcalloc(cap, sizeof(*v));
	for (*n = i = 0; i < r->ncolumns; i++) {
		if (r->column[i].build)
			v[(*n)++] = r->column[i].build;
		for (l = 0; l < r->column[i].nlayouts; l++)
			v[(*n)++] = r->column[i].layout[l];
	}
	return v;
}

int wb_export(struct wb_db *db, const struct wb_plan *p, const char *machine,
	      const char *facts, struct wb_buf *out, size_t *runs,
	      struct wb_error *err)
{
	struct writer w = { .out = out, .tail = WB_BUF_INIT };
	const struct wb_plan_bench *b;
	const char **builds = NULL;
	struct wb_result r;
	size_t n, i;
	int ret = -1;

	/* columns and builds alone: no samples without a store */
	if (wb_plan_result(p, NULL, &r, err) < 0)
		goto out;
	w.r = &r;
	builds = builds_of(&r, &n);
	if (add_header(db, p, &r, machine, facts, out, err) < 0)
		goto out;
	for (i = 0; i < p->nbenches; i++) {
		b = &p->bench[i];
		if (wb_db_export(db, b->id, machine, builds, n, add_record, &w,
				 err) < 0 ||
		    (strcmp(b->id, b->count_id) &&
		     wb_db_export(db, b->count_id, machine, builds, n,
				  add_record, &w, err) < 0))
			goto out;
	}
	*runs = w.runs;
	ret = w.runs ? 0 : wb_fail(err, WB_E_JUDGE, "nothing measured yet for "
				   "the present builds and benches; measure "
				   "with 'wb run'");
out:
	free(builds);
	free(w.last);
	wb_buf_clear(&w.tail);
	wb_result_clear(&r);
	return ret;
}
