/*
 * The report as one page of HTML that needs nothing from outside: tables and
 * pictures are in it, scripts only add copying and keys, and every sample is
 * embedded, so that the page can be read back (sample-html.c).
 */
#include "format-parts.h"
#include "plots.h"
#include "result-json.h"
#include "template.h"

#include "report-css.h"
#include "report-js.h"

#include <math.h>
#include <string.h>

#define HEAT_FULL 0.05		/* a change of 5 % has the full colour */
#define HEAT_LEAST 0.12
#define HEAT_MOST 0.55

static void put(struct wb_buf *out, const char *text)
{
	wb_template_escape_html(out, text);
}

/* What a page shows in its plots and its heat table. */
static bool is_shown(const struct wb_table *t, size_t metric)
{
	const struct wb_metric *m = &t->r->metric[metric];

	return m->judged;
}

/* A sign beside the word, for colour alone says nothing to some eyes. */
static const char *sign_of(enum wb_verdict v)
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
	default:
		return "";
	}
}

/* ---- the verdict in one sentence ---- */

struct counts {
	size_t of[WB_VERDICT_UNCLEAR + 1];
};

/* A patch counts once: the worst that is known of it. */
static enum wb_verdict worst_of(const struct wb_table *t, size_t column)
{
	static const enum wb_verdict order[] = {
		WB_VERDICT_BROKEN, WB_VERDICT_SLOWER, WB_VERDICT_FASTER,
		WB_VERDICT_UNCLEAR, WB_VERDICT_SAME, WB_VERDICT_MISSING,
	};
	size_t i, m;

	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		for (m = 0; m < t->r->nmetrics; m++)
			if (is_shown(t, m) && wb_table_row(t, m,
					column)->verdict == order[i])
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
	size_t c, i, listed = 0;

	for (c = 1; c < t->r->ncolumns; c++)
		n.of[worst_of(t, c)]++;
	wb_buf_addf(out, "<p class=\"verdict\">%zu patch%s: ",
		    t->r->ncolumns - 1, t->r->ncolumns == 2 ? "" : "es");
	for (i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		if (!n.of[told[i]])
			continue;
		wb_buf_addf(out, "%s<span class=\"w-%s\">%s%zu %s</span>",
			    listed++ ? ", " : "", wb_verdict_word(told[i]),
			    sign_of(told[i]), n.of[told[i]],
			    wb_verdict_word(told[i]));
	}
	if (!listed)
		wb_buf_addstr(out, "nothing is judged");
	wb_buf_addstr(out, ".</p>\n");
}

/* ---- cells ---- */

static void put_change(const struct wb_table *t, const struct wb_row *row,
		       struct wb_buf *out)
{
	int d = row->exact ? wb_percent_exact(row->change)
			   : wb_percent_decimals(row->change, row->low,
						 row->high, t->o.margin);

	if (!isfinite(row->low) || !isfinite(row->high)) {
		wb_buf_addch(out, '-');
		return;
	}
	wb_percent_add(out, row->change, d);
	if (row->exact)
		wb_buf_addstr(out, " exact");
}

static void put_interval(const struct wb_table *t, const struct wb_row *row,
			 struct wb_buf *out)
{
	int d = wb_percent_decimals(row->change, row->low, row->high,
				    t->o.margin);

	if (!isfinite(row->low) || !isfinite(row->high) || row->exact) {
		wb_buf_addch(out, '-');
		return;
	}
	wb_buf_addch(out, '[');
	wb_percent_add(out, row->low, d);
	wb_buf_addstr(out, ", ");
	wb_percent_add(out, row->high, d);
	wb_buf_addch(out, ']');
}

static double heat_of(const struct wb_row *row)
{
	double share = fabs(row->change) / HEAT_FULL;

	return HEAT_LEAST + (HEAT_MOST - HEAT_LEAST) * fmin(share, 1);
}

