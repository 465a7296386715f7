/*
 * Files of sample lines: from text to a result set.
 *
 * Lines are read one by one, so memory holds the points and the longest line
 * and not the file. Names are looked up in a hash, after a look at the name
 * of the line before, which is the same for most lines.
 */
#include "sample.h"
#include "json.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES ((size_t)64 << 20)

/* A table has a row for each prefix and metric, measured or not. */
#define ROWS_MAX ((size_t)1 << 20)
#define CHUNK ((size_t)1 << 16)

/*
 * A round belongs to a boot; the two are kept in one number. Lines that name
 * no run are processes of their own, numbered where no given run can be.
 */
#define ROUNDS_PER_BOOT ((int64_t)1 << 24)
#define BOOTS_MAX 127
#define OWN_RUN ((uint32_t)1 << 31)

/* Strings and their numbers, 0, 1, 2, ... in the order they were added. */
struct names {
	char **name;
	size_t n, cap;
	uint32_t *slot;		/* number + 1, 0: free; power of two of them */
	size_t nslots;
	size_t last;		/* the answer before */
};

static uint64_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h ^ h >> 29;
}

static void put_slot(struct names *t, size_t i)
{
	size_t at = hash(t->name[i]) & (t->nslots - 1);

	while (t->slot[at])
		at = (at + 1) & (t->nslots - 1);
	t->slot[at] = (uint32_t)i + 1;
}

/* The number of the name; it is added when it is not there. */
static size_t intern(struct names *t, const char *name)
{
	size_t at, i;

	if (t->n && !strcmp(t->name[t->last], name))
		return t->last;
	if (2 * t->n >= t->nslots) {
		free(t->slot);
		t->nslots = t->nslots ? 2 * t->nslots : 64;
		t->slot = wb_xcalloc(t->nslots, sizeof(*t->slot));
		for (i = 0; i < t->n; i++)
			put_slot(t, i);
	}
	for (at = hash(name) & (t->nslots - 1); t->slot[at];
	     at = (at + 1) & (t->nslots - 1)) {
		i = t->slot[at] - 1;
		if (!strcmp(t->name[i], name))
			return t->last = i;
	}
	t->name = wb_grow(t->name, t->n, &t->cap, sizeof(*t->name));
	t->name[t->n] = wb_xstrdup(name);
	put_slot(t, t->n);
	return t->last = t->n++;
}

static void names_clear(struct names *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		free(t->name[i]);
	free(t->name);
	free(t->slot);
}

/* A file being read. Columns have the numbers of prefixes' names. */
struct loader {
	struct wb_result *r;
	struct names prefixes;
	struct names metrics;	/* length of bench, bench, name */
	struct names listed;	/* the header's metrics */
	struct names boots;
	struct wb_buf key;
	uint32_t own_run;
	/* runs that failed: what has no sample in the end is broken */
	struct failure {
		size_t column;
		char *bench, *reason;
	} *failure;
	size_t nfailures, capfailures;
};

static size_t column_of(struct loader *l, const char *prefix)
{
	size_t i = intern(&l->prefixes, prefix);

	if (i == l->r->ncolumns)
		wb_result_add_column(l->r, (int)i, prefix);
	return i;
}

static size_t metric_of(struct loader *l, const char *bench, const char *name)
{
	size_t i;

	wb_buf_reset(&l->key);
	wb_buf_addf(&l->key, "%zu %s%s", strlen(bench), bench, name);
	i = intern(&l->metrics, l->key.ptr);
	if (i == l->r->nmetrics)
		wb_result_add_metric(l->r, bench, name);
	return i;
}

static int read_list(struct names *t, const struct wb_json *list,
		     const char *key, struct wb_error *err)
{
	struct names here = { .n = 0 };
	size_t i, n = wb_json_count(list);
	const char *s;
	int ret = -1;

	for (i = 0; i < n; i++) {
		if (!wb_json_get_str(wb_json_at(list, i), &s) || !*s) {
			wb_fail(err, WB_E_FATAL, "header: \"%s\" is not a list "
				"of names", key);
			goto out;
		}
		if (intern(&here, s) < i) {
			wb_fail(err, WB_E_FATAL, "header: \"%s\" has '%.80s' "
				"twice", key, s);
			goto out;
		}
		intern(t, s);
	}
	ret = 0;
out:
	names_clear(&here);
	return ret;
}

