/*
 * JUnit's XML as Jenkins and GitLab read it: a suite for each patch, a case for
 * each step. What could not be judged is "skipped" with a message, for an
 * error would be red.
 */
#include "ci.h"
#include "template.h"
#include "text.h"

#include <stdlib.h>

/*
 * Control bytes and bytes that are no UTF-8 are \xNN by then, and what HTML
 * escapes is what XML does.
 */
static void add_xml(struct wb_buf *out, const char *s)
{
	struct wb_buf safe = WB_BUF_INIT;

	wb_text_add(&safe, s, WB_TEXT_UTF8);
	wb_template_escape_html(out, safe.ptr);
	wb_buf_clear(&safe);
}

static void add_tag(struct wb_buf *out, const char *tag, const char *message)
{
	wb_buf_addf(out, "      <%s message=\"", tag);
	add_xml(out, message);
	wb_buf_addstr(out, "\"/>\n");
}

/* Findings that fail nothing stand in the output of their case. */
struct told {
	enum wb_ci_step step;
	struct wb_buf *out;
};

static void add_told(void *to, const struct wb_ci_finding *f)
{
	const struct told *t = to;
	struct wb_buf text = WB_BUF_INIT;

	if (f->step != t->step)
		return;
	wb_ci_finding_text(f, &text);
	add_xml(t->out, text.ptr);
	wb_buf_addch(t->out, '\n');
	wb_buf_clear(&text);
}

static void add_case(const struct wb_ci *ci, size_t k, enum wb_ci_step s,
		     struct wb_buf *out)
{
	const struct wb_ci_cell *c = &ci->v[k].step[s];
	struct told told = { s, out };

	wb_buf_addf(out, "    <testcase classname=\"%zu ", k);
	add_xml(out, ci->plan->stack.prefix[k].name);
	wb_buf_addf(out, "\" name=\"%s\">\n", wb_ci_step_word(s));
	switch (c->state) {
	case WB_CI_FAILED:
		add_tag(out, "failure", c->why ? c->why : "failed");
		break;
	case WB_CI_UNCLEAR:
		add_tag(out, "skipped", c->why ? c->why : "unclear");
		break;
	case WB_CI_SAME:
		add_tag(out, "skipped", "the same as before, not done again");
		break;
	case WB_CI_NONE:
		add_tag(out, "skipped", "not done");
		break;
	case WB_CI_TOLD:
		wb_buf_addstr(out, "      <system-out>");
		wb_ci_each(ci, k, add_told, &told);
		wb_buf_addstr(out, "</system-out>\n");
		break;
	case WB_CI_OK:
		break;
	}
	wb_buf_addstr(out, "    </testcase>\n");
}

static size_t count(const struct wb_ci_prefix *p, enum wb_ci_state from,
		    enum wb_ci_state to)
{
	size_t s, n = 0;

	for (s = 0; s < WB_CI_STEPS; s++)
		n += p->step[s].state == from || p->step[s].state == to;
	return n;
}

void wb_ci_junit(const struct wb_ci *ci, struct wb_buf *out)
{
	const struct wb_ci_prefix *p;
	size_t k, s;

	wb_buf_addstr(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		      "<testsuites name=\"wb ci\">\n");
	for (k = 0; k < ci->plan->stack.n; k++) {
		p = &ci->v[k];
		wb_buf_addf(out, "  <testsuite name=\"%zu ", k);
		add_xml(out, ci->plan->stack.prefix[k].name);
		wb_buf_addf(out, "\" tests=\"%d\" failures=\"%zu\" errors=\"0\""
			    " skipped=\"%zu\">\n", WB_CI_STEPS,
			    count(p, WB_CI_FAILED, WB_CI_FAILED),
			    count(p, WB_CI_NONE, WB_CI_SAME) +
			    count(p, WB_CI_UNCLEAR, WB_CI_UNCLEAR));
		for (s = 0; s < WB_CI_STEPS; s++)
			add_case(ci, k, (enum wb_ci_step)s, out);
		wb_buf_addstr(out, "  </testsuite>\n");
	}
	wb_buf_addstr(out, "</testsuites>\n");
}
