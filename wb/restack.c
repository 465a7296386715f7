#include "restack.h"
#include "json.h"
#include "text.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int wb_restack_open(struct wb_restack *r, struct wb_git *g,
		    const struct wb_config *c,
		    const struct wb_restack_options *o, bool json,
		    struct wb_error *err)
{
	struct wb_stack_options so = {
		.from = { .word = o->series }, .series = c->series,
		.fuzz = -1, .header_only = c->header_only,
	};

	memset(r, 0, sizeof(*r));
	r->edit.lock = -1;
	r->json = json;
	if (wb_profile_parse(o->profile ? o->profile : c->profile, &so.profile,
			     err) < 0)
		return -1;
	if (!wb_git_workdir(g))
		return wb_fail(err, WB_E_FATAL, "a bare repository has no "
			       "stack to change: work in a clone with files");
	if (wb_edit_open(&r->edit, g, &so, err) < 0)
		return -1;
	r->edit.fuzz = o->fuzz > 0 ? (size_t)o->fuzz : 0;
	return wb_session_load(&r->session, &r->edit, err);
}

void wb_restack_close(struct wb_restack *r)
{
	wb_session_clear(&r->session);
	wb_edit_close(&r->edit);
}

int wb_restack_settle(struct wb_restack *r, struct wb_error *err)
{
	if (!r->session.open)
		return 0;
	if (wb_session_saved(&r->session, &r->edit, err) < 0)
		return -1;
	return wb_session_end(&r->session, err);
}

/* ---- telling ------------------------------------------------------------ */

static const char *old_name(const struct wb_edit *e,
			    const struct wb_edit_patch *p)
{
	return p->was < 0 ? NULL : e->quilt.entry[p->was].name;
}

/* It changed places with another patch that was there before. */
static bool changed_places(const struct wb_edit *e, size_t k)
{
	long was = e->patch[k].was, other;
	size_t i;

	for (i = 0; i < e->n; i++) {
		other = e->patch[i].was;
		if (was >= 0 && other >= 0 &&
		    (i < k ? other > was : i > k && other < was))
			return true;
	}
	return false;
}

static void describe(const struct wb_edit *e, size_t k, struct wb_buf *out)
{
	const struct wb_edit_patch *p = &e->patch[k];
	const char *old = old_name(e, p);

	if (!old)
		wb_buf_addstr(out, "new");
	if (old && strcmp(old, p->name))
		wb_buf_addf(out, "renamed from %s", old);
	if (changed_places(e, k))
		wb_buf_addf(out, "%smoved", out->len ? ", " : "");
	if (old && p->changed)
		wb_buf_addf(out, "%srewritten%s", out->len ? ", " : "",
			    p->moved ? " for what is below it now" : "");
}

static const char *number_text(size_t n, char out[24])
{
	snprintf(out, 24, "%zu", n);
	return out;
}

static void print_row(const char *number, const char *was, const char *name,
		      size_t width, const char *what)
{
	struct wb_buf line = WB_BUF_INIT;

	wb_buf_addf(&line, "%3s  %3s  ", number, was);
	wb_text_pad(&line, name, width, false);
	wb_text_print("%s  %s", line.ptr, what);
	wb_buf_clear(&line);
}

static void show_patch(const struct wb_edit *e, size_t k,
		       struct wb_json *list, size_t width)
{
	const struct wb_edit_patch *p = &e->patch[k];
	struct wb_buf what = WB_BUF_INIT;
	struct wb_json *o;
	char was[24] = "-", number[24];

	describe(e, k, &what);
	if (p->was >= 0)
		snprintf(was, sizeof(was), "%ld", p->was + 1);
	if (list) {
		o = wb_json_object();
		wb_json_set(o, "index", wb_json_int((int64_t)k + 1));
		wb_json_set(o, "was", p->was < 0 ? NULL :
			    wb_json_int(p->was + 1));
		wb_json_set(o, "name", wb_json_str(p->name));
		wb_json_set(o, "old_name", wb_json_str(old_name(e, p)));
		wb_json_set(o, "tree", wb_json_str(p->after.hex));
		wb_json_set(o, "rewritten", wb_json_bool(p->changed));
		wb_json_append(list, o);
	} else if (what.len) {
		print_row(number_text(k + 1, number), was, p->name, width,
			  what.ptr);
	}
	wb_buf_clear(&what);
}

static void show_gone(const struct wb_edit *e, size_t i, struct wb_json *list,
		      size_t width)
{
	const char *name = e->quilt.entry[i].name;
	char was[24];

	if (list)
		wb_json_append(list, wb_json_str(name));
	else
		print_row("-", number_text(i + 1, was), name, width, "gone");
}

static void show(const struct wb_edit *e, bool json)
{
	struct wb_json *doc = NULL, *list = NULL, *gone = NULL;
	size_t i, k, width = 4;

	for (k = 0; k < e->n; k++)
		if (wb_text_width(e->patch[k].name) > width)
			width = wb_text_width(e->patch[k].name);
	for (i = 0; i < e->quilt.n; i++)
		if (wb_text_width(e->quilt.entry[i].name) > width)
			width = wb_text_width(e->quilt.entry[i].name);
	if (json) {
		doc = wb_json_object();
		wb_json_set(doc, "schema", wb_json_int(1));
		wb_json_set(doc, "patches", list = wb_json_array());
		wb_json_set(doc, "gone", gone = wb_json_array());
		wb_json_set(doc, "expect", wb_json_bool(wb_edit_expects(e)));
	} else {
		print_row("new", "old", "name", width, "change");
	}
	for (k = 0; k < e->n; k++)
		show_patch(e, k, list, width);
	for (i = 0; i < e->quilt.n; i++) {
		for (k = 0; k < e->n; k++)
			if (e->patch[k].was == (long)i)
				break;
		if (k == e->n)
			show_gone(e, i, gone, width);
	}
	if (json)
		wb_json_put(doc);
}

int wb_restack_finish(struct wb_restack *r, const char *what,
		      struct wb_error *err)
{
	size_t changed;

	if (wb_edit_build(&r->edit, err) < 0 ||
	    wb_edit_save(&r->edit, what, &changed, err) < 0)
		return -1;
	if (changed || r->json)
		show(&r->edit, r->json);
	if (changed && wb_edit_expects(&r->edit))
		wb_talk("%s/expect followed", r->edit.quilt.shown);
	else if (!changed && !r->json)
		wb_talk("nothing to change in %s", r->edit.quilt.shown);
	return 0;
}

int wb_restack_undo(struct wb_restack *r, struct wb_error *err)
{
	struct wb_json *doc;
	size_t back, changed;

	if (wb_restack_settle(r, err) < 0 ||
	    wb_version_undo(&r->edit, &back, &changed, err) < 0)
		return -1;
	if (r->json) {
		doc = wb_json_object();
		wb_json_set(doc, "schema", wb_json_int(1));
		wb_json_set(doc, "version", wb_json_int((int64_t)back));
		wb_json_set(doc, "files", wb_json_int((int64_t)changed));
		wb_json_put(doc);
	} else {
		wb_text_print("%s is what it was at v%zu (%zu file%s put back)",
			      r->edit.quilt.shown, back, changed,
			      changed == 1 ? "" : "s");
	}
	return 0;
}
