/*
 * What wb ci found, for a terminal or a log, and as JSON.
 */
#include "ci.h"
#include "json.h"
#include "number.h"
#include "text.h"

#include <stdlib.h>

#define NAME_MAX_WIDTH 40

static void add_cell(struct wb_buf *out, const struct wb_ci_cell *c)
{
	wb_buf_addf(out, "  %-8s", wb_ci_state_word(c->state));
}

static void add_row(const struct wb_ci *ci, size_t k, struct wb_buf *out)
{
	struct wb_buf name = WB_BUF_INIT;
	size_t s;

	wb_ci_add_words(&name, ci->plan->stack.prefix[k].name);
	wb_text_cut(&name, NAME_MAX_WIDTH);
	wb_buf_addf(out, "%3zu", k);
	for (s = 0; s < WB_CI_STEPS; s++)
		add_cell(out, &ci->v[k].step[s]);
	wb_buf_addf(out, "  %s\n", name.ptr);
	wb_buf_clear(&name);
}

struct page {
	const struct wb_ci *ci;
	struct wb_buf *out;
};

static void add_finding(void *to, const struct wb_ci_finding *f)
{
	const struct page *p = to;
	struct wb_buf text = WB_BUF_INIT;

	wb_ci_finding_text(f, &text);
	wb_buf_addf(p->out, "%zu ", f->k);
	wb_ci_add_words(p->out, p->ci->plan->stack.prefix[f->k].name);
	wb_buf_addf(p->out, ": %s: ", wb_ci_step_word(f->step));
	wb_ci_add_words(p->out, text.ptr);
	wb_buf_addch(p->out, '\n');
	wb_buf_clear(&text);
}

/* What could have been seen, of each judged metric that was compared. */
static void add_visible(const struct wb_ci *ci, struct wb_buf *out)
{
	const struct wb_table *t = &ci->table;
	const char *before = "smallest visible effect here: ";
	double least;
	size_t m;

	for (m = 0; m < t->r->nmetrics; m++) {
		least = t->r->metric[m].judged ? wb_table_visible(t, m) : 0;
		if (!(least > 0))
			continue;
		wb_buf_addstr(out, before);
		wb_ci_add_words(out, t->r->metric[m].name);
		wb_buf_addch(out, ' ');
		wb_number_add_rough(out, 100 * least, 2);
		wb_buf_addstr(out, " %");
		before = ", ";
	}
	if (*before == ',')
		wb_buf_addch(out, '\n');
}

void wb_ci_text(const struct wb_ci *ci, struct wb_buf *out)
{
	char *verdict = wb_ci_verdict(ci);
	struct page page = { ci, out };
	size_t k, s, at;

	wb_buf_addstr(out, "  k");
	for (s = 0; s < WB_CI_STEPS; s++)
		wb_buf_addf(out, "  %-8s",
			    wb_ci_step_word((enum wb_ci_step)s));
	wb_buf_addstr(out, "  patch\n");
	for (k = 0; k < ci->plan->stack.n; k++)
		add_row(ci, k, out);
	at = out->len;
	for (k = 0; k < ci->plan->stack.n; k++) {
		if (out->len == at)
			wb_buf_addch(out, '\n');
		wb_ci_each(ci, k, add_finding, &page);
	}
	if (ci->table.nrows) {
		wb_buf_addf(out, "%smeasured side by side on %s\n",
			    out->len > at + 1 ? "\n" : "",
			    ci->result.machine_facts);
		add_visible(ci, out);
	}
	wb_buf_addf(out, "%sverdict: ", out->len > at + 1 ? "\n" : "");
	wb_buf_addstr(out, verdict);
	wb_buf_addch(out, '\n');
	free(verdict);
}

static struct wb_json *prefix_json(const struct wb_ci *ci, size_t k)
{
	const struct wb_ci_prefix *p = &ci->v[k];
	struct wb_json *o = wb_json_object(), *list, *one;
	const char *word;
	size_t i;

	wb_json_set(o, "index", wb_json_int((int64_t)k));
	wb_json_set(o, "prefix", wb_json_str(ci->plan->stack.prefix[k].name));
	wb_json_set(o, "subject",
		    wb_json_str(ci->plan->stack.prefix[k].subject));
	if (ci->old)
		wb_json_set(o, "unchanged", wb_json_bool(p->unchanged));
	for (i = 0; i < WB_CI_STEPS; i++) {
		word = wb_ci_state_word(p->step[i].state);
		one = wb_json_object();
		wb_json_set(one, "state", p->step[i].state == WB_CI_NONE ?
			    NULL : wb_json_str(word));
		wb_json_set(one, "reason", wb_json_str(p->step[i].why));
		wb_json_set(o, wb_ci_step_word((enum wb_ci_step)i), one);
	}
	list = wb_json_array();
	for (i = 0; i < p->header.n; i++)
		wb_json_append(list, wb_json_str(p->header.v[i]));
	wb_json_set(o, "header_findings", list);
	list = wb_json_array();
	for (i = 0; i < p->fresh.n; i++) {
		one = wb_json_object();
		wb_json_set(one, "file", wb_json_str(p->fresh.v[i].file));
		wb_json_set(one, "line",
			    wb_json_int((int64_t)p->fresh.v[i].line));
		wb_json_set(one, "text", wb_json_str(p->fresh.v[i].text));
		wb_json_append(list, one);
	}
	wb_json_set(o, "new_warnings", list);
	return o;
}

void wb_ci_json(const struct wb_ci *ci)
{
	struct wb_json *doc = wb_json_object(), *list = wb_json_array();
	char *verdict = wb_ci_verdict(ci);
	size_t k;

	for (k = 0; k < ci->plan->stack.n; k++)
		wb_json_append(list, prefix_json(ci, k));
	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "failed", wb_json_int(
			(int64_t)wb_ci_count(ci, WB_CI_FAILED, NULL)));
	wb_json_set(doc, "unclear", wb_json_int(
			(int64_t)wb_ci_count(ci, WB_CI_UNCLEAR, NULL)));
	wb_json_set(doc, "gate", wb_json_num(ci->gate));
	wb_json_set(doc, "verdict", wb_json_str(verdict));
	wb_json_set(doc, "prefixes", list);
	wb_json_put(doc);
	free(verdict);
}