static void put_heat_cell(const struct wb_table *t, size_t metric,
			  size_t column, struct wb_buf *out)
{
	const struct wb_row *row = wb_table_row(t, metric, column);
	const char *word = wb_verdict_word(row->verdict);

	if (row->verdict == WB_VERDICT_NONE) {
		wb_buf_addstr(out, "<td class=\"c\">");
		wb_value_add(out, row->value, t->tick[metric]);
		wb_buf_addstr(out, "</td>");
		return;
	}
	wb_buf_addf(out, "<td class=\"c t-%s\"", word);
	if (isfinite(row->change))
		wb_buf_addf(out, " style=\"--heat:%.2f\"", heat_of(row));
	wb_buf_addf(out, "><a href=\"#p%d\">%s%s", t->r->column[column].index,
		    sign_of(row->verdict), word);
	if (isfinite(row->low)) {
		wb_buf_addch(out, ' ');
		put_change(t, row, out);
		if (!row->exact) {
			wb_buf_addstr(out, "<br><small>");
			put_interval(t, row, out);
			wb_buf_addf(out, " n=%zu</small>", row->n);
		}
	}
	wb_buf_addstr(out, "</a></td>");
}

/* A patch's name and, behind it, its subject. */
static void put_patch(const struct wb_column *c, struct wb_buf *out)
{
	bool commit = wb_column_is_commit(c);
	bool subject = c->subject && *c->subject;

	put(out, commit && subject ? c->subject : c->name);
	if (!commit && subject && strcmp(c->subject, c->name)) {
		wb_buf_addstr(out, " <span class=\"soft\">");
		put(out, c->subject);
		wb_buf_addstr(out, "</span>");
	}
}

/* ---- sections ---- */

static void put_heat_table(const struct wb_table *t, struct wb_buf *out)
{
	size_t m, c;

	wb_buf_addstr(out, "<section id=\"series\"><h2>The series</h2>"
		      "<p class=\"soft\">Each patch against the one before it; "
		      "the base row has its values.</p><div class=\"scroll\">"
		      "<table><thead><tr><th>k</th><th class=\"l\">patch</th>");
	for (m = 0; m < t->r->nmetrics; m++) {
		if (!is_shown(t, m))
			continue;
		wb_buf_addf(out, "<th><a href=\"#m%zu\">", m);
		put(out, t->r->metric[m].name);
		wb_buf_addstr(out, "</a></th>");
	}
	wb_buf_addstr(out, "</tr></thead><tbody>\n");
	for (c = 0; c < t->r->ncolumns; c++) {
		wb_buf_addf(out, "<tr><td>%d</td><td class=\"name\">",
			    t->r->column[c].index);
		put_patch(&t->r->column[c], out);
		wb_buf_addstr(out, "</td>");
		for (m = 0; m < t->r->nmetrics; m++)
			if (is_shown(t, m))
				put_heat_cell(t, m, c, out);
		wb_buf_addstr(out, "</tr>\n");
	}
	wb_buf_addstr(out, "</tbody></table></div></section>\n");
}

static void put_number_row(const struct wb_table *t, const struct wb_row *row,
			   struct wb_buf *out)
{
	const struct wb_metric *m = &t->r->metric[row->metric];

	wb_buf_addstr(out, "<tr><td class=\"l\">");
	put(out, m->bench);
	wb_buf_addstr(out, "</td><td class=\"l\">");
	put(out, m->name);
	wb_buf_addstr(out, "</td><td>");
	wb_value_add(out, row->value, t->tick[row->metric]);
	wb_buf_addstr(out, "</td><td class=\"l\">");
	put(out, *m->unit ? m->unit : "-");
	wb_buf_addf(out, "</td><td class=\"l\">%s</td><td>%s</td>",
		    *wb_better_word(m->better) ? wb_better_word(m->better)
					       : "-",
		    *wb_level_word(m->level) ? wb_level_word(m->level) : "-");
	wb_buf_addf(out, row->n ? "<td>%zu</td><td>" : "<td>-</td><td>",
		    row->n);
	put_change(t, row, out);
	wb_buf_addstr(out, "</td><td>");
	put_interval(t, row, out);
	wb_buf_addf(out, "</td><td class=\"l w-%s\">%s%s</td>"
		    "<td class=\"name soft\">", wb_verdict_word(row->verdict),
		    sign_of(row->verdict), wb_verdict_word(row->verdict));
	put(out, row->reason ? row->reason : "");
	wb_buf_addstr(out, "</td></tr>\n");
}

static void put_numbers(const struct wb_table *t, size_t column,
			struct wb_buf *out)
{
	size_t m;

