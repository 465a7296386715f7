#include "bisect-log.h"

#include "path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOURNAL_MAX ((size_t)256 << 20)

static bool is_note(const struct wb_json *v)
{
	return wb_json_get(v, "profile") || wb_json_get(v, "others");
}

static void keep_note(struct wb_bisect_log *l, struct wb_json *v)
{
	l->note = wb_grow(l->note, l->nnotes, &l->capnotes, sizeof(*l->note));
	l->note[l->nnotes++] = v;
}

/* 1: the line begins another journal, and was not added. */
static int add_line(struct wb_bisect_log *l, const char *line, size_t len,
		    size_t number, struct wb_error *err)
{
	struct wb_json *v = NULL;

	if (wb_json_parse(line, len, &v, err) < 0 || !wb_json_is_object(v)) {
		wb_json_free(v);
		wb_error_clear(err);
		return wb_fail(err, WB_E_FATAL, "%s:%zu: no entry of a search: "
			       "'wb bisect-perf --reset' begins anew", l->file,
			       number);
	}
	if (!l->header) {
		l->header = v;
		return 0;
	}
	if (wb_json_get(v, "wb-bisect")) {
		wb_json_free(v);
		return 1;
	}
	if (is_note(v)) {
		keep_note(l, v);
		return 0;
	}
	l->entry = wb_grow(l->entry, l->n, &l->cap, sizeof(*l->entry));
	l->line = wb_xrealloc(l->line, l->cap * sizeof(*l->line));
	l->line[l->n] = number;
	l->entry[l->n++] = v;
	return 0;
}

/*
 * The journal that begins at byte `from`. *whole: bytes up to the last line of
 * it that is complete.
 */
static int read_lines(struct wb_bisect_log *l, const char *text, size_t len,
		      size_t from, size_t *whole, struct wb_error *err)
{
	const char *p = text, *end;
	int r = 0;

	for (; (end = memchr(p, '\n', (size_t)(text + len - p))) && !r;
	     p = end + 1) {
		l->nlines++;
		if ((size_t)(p - text) < from)
			continue;
		r = add_line(l, p, (size_t)(end - p), l->nlines, err);
		if (r)
			break;
	}
	if (r < 0)
		return -1;
	l->more = r > 0;
	*whole = (size_t)(p - text);
	if (!l->header && len)
		return wb_fail(err, WB_E_FATAL, "%s:1: no journal of a search",
			       l->file);
	return 0;
}

static int put_line(struct wb_bisect_log *l, const struct wb_json *v,
		    struct wb_error *err)
{
	struct wb_buf line = WB_BUF_INIT;
	bool bad;

	wb_json_print(v, &line, 0);
	wb_buf_addch(&line, '\n');
	bad = fwrite(line.ptr, 1, line.len, l->out) != line.len ||
	      fflush(l->out) || fdatasync(fileno(l->out));
	wb_buf_clear(&line);
	return bad ? wb_fail_errno(err, "%s", l->file) : 0;
}

/* What is there already; a file that is not there is one without lines. */
static int read_file(struct wb_bisect_log *l, size_t from, size_t *whole,
		     size_t *len, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	bool there;
	int ret = -1;

	*whole = 0;
	if (!wb_path_read(l->file, JOURNAL_MAX, &text, &there, err))
		ret = read_lines(l, text.ptr, text.len, from, whole, err);
	*len = text.len;
	wb_buf_clear(&text);
	return ret;
}

static int open_to_add(struct wb_bisect_log *l, size_t whole,
		       struct wb_error *err)
{
	l->out = fopen(l->file, "ae");
	if (!l->out || ftruncate(fileno(l->out), (off_t)whole) < 0)
		return wb_fail_errno(err, "%s", l->file);
	return 0;
}

int wb_bisect_log_open(struct wb_bisect_log *l, const char *file,
		       struct wb_json *header, bool *other,
		       struct wb_error *err)
{
	size_t whole = 0, len;
	int ret = -1;

	memset(l, 0, sizeof(*l));
	l->file = wb_xstrdup(file);
	*other = false;
	if (read_file(l, 0, &whole, &len, err) < 0)
		goto out;
	if (l->header && !wb_json_same(l->header, header)) {
		*other = true;
		ret = 0;
		goto out;
	}
	if (open_to_add(l, whole, err) < 0)
		goto out;
	ret = 0;
	if (!l->header) {
		l->header = header;
		header = NULL;
		ret = put_line(l, l->header, err);
	}
out:
	wb_json_free(header);
	return ret;
}

