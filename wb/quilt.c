#include "quilt.h"
#include "path.h"
#include "zip.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SERIES ((size_t)16 << 20)
#define MAX_PATCH ((size_t)64 << 20)

struct word {
	const char *p;
	size_t len;
};

static bool take_word(const char **s, const char *end, struct word *w)
{
	while (*s < end && isspace((unsigned char)**s))
		(*s)++;
	w->p = *s;
	while (*s < end && !isspace((unsigned char)**s))
		(*s)++;
	w->len = (size_t)(*s - w->p);
	return w->len > 0;
}

/* Relative, no ".." in it, and nothing that a terminal would obey. */
static bool inside(const char *file)
{
	const char *p;
	size_t len;

	if (*file == '/')
		return false;
	for (p = file; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return false;
	for (; *file; file += len + (file[len] == '/')) {
		len = strcspn(file, "/");
		if (len == 2 && file[0] == '.' && file[1] == '.')
			return false;
	}
	return true;
}

static char *name_of(const char *file)
{
	size_t n = strlen(file);

	if (n > 6 && wb_str_ends(file, ".patch"))
		n -= 6;
	return wb_xstrndup(file, n);
}

static int take_option(struct wb_quilt_entry *e, const struct word *w)
{
	if (w->len == 2 && !memcmp(w->p, "-R", 2)) {
		e->reverse = true;
		return 0;
	}
	/* quilt writes -pab for the way it makes patches; it strips one */
	if (w->len == 4 && !memcmp(w->p, "-pab", 4)) {
		e->strip = 1;
		return 0;
	}
	if (w->len == 3 && !memcmp(w->p, "-p", 2) &&
	    isdigit((unsigned char)w->p[2])) {
		e->strip = w->p[2] - '0';
		return 0;
	}
	return -1;
}

static int read_line(struct wb_quilt *q, const char *s, const char *end,
		     size_t line, struct wb_error *err)
{
	struct wb_quilt_entry *e;
	bool indented = s < end && isspace((unsigned char)*s);
	struct word w;

	if (!take_word(&s, end, &w))
		return 0;
	if (*w.p == '#') {
		if (indented)
			wb_warn("%s:%zu: indented comment; quilt takes "
				"it for a patch", q->list, line);
		return 0;
	}
	q->entry = wb_grow(q->entry, q->n, &q->cap, sizeof(*q->entry));
	e = &q->entry[q->n++];
	*e = (struct wb_quilt_entry){ .strip = 1, .line = line };
	e->file = wb_xstrndup(w.p, w.len);
	e->name = name_of(e->file);
	if (!inside(e->file))
		return wb_fail(err, WB_E_FATAL, "%s:%zu: refused: '%s' "
			       "is outside the folder", q->list, line,
			       e->file);
	while (take_word(&s, end, &w) && *w.p != '#')
		if (take_option(e, &w) < 0)
			return wb_fail(err, WB_E_FATAL, "%s:%zu: "
				       "refused: option '%.*s'; only -p0 to "
				       "-p9 and -R are taken", q->list, line,
				       (int)w.len, w.p);
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct wb_quilt_entry *x = *(const struct wb_quilt_entry **)a;
	const struct wb_quilt_entry *y = *(const struct wb_quilt_entry **)b;
	int c = strcmp(x->name, y->name);

	return c ? c : (x->line > y->line) - (x->line < y->line);
}

static int refuse_twice(const struct wb_quilt *q, struct wb_error *err)
{
	const struct wb_quilt_entry **e = wb_xcalloc(q->n, sizeof(*e));
	size_t i;
	int ret = 0;

	for (i = 0; i < q->n; i++)
		e[i] = &q->entry[i];
	if (q->n)
		qsort(e, q->n, sizeof(*e), by_name);
	for (i = 1; i < q->n && ret == 0; i++)
		if (!strcmp(e[i - 1]->name, e[i]->name))
			ret = wb_fail(err, WB_E_FATAL, "%s:%zu: '%s' is "
				      "in the series twice (line %zu)",
				      q->list, e[i]->line, e[i]->name,
				      e[i - 1]->line);
	free(e);
	return ret;
}

static int read_lines(struct wb_quilt *q, const struct wb_buf *text,
		      struct wb_error *err)
{
	const char *p = text->ptr, *end = p + text->len, *nl;
	size_t line = 0;
	bool cr = false;

	for (; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		nl = nl ? nl : end;
		line++;
		if (memchr(p, '\0', (size_t)(nl - p)))
			return wb_fail(err, WB_E_FATAL, "%s:%zu: "
				       "refused: a NUL byte", q->list, line);
		if (nl > p && nl[-1] == '\r' && !cr) {
			cr = true;
			wb_warn("%s:%zu: lines end in CR LF", q->list, line);
		}
		if (read_line(q, p, nl, line, err) < 0)
			return -1;
		if (nl == end)
			break;
	}
	return 0;
}

int wb_quilt_parse(struct wb_quilt *q, const struct wb_buf *text,
		   const char *dir, const char *shown, const char *series,
		   struct wb_error *err)
{
	memset(q, 0, sizeof(*q));
	q->dir = wb_xstrdup(dir);
	q->shown = wb_xstrdup(shown ? shown : dir);
	q->list = wb_xasprintf("%s/%s", q->shown, series ? series : "series");
	q->list_file = strrchr(q->list, '/') + 1;
	return read_lines(q, text, err) < 0 ? -1 : refuse_twice(q, err);
}

int wb_quilt_read(struct wb_quilt *q, const char *dir, const char *shown,
		  const char *series, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	char *file;
	bool there;
	int ret = -1;

	memset(q, 0, sizeof(*q));
	shown = shown ? shown : dir;
	series = series ? series : "series";
	file = wb_xasprintf("%s/%s", dir, series);
	if (wb_path_read(file, MAX_SERIES, &text, &there, err) < 0)
		goto out;
	if (!there) {
		wb_fail(err, WB_E_FATAL, "%s: no stack there (no file "
			"%s/%s): name a quilt folder or a range A..B", shown,
			shown, series);
		goto out;
	}
	ret = wb_quilt_parse(q, &text, dir, shown, series, err);
out:
	wb_buf_clear(&text);
	free(file);
	return ret;
}

void wb_quilt_clear(struct wb_quilt *q)
{
	size_t i;

	for (i = 0; i < q->n; i++) {
		free(q->entry[i].file);
		free(q->entry[i].name);
	}
	free(q->entry);
	free(q->dir);
	free(q->shown);
	free(q->list);
	memset(q, 0, sizeof(*q));
}

int wb_quilt_patch(const struct wb_quilt *q, const struct wb_quilt_entry *e,
		   struct wb_buf *out, struct wb_error *err)
{
	char *path = wb_xasprintf("%s/%s", q->dir, e->file);
	enum wb_zip kind = wb_zip_kind(e->file);
	struct wb_buf packed = WB_BUF_INIT;
	bool there;
	int ret;

	ret = wb_path_read(path, MAX_PATCH, kind ? &packed : out, &there, err);
	if (ret == 0 && !there)
		ret = wb_fail(err, WB_E_FATAL, "no such patch: %s; add the "
			      "file or take the line out", e->file);
	if (ret == 0 && kind)
		ret = wb_zip_read(kind, packed.ptr, packed.len, MAX_PATCH, out,
				  err);
	if (ret < 0)
		wb_fail_at(err, "%s:%zu", q->list, e->line);
	wb_buf_clear(&packed);
	free(path);
	return ret;
}