	wb_buf_addstr(out, "<div class=\"scroll\"><table><thead><tr>"
		      "<th class=\"l\">bench</th><th class=\"l\">metric</th>"
		      "<th>value</th><th class=\"l\">unit</th>"
		      "<th class=\"l\">better</th><th>level</th><th>n</th>"
		      "<th>change</th><th>95 %</th><th class=\"l\">verdict</th>"
		      "<th class=\"l\"></th></tr></thead><tbody>\n");
	for (m = 0; m < t->r->nmetrics; m++)
		put_number_row(t, wb_table_row(t, m, column), out);
	wb_buf_addstr(out, "</tbody></table></div>\n");
}

/* The hole that concerns a whole column, if there is one. */
static const struct wb_hole *hole_of(const struct wb_table *t, size_t column)
{
	size_t i;

	for (i = 0; i < t->r->nholes; i++)
		if (t->r->hole[i].column == column && !t->r->hole[i].bench)
			return &t->r->hole[i];
	return NULL;
}

static void put_patch_section(const struct wb_table *t, size_t column,
			      struct wb_buf *out)
{
	const struct wb_column *c = &t->r->column[column];
	const struct wb_hole *hole = hole_of(t, column);
	struct wb_buf plot = WB_BUF_INIT;

	wb_buf_addf(out, "<section id=\"p%d\"><h2>%d ", c->index, c->index);
	put_patch(c, out);
	wb_buf_addstr(out, "</h2>\n");
	if (wb_plot_forest(t, column, &plot)) {
		wb_buf_addstr(out, "<figure>");
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
		put(out, hole->reason ? hole->reason : "");
		wb_buf_addstr(out, "</p>");
	} else {
		put_numbers(t, column, out);
	}
	wb_buf_addstr(out, "</section>\n");
	wb_buf_clear(&plot);
}

static void put_metric_section(const struct wb_table *t, size_t metric,
			       struct wb_buf *out)
{
	const struct wb_metric *m = &t->r->metric[metric];

	wb_buf_addf(out, "<section id=\"m%zu\"><h2>", metric);
	put(out, m->name);
	if (*m->unit || m->better) {
		wb_buf_addstr(out, " <span class=\"soft\">");
		put(out, m->unit);
		wb_buf_addf(out, "%s%s%s</span>", *m->unit && m->better
			    ? ", " : "", wb_better_word(m->better),
			    m->better ? " is better" : "");
	}
	wb_buf_addstr(out, "</h2>\n<figure>");
	wb_plot_staircase(t, metric, out);
	wb_buf_addstr(out, "<figcaption>Every sample by prefix, by round from "
		      "left to right; the box is the 95 % interval of the "
		      "median.</figcaption></figure>\n<figure>");
	wb_plot_time(t, metric, out);
	wb_buf_addstr(out, "<figcaption>The same samples in the order they "
		      "were made, a colour a prefix, blue to red. What all "
		      "colours share is the machine.</figcaption></figure>"
		      "</section>\n");
}

static void put_aa(const struct wb_table *t, struct wb_buf *out)
{
	size_t m, n = 0;

	wb_buf_addstr(out, "<section id=\"aa\"><h2>How blind this machine is"
		      "</h2>\n");
	for (m = 0; m < t->r->nmetrics; m++) {
		const struct wb_control *c = &t->control[m];
		if (!is_shown(t, m) || isnan(c->floor))
			continue;
		if (!n++)
			wb_buf_addstr(out, "<p>The base against itself, run as "
				      "if it were another prefix: smaller "
				      "changes than these are not measurable "
				      "here.</p><table><thead><tr>"
				      "<th class=\"l\">metric</th><th>A/A "
				      "floor</th><th>rounds</th><th class=\"l\""
				      "></th></tr></thead><tbody>\n");
		wb_buf_addstr(out, "<tr><td class=\"l\">");
		put(out, t->r->metric[m].name);
		wb_buf_addf(out, "</td><td>%.2g %%</td><td>%zu</td>"
			    "<td class=\"l w-slower\">%s</td></tr>\n",
			    100 * c->floor, c->change.rounds, c->alarm
			    ? "alarm: the interval leaves 0 out" : "");
	}
	wb_buf_addstr(out, n ? "</tbody></table></section>\n"
			     : "<p>There is no A/A control in this data.</p>"
			       "</section>\n");
}

