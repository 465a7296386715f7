/*
 * Findings at the place in a file that they are about, as the two services
 * read them.
 */
#include "ci.h"
#include "hash.h"
#include "json.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

struct place {
	const char *file;	/* NULL: about no file */
	size_t line;		/* 0: not known */
};

/* One finding, for whoever prints it. */
typedef void finding_fn(void *to, size_t k, enum wb_ci_step step,
			enum wb_ci_state state, const struct place *at,
			const char *text);

/* "line 12 ..." of a patch file. */
static size_t line_of(const char *text)
{
	return strncmp(text, "line ", 5) ? 0 : strtoul(text + 5, NULL, 10);
}

static void each_of(const struct wb_ci *ci, size_t k, finding_fn *fn, void *to)
{
	const struct wb_ci_prefix *p = &ci->v[k];
	bool quilt = *ci->plan->stack.dir;
	char *patch = wb_ci_place(ci, k);
	struct place at = { quilt ? patch : NULL, 0 };
	size_t i;

	for (i = 0; i < p->header.n; i++) {
		at.line = quilt ? line_of(p->header.v[i]) : 0;
		fn(to, k, WB_CI_HEADER, WB_CI_TOLD, &at, p->header.v[i]);
	}
	for (i = 0; i < p->fresh.n; i++)
		fn(to, k, WB_CI_BUILD, WB_CI_TOLD, &(struct place){
			p->fresh.v[i].file, p->fresh.v[i].line,
		}, p->fresh.v[i].text);
	at.line = 0;
	for (i = 0; i < WB_CI_STEPS; i++)
		if (p->step[i].why && !(i == WB_CI_BUILD && p->fresh.n))
			fn(to, k, (enum wb_ci_step)i, p->step[i].state, &at,
			   p->step[i].why);
	free(patch);
}

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

static void annotate(void *to, size_t k, enum wb_ci_step step,
		     enum wb_ci_state state, const struct place *at,
		     const char *text)
{
	const struct annotate *a = to;

	wb_buf_addf(a->out, "::%s ", state == WB_CI_FAILED ? "error" :
		    state == WB_CI_UNCLEAR ? "notice" : "warning");
	if (at->file) {
		wb_buf_addstr(a->out, "file=");
		add_value(a->out, at->file, true);
		if (at->line)
			wb_buf_addf(a->out, ",line=%zu", at->line);
		wb_buf_addch(a->out, ',');
	}
	wb_buf_addf(a->out, "title=%zu ", k);
	add_value(a->out, a->ci->plan->stack.prefix[k].name, true);
	wb_buf_addf(a->out, "%%3A %s::", wb_ci_step_word(step));
	add_value(a->out, text, false);
	wb_buf_addch(a->out, '\n');
}

void wb_ci_annotations(const struct wb_ci *ci, struct wb_buf *out)
{
	struct annotate a = { ci, out };
	size_t k;

	for (k = 0; k < ci->plan->stack.n; k++)
		each_of(ci, k, annotate, &a);
}

/* ---- GitLab ---- */

struct quality {
	const struct wb_ci *ci;
	struct wb_json *list;
};

static void note(void *to, size_t k, enum wb_ci_step step,
		 enum wb_ci_state state, const struct place *at,
		 const char *text)
{
	const struct quality *q = to;
	struct wb_json *o = wb_json_object(), *loc, *lines;
	const char *name = q->ci->plan->stack.prefix[k].name;
	struct wb_hash *h = wb_hash_new();
	struct wb_buf what = WB_BUF_INIT;
	char hex[65];

	wb_buf_addf(&what, "%s: %s: %s", name, wb_ci_step_word(step), text);
	wb_hash_addstr(h, at->file);
	wb_hash_addstr(h, what.ptr);
	wb_hash_end(h, hex);
	wb_json_set(o, "description", wb_json_str(what.ptr));
	wb_json_set(o, "check_name", wb_json_str(wb_ci_step_word(step)));
	wb_json_set(o, "fingerprint", wb_json_str(hex));
	wb_json_set(o, "severity", wb_json_str(state == WB_CI_FAILED ?
			"critical" : state == WB_CI_UNCLEAR ? "info" :
			"minor"));
	/* the format wants a place; what has none is about the project */
	loc = wb_json_object();
	lines = wb_json_object();
	wb_json_set(loc, "path", wb_json_str(at->file ? at->file :
					     ".wbconfig"));
	wb_json_set(lines, "begin", wb_json_int(at->line ? (int64_t)at->line :
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
		each_of(ci, k, note, &q);
	wb_json_print(q.list, out, 2);
	wb_buf_addch(out, '\n');
	wb_json_free(q.list);
}
