/*
 * The report as one page of HTML that needs nothing from outside: tables and
 * pictures are in it, scripts only add copying and keys, and every sample is
 * embedded, so that the page can be read back (sample-html.c).
 */
#include "format-html.h"
#include "plots.h"
#include "result-json.h"
#include "sample-html.h"
#include "sample.h"
#include "template.h"

#include "report-css.h"
#include "report-js.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

void wb_html_put(struct wb_buf *out, const char *text)
{
	struct wb_buf safe = WB_BUF_INIT;

	wb_text_add(&safe, text, WB_TEXT_UTF8);
	wb_template_escape_html(out, safe.ptr);
	wb_buf_clear(&safe);
}

bool wb_html_shows(const struct wb_table *t, size_t metric)
{
	const struct wb_metric *m = &t->r->metric[metric];

	return m->judged;
}

const char *wb_html_sign(enum wb_verdict v)
{
	switch (v) {
	case WB_VERDICT_FASTER:
		return "&#9650; ";
	case WB_VERDICT_SLOWER:
		return "&#9660; ";
	case WB_VERDICT_SAME:
		return "= ";
	case WB_VERDICT_UNCLEAR:
		return "? ";
	case WB_VERDICT_BROKEN:
		return "&#10005; ";
	case WB_VERDICT_MISSING:
		return "- ";
	default:
		return "";
	}
}

/* ---- the verdict in one sentence ---- */

struct counts {
	size_t of[WB_VERDICT_UNCLEAR + 1];
};

static bool has_verdict(const struct wb_table *t, size_t column,
			enum wb_verdict v)
{
	size_t m;

	for (m = 0; m < t->r->nmetrics; m++)
		if (wb_html_shows(t, m) &&
		    wb_table_row(t, m, column)->verdict == v)
			return true;
	return false;
}

/* A patch counts once: the worst that is known of it. */
static enum wb_verdict worst_of(const struct wb_table *t, size_t column)
{
	static const enum wb_verdict order[] = {
		WB_VERDICT_BROKEN, WB_VERDICT_SLOWER, WB_VERDICT_FASTER,
		WB_VERDICT_UNCLEAR, WB_VERDICT_SAME, WB_VERDICT_MISSING,
	};
	size_t i;

	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (has_verdict(t, column, order[i]))
			return order[i];
	return WB_VERDICT_NONE;
}

static void put_sentence(const struct wb_table *t, struct wb_buf *out)
{
	static const enum wb_verdict told[] = {
		WB_VERDICT_SLOWER, WB_VERDICT_FASTER, WB_VERDICT_SAME,
		WB_VERDICT_UNCLEAR, WB_VERDICT_BROKEN, WB_VERDICT_MISSING,
	};
	struct counts n = { { 0 } };
	size_t c, i, listed = 0, mixed = 0;

	for (c = 1; c < t->r->ncolumns; c++) {
		n.of[worst_of(t, c)]++;
		mixed += worst_of(t, c) == WB_VERDICT_SLOWER &&
			 has_verdict(t, c, WB_VERDICT_FASTER);
	}
	wb_buf_addf(out, "<p class=\"verdict\">%zu patch%s: ",
		    t->r->ncolumns - 1, t->r->ncolumns == 2 ? "" : "es");
	for (i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		if (!n.of[told[i]])
			continue;
		wb_buf_addf(out, "%s<span class=\"w-%s\">%s%zu %s</span>",
			    listed++ ? ", " : "", wb_verdict_word(told[i]),
			    wb_html_sign(told[i]), n.of[told[i]],
			    wb_verdict_word(told[i]));
		if (told[i] == WB_VERDICT_SLOWER && mixed)
			wb_buf_addf(out, " (%zu of them faster in another "
				    "metric)", mixed);
	}
	if (!listed)
		wb_buf_addstr(out, "nothing is judged");
	wb_buf_addstr(out, ".</p>\n");
}

void wb_html_patch(const struct wb_column *c, struct wb_buf *out)
{
	bool commit = wb_column_is_commit(c);
	bool subject = c->subject && *c->subject;

	wb_html_put(out, commit && subject ? c->subject : c->name);
	if (!commit && subject && strcmp(c->subject, c->name)) {
		wb_buf_addstr(out, " <span class=\"soft\">");
		wb_html_put(out, c->subject);
		wb_buf_addstr(out, "</span>");
	}
}

