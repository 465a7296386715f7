/*
 * Files of sample lines: from text to a result set.
 *
 * Lines are read one by one, so memory holds the points and the longest line
 * and not the file. Names are looked up in a hash, after a look at the name
 * of the line before, which is the same for most lines.
 */
#include "sample-add.h"
#include "json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES ((size_t)64 << 20)

/* A table has a row for each prefix and metric, measured or not. */
#define ROWS_MAX ((size_t)1 << 20)
#define CHUNK ((size_t)1 << 16)

static int read_list(struct wb_names *t, const struct wb_json *list,
		     const char *key, struct wb_error *err)
{
	struct wb_names here = { .n = 0 };
	size_t i, n = wb_json_count(list);
	const char *s;
	int ret = -1;

	for (i = 0; i < n; i++) {
		if (!wb_json_get_str(wb_json_at(list, i), &s) || !*s) {
			wb_fail(err, WB_E_FATAL, "header: \"%s\" is not a list "
				"of names", key);
			goto out;
		}
		if (wb_names_add(&here, s) < i) {
			wb_fail(err, WB_E_FATAL, "header: \"%s\" has '%.80s' "
				"twice", key, s);
			goto out;
		}
		wb_names_add(t, s);
	}
	ret = 0;
out:
	wb_names_clear(&here);
	return ret;
}

/* A subject for each prefix that the header lists; "" is none. */
static int read_subjects(struct wb_loader *l, const struct wb_json *json,
			 struct wb_error *err)
{
	const struct wb_json *list = wb_json_get(json, "subjects");
	const struct wb_json *names = wb_json_get(json, "prefixes");
	const char *name, *subject;
	size_t i, n = wb_json_count(list);
	struct wb_column *c;

	if (list && n != wb_json_count(names))
		return wb_fail(err, WB_E_FATAL, "header: %zu subjects for %zu "
			       "prefixes", n, wb_json_count(names));
	for (i = 0; i < n; i++) {
		if (!wb_json_get_str(wb_json_at(list, i), &subject))
			return wb_fail(err, WB_E_FATAL, "header: \"subjects\" "
				       "is not a list of strings");
		wb_json_get_str(wb_json_at(names, i), &name);
		c = &l->r->column[wb_loader_column(l, name)];
		free(c->subject);
		c->subject = wb_xstrdup(subject);
	}
	return 0;
}

/* {"wb":1,"prefixes":[...],"metrics":[...]} */
static int read_header(struct wb_loader *l, const struct wb_json *json,
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
	wb_axes_clear(&l->axes);
	if (read_subjects(l, json, err) < 0 ||
	    wb_axes_read(&l->axes, wb_json_get(json, "axes"), err) < 0)
		return -1;
	if (wb_json_get_str(wb_json_get(json, "machine"), &machine) &&
	    !l->r->machine)
		l->r->machine = wb_xstrdup(machine);
	if (wb_json_get_str(wb_json_get(json, "machine_facts"), &machine) &&
	    !l->r->machine_facts)
		l->r->machine_facts = wb_xstrdup(machine);
	return 0;
}

static int add_line(struct wb_loader *l, const char *line, size_t len,
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
		ret = wb_loader_add(l, &s, err);
	}
	wb_sample_clear(&s);
	return ret;
}

/* Splits bytes into lines; buf holds the line that is not complete yet. */
static int read_stream(struct wb_loader *l, int fd, const char *path,
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

/* What the header does not list stands as the first column had it. */
static void list_first_column(struct wb_loader *l)
{
	const struct wb_result *r = l->r;
	bool *seen = wb_xcalloc(r->nmetrics, sizeof(*seen));
	size_t i, m;

	for (i = 0; i < r->npoints; i++) {
		m = r->point[i].metric;
		if (r->point[i].column || seen[m])
			continue;
		seen[m] = true;
		wb_names_add(&l->listed, r->metric[m].name);
	}
	free(seen);
}

/*
 * Lines name metrics in any order and the header knows no benches: brings the
 * metrics of each bench together, in the header's order, and adds those that
 * have no samples to the bench when there is only one.
 */
static void order_metrics(struct wb_loader *l)
{
	struct wb_names benches = { .n = 0 }, plain = { .n = 0 };
	struct wb_result *r = l->r;
	struct wb_metric *old;
	struct place_of *to;
	uint32_t *now;
	size_t i, n;

	for (i = 0; i < r->nmetrics; i++) {
		wb_names_add(&benches, r->metric[i].bench);
		wb_names_add(&plain, r->metric[i].name);
	}
	n = plain.n;
	for (i = 0; i < l->listed.n; i++)
		if (wb_names_add(&plain, l->listed.name[i]) >= n)
			wb_loader_metric(l, benches.n == 1 ?
					 benches.name[0] : "",
					 l->listed.name[i], &l->axes);
	list_first_column(l);
	for (i = 0; i < benches.n; i++)
		wb_result_add_bench(r, benches.name[i]);
	n = r->nmetrics;
	to = wb_xcalloc(n, sizeof(*to));
	for (i = 0; i < n; i++) {
		to[i].bench = wb_names_add(&benches, r->metric[i].bench);
		to[i].listed = wb_names_add(&l->listed, r->metric[i].name);
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
	for (i = 0; i < r->npasses; i++)
		r->passes[i].metric = now[r->passes[i].metric];
	for (i = 0; i < r->ncontrol_passes; i++)
		r->control_passes[i].metric = now[r->control_passes[i].metric];
	free(old);
	free(now);
	free(to);
	wb_names_clear(&benches);
	wb_names_clear(&plain);
}

int wb_sample_load(struct wb_result *r, const char *path, struct wb_error *err)
{
	struct wb_loader l;
	bool standard = !strcmp(path, "-");
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int ret = -1;

	wb_loader_init(&l, r, false);
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
	wb_loader_end(&l);
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
	wb_loader_clear(&l);
	return ret;
}

int wb_sample_load_known(struct wb_result *r, const char *path,
			 const struct wb_buf *lines, struct wb_error *err)
{
	const char *text = lines->ptr, *end = text + lines->len, *eol;
	struct wb_loader l;
	size_t number = 1;
	int ret = 0;

	wb_loader_init(&l, r, true);
	if (l.prefixes.n < r->ncolumns || l.metrics.n < r->nmetrics)
		ret = wb_fail(err, WB_E_FATAL, "%s: two prefixes or two "
			      "metrics of one name: which a sample is of "
			      "cannot be told", path);
	for (; text < end && !ret; text = eol + 1, number++) {
		eol = memchr(text, '\n', (size_t)(end - text));
		eol = eol ? eol : end;
		ret = add_line(&l, text, (size_t)(eol - text), err);
		if (ret < 0)
			wb_fail_at(err, "%s: line %zu of its samples", path,
				   number);
	}
	if (!ret)
		wb_loader_end(&l);
	wb_loader_clear(&l);
	return ret;
}
