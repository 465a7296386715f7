#include "bisect-log.h"

#include "path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOURNAL_MAX ((size_t)256 << 20)

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
	l->entry = wb_grow(l->entry, l->n, &l->cap, sizeof(*l->entry));
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
		l->first += !l->header ? l->nlines : 0;
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

static bool same_text(const struct wb_json *a, const struct wb_json *b)
{
	struct wb_buf x = WB_BUF_INIT, y = WB_BUF_INIT;
	bool same;

	wb_json_print(a, &x, 0);
	wb_json_print(b, &y, 0);
	same = !strcmp(x.ptr, y.ptr);
	wb_buf_clear(&x);
	wb_buf_clear(&y);
	return same;
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
	if (l->header && !same_text(l->header, header)) {
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
				       l->file, l->first + l->next + 1, key);
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