/* ---- sections ---- */

/* The hole that concerns a whole column, if there is one. */
static const struct wb_hole *hole_of(const struct wb_table *t, size_t column)
{
	size_t i;

	for (i = 0; i < t->r->nholes; i++)
		if (t->r->hole[i].column == column && !t->r->hole[i].bench)
			return &t->r->hole[i];
	return NULL;
}

/* Begins a heading with a name of its own that stays when the order changes. */
static void put_anchor(const char *kind, const char *name, struct wb_buf *out)
{
	wb_buf_addf(out, "<h2 id=\"%s", kind);
	for (; *name; name++)
		wb_buf_addch(out, isalnum((unsigned char)*name) ||
			     strchr("._-", *name) ? *name : '-');
	wb_buf_addstr(out, "\">");
}

static void put_patch_section(const struct wb_table *t, size_t column,
			      struct wb_buf *out)
{
	const struct wb_column *c = &t->r->column[column];
	const struct wb_hole *hole = hole_of(t, column);
	struct wb_buf plot = WB_BUF_INIT;

	wb_buf_addf(out, "<section id=\"p%d\">", c->index);
	put_anchor("patch-", c->name, out);
	wb_buf_addf(out, "%d ", c->index);
	wb_html_patch(c, out);
	wb_buf_addstr(out, "</h2>\n");
	if (wb_plot_forest(t, column, &plot)) {
		wb_buf_addstr(out, "<figure tabindex=\"0\">");
		wb_buf_add(out, plot.ptr, plot.len);
		wb_buf_addstr(out, "<figcaption>Changes by this patch with "
			      "their 95 % intervals; grey: the margin, dashed: "
			      "what one build differs from itself."
			      "</figcaption></figure>\n");
	}
	if (hole) {
		wb_buf_addf(out, "<p><span class=\"w-broken\">%s</span> ",
			    hole->kind == WB_HOLE_BROKEN ? "broken"
							 : "missing");
		wb_html_put(out, hole->reason ? hole->reason : "");
		wb_buf_addstr(out, "</p>");
	} else {
		wb_html_numbers(t, column, out);
	}
	wb_buf_addstr(out, "</section>\n");
	wb_buf_clear(&plot);
}

static void put_metric_section(const struct wb_table *t, size_t metric,
			       struct wb_buf *out)
{
	const struct wb_metric *m = &t->r->metric[metric];

	wb_buf_addf(out, "<section id=\"m%zu\">", metric);
	put_anchor("metric-", m->name, out);
	wb_html_put(out, m->name);
	if (*m->unit || m->better) {
		wb_buf_addstr(out, " <span class=\"soft\">");
		wb_html_put(out, m->unit);
		wb_buf_addf(out, "%s%s%s</span>", *m->unit && m->better
			    ? ", " : "", wb_better_word(m->better),
			    m->better ? " is better" : "");
	}
	wb_buf_addstr(out, "</h2>\n<figure tabindex=\"0\">");
	wb_plot_staircase(t, metric, out);
	wb_buf_addstr(out, "<figcaption>Every sample by prefix, by round from "
		      "left to right; the box is the 95 % interval of the "
		      "median.</figcaption></figure>\n"
		      "<figure tabindex=\"0\">");
	wb_plot_time(t, metric, out);
	wb_buf_addstr(out, "<figcaption>The same samples in the order they "
		      "were made, a colour a prefix, blue to red, round and "
		      "square by turns. What all share is the machine."
		      "</figcaption></figure>"
		      "</section>\n");
}

/* Text that can be copied, and read without scripts. */
static void put_copy(const struct wb_table *t,
		     const struct wb_format_options *o,
		     enum wb_format_kind kind, const char *id,
		     const char *label, struct wb_buf *out)
{
	struct wb_format_options other = *o;
	struct wb_buf text = WB_BUF_INIT;

	other.kind = kind;
	wb_format(t, &other, &text);
	wb_buf_addf(out, "<p><button type=\"button\" hidden data-copy=\"%s\">"
		    "Copy as %s</button></p><details><summary>%s</summary>"
		    "<pre id=\"%s\">", id, label, label, id);
	/* lines, which the format has made safe */
	wb_template_escape_html(out, text.ptr);
	wb_buf_addstr(out, "</pre></details>\n");
	wb_buf_clear(&text);
}

