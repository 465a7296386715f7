/*
 * Sample lines of wb export, into a store.
 *
 * Lines may come in any order, so all of them are read, checked and brought
 * together by run before anything is written. The lines of a run are long and
 * differ in their beginnings alone: what stands from "prefix" on is read once
 * for all that repeat it byte for byte.
 */
#include "export.h"
#include "import-line.h"
#include "json.h"
#include "names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run as it grows. Strings are those of importer.names. */
struct run {
	struct wb_db_record r;
	struct wb_db_sample *sample;
	size_t nsamples, capsamples;
	struct wb_db_counter *counter;
	size_t ncounters, capcounters;
	bool good;		/* it has a line without "failed" */
	size_t key;		/* in importer.keys */
	size_t line;		/* the last one of it */
};

/* The end of the line before. */
struct tail {
	struct wb_buf text;	/* empty: of no use */
	size_t run;
	struct wb_json *json;	/* what it says; NULL: not needed yet */
};

struct importer {
	struct wb_names names;	/* strings of runs and samples, each once */
	struct wb_names keys;	/* round, place, build and kind of each run */
	struct run *run;	/* numbered as keys */
	size_t nruns, capruns;
	struct wb_json **head;	/* headers */
	size_t *head_line;
	size_t nheads, capheads, capheadlines;
	struct tail tail;
	struct wb_buf buf;
	size_t now;		/* number of the line being read */
};

static const char *keep(struct importer *im, const char *s)
{
	size_t i = s ? wb_names_add(&im->names, s) : 0;

	return s ? im->names.name[i] : NULL;
}

/* ---- a line ---- */

/* Trees may differ: prefixes of one build may have other trees. */
static bool same_facts(const struct wb_db_record *a,
		       const struct wb_db_record *b)
{
	const struct wb_db_usage *u = &a->run.usage, *v = &b->run.usage;

	return !strcmp(a->boot, b->boot) && a->seed == b->seed &&
	       a->began == b->began && a->ended == b->ended &&
	       a->run.time == b->run.time && a->run.wall == b->run.wall &&
	       a->run.cpu == b->run.cpu && a->run.nivcsw == b->run.nivcsw &&
	       a->run.open == b->run.open && u->user == v->user &&
	       u->sys == v->sys && u->maxrss == v->maxrss &&
	       u->nvcsw == v->nvcsw && u->faults == v->faults &&
	       u->migrations == v->migrations &&
	       u->task_clock == v->task_clock && u->locked == v->locked;
}

/* The run of a record, which is made when it is new. */
static int find_run(struct importer *im, const struct wb_db_record *r,
		    size_t *out, struct wb_error *err)
{
	struct wb_db_record *own;
	size_t i;

	/* in the order of rounds and within them */
	wb_buf_reset(&im->buf);
	wb_buf_addf(&im->buf, "%s %10d %d %s %s %s %s", r->round, r->run.order,
		    r->run.control, r->build, wb_level_word(r->run.level),
		    r->bench, r->machine);
	*out = i = wb_names_add(&im->keys, im->buf.ptr);
	if (i < im->nruns)
		return same_facts(&im->run[i].r, r) ? 0 :
		       wb_fail(err, WB_E_FATAL, "lines before say other things "
			       "of this run (time, wall, cpu, ...)");
	im->run = wb_grow(im->run, im->nruns, &im->capruns, sizeof(*im->run));
	im->run[im->nruns++] = (struct run){ .r = *r, .key = i };
	own = &im->run[i].r;
	own->bench = keep(im, r->bench);
	own->machine = keep(im, r->machine);
	own->build = keep(im, r->build);
	own->tree = keep(im, r->tree);
	own->round = keep(im, r->round);
	own->boot = keep(im, r->boot);
	return 0;
}

