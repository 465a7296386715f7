/*
 * The tables of a report's page: a cell for each change.
 */
#include "format-html.h"

#include <math.h>

#define HEAT_FULL 0.05		/* a change of 5 % has the full colour */
#define HEAT_LEAST 0.12
#define HEAT_MOST 0.55

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
		    wb_html_sign(row->verdict), word);
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

void wb_html_heat(const struct wb_table *t, struct wb_buf *out)
{
	size_t m, c;

	wb_buf_addstr(out, "<section id=\"series\"><h2>The series</h2>"
		      "<p class=\"soft\">Each patch against the one before it; "
		      "the base row has its values.</p>"
		      "<div class=\"scroll\" tabindex=\"0\">"
		      "<table><thead><tr><th>k</th><th class=\"l\">patch</th>");
	for (m = 0; m < t->r->nmetrics; m++) {
		if (!wb_html_shows(t, m))
			continue;
		wb_buf_addf(out, "<th><a href=\"#m%zu\">", m);
		wb_html_put(out, t->r->metric[m].name);
		wb_buf_addstr(out, "</a></th>");
	}
	wb_buf_addstr(out, "</tr></thead><tbody>\n");
	for (c = 0; c < t->r->ncolumns; c++) {
		wb_buf_addf(out, "<tr><td>%d</td><td class=\"name\">",
			    t->r->column[c].index);
		wb_html_patch(&t->r->column[c], out);
		wb_buf_addstr(out, "</td>");
		for (m = 0; m < t->r->nmetrics; m++)
			if (wb_html_shows(t, m))
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
	wb_html_put(out, m->bench);
	wb_buf_addstr(out, "</td><td class=\"l\">");
	wb_html_put(out, m->name);
	wb_buf_addstr(out, "</td><td>");
	wb_value_add(out, row->value, t->tick[row->metric]);
	wb_buf_addstr(out, "</td><td class=\"l\">");
	wb_html_put(out, *m->unit ? m->unit : "-");
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
		    wb_html_sign(row->verdict), wb_verdict_word(row->verdict));
	wb_html_put(out, row->reason ? row->reason : "");
	wb_buf_addstr(out, "</td></tr>\n");
}

void wb_html_numbers(const struct wb_table *t, size_t column,
			struct wb_buf *out)
{
	size_t m;

	wb_buf_addstr(out, "<div class=\"scroll\" tabindex=\"0\">"
		      "<table><thead><tr>"
		      "<th class=\"l\">bench</th><th class=\"l\">metric</th>"
		      "<th>value</th><th class=\"l\">unit</th>"
		      "<th class=\"l\">better</th><th>level</th><th>n</th>"
		      "<th>change</th><th>95 %</th><th class=\"l\">verdict</th>"
		      "<th class=\"l\"></th></tr></thead><tbody>\n");
	for (m = 0; m < t->r->nmetrics; m++)
		put_number_row(t, wb_table_row(t, m, column), out);
	wb_buf_addstr(out, "</tbody></table></div>\n");
}
