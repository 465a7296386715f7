/*
 * Findings at the place in a file that they are about, as the two services
 * read them.
 */
#include "ci.h"
#include "hash.h"
#include "json.h"
#include "text.h"

/* ---- GitHub ---- */

struct annotate {
	const struct wb_ci *ci;
	struct wb_buf *out;
};

/* A value of a workflow command: what would end it, or begin another. */
static void add_value(struct wb_buf *out, const char *s, bool property)
{
	struct wb_buf safe = WB_BUF_INIT;
	const char *p;

	wb_text_add(&safe, s, WB_TEXT_UTF8);
	for (p = safe.ptr; *p; p++) {
		if (*p == '%' || (property && (*p == ':' || *p == ',')))
			wb_buf_addf(out, "%%%02X", (unsigned char)*p);
		else
			wb_buf_addch(out, *p);
	}
	wb_buf_clear(&safe);
}

static void annotate(void *to, const struct wb_ci_finding *f)
{
	const struct annotate *a = to;

	wb_buf_addf(a->out, "::%s ", f->state == WB_CI_FAILED ? "error" :
		    f->state == WB_CI_UNCLEAR ? "notice" : "warning");
	if (f->file) {
		wb_buf_addstr(a->out, "file=");
		add_value(a->out, f->file, true);
		if (f->line)
			wb_buf_addf(a->out, ",line=%zu", f->line);
		wb_buf_addch(a->out, ',');
	}
	wb_buf_addf(a->out, "title=%zu ", f->k);
	add_value(a->out, a->ci->plan->stack.prefix[f->k].name, true);
	wb_buf_addf(a->out, "%%3A %s::", wb_ci_step_word(f->step));
	add_value(a->out, f->text, false);
	wb_buf_addch(a->out, '\n');
}

void wb_ci_annotations(const struct wb_ci *ci, struct wb_buf *out)
{
	struct annotate a = { ci, out };
	size_t k;

	for (k = 0; k < ci->plan->stack.n; k++)
		wb_ci_each(ci, k, annotate, &a);
}

/* ---- GitLab ---- */

struct quality {
	const struct wb_ci *ci;
	struct wb_json *list;
};

static void note(void *to, const struct wb_ci_finding *f)
{
	const struct quality *q = to;
	struct wb_json *o = wb_json_object(), *loc, *lines;
	const char *name = q->ci->plan->stack.prefix[f->k].name;
	const char *step = wb_ci_step_word(f->step);
	struct wb_hash *h = wb_hash_new();
	struct wb_buf what = WB_BUF_INIT;
	char hex[65];

	wb_buf_addf(&what, "%s: %s: %s", name, step, f->text);
	wb_hash_addstr(h, f->file);
	wb_hash_addstr(h, what.ptr);
	wb_hash_end(h, hex);
	wb_json_set(o, "description", wb_json_str(what.ptr));
	wb_json_set(o, "check_name", wb_json_str(step));
	wb_json_set(o, "fingerprint", wb_json_str(hex));
	wb_json_set(o, "severity", wb_json_str(f->state == WB_CI_FAILED ?
			"critical" : f->state == WB_CI_UNCLEAR ? "info" :
			"minor"));
	/* the format wants a place; what has none is about the project */
	loc = wb_json_object();
	lines = wb_json_object();
	wb_json_set(loc, "path", wb_json_str(f->file ? f->file :
					     ".wbconfig"));
	wb_json_set(lines, "begin", wb_json_int(f->line ? (int64_t)f->line :
						1));
	wb_json_set(loc, "lines", lines);
	wb_json_set(o, "location", loc);
	wb_json_append(q->list, o);
	wb_buf_clear(&what);
}

void wb_ci_quality(const struct wb_ci *ci, struct wb_buf *out)
{
	struct quality q = { ci, wb_json_array() };
	size_t k;

	for (k = 0; k < ci->plan->stack.n; k++)
		wb_ci_each(ci, k, note, &q);
	wb_json_print(q.list, out, 2);
	wb_buf_addch(out, '\n');
	wb_json_free(q.list);
}