static void put_holes(const struct wb_table *t, struct wb_buf *out)
{
	size_t i;

	wb_buf_addstr(out, "<section id=\"missing\"><h2>What was not measured"
		      "</h2>\n");
	if (!t->r->nholes)
		wb_buf_addstr(out, "<p>Nothing is missing.</p>");
	else
		wb_buf_addstr(out, "<ul>\n");
	for (i = 0; i < t->r->nholes; i++) {
		const struct wb_hole *h = &t->r->hole[i];
		wb_buf_addf(out, "<li>%d ", t->r->column[h->column].index);
		put(out, t->r->column[h->column].name);
		if (h->bench) {
			wb_buf_addstr(out, ", ");
			put(out, h->bench);
		}
		wb_buf_addf(out, ": <strong>%s</strong> ",
			    h->kind == WB_HOLE_BROKEN ? "broken" : "missing");
		put(out, h->reason ? h->reason : "");
		wb_buf_addstr(out, "</li>\n");
	}
	wb_buf_addstr(out, t->r->nholes ? "</ul></section>\n" : "</section>\n");
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
	put(out, text.ptr);
	wb_buf_addstr(out, "</pre></details>\n");
	wb_buf_clear(&text);
}

static void put_machine(const struct wb_table *t,
			const struct wb_format_options *o, struct wb_buf *out)
{
	wb_buf_addstr(out, "<section id=\"machine\"><h2>Machine and method"
		      "</h2><p>");
	put(out, t->r->machine_facts ? t->r->machine_facts
				     : "The machine is not known.");
	wb_buf_addf(out, "</p><p>A change is the mean log ratio of rounds in "
		    "which both prefixes ran; a verdict is corrected by Holm "
		    "over %zu comparisons; <em>same</em> means that the 95 %% "
		    "interval lies within &#177;%.2g %%.</p></section>\n",
		    t->family, 100 * t->o.margin);
	if (!o->source)
		return;
	wb_buf_addstr(out, "<section id=\"again\"><h2>Once more</h2><pre>"
		      "wb run ");
	put(out, o->source);
	wb_buf_addstr(out, "\nwb report --format html ");
	put(out, o->source);
	wb_buf_addstr(out, " &gt;report.html</pre></section>\n");
}

/* "<" would end the script that the data stand in. */
static void put_data(const struct wb_table *t, const char *lines,
		     struct wb_buf *out)
{
	struct wb_buf text = WB_BUF_INIT;
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
	wb_buf_clear(&text);
	if (lines)
		wb_buf_addf(out, "<script type=\"text/plain\" id=\"wb-lines\">"
			    "%s</script>\n", lines);
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
	put(out, o->source ? o->source : "samples");
	wb_buf_addstr(out, ": what each patch does</title>\n<style>\n");
	wb_buf_addstr(out, report_css);
	wb_buf_addstr(out, "</style></head><body>\n<header><h1>");
	put(out, o->source ? o->source : "samples");
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
	put_heat_table(t, out);
	for (c = 1; c < t->r->ncolumns; c++)
		if (worst_of(t, c) != WB_VERDICT_MISSING)
			put_patch_section(t, c, out);
	for (m = 0; m < t->r->nmetrics; m++)
		if (is_shown(t, m) && t->cells.start[m * t->r->ncolumns] <
				      t->cells.start[(m + 1) * t->r->ncolumns])
			put_metric_section(t, m, out);
	put_aa(t, out);
	put_holes(t, out);
	put_machine(t, o, out);
	wb_buf_addstr(out, "<section id=\"copy\"><h2>As text</h2>\n");
	put_copy(t, o, WB_FORMAT_PLAIN, "mail", "mail", out);
	put_copy(t, o, WB_FORMAT_MARKDOWN, "markdown", "Markdown", out);
	wb_buf_addstr(out, "</section>\n</main>\n");
	put_data(t, o->lines, out);
	wb_buf_addstr(out, "<script>\n");
	wb_buf_addstr(out, report_js);
	wb_buf_addstr(out, "</script>\n</body></html>\n");
}
