/*
 * A summary as Markdown, for a step summary or as the body of a comment. A
 * comment is found again by the mark in its first line.
 */
#include "ci.h"
#include "format.h"
#include "template.h"
#include "text.h"

#include <stdlib.h>

#define MARK "<!-- wb ci -->\n"
/* GitHub takes 65,536 characters in a comment and 1 MiB in a summary. */
#define TABLE_MAX ((size_t)30 << 10)
#define PAGE_MAX ((size_t)60 << 10)

static void add(struct wb_buf *out, const char *s)
{
	struct wb_buf safe = WB_BUF_INIT;

	wb_text_add(&safe, s, WB_TEXT_UTF8);
	wb_template_escape_markdown(out, safe.ptr);
	wb_buf_clear(&safe);
}

static void add_table(const struct wb_ci *ci, struct wb_buf *out)
{
	size_t k, s;

	wb_buf_addstr(out, "| # | patch |");
	for (s = 0; s < WB_CI_STEPS; s++)
		wb_buf_addf(out, " %s |", wb_ci_step_word((enum wb_ci_step)s));
	wb_buf_addstr(out, "\n|--:|:--|");
	for (s = 0; s < WB_CI_STEPS; s++)
		wb_buf_addstr(out, ":--|");
	wb_buf_addch(out, '\n');
	for (k = 0; k < ci->plan->stack.n && out->len < TABLE_MAX; k++) {
		wb_buf_addf(out, "| %zu | ", k);
		add(out, ci->plan->stack.prefix[k].name);
		if (*ci->plan->stack.prefix[k].subject) {
			wb_buf_addch(out, ' ');
			add(out, ci->plan->stack.prefix[k].subject);
		}
		wb_buf_addstr(out, " |");
		for (s = 0; s < WB_CI_STEPS; s++)
			wb_buf_addf(out, " %s |", wb_ci_state_word(
					    ci->v[k].step[s].state));
		wb_buf_addch(out, '\n');
	}
	if (k < ci->plan->stack.n)
		wb_buf_addf(out, "\n%zu more rows are left out.\n",
			    ci->plan->stack.n - k);
}

static void add_item(const struct wb_ci *ci, size_t k, const char *what,
		     const char *text, struct wb_buf *out)
{
	wb_buf_addf(out, "- %zu ", k);
	add(out, ci->plan->stack.prefix[k].name);
	wb_buf_addf(out, ": %s: ", what);
	add(out, text);
	wb_buf_addch(out, '\n');
}

static void add_items(const struct wb_ci *ci, size_t k, struct wb_buf *out)
{
	const struct wb_ci_prefix *p = &ci->v[k];
	char *text;
	size_t i;

	for (i = 0; i < p->header.n; i++)
		add_item(ci, k, "header", p->header.v[i], out);
	for (i = 0; i < p->fresh.n; i++) {
		text = wb_xasprintf("%s:%zu: new warning: %s",
				    p->fresh.v[i].file, p->fresh.v[i].line,
				    p->fresh.v[i].text);
		add_item(ci, k, "build", text, out);
		free(text);
	}
	for (i = 0; i < WB_CI_STEPS; i++)
		if (p->step[i].why && !(i == WB_CI_BUILD && p->fresh.n))
			add_item(ci, k, wb_ci_step_word((enum wb_ci_step)i),
				 p->step[i].why, out);
}

void wb_ci_markdown(const struct wb_ci *ci, struct wb_buf *out)
{
	struct wb_format_options format = { .kind = WB_FORMAT_MARKDOWN };
	char *verdict = wb_ci_verdict(ci);
	struct wb_buf table = WB_BUF_INIT;
	size_t k, was;

	wb_buf_addstr(out, MARK "**wb ci:** ");
	add(out, verdict);
	wb_buf_addstr(out, "\n\n");
	add_table(ci, out);
	wb_buf_addch(out, '\n');
	for (k = 0; k < ci->plan->stack.n; k++) {
		was = out->len;
		add_items(ci, k, out);
		if (out->len < PAGE_MAX)
			continue;
		wb_buf_truncate(out, was);
		wb_buf_addf(out, "\nFindings from patch %zu on are left out.\n",
			    k);
		break;
	}
	if (ci->table.nrows)
		wb_format(&ci->table, &format, &table);
	if (table.len && out->len + table.len < PAGE_MAX)
		wb_buf_addf(out, "\n<details><summary>Measurements</summary>"
			    "\n\n%s\n</details>\n", table.ptr);
	else if (table.len)
		wb_buf_addstr(out, "\nThe table of measurements is too long: "
			      "see `wb report`.\n");
	wb_buf_clear(&table);
	free(verdict);
}