/*
 * What reads the page back: the lines of wb export that o has, else lines of
 * the result set; and beside them what lines do not tell. "<" would end the
 * script that the data stand in.
 */
static void put_data(const struct wb_table *t,
		     const struct wb_format_options *o, struct wb_buf *out)
{
	struct wb_buf text = WB_BUF_INIT, packed = WB_BUF_INIT;
	const char *p;

	wb_result_print_json(t->r, &text);
	wb_buf_addstr(out, "<script type=\"application/json\" id=\"wb-data\">");
	for (p = text.ptr; *p; p++) {
		if (*p == '<')
			wb_buf_addstr(out, "\\u003c");
		else
			wb_buf_addch(out, *p);
	}
	wb_buf_addstr(out, "</script>\n");
	wb_buf_reset(&text);
	if (!o->page.lines) {
		wb_sample_print(t->r, &text);
		wb_sample_pack(&text, &packed);
	}
	wb_buf_addf(out, "<script type=\"text/plain\" id=\"wb-lines\">%s"
		    "</script>\n", o->page.lines ? o->page.lines : packed.ptr);
	wb_buf_clear(&packed);
	wb_buf_clear(&text);
}

static void put_head(const struct wb_format_options *o, struct wb_buf *out)
{
	wb_buf_addstr(out, "<!DOCTYPE html>\n<html lang=\"en\"><head>"
		      "<meta charset=\"utf-8\"><meta name=\"viewport\" "
		      "content=\"width=device-width,initial-scale=1\">"
		      "<meta http-equiv=\"Content-Security-Policy\" "
		      "content=\"default-src 'none'; "
		      "style-src 'unsafe-inline'; "
		      "script-src 'unsafe-inline'\">\n<title>");
	wb_html_put(out, o->source ? o->source : "samples");
	wb_buf_addstr(out, ": what each patch does</title>\n<style>\n");
	wb_buf_addstr(out, report_css);
	wb_buf_addstr(out, "</style></head><body>\n<header><h1>");
	wb_html_put(out, o->source ? o->source : "samples");
	wb_buf_addstr(out, "</h1>\n");
}

void wb_format_html(const struct wb_table *t, const struct wb_format_options *o,
		    struct wb_buf *out)
{
	size_t m, c;

	put_head(o, out);
	put_sentence(t, out);
	wb_buf_addstr(out, "</header>\n<nav><a href=\"#series\">series</a>"
		      "<a href=\"#aa\">A/A</a><a href=\"#machine\">machine</a>"
		      "<a href=\"#missing\">not measured</a>"
		      "<a href=\"#copy\">copy</a><span class=\"soft\">keys j "
		      "and k</span></nav>\n<main>\n");
	wb_html_heat(t, out);
	for (m = 0; m < t->r->nmetrics; m++)
		if (wb_html_shows(t, m) && t->cells.start[m * t->r->ncolumns] <
				      t->cells.start[(m + 1) * t->r->ncolumns])
			put_metric_section(t, m, out);
	for (c = 1; c < t->r->ncolumns; c++)
		if (worst_of(t, c) != WB_VERDICT_MISSING)
			put_patch_section(t, c, out);
	wb_html_aa(t, out);
	wb_html_holes(t, out);
	wb_html_machine(t, o, out);
	wb_buf_addstr(out, "<section id=\"copy\"><h2>As text</h2>\n");
	put_copy(t, o, WB_FORMAT_PLAIN, "mail", "mail", out);
	put_copy(t, o, WB_FORMAT_MARKDOWN, "markdown", "Markdown", out);
	wb_buf_addstr(out, "</section>\n</main>\n");
	put_data(t, o, out);
	wb_buf_addstr(out, "<script>\n");
	wb_buf_addstr(out, report_js);
	wb_buf_addstr(out, "</script>\n</body></html>\n");
}
