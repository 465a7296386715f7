/*
 * What a report's page says of the machine and of what is not in the numbers.
 */
#include "format-html.h"
#include "machine.h"
#include "number.h"

#include <math.h>

/* What one build differs from itself by, with its interval. */
static void put_control(const struct wb_control *c, double margin,
			struct wb_buf *out)
{
	int d;

	if (isnan(c->floor)) {
		wb_buf_addstr(out, "<td>-</td><td>-</td><td>-</td>");
		return;
	}
	d = wb_percent_decimals(c->change.change, c->change.low,
				c->change.high, margin);
	wb_buf_addstr(out, "<td>");
	wb_percent_add(out, c->change.change, d);
	wb_buf_addstr(out, "</td><td>[");
	wb_percent_add(out, c->change.low, d);
	wb_buf_addstr(out, ", ");
	wb_percent_add(out, c->change.high, d);
	wb_buf_addf(out, "]</td><td>%zu</td>", c->change.rounds);
}

static void put_share(double share, struct wb_buf *out)
{
	wb_buf_addstr(out, "<td>");
	if (share > 0 && share < 10) {
		wb_number_add_rough(out, share * 100, 2);
		wb_buf_addstr(out, " %");
	} else {
		wb_buf_addch(out, '-');
	}
	wb_buf_addstr(out, "</td>");
}

static void put_aa_row(const struct wb_table *t, size_t m, struct wb_buf *out)
{
	const struct wb_control *c = &t->control[m];
	const struct wb_quality *q = &t->quality[m];

	wb_buf_addstr(out, "<tr><td class=\"l\">");
	wb_html_put(out, t->r->metric[m].name);
	wb_buf_addstr(out, "</td>");
	put_control(c, t->o.margin, out);
	put_share(wb_table_visible(t, m), out);
	if (isnan(q->drift)) {
		wb_buf_addstr(out, "<td>-</td>");
	} else {
		wb_buf_addstr(out, "<td>");
		wb_percent_add(out, q->drift,
			       wb_percent_decimals(q->drift, q->drift_low,
						   q->drift_high,
						   t->o.margin));
		wb_buf_addstr(out, "</td>");
	}
	if (q->warmup || q->disturbed)
		wb_buf_addf(out, "<td>%zu rounds, %zu runs</td>", q->warmup,
			    q->disturbed);
	else
		wb_buf_addstr(out, "<td>-</td>");
	wb_buf_addf(out, "<td class=\"l w-slower\">%s</td></tr>\n", c->alarm
		    ? "&#9650; alarm: the interval leaves out 0" : "");
}

void wb_html_aa(const struct wb_table *t, struct wb_buf *out)
{
	size_t m, n = 0;

	wb_buf_addstr(out, "<section id=\"aa\"><h2>How blind this machine is"
		      "</h2>\n");
	for (m = 0; m < t->r->nmetrics; m++) {
		if (!wb_html_shows(t, m))
			continue;
		if (!n++)
			wb_buf_addstr(out, "<p>A/A: the base against itself, "
				      "run as if it were another prefix. Not "
				      "measurable: changes smaller than this "
				      "would not have been seen. Drift is of "
				      "all prefixes alike and falls out of "
				      "each round&#8217;s ratio.</p>"
				      "<div class=\"scroll\" tabindex=\"0\">"
				      "<table><thead>"
				      "<tr><th class=\"l\">metric</th>"
				      "<th>A/A</th><th>95 %</th><th>rounds"
				      "</th><th>not measurable below</th>"
				      "<th>drift</th><th>left out</th>"
				      "<th class=\"l\"></th></tr></thead>"
				      "<tbody>\n");
		put_aa_row(t, m, out);
	}
	wb_buf_addstr(out, n ? "</tbody></table></div></section>\n"
			     : "<p>Nothing is judged.</p></section>\n");
}

void wb_html_holes(const struct wb_table *t, struct wb_buf *out)
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
		wb_html_put(out, t->r->column[h->column].name);
		if (h->bench) {
			wb_buf_addstr(out, ", ");
			wb_html_put(out, h->bench);
		}
		wb_buf_addf(out, ": <strong>%s</strong> ",
			    h->kind == WB_HOLE_BROKEN ? "broken" : "missing");
		wb_html_put(out, h->reason ? h->reason : "");
		wb_buf_addstr(out, "</li>\n");
	}
	wb_buf_addstr(out, t->r->nholes ? "</ul></section>\n" : "</section>\n");
}

static void put_fact(const char *what, const char *fact, bool code,
		     struct wb_buf *out)
{
	if (!fact || !*fact)
		return;
	wb_buf_addf(out, "<tr><th class=\"l\">%s</th><td class=\"name\">%s",
		    what, code ? "<code>" : "");
	wb_html_put(out, fact);
	wb_buf_addstr(out, code ? "</code></td></tr>\n" : "</td></tr>\n");
}

static void put_elsewhere(const struct wb_table *t, struct wb_buf *out)
{
	struct wb_buf b = WB_BUF_INIT;
	size_t i;

	for (i = 0; i < t->r->nelsewhere && t->r->machine_facts; i++) {
		wb_buf_reset(&b);
		wb_buf_addf(&b, "%zu runs of another machine, or of this one "
			    "in another state: ", t->r->elsewhere[i].runs);
		wb_machine_differ(t->r->machine_facts,
				  t->r->elsewhere[i].facts, &b);
		put_fact("left out", b.ptr, false, out);
	}
	wb_buf_reset(&b);
	wb_buf_addf(&b, "none around %zu runs", t->r->open_runs);
	put_fact("sandbox", t->r->open_runs ? b.ptr : NULL, false, out);
	wb_buf_clear(&b);
}

void wb_html_machine(const struct wb_table *t,
			const struct wb_format_options *o, struct wb_buf *out)
{
	const struct wb_page_facts *f = &o->page;
	size_t i;

	wb_buf_addstr(out, "<section id=\"machine\"><h2>Machine and method"
		      "</h2><div class=\"scroll\" tabindex=\"0\">"
		      "<table class=\"facts\">"
		      "<tbody>\n");
	put_fact("machine", t->r->machine_facts ? t->r->machine_facts :
		 "not known", false, out);
	put_fact("compiler", f->compiler, false, out);
	put_fact("other builds", t->r->toolchain, false, out);
	put_fact("build", f->build, true, out);
	for (i = 0; i < f->nbenches; i++)
		put_fact("bench", f->bench[i], true, out);
	put_elsewhere(t, out);
	put_fact("data", f->data, true, out);
	put_fact("made by", "wb " WB_VERSION, false, out);
	wb_buf_addf(out, "</tbody></table></div><p>A change is the mean log "
		    "ratio of rounds in which both prefixes ran; a verdict is "
		    "corrected by Holm over %zu comparisons; <em>same</em> "
		    "means that the 95 %% interval lies within &#177;%.2g %%."
		    "</p></section>\n", t->family, 100 * t->o.margin);
	if (!f->again)
		return;
	wb_buf_addstr(out, "<section id=\"again\"><h2>Once more</h2><pre>"
		      "wb run");
	wb_html_put(out, f->again);
	wb_buf_addstr(out, "\nwb report --format html");
	wb_html_put(out, f->again);
	wb_buf_addstr(out, " &gt;report.html</pre></section>\n");
}
