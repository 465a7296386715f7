/*
 * What a bench printed, by the reader that its configuration names.
 *
 * The readers are strict: a line that is neither empty nor what the reader
 * expects ends the reading, because a number guessed out of the wrong line is
 * worse than none. Reasons name the line and show what was found there.
 */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* Of one process; more is a mistake, or somebody's wish to fill the memory. */
#define LINES_MAX (1 << 20)
#define METRICS_MAX 10000
/* Of one sample line: a JSON tree takes some seventy times as much. */
#define LINE_LEN_MAX ((size_t)1 << 20)

static int by_metric(const void *a, const void *b)
{
	const struct wb_reading_number *const *x = a, *const *y = b;
	int order = strcmp((*x)->metric, (*y)->metric);

	/* as they were printed, for the message */
	return order ? order : *x < *y ? -1 : 1;
}

static int same_thing(const struct wb_reading_number *a,
		      const struct wb_reading_number *b, struct wb_error *err)
{
	if (a->counted != b->counted)
		return wb_fail(err, WB_E_JUDGE, "line %zu: metric '%.80s' is "
			       "a value in one line and a count in another",
			       b->line, a->metric);
	if (strcmp(a->unit, b->unit))
		return wb_fail(err, WB_E_JUDGE, "line %zu: metric '%.80s' has "
			       "two units: '%.20s', '%.20s'", b->line,
			       a->metric, a->unit, b->unit);
	return 0;
}

/* One process measures one thing under one name. */
static int check_names(const struct wb_reading *r, struct wb_error *err)
{
	const struct wb_reading_number **v = wb_xcalloc(r->n, sizeof(*v));
	size_t i, metrics = 1;
	int ret = 0;

	for (i = 0; i < r->n; i++) {
		v[i] = &r->v[i];
		if (!ret && (!*v[i]->metric || !wb_str_is_utf8(v[i]->metric) ||
			     !wb_str_is_utf8(v[i]->unit)))
			ret = wb_fail(err, WB_E_JUDGE, "line %zu: the name or "
				      "unit of a metric is empty or not UTF-8",
				      v[i]->line);
	}
	qsort(v, r->n, sizeof(*v), by_metric);
	for (i = 1; i < r->n && !ret; i++) {
		if (!strcmp(v[i - 1]->metric, v[i]->metric))
			ret = same_thing(v[i - 1], v[i], err);
		else if (++metrics > METRICS_MAX)
			ret = wb_fail(err, WB_E_JUDGE, "more than %d metrics",
				      METRICS_MAX);
	}
	free(v);
	return ret;
}

static int add_sample(struct wb_reading *r, const struct wb_bench_config *bench,
		      const struct wb_reader_line *l, char **said,
		      struct wb_error *err)
{
	struct wb_reading_number *n;
	struct wb_sample s;
	int ret = -1;

	if (wb_sample_parse(&s, l->ptr, l->len, err) < 0)
		goto out;
	if (!s.has_value && !s.has_per) {
		wb_fail(err, WB_E_FATAL, "neither \"value\" nor \"per\"");
		goto out;
	}
	if (s.bench && *said && strcmp(*said, s.bench)) {
		wb_fail(err, WB_E_FATAL, "one command printed samples of two "
			"benches, '%.40s' and '%.40s'", *said, s.bench);
		goto out;
	}
	if (s.bench && !*said)
		*said = wb_xstrdup(s.bench);
	/* the caller names the line */
	n = wb_reading_new(r, bench, s.metric, strlen(s.metric), 0, err);
	if (!n)
		goto out;
	n->line = l->number;
	if (s.unit)
		wb_reading_set_unit(n, s.unit, strlen(s.unit));
	if (s.better)
		n->better = s.better;
	n->level = s.level;
	n->exact = s.exact;
	n->counted = s.has_per;
	n->number = s.has_per ? (double)s.per : s.value;
	ret = 0;
out:
	wb_sample_clear(&s);
	return ret;
}