static int add_counter(struct importer *im, struct run *run,
		       const struct wb_sample *s, struct wb_error *err)
{
	struct wb_db_counter c;
	size_t i;

	if (wb_import_counter(s, &c, err) < 0)
		return -1;
	for (i = 0; i < run->ncounters; i++) {
		if (strcmp(run->counter[i].metric, s->metric))
			continue;
		if (!memcmp(&run->counter[i].count, &c.count, sizeof(c.count)))
			return 0;	/* of another prefix of this build */
		return wb_fail(err, WB_E_FATAL, "a second count of %.80s in "
			       "one run", s->metric);
	}
	run->counter = wb_grow(run->counter, run->ncounters, &run->capcounters,
			       sizeof(*run->counter));
	c.metric = keep(im, s->metric);
	run->counter[run->ncounters++] = c;
	return 0;
}

static int add_sample(struct importer *im, struct run *run,
		      const struct wb_sample *s, struct wb_error *err)
{
	struct wb_db_sample v;
	size_t i;

	for (i = 0; i < run->nsamples && s->has_value; i++) {
		if (strcmp(run->sample[i].metric, s->metric) ||
		    run->sample[i].level != s->level)
			continue;
		if (run->sample[i].value == s->value)
			return 0;	/* of another prefix of this build */
		return wb_fail(err, WB_E_FATAL, "a second value of %.80s in "
			       "one run", s->metric);
	}
	if (wb_import_sample(s, &v, err) < 0)
		return -1;
	run->sample = wb_grow(run->sample, run->nsamples, &run->capsamples,
			      sizeof(*run->sample));
	v.metric = keep(im, v.metric);
	v.unit = keep(im, v.unit);
	run->sample[run->nsamples++] = v;
	return 0;
}

/* A run failed or it did not, whichever of its lines comes first. */
static int add_to_run(struct importer *im, size_t i, const struct wb_sample *s,
		      struct wb_error *err)
{
	struct run *run = &im->run[i];
	const char *reason = run->r.run.reason;

	run->line = im->now;
	if (s->failed ? run->good : reason != NULL)
		return wb_fail(err, WB_E_FATAL, "a run that failed has "
			       "samples");
	if (s->failed && reason && strcmp(reason, s->failed))
		return wb_fail(err, WB_E_FATAL, "a run that failed has a "
			       "second reason");
	if (s->failed) {
		run->r.run.reason = keep(im, s->failed);
		return 0;
	}
	run->good = true;
	return wb_import_is_counter(s) ? add_counter(im, run, s, err) :
					 add_sample(im, run, s, err);
}

/* ---- lines that end alike ---- */

static void forget_tail(struct tail *t)
{
	wb_json_free(t->json);
	t->json = NULL;
	wb_buf_reset(&t->text);
}

/*
 * The part of an object before or behind a comma, as an object. When both parts
 * are objects, the comma is one of the whole and in no string and no list.
 */
static int parse_part(struct importer *im, const char *text, size_t len,
		      bool front, struct wb_sample *s, struct wb_json **out)
{
	struct wb_error ignored = WB_ERROR_INIT;
	int ret;

	wb_buf_reset(&im->buf);
	if (!front)
		wb_buf_addch(&im->buf, '{');
	wb_buf_add(&im->buf, text, len);
	if (front)
		wb_buf_addch(&im->buf, '}');
	ret = s ? wb_sample_parse(s, im->buf.ptr, im->buf.len, &ignored) :
		  wb_json_parse(im->buf.ptr, im->buf.len, out, &ignored);
	wb_error_clear(&ignored);
	return ret;
}

/* Keys of a tail are none of a sample. */
static bool is_usual(const struct wb_json *tail)
{
	static const char *const usual[] = {
		"prefix", "tree", "build", "layout", "machine", "boot",
		"round", "order", "run", "control", "time", "env",
	};
	const char *key;
	size_t i;

	for (key = wb_json_key(tail, NULL); key; key = wb_json_key(tail, key)) {
		for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
			if (!strcmp(key, usual[i]))
				break;
		if (i == sizeof(usual) / sizeof(usual[0]))
			return false;
	}
	return true;
}

/* Whether two objects are one: none has a key of the other. */
static bool are_apart(const struct wb_json *front, const struct wb_json *tail)
{
	const char *key;

	for (key = wb_json_key(front, NULL); key;
	     key = wb_json_key(front, key))
		if (wb_json_get(tail, key))
			return false;
	return true;
}