int wb_bisect_log_read(struct wb_bisect_log *l, const char *file, size_t *at,
		       struct wb_error *err)
{
	size_t whole, len;

	memset(l, 0, sizeof(*l));
	l->file = wb_xstrdup(file);
	if (read_file(l, *at, &whole, &len, err) < 0)
		return -1;
	/* a last line that is torn is no journal more */
	*at = whole < len && l->more ? whole : 0;
	if (!l->header)
		return wb_fail(err, WB_E_FATAL, "%s: there is no such journal",
			       file);
	if (!wb_json_get(l->header, "wb-bisect"))
		return wb_fail(err, WB_E_FATAL, "%s:1: no journal of a search; "
			       "'wb bisect-perf --log' prints one", file);
	return 0;
}

bool wb_bisect_log_within(const char *file, size_t at)
{
	struct wb_error none = WB_ERROR_INIT;
	struct wb_bisect_log l = { .n = 0 };
	bool within = at && !wb_bisect_log_read(&l, file, &at, &none) &&
		      wb_json_get(l.header, "merge");

	wb_error_clear(&none);
	wb_bisect_log_close(&l);
	return within;
}

void wb_bisect_log_close(struct wb_bisect_log *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		wb_json_free(l->entry[i]);
	free(l->entry);
	free(l->line);
	for (i = 0; i < l->nnotes; i++)
		wb_json_free(l->note[i]);
	free(l->note);
	wb_json_free(l->header);
	if (l->out)
		fclose(l->out);
	free(l->file);
	memset(l, 0, sizeof(*l));
}

int wb_bisect_log_take(struct wb_bisect_log *l, const char *key,
		       const struct wb_json **out, struct wb_error *err)
{
	*out = NULL;
	if (l->next < l->n) {
		*out = wb_json_get(l->entry[l->next], key);
		if (!*out)
			return wb_fail(err, WB_E_FATAL, "%s:%zu: does not fit "
				       "this search, which asks for '%s' here: "
				       "'wb bisect-perf --reset' begins anew",
				       l->file, l->line[l->next], key);
		l->next++;
		return 0;
	}
	l->short_of = !l->out;
	if (l->short_of)
		return wb_fail(err, WB_E_JUDGE, "%s: the search was not over "
			       "when this was written; in its repository the "
			       "same 'wb bisect-perf' goes on", l->file);
	return 0;
}

int wb_bisect_log_add(struct wb_bisect_log *l, const char *key,
		      struct wb_json *value, struct wb_error *err)
{
	struct wb_json *v = wb_json_object();
	int ret;

	wb_json_set(v, key, value);
	ret = put_line(l, v, err);
	l->next += !ret;
	wb_json_free(v);
	return ret;
}

const struct wb_json *wb_bisect_log_note(const struct wb_bisect_log *l,
					 const char *key, const char *metric,
					 int at)
{
	const struct wb_json *v;
	const char *of;
	int64_t where;
	size_t i;

	for (i = l->nnotes; i-- > 0;) {
		v = wb_json_get(l->note[i], key);
		if (wb_json_get_str(wb_json_get(v, "metric"), &of) &&
		    wb_json_get_int(wb_json_get(v, "at"), &where) &&
		    !strcmp(of, metric) && where == at)
			return wb_json_get(v, key);
	}
	return NULL;
}

int wb_bisect_log_add_note(struct wb_bisect_log *l, const char *key,
			   const char *metric, int at,
			   const struct wb_json *value, struct wb_error *err)
{
	const struct wb_json *last = wb_bisect_log_note(l, key, metric, at);
	struct wb_json *v, *o;

	if (last && wb_json_same(last, value))
		return 0;
	v = wb_json_object();
	o = wb_json_object();
	wb_json_set(o, "metric", wb_json_str(metric));
	wb_json_set(o, "at", wb_json_int(at));
	wb_json_set(o, key, wb_json_copy(value));
	wb_json_set(v, key, o);
	keep_note(l, v);
	return put_line(l, v, err);
}

size_t wb_bisect_log_line(const struct wb_bisect_log *l)
{
	return l->next && l->next <= l->n ? l->line[l->next - 1] : l->nlines;
}