/* {"wb":1,"prefixes":[...],"metrics":[...]} */
static int read_header(struct loader *l, const struct wb_json *json,
		       struct wb_error *err)
{
	const struct wb_json *v = wb_json_get(json, "wb");
	const char *machine;
	int64_t version;
	size_t i;

	if (!wb_json_get_int(v, &version) || version != 1)
		return wb_fail(err, WB_E_FATAL,
			       "header: \"wb\" is not 1, the version of sample "
			       "files that this program reads");
	if (read_list(&l->prefixes, wb_json_get(json, "prefixes"), "prefixes",
		      err) < 0 ||
	    read_list(&l->listed, wb_json_get(json, "metrics"), "metrics",
		      err) < 0)
		return -1;
	for (i = l->r->ncolumns; i < l->prefixes.n; i++)
		wb_result_add_column(l->r, (int)i, l->prefixes.name[i]);
	if (wb_json_get_str(wb_json_get(json, "machine"), &machine) &&
	    !l->r->machine)
		l->r->machine = wb_xstrdup(machine);
	if (wb_json_get_str(wb_json_get(json, "machine_facts"), &machine) &&
	    !l->r->machine_facts)
		l->r->machine_facts = wb_xstrdup(machine);
	return 0;
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

static int settle_metric(struct wb_metric *m, const struct wb_sample *s,
			 struct wb_error *err)
{
	if (settle(&m->unit, s->unit, "unit", m->name, err) < 0)
		return -1;
	if (s->better && m->better && s->better != m->better)
		return wb_fail(err, WB_E_FATAL, "better is '%s', but lines "
			       "before say '%s' for %.80s",
			       wb_better_word(s->better),
			       wb_better_word(m->better), m->name);
	if (s->level && m->level && s->level != m->level)
		return wb_fail(err, WB_E_FATAL, "level is %s, but lines before "
			       "say %s for %.80s; numbers of different levels "
			       "are never mixed", wb_level_word(s->level),
			       wb_level_word(m->level), m->name);
	m->better = s->better ? s->better : m->better;
	m->level = s->level ? s->level : m->level;
	m->exact |= s->exact;
	return 0;
}

static int place(struct loader *l, const struct wb_sample *s,
		 struct wb_point *p, struct wb_error *err)
{
	size_t boot = s->boot ? intern(&l->boots, s->boot) : 0;

	if (s->round >= ROUNDS_PER_BOOT || boot >= BOOTS_MAX)
		return wb_fail(err, WB_E_FATAL, "round %lld of boot %zu is "
			       "beyond what a report can hold (%lld, %d)",
			       (long long)s->round, boot + 1,
			       (long long)ROUNDS_PER_BOOT, BOOTS_MAX);
	if (s->run >= (int64_t)OWN_RUN)
		return wb_fail(err, WB_E_FATAL, "run %lld is too large",
			       (long long)s->run);
	p->value = s->value;
	p->nivcsw = -1;
	p->layout = s->layout > 0 ? (uint32_t)s->layout : 0;
	p->round = s->round < 0 ? -1 :
		   (int32_t)((int64_t)boot * ROUNDS_PER_BOOT + s->round);
	p->run = s->run < 0 ? OWN_RUN + l->own_run++ : (uint32_t)s->run;
	return 0;
}

static void note_failure(struct loader *l, size_t column,
			 const struct wb_sample *s)
{
	l->failure = wb_grow(l->failure, l->nfailures, &l->capfailures,
			     sizeof(*l->failure));
	l->failure[l->nfailures++] = (struct failure){
		.column = column,
		.bench = wb_xstrdup(s->bench ? s->bench : ""),
		.reason = wb_xstrdup(s->failed),
	};
}

static bool has_points(const struct wb_result *r, const struct failure *f)
{
	size_t i;

	for (i = 0; i < r->npoints; i++)
		if (r->point[i].column == f->column &&
		    !strcmp(r->metric[r->point[i].metric].bench, f->bench))
			return true;
	return false;
}

static void add_failures(struct loader *l)
{
	const struct failure *f;
	size_t i;

	for (i = 0; i < l->nfailures; i++) {
		f = &l->failure[i];
		/* one word for all runs of a column */
		if ((!i || f[-1].column != f->column ||
		     strcmp(f[-1].bench, f->bench)) && !has_points(l->r, f))
			wb_result_add_hole(l->r, f->column, f->bench,
					   WB_HOLE_BROKEN, f->reason);
	}
}

/* The build of a prefix, of which there is one in each layout. */
static int settle_build(struct loader *l, size_t column,
			const struct wb_sample *s, struct wb_error *err)
{
	if (s->layout > 0)
		return 0;
	return settle(&l->r->column[column].build, s->build, "build",
		      s->prefix, err);
}

static int add_sample(struct loader *l, const struct wb_sample *s,
		      struct wb_error *err)
{
	struct wb_point p;
	size_t column, metric;