/* Where the tail of a line begins; NULL: it has none. */
static const char *tail_of(const char *text, size_t len)
{
	static const char mark[] = ",\"prefix\":";
	const char *at = memmem(text, len, mark, sizeof(mark) - 1);

	return at ? at + 1 : NULL;
}

/*
 * The sample of a line that ends like the one before; false: it does not, or
 * something about it is not as usual, and it is to be read as a whole.
 */
static bool read_front(struct importer *im, const char *text, const char *tail,
		       size_t len, struct wb_sample *s)
{
	struct tail *t = &im->tail;

	if (t->text.len != len || memcmp(t->text.ptr, tail, len))
		return false;
	if (!t->json && (parse_part(im, tail, len, false, NULL, &t->json) < 0 ||
			 !is_usual(t->json))) {
		forget_tail(t);
		return false;
	}
	if (!parse_part(im, text, (size_t)(tail - 1 - text), true, s, NULL) &&
	    s->bench && are_apart(s->json, t->json))
		return true;
	wb_sample_clear(s);
	return false;
}

static int add_header(struct importer *im, struct wb_sample *s,
		      struct wb_error *err)
{
	int64_t version = 0;

	wb_error_clear(err);
	if (!wb_json_get_int(wb_json_get(s->json, "wb"), &version) ||
	    version != 1)
		return wb_fail(err, WB_E_FATAL, "header: \"wb\" is not 1, the "
			       "version that this program reads");
	im->head_line = wb_grow(im->head_line, im->nheads, &im->capheadlines,
				sizeof(*im->head_line));
	im->head_line[im->nheads] = im->now;
	im->head = wb_grow(im->head, im->nheads, &im->capheads,
			   sizeof(*im->head));
	im->head[im->nheads++] = s->json;
	s->json = NULL;
	return 0;
}

static int add_line(struct importer *im, const char *text, size_t len,
		    struct wb_error *err)
{
	const char *tail = tail_of(text, len);
	size_t rest = tail ? (size_t)(text + len - tail) : 0, run;
	struct wb_db_record r;
	struct wb_sample s;
	int ret;

	if (tail && read_front(im, text, tail, rest, &s)) {
		ret = add_to_run(im, im->tail.run, &s, err);
		goto out;
	}
	forget_tail(&im->tail);
	ret = wb_sample_parse(&s, text, len, err);
	if (s.json && wb_json_get(s.json, "wb")) {
		ret = add_header(im, &s, err);
		goto out;
	}
	if (ret < 0 || (ret = wb_import_record(&s, &r, err)) < 0 ||
	    (ret = find_run(im, &r, &run, err)) < 0)
		goto out;
	if (tail)
		wb_buf_add(&im->tail.text, tail, rest);
	im->tail.run = run;
	ret = add_to_run(im, run, &s, err);
out:
	wb_sample_clear(&s);
	return ret;
}

static int add_lines(struct importer *im, FILE *in, struct wb_error *err)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t len;
	int ret = 0;

	while (!ret && (len = getline(&line, &cap, in)) >= 0) {
		im->now++;
		while (len && isspace((unsigned char)line[len - 1]))
			len--;
		if (len)
			ret = add_line(im, line, (size_t)len, err);
	}
	if (!ret && ferror(in))
		ret = wb_fail_errno(err, "cannot be read");
	free(line);
	if (ret || im->nruns)
		return ret;
	return wb_fail(err, WB_E_JUDGE, "no sample in it: nothing measured");
}

/* ---- into the store ---- */

/* Name and command of the bench, facts of the machine: from the headers. */
static int look_up(const struct importer *im, struct wb_db_record *r,
		   struct wb_error *err)
{
	const struct wb_json *list, *o;
	const char *id;
	size_t i, k;

