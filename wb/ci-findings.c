/*
 * All that wb ci found of a prefix, one by one, for whoever prints it.
 */
#include "ci.h"

#include <stdlib.h>
#include <string.h>

char *wb_ci_place(const struct wb_ci *ci, size_t k)
{
	const struct wb_stack *s = &ci->plan->stack;

	if (s->dir && *s->dir)
		return wb_xasprintf("%s/%s.patch", s->dir, s->prefix[k].name);
	return wb_xstrdup(s->prefix[k].name);
}

/* "line 12 ..." of a patch file. */
static size_t line_of(const char *text)
{
	return strncmp(text, "line ", 5) ? 0 : strtoul(text + 5, NULL, 10);
}

void wb_ci_each(const struct wb_ci *ci, size_t k, wb_ci_finding_fn *fn,
		void *to)
{
	const struct wb_ci_prefix *p = &ci->v[k];
	bool quilt = *ci->plan->stack.dir;
	char *patch = wb_ci_place(ci, k);
	struct wb_ci_finding f = { .k = k, .state = WB_CI_TOLD };
	size_t i;

	f.step = WB_CI_HEADER;
	f.file = quilt ? patch : NULL;
	for (i = 0; i < p->header.n; i++) {
		f.text = p->header.v[i];
		f.line = quilt ? line_of(f.text) : 0;
		fn(to, &f);
	}
	f.step = WB_CI_BUILD;
	f.warning = true;
	for (i = 0; i < p->fresh.n; i++) {
		f.text = p->fresh.v[i].text;
		f.file = p->fresh.v[i].file;
		f.line = p->fresh.v[i].line;
		fn(to, &f);
	}
	f.warning = false;
	f.file = quilt ? patch : NULL;
	f.line = 0;
	for (i = 0; i < WB_CI_STEPS; i++) {
		f.step = (enum wb_ci_step)i;
		f.state = p->step[i].state;
		f.text = p->step[i].why;
		/* the warnings say more than their number does */
		if (f.text && !(i == WB_CI_BUILD && p->fresh.n))
			fn(to, &f);
	}
	free(patch);
}

void wb_ci_finding_text(const struct wb_ci_finding *f, struct wb_buf *out)
{
	if (f->warning)
		wb_buf_addf(out, "%s:%zu: new warning: ", f->file, f->line);
	wb_buf_addstr(out, f->text);
}