int wb_read_samples(struct wb_reading *r, const char *text, const char *end,
		    const struct wb_bench_config *bench, struct wb_error *err)
{
	struct wb_reader_line l = { .number = 0 };
	char *said = NULL;	/* the bench that the lines name */
	int ret = -1;

	while (wb_line_next(&text, end, &l)) {
		if (*l.ptr != '{') {
			wb_line_bad(&l, err, "not a sample line");
			goto out;
		}
		if (l.len > LINE_LEN_MAX) {
			wb_fail(err, WB_E_JUDGE, "line %u: a sample line of "
				"%zu MiB; %zu at most", l.number,
				l.len >> 20, LINE_LEN_MAX >> 20);
			goto out;
		}
		if (add_sample(r, bench, &l, &said, err) < 0) {
			err->kind = WB_E_JUDGE;
			wb_fail_at(err, "line %u", l.number);
			goto out;
		}
	}
	ret = 0;
out:
	free(said);
	return ret;
}

static wb_reader_fn *const readers[] = {
	[WB_READER_SAMPLES] = wb_read_samples,
	[WB_READER_LINES] = wb_read_lines,
	[WB_READER_LAST_NUMBER] = wb_read_last_number,
	[WB_READER_GOOGLE] = wb_read_google,
	[WB_READER_HYPERFINE] = wb_read_hyperfine,
	[WB_READER_GO] = wb_read_go,
	[WB_READER_PERF] = wb_read_perf,
	[WB_READER_KTAP] = wb_read_ktap,
	[WB_READER_MMTESTS] = wb_read_mmtests,
};

/*
 * What no reader takes: a NUL byte, which ends a line for some and nothing for
 * others, and so many lines that reading them would take a machine's memory.
 * The last number of something alone may stand below any number of lines.
 */
static int check_text(enum wb_reader reader, const char *text, size_t len,
		      struct wb_error *err)
{
	const char *end = text + len, *nul = memchr(text, '\0', len), *p;
	size_t lines = 0;

	for (p = text; (p = memchr(p, '\n', (size_t)((nul ? nul : end) - p)));
	     p++)
		lines++;
	if (nul)
		return wb_fail(err, WB_E_JUDGE, "line %zu: a NUL byte",
			       lines + 1);
	if (lines > LINES_MAX && reader != WB_READER_LAST_NUMBER)
		return wb_fail(err, WB_E_JUDGE, "printed more than %d lines",
			       LINES_MAX);
	return 0;
}

int wb_sample_read(enum wb_reader reader, const char *text, size_t len,
		   const struct wb_bench_config *bench, struct wb_reading *out,
		   struct wb_error *err)
{
	memset(out, 0, sizeof(*out));
	if (reader == WB_READER_TIME)
		return wb_fail(err, WB_E_JUDGE,
			       "the time reader reads no output");
	if (reader == WB_READER_SLICES)
		return wb_fail(err, WB_E_JUDGE,
			       "slices are asked for, not read");
	if (check_text(reader, text, len, err) < 0 ||
	    readers[reader](out, text, text + len, bench, err) < 0)
		return -1;
	if (!out->n)
		return wb_fail(err, WB_E_JUDGE, "printed no sample%s%s",
			       out->remark ? ": " : "",
			       out->remark ? out->remark : "");
	return check_names(out, err);
}

void wb_reading_add(struct wb_reading *r, const char *metric, const char *unit,
		    enum wb_better better, double value)
{
	r->v = wb_grow(r->v, r->n, &r->cap, sizeof(*r->v));
	r->v[r->n++] = (struct wb_reading_number){
		.metric = wb_xstrdup(metric),
		.unit = wb_xstrdup(unit),
		.better = better,
		.number = value,
	};
}

void wb_reading_clear(struct wb_reading *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		free(r->v[i].metric);
		free(r->v[i].unit);
	}
	free(r->v);
	free(r->remark);
	memset(r, 0, sizeof(*r));
}