	if (!s->prefix || !*s->prefix)
		return wb_fail(err, WB_E_FATAL, "no \"prefix\"; a file needs "
			       "prefix, metric and value in each line");
	column = column_of(l, s->prefix);
	if (s->failed) {
		note_failure(l, column, s);
		return 0;
	}
	if (!s->has_value && wb_json_is_array(wb_json_get(s->json, "count")))
		return 0;	/* an event that never was on the hardware */
	if (!s->has_value)
		return wb_fail(err, WB_E_FATAL, "no \"value\"");
	metric = metric_of(l, s->bench ? s->bench : "", s->metric);
	if (settle_metric(&l->r->metric[metric], s, err) < 0 ||
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
	return 0;
}

static int add_line(struct loader *l, const char *line, size_t len,
		    struct wb_error *err)
{
	struct wb_sample s;
	int ret;

	while (len && strchr(" \t\r", line[len - 1]) && line[len - 1])
		len--;
	if (!len)
		return 0;
	ret = wb_sample_parse(&s, line, len, err);
	if (s.json && wb_json_get(s.json, "wb")) {
		/* a header has no metric, of which the sample complained */
		wb_error_clear(err);
		ret = read_header(l, s.json, err);
	} else if (!ret) {
		ret = add_sample(l, &s, err);
	}
	wb_sample_clear(&s);
	return ret;
}

/* Splits bytes into lines; buf holds the line that is not complete yet. */
static int read_stream(struct loader *l, int fd, const char *path,
		       struct wb_error *err)
{
	struct wb_buf buf = WB_BUF_INIT;
	unsigned long number = 0;
	size_t start, used;
	ssize_t got;
	char *eol;
	int ret = -1;

