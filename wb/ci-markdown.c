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

/*
 * Both services look for names and numbers in what is shown, whatever was
 * escaped: "@name" calls a person, "#1" and "!1" leave a mark in another
 * request. A space of no width behind the sign keeps them words.
 */
static void add_quietly(struct wb_buf *out, const char *s)
{
	static const char gap[] = "\xe2\x80\x8b";

	for (; *s; s++) {
		wb_buf_addch(out, *s);
		if (*s == '@' || ((*s == '#' || *s == '!') && s[1] >= '0' &&
				  s[1] <= '9'))
			wb_buf_addstr(out, gap);
	}
}

static void add(struct wb_buf *out, const char *s)
{
	struct wb_buf safe = WB_BUF_INIT, text = WB_BUF_INIT;

	wb_text_add(&safe, s, WB_TEXT_UTF8);
	wb_template_escape_markdown(&text, safe.ptr);
	add_quietly(out, text.ptr);
	wb_buf_clear(&text);
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

struct page {
	const struct wb_ci *ci;
	struct wb_buf *out;
};

static void add_item(void *to, const struct wb_ci_finding *f)
{
	const struct page *p = to;
	struct wb_buf text = WB_BUF_INIT;

	wb_ci_finding_text(f, &text);
	wb_buf_addf(p->out, "- %zu ", f->k);
	add(p->out, p->ci->plan->stack.prefix[f->k].name);
	wb_buf_addf(p->out, ": %s: ", wb_ci_step_word(f->step));
	add(p->out, text.ptr);
	wb_buf_addch(p->out, '\n');
	wb_buf_clear(&text);
}

static void add_measurements(const struct wb_ci *ci, struct wb_buf *out)
{
	struct wb_format_options format = { .kind = WB_FORMAT_MARKDOWN };
	struct wb_buf table = WB_BUF_INIT, text = WB_BUF_INIT;

	if (ci->table.nrows)
		wb_format(&ci->table, &format, &table);
	if (table.len)
		add_quietly(&text, table.ptr);
	if (text.len && out->len + text.len < PAGE_MAX)
		wb_buf_addf(out, "\n<details><summary>Measurements</summary>"
			    "\n\n%s\n</details>\n", text.ptr);
	else if (text.len)
		wb_buf_addstr(out, "\nThe table of measurements is too long: "
			      "see `wb report`.\n");
	wb_buf_clear(&text);
	wb_buf_clear(&table);
}

void wb_ci_markdown(const struct wb_ci *ci, struct wb_buf *out)
{
	char *verdict = wb_ci_verdict(ci);
	struct page page = { ci, out };
	size_t k, was;

	wb_buf_addstr(out, MARK "**wb ci:** ");
	add(out, verdict);
	wb_buf_addstr(out, "\n\n");
	add_table(ci, out);
	wb_buf_addch(out, '\n');
	for (k = 0; k < ci->plan->stack.n; k++) {
		was = out->len;
		wb_ci_each(ci, k, add_item, &page);
		if (out->len < PAGE_MAX)
			continue;
		wb_buf_truncate(out, was);
		wb_buf_addf(out, "\nFindings from patch %zu on are left out.\n",
			    k);
		break;
	}
	add_measurements(ci, out);
	free(verdict);
}