	for (i = 0; i < im->nheads; i++) {
		list = wb_json_get(im->head[i], "benches");
		for (k = 0; k < wb_json_count(list); k++) {
			o = wb_json_at(list, k);
			if (wb_json_get_str(wb_json_get(o, "id"), &id) &&
			    !strcmp(id, r->bench) &&
			    wb_json_get_str(wb_json_get(o, "name"), &r->name))
				wb_json_get_str(wb_json_get(o, "command"),
						&r->command);
		}
		if (wb_json_get_str(wb_json_get(im->head[i], "machine"), &id) &&
		    !strcmp(id, r->machine))
			wb_json_get_str(wb_json_get(im->head[i],
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

/* What built there. Files without it are of a stack that is not built. */
static int import_toolchain(struct wb_db *db, const struct wb_json *head,
			    struct wb_error *err)
{
	const char *machine, *facts, *plain, *layouts = "";

	wb_json_get_str(wb_json_get(head, "layout_toolchain"), &layouts);
	if (!wb_json_get_str(wb_json_get(head, "machine"), &machine) ||
	    !wb_json_get_str(wb_json_get(head, "machine_facts"), &facts) ||
	    !wb_json_get_str(wb_json_get(head, "toolchain"), &plain))
		return 0;
	return wb_db_import_toolchain(db, machine, facts, plain, layouts, err);
}

static int import_head(struct wb_db *db, const struct wb_json *head,
		       struct wb_error *err)
{
	const struct wb_json *list = wb_json_get(head, "broken");
	struct wb_import_broken b;
	size_t i;

	if (import_toolchain(db, head, err) < 0)
		return -1;

	for (i = 0; i < wb_json_count(list); i++)
		if (wb_import_broken(wb_json_at(list, i), &b, err) < 0 ||
		    wb_db_import_broken(db, b.build, b.tree, b.reason,
					err) < 0)
			return -1;
	return 0;
}

static int import_run(struct wb_db *db, struct importer *im, struct run *run,
		      struct wb_import *done, struct wb_error *err)
{
	bool added;

	im->now = run->line;
	if (look_up(im, &run->r, err) < 0)
		return -1;
	run->r.run.sample = run->sample;
	run->r.run.nsamples = run->nsamples;
	run->r.run.counter = run->counter;
	run->r.run.ncounters = run->ncounters;
	if (wb_db_import(db, &run->r, &added, err) < 0)
		return -1;
	done->runs++;
	done->added += added;
	return 0;
}

static int by_key(const void *a, const void *b, void *names)
{
	char *const *name = names;

	return strcmp(name[((const struct run *)a)->key],
		      name[((const struct run *)b)->key]);
}

static int import_all(struct wb_db *db, struct importer *im,
		      struct wb_import *done, struct wb_error *err)
{
	size_t i;
	int ret = wb_db_import_begin(db, err);

	if (ret < 0)
		return -1;
	for (i = 0; i < im->nheads && !ret; i++) {
		im->now = im->head_line[i];
		ret = import_head(db, im->head[i], err);
	}
	qsort_r(im->run, im->nruns, sizeof(*im->run), by_key, im->keys.name);
	for (i = 0; i < im->nruns && !ret; i++)
		ret = import_run(db, im, &im->run[i], done, err);
	return wb_db_import_end(db, !ret, err);
}

static void importer_clear(struct importer *im)
{
	struct run *run;
	size_t i, k;

	for (i = 0; i < im->nruns; i++) {
		run = &im->run[i];
		for (k = 0; k < run->nsamples; k++)
			free((float *)run->sample[k].pass);
		free(run->sample);
		free(run->counter);
	}
	for (i = 0; i < im->nheads; i++)
		wb_json_free(im->head[i]);
	free(im->run);
	free(im->head);
	free(im->head_line);
	wb_json_free(im->tail.json);
	wb_buf_clear(&im->tail.text);
	wb_buf_clear(&im->buf);
	wb_names_clear(&im->names);
	wb_names_clear(&im->keys);
}

int wb_import(struct wb_db *db, const char *path, FILE *in,
	      struct wb_import *done, struct wb_error *err)
{
	struct importer im = {
		.buf = WB_BUF_INIT, .tail = { .text = WB_BUF_INIT },
	};
	int ret = -1;

	memset(done, 0, sizeof(*done));
	if (add_lines(&im, in, err) == 0)
		ret = import_all(db, &im, done, err);
	if (ret < 0)
		wb_fail_at(err, "%s:%zu", path, im.now);
	importer_clear(&im);
	return ret;
}