	do {
		wb_buf_reserve(&buf, CHUNK);
		do {
			got = read(fd, buf.ptr + buf.len, CHUNK);
		} while (got < 0 && errno == EINTR);
		if (got < 0) {
			wb_fail_errno(err, "%s", path);
			goto out;
		}
		used = buf.len;		/* no newline before here */
		buf.len += (size_t)got;
		buf.ptr[buf.len] = '\0';
		if (!got && buf.len)
			wb_buf_addch(&buf, '\n');
		for (start = 0; (eol = memchr(buf.ptr + used, '\n',
					      buf.len - used)) != NULL;
		     start = used) {
			used = (size_t)(eol + 1 - buf.ptr);
			if (!number++ && used >= 3 &&
			    !memcmp(buf.ptr, "\xef\xbb\xbf", 3))
				start = 3;
			if (add_line(l, buf.ptr + start, used - 1 - start,
				     err) < 0) {
				wb_fail_at(err, "%s:%lu", path, number);
				goto out;
			}
		}
		memmove(buf.ptr, buf.ptr + start, buf.len - start);
		wb_buf_truncate(&buf, buf.len - start);
		if (buf.len > LINE_MAX_BYTES) {
			wb_fail(err, WB_E_FATAL, "%s:%lu: the line is longer "
				"than %zu MiB; a sample file has one object a "
				"line", path, number + 1, LINE_MAX_BYTES >> 20);
			goto out;
		}
	} while (got);
	ret = 0;
out:
	wb_buf_clear(&buf);
	return ret;
}

struct place_of {
	size_t bench;		/* benches as they appear */
	size_t listed;		/* the header's order, then as seen */
	size_t metric;
};

static int by_place(const void *a, const void *b)
{
	const struct place_of *x = a, *y = b;

	if (x->bench != y->bench)
		return x->bench < y->bench ? -1 : 1;
	return x->listed < y->listed ? -1 : x->listed > y->listed;
}

/*
 * Lines name metrics in any order and the header knows no benches: brings the
 * metrics of each bench together, in the header's order, and adds those that
 * have no samples to the bench when there is only one.
 */
static void order_metrics(struct loader *l)
{
	struct names benches = { .n = 0 }, plain = { .n = 0 };
	struct wb_result *r = l->r;
	struct wb_metric *old;
	struct place_of *to;
	uint32_t *now;
	size_t i, n;

	for (i = 0; i < r->nmetrics; i++) {
		intern(&benches, r->metric[i].bench);
		intern(&plain, r->metric[i].name);
	}
	n = plain.n;
	for (i = 0; i < l->listed.n; i++)
		if (intern(&plain, l->listed.name[i]) >= n)
			metric_of(l, benches.n == 1 ? benches.name[0] : "",
				  l->listed.name[i]);
	for (i = 0; i < benches.n; i++)
		wb_result_add_bench(r, benches.name[i]);
	n = r->nmetrics;
	to = wb_xcalloc(n, sizeof(*to));
	for (i = 0; i < n; i++) {
		to[i].bench = intern(&benches, r->metric[i].bench);
		to[i].listed = intern(&l->listed, r->metric[i].name);
		to[i].metric = i;
	}
	qsort(to, n, sizeof(*to), by_place);
	old = r->metric;
	r->metric = wb_xcalloc(n, sizeof(*r->metric));
	r->capmetrics = n;
	now = wb_xcalloc(n, sizeof(*now));
	for (i = 0; i < n; i++) {
		r->metric[i] = old[to[i].metric];
		now[to[i].metric] = (uint32_t)i;
	}
	for (i = 0; i < r->npoints; i++)
		r->point[i].metric = now[r->point[i].metric];
	for (i = 0; i < r->ncontrols; i++)
		r->control[i].metric = now[r->control[i].metric];
	free(old);
	free(now);
	free(to);
	names_clear(&benches);
	names_clear(&plain);
}

int wb_sample_load(struct wb_result *r, const char *path, struct wb_error *err)
{
	struct loader l = { .r = r, .key = WB_BUF_INIT };
	bool standard = !strcmp(path, "-");
	size_t i;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int ret = -1;

	if (fd < 0) {
		wb_fail_errno(err, "%s", path);
		goto out;
	}
	if (read_stream(&l, fd, standard ? "stdin" : path, err) < 0)
		goto out;
	if (!r->npoints) {
		wb_fail(err, WB_E_JUDGE, "%s: no sample in it: nothing "
			"measured", standard ? "stdin" : path);
		goto out;
	}
	add_failures(&l);
	order_metrics(&l);
	if (r->nmetrics > ROWS_MAX / r->ncolumns) {
		wb_fail(err, WB_E_FATAL, "%s: %zu prefixes with %zu metrics "
			"are more than a table holds; split the file",
			standard ? "stdin" : path, r->ncolumns, r->nmetrics);
		goto out;
	}
	ret = 0;
out:
	if (fd >= 0 && !standard)
		close(fd);
	names_clear(&l.prefixes);
	names_clear(&l.metrics);
	names_clear(&l.listed);
	names_clear(&l.boots);
	for (i = 0; i < l.nfailures; i++) {
		free(l.failure[i].bench);
		free(l.failure[i].reason);
	}
	free(l.failure);
	wb_buf_clear(&l.key);
	return ret;
}
