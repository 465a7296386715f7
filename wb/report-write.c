#include "report-write.h"
#include "changelog.h"
#include "path.h"
#include "plain.h"
#include "render.h"
#include "restack.h"

#include <stdlib.h>
#include <string.h>

#define LETTER_MAX ((size_t)64 << 20)

static int render_as(const char *word, const struct wb_buf *markdown,
		  struct wb_buf *out, struct wb_error *err)
{
	static const struct {
		const char *word;
		enum wb_render_format format;
	} formats[] = {
		{ "markdown", WB_RENDER_COMMONMARK },
		{ "html", WB_RENDER_HTML },
		{ "man", WB_RENDER_MAN },
		{ "latex", WB_RENDER_LATEX },
	};
	size_t i;

	if (!word || !strcmp(word, "plain")) {
		wb_plain(markdown->ptr, markdown->len, WB_PLAIN_WIDTH, out);
		return 0;
	}
	for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		if (strcmp(word, formats[i].word))
			continue;
		wb_render(markdown->ptr, markdown->len, formats[i].format,
			  WB_PLAIN_WIDTH, out);
		return 0;
	}
	return wb_fail(err, WB_E_USAGE, "--render '%s' is none of plain, "
		       "markdown, html, man, latex", word);
}

/* column 0: of all patches. */
static int fill(const struct wb_report_job *j, const char *name,
		size_t column, const char *word, struct wb_buf *out,
		struct wb_error *err)
{
	struct wb_json *data = column ?
		wb_report_data_of(j->t, &j->format, &j->facts, column) :
		wb_report_data(j->t, &j->format, &j->facts);
	struct wb_buf markdown = WB_BUF_INIT;
	int ret = wb_template_set_fill(&j->templates, name, data, &markdown,
				       err);

	if (!ret)
		ret = render_as(word, &markdown, out, err);
	wb_buf_clear(&markdown);
	wb_json_free(data);
	return ret;
}

int wb_report_fill(const struct wb_report_job *j, const char *name,
		   size_t column, struct wb_buf *out, struct wb_error *err)
{
	return fill(j, name, column, NULL, out, err);
}

int wb_report_page(const struct wb_report_job *j, const char *name,
		   const char *word, struct wb_buf *out, struct wb_error *err)
{
	return fill(j, name, 0, word, out, err);
}

/* ---- the message of a patch ---- */

/* The column of patch k (from 0), -1 with a reason unless it was measured. */
static long column_of(const struct wb_report_job *j,
		      const struct wb_edit_patch *p, size_t k,
		      struct wb_error *err)
{
	const struct wb_result *r = j->t->r;
	size_t column = k + 1;

	if (column >= r->ncolumns || strcmp(r->column[column].name, p->name))
		return wb_fail(err, WB_E_FATAL, "%s: the stack in the work "
			       "tree is not the one that was reported",
			       p->name);
	if (!wb_report_measured(j->t, column))
		return wb_fail(err, WB_E_JUDGE, "%s: nothing was measured "
			       "here of this patch: 'wb run'", p->name);
	return (long)column;
}

static int put(const struct wb_report_job *j, struct wb_edit *e,
	       const char *word, bool below, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	long column;
	size_t k;
	int ret;

	if (wb_edit_find(e, word, &k, err) < 0 ||
	    wb_edit_need(e, k + 1, err) < 0)
		return -1;
	column = column_of(j, &e->patch[k], k, err);
	if (column < 0)
		return -1;
	ret = fill(j, "changelog", (size_t)column, NULL, &text, err);
	if (!ret) {
		wb_changelog_put(&e->patch[k].parts, text.ptr, below);
		e->patch[k].rewrite = true;
	}
	wb_buf_clear(&text);
	return ret;
}

int wb_report_changelog(const struct wb_report_job *j,
			const struct wb_strlist *names, bool below, bool json,
			struct wb_error *err)
{
	struct wb_restack_options o = { .series = j->facts.source };
	struct wb_restack r;
	size_t i;
	int ret = -1;

	if (wb_restack_open(&r, j->git, j->config, &o, json, err) < 0 ||
	    wb_restack_settle(&r, err) < 0)
		goto out;
	for (i = 0; i < names->n; i++)
		if (put(j, &r.edit, names->v[i], below, err) < 0)
			goto out;
	ret = wb_restack_finish(&r, "changelog", err);
out:
	wb_restack_close(&r);
	return ret;
}

/* ---- the cover letter ---- */

int wb_report_cover(const struct wb_report_job *j, const char *file,
		    struct wb_buf *out, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT, letter = WB_BUF_INIT;
	bool there;
	int ret = fill(j, "cover", 0, NULL, &text, err);

	if (!ret && !file) {
		wb_buf_add(out, text.ptr, text.len);
	} else if (!ret) {
		ret = wb_path_read(file, LETTER_MAX, &letter, &there, err);
		if (!ret && !there)
			ret = wb_fail(err, WB_E_FATAL, "%s: there is no such "
				      "letter; 'wb series export "
				      "--cover-letter' makes one", file);
		if (!ret && strlen(letter.ptr) != letter.len)
			ret = wb_fail(err, WB_E_FATAL, "%s: not a letter: it "
				      "has a NUL byte", file);
		if (!ret) {
			wb_changelog_put_cover(&letter, text.ptr);
			ret = wb_path_write(file, letter.ptr, letter.len, err);
		}
	}
	wb_buf_clear(&text);
	wb_buf_clear(&letter);
	return ret;
}
