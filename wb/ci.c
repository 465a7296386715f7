#include "ci.h"
#include "build.h"
#include "expect.h"
#include "gate.h"
#include "hash.h"
#include "number.h"
#include "path.h"
#include "prefix-test.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LOG_MAX ((size_t)64 << 20)

struct running {
	struct wb_ci *ci;
	const struct wb_plan *plan;
	struct wb_git *git;
	const struct wb_ci_options *o;
	struct wb_prefix_test test;
	struct wb_expect expect;	/* what a quilt folder knows to fail */
	struct wb_progress progress;
	struct wb_warnings old;	/* of the last prefix that was built */
	double began;
};

static void set(struct wb_ci_cell *c, enum wb_ci_state state, char *why)
{
	free(c->why);
	c->state = state;
	c->why = why;
}

static struct wb_ci_cell *cell(const struct running *r, size_t k,
			       enum wb_ci_step s)
{
	return &r->ci->v[k].step[s];
}

static const char *name_of(const struct running *r, size_t k)
{
	return r->plan->stack.prefix[k].name;
}

static bool over_budget(struct running *r)
{
	if (r->o->budget > 0 && wb_proc_now() - r->began > r->o->budget)
		r->ci->out_of_time = true;
	return r->ci->out_of_time;
}

/* ---- what needs no command ---- */

static void look_applies(struct running *r, size_t k)
{
	const struct wb_prefix *pre = &r->plan->stack.prefix[k];
	struct wb_ci_cell *c = cell(r, k, WB_CI_APPLY);

	if (pre->applies)
		set(c, pre->applied.n ? WB_CI_TOLD : WB_CI_OK,
		    pre->applied.n ? wb_xasprintf("%zu hunk%s with offset or "
						  "fuzz", pre->applied.n,
						  pre->applied.n == 1 ? "" :
						  "s") : NULL);
	else
		set(c, WB_CI_FAILED, wb_xstrdup(pre->why));
}

static void look_headers(struct running *r)
{
	const struct wb_prefix *pre;
	struct wb_ci_prefix *p;
	struct wb_buf head = WB_BUF_INIT;
	bool signs = false;
	size_t k;

	for (k = 1; k < r->plan->stack.n; k++) {
		wb_buf_reset(&head);
		pre = &r->plan->stack.prefix[k];
		wb_buf_addstr(&head, pre->head ? pre->head : "");
		signs |= wb_lint_signs_off(&head);
	}
	for (k = 1; k < r->plan->stack.n; k++) {
		wb_buf_reset(&head);
		pre = &r->plan->stack.prefix[k];
		p = &r->ci->v[k];
		if (!pre->head)
			continue;
		wb_buf_addstr(&head, pre->head);
		wb_lint_head(&p->header, &head, r->plan->stack.commits ? NULL :
			     pre->name, signs);
		set(cell(r, k, WB_CI_HEADER), p->header.n ? WB_CI_TOLD :
		    WB_CI_OK, NULL);
	}
	wb_buf_clear(&head);
}

/* ---- builds ---- */

/* The nearest prefix below k that was built, or -1. */
static long built_below(const struct running *r, size_t k)
{
	while (k--)
		if (r->ci->v[k].made)
			return (long)k;
	return -1;
}

/* New warnings, by the build's log, which stays with a build. */
static int look_warnings(struct running *r, size_t k, struct wb_error *err)
{
	struct wb_ci_prefix *p = &r->ci->v[k];
	struct wb_buf log = WB_BUF_INIT;
	struct wb_warnings now;
	struct wb_build b;
	char *path;
	bool there;
	int ret;

	if (wb_build_locate(&b, r->plan->prefix[k].build[0], 0, err) < 0)
		return -1;
	path = wb_xasprintf("%s/log", b.dir);
	/* a bench that ran since may have put something else there */
	ret = wb_path_read_theirs(path, LOG_MAX, &log, &there, err);
	if (ret == 0) {
		wb_warnings_read(&now, there ? log.ptr : "", b.tree);
		if (built_below(r, k) >= 0)
			wb_warnings_fresh(&now, &r->old, &p->fresh);
		wb_warnings_clear(&now);
		/* the next is compared with all that this one has */
		wb_warnings_clear(&r->old);
		wb_warnings_read(&r->old, there ? log.ptr : "", b.tree);
	}
	if (p->unchanged)
		wb_warnings_clear(&p->fresh);
	if (p->fresh.n)
		set(cell(r, k, WB_CI_BUILD), WB_CI_TOLD,
		    wb_xasprintf("%zu new warning%s", p->fresh.n,
				 p->fresh.n == 1 ? "" : "s"));
	wb_buf_clear(&log);
	wb_build_clear(&b);
	free(path);
	return ret;
}

static int build(struct running *r, size_t k, struct wb_error *err)
{
	struct wb_ci_cell *c = cell(r, k, WB_CI_BUILD);
	struct wb_build_outcome out = { .cached = false };
	long below = built_below(r, k);
	size_t l;

	if (below >= 0 && !strcmp(r->plan->prefix[below].build[0],
				  r->plan->prefix[k].build[0])) {
		set(c, WB_CI_SAME, NULL);
		r->ci->v[k].made = true;
		return 0;
	}
	wb_progress_show(&r->progress, -1, "build %s", name_of(r, k));
	for (l = 0; l < r->plan->layouts && !out.broken; l++)
		if (wb_build_make(r->plan, k, l, r->git, r->o->interrupt_fd,
				  &out, err) < 0)
			return -1;
	if (out.broken) {
		set(c, r->ci->v[k].unchanged ? WB_CI_TOLD : WB_CI_FAILED,
		    out.broken);
		return 0;
	}
	set(c, r->ci->v[k].unchanged ? WB_CI_SAME : WB_CI_OK, NULL);
	r->ci->v[k].made = true;
	return look_warnings(r, k, err);
}

/* What prefix k is compared with, though it did not change itself. */
static int build_below(struct running *r, size_t k, struct wb_error *err)
{
	while (k-- && !r->ci->v[k].made) {
		if (r->ci->v[k].unchanged && build(r, k, err) < 0)
			return wb_fail_at(err, "%s", name_of(r, k));
	}
	return 0;
}

/* ---- tests ---- */

/* What the folder of a quilt stack says of tests of its prefixes. */
static int read_expect(struct running *r, struct wb_error *err)
{
	const struct wb_stack *s = &r->plan->stack;
	struct wb_stack_options so = {
		.from = *r->o->from, .series = r->plan->config->series,
	};
	const char *profile = r->plan->config->profile;
	struct wb_expectation *x;
	char *dir;
	size_t i, k;
	int ret;

	if (s->commits || r->o->from->mbox)
		return 0;
	if (wb_profile_parse(profile, &so.profile, err) < 0 ||
	    wb_stack_folder(r->git, &so, &dir, err) < 0)
		return -1;
	ret = wb_expect_read(&r->expect, dir, s->source, err);
	for (i = 0; i < r->expect.n; i++) {
		x = &r->expect.v[i];
		k = 0;
		while (k < s->n && strcmp(s->prefix[k].name, x->patch))
			k++;
		x->index = k;	/* s->n: of no patch here */
	}
	free(dir);
	return ret;
}

/* By the files and the command: what passed once passes. */
static char *passed_file(const struct running *r, size_t k, const char *skip)
{
	struct wb_hash *h = wb_hash_new();
	const char *test = r->plan->config->build.test;
	char hex[65];

	wb_hash_add(h, r->plan->prefix[k].tree.hex, 40);
	wb_hash_add(h, r->plan->prefix[k].build[0], 64);
	wb_hash_addstr(h, test);
	wb_hash_addstr(h, skip);
	wb_hash_end(h, hex);
	return wb_xasprintf("%s/passed/%s", r->test.cache, hex);
}

static int run_test(struct running *r, size_t k, const char *skip,
		    const char *passed, struct wb_error *err)
{
	struct wb_ci_cell *c = cell(r, k, WB_CI_TEST);
	struct wb_proc_result res;
	int ret;

	wb_progress_show(&r->progress, -1, "test %s", name_of(r, k));
	if (wb_prefix_test_lay_out(&r->test, k, err) < 0)
		return -1;
	ret = wb_prefix_test_run(&r->test, k, "", skip, &res, err);
	if (ret == 0 && wb_prefix_test_passed(&res)) {
		set(c, WB_CI_OK, NULL);
		ret = wb_path_write(passed, "", 0, err);
	} else if (ret == 0) {
		set(c, WB_CI_FAILED, wb_prefix_test_reason(&r->test, k, &res));
	}
	wb_proc_result_clear(&res);
	return ret;
}

static int test(struct running *r, size_t k, struct wb_error *err)
{
	struct wb_buf none = WB_BUF_INIT, skip = WB_BUF_INIT;
	char *passed, *dir;
	bool there = false;
	int ret;

	wb_expect_skip(&r->expect, k, &skip);
	passed = passed_file(r, k, skip.ptr);
	dir = wb_xasprintf("%s/passed", r->test.cache);
	ret = wb_path_make(dir, err);
	if (ret == 0)
		ret = wb_path_read(passed, 1, &none, &there, err);
	if (ret == 0 && there)
		set(cell(r, k, WB_CI_TEST), WB_CI_SAME, NULL);
	else if (ret == 0)
		ret = run_test(r, k, skip.ptr, passed, err);
	wb_buf_clear(&skip);
	wb_buf_clear(&none);
	free(passed);
	free(dir);
	return ret;
}

static void skip(struct running *r, size_t k)
{
	const struct wb_build_config *c = &r->plan->config->build;

	if (c->command)
		set(cell(r, k, WB_CI_BUILD), WB_CI_SAME, NULL);
	if (c->test)
		set(cell(r, k, WB_CI_TEST), WB_CI_SAME, NULL);
	if (k && r->plan->nbenches)
		set(cell(r, k, WB_CI_MEASURE), WB_CI_SAME, NULL);
}

static int build_and_test(struct running *r, struct wb_error *err)
{
	const struct wb_build_config *c = &r->plan->config->build;
	size_t k;

	r->progress.total = r->plan->stack.n;
	for (k = 0; k < r->plan->stack.n && !over_budget(r); k++) {
		r->progress.done = k;
		if (!r->plan->prefix[k].applies)
			break;
		if (r->ci->v[k].unchanged) {
			skip(r, k);
			continue;
		}
		if (c->command && build_below(r, k, err) < 0)
			return -1;
		if (c->command && build(r, k, err) < 0)
			return wb_fail_at(err, "%s", name_of(r, k));
		if (cell(r, k, WB_CI_BUILD)->state == WB_CI_FAILED || !c->test)
			continue;
		if (test(r, k, err) < 0)
			return wb_fail_at(err, "%s", name_of(r, k));
	}
	return 0;
}

/* ---- numbers ---- */

static int measure(struct running *r, struct wb_db *db, struct wb_error *err)
{
	struct wb_run_options o = {
		.rule = r->o->rule, .quiet = r->o->quiet,
		.interrupt_fd = r->o->interrupt_fd,
		.out_of_time = &r->ci->out_of_time,
	};
	bool *only, any = false;
	size_t k;
	int ret;

	if (!r->plan->nbenches || over_budget(r))
		return 0;
	only = wb_xcalloc(r->plan->stack.n, sizeof(*only));
	for (k = 0; k < r->plan->stack.n; k++)
		any |= only[k] = !r->ci->v[k].unchanged;
	o.only = only;
	if (r->o->budget > 0)
		o.budget = r->began + r->o->budget - wb_proc_now();
	wb_progress_hide(&r->progress);
	ret = any ? wb_run(r->plan, r->git, db, &o, err) : 0;
	free(only);
	return ret;
}

static char *describe(const struct wb_table *t, const struct wb_row *row)
{
	const struct wb_metric *m = &t->r->metric[row->metric];
	struct wb_buf b = WB_BUF_INIT;

	wb_buf_addf(&b, "%s: %s %s", m->bench, m->name,
		    wb_verdict_word(row->verdict));
	if (!isnan(row->change))
		wb_buf_addf(&b, " %+.2f%%", 100 * row->change);
	if (!isnan(row->change) && !isnan(row->low) && !row->exact)
		wb_buf_addf(&b, " [%+.2f,%+.2f]", 100 * row->low,
			    100 * row->high);
	if (row->exact && !isnan(row->change))
		wb_buf_addstr(&b, " exact");
	else
		wb_buf_addf(&b, " (n %zu)", row->n);
	if (row->reason)
		wb_buf_addf(&b, ": %s", row->reason);
	return wb_buf_detach(&b);
}

static enum wb_ci_state state_of(const struct running *r, size_t k,
				 const struct wb_row *row)
{
	const struct wb_table *t = &r->ci->table;

	if (wb_gate_fails(t, row, r->ci->gate))
		return wb_expect_costs(&r->expect, name_of(r, k),
				       t->r->metric[row->metric].name) ?
		       WB_CI_TOLD : WB_CI_FAILED;
	switch (row->verdict) {
	case WB_VERDICT_SLOWER:
	case WB_VERDICT_FASTER:
		return WB_CI_TOLD;
	case WB_VERDICT_SAME:
		return WB_CI_OK;
	default:
		return WB_CI_UNCLEAR;
	}
}

/* The gravest row of a column is what the cell says. */
static void look_numbers(struct running *r, size_t k)
{
	const struct wb_table *t = &r->ci->table;
	struct wb_ci_cell *c = cell(r, k, WB_CI_MEASURE);
	enum wb_ci_state state;
	const struct wb_row *row;
	size_t m;

	for (m = 0; m < t->r->nmetrics; m++) {
		row = wb_table_row(t, m, k);
		if (!t->r->metric[m].judged ||
		    row->verdict == WB_VERDICT_BROKEN)
			continue;
		state = state_of(r, k, row);
		if (state <= c->state)
			continue;
		set(c, state, state == WB_CI_OK ? NULL : describe(t, row));
	}
	/* a run that fails is a hole of its bench */
	for (m = 0; m < t->r->nholes; m++)
		if (t->r->hole[m].column == k && t->r->hole[m].bench &&
		    t->r->hole[m].kind == WB_HOLE_BROKEN)
			set(c, WB_CI_UNCLEAR, wb_xasprintf("%s: %s",
				t->r->hole[m].bench, t->r->hole[m].reason));
}

static int judge(struct running *r, struct wb_db *db, struct wb_error *err)
{
	struct wb_table_options how = { .margin = r->plan->config->margin };
	size_t k;

	if (!r->plan->nbenches)
		return 0;
	if (wb_plan_result(r->plan, db, &r->ci->result, err) < 0)
		return -1;
	wb_table_init(&r->ci->table, &r->ci->result, &how);
	for (k = 1; k < r->plan->stack.n; k++)
		if (cell(r, k, WB_CI_BUILD)->state != WB_CI_FAILED &&
		    !r->ci->v[k].unchanged && r->plan->prefix[k].applies)
			look_numbers(r, k);
	return 0;
}

int wb_ci_run(struct wb_ci *ci, const struct wb_plan *plan, struct wb_git *g,
	      struct wb_db *db, const struct wb_ci_options *o,
	      struct wb_error *err)
{
	struct running r = { .ci = ci, .plan = plan, .git = g, .o = o };
	size_t k;
	int ret = -1;

	*ci = (struct wb_ci){ .plan = plan, .gate = o->gate, .old = o->old };
	wb_result_init(&ci->result);
	ci->v = wb_xcalloc(plan->stack.n, sizeof(*ci->v));
	r.began = wb_proc_now();
	wb_progress_start(&r.progress, o->quiet);
	if (wb_prefix_test_open(&r.test, plan, g, o->interrupt_fd, err) < 0 ||
	    read_expect(&r, err) < 0 ||
	    (o->old && wb_ci_compare(ci, g, o->old, err) < 0))
		goto out;
	for (k = 0; k < plan->stack.n; k++)
		look_applies(&r, k);
	look_headers(&r);
	/* a base alone has nobody to be judged */
	if (plan->stack.n > 1 &&
	    (build_and_test(&r, err) < 0 || measure(&r, db, err) < 0 ||
	     judge(&r, db, err) < 0))
		goto out;
	ret = 0;
out:
	wb_progress_hide(&r.progress);
	wb_prefix_test_close(&r.test);
	wb_warnings_clear(&r.old);
	wb_expect_clear(&r.expect);
	return ret;
}

void wb_ci_clear(struct wb_ci *ci)
{
	size_t k, s;

	if (!ci->plan)
		return;
	for (k = 0; k < ci->plan->stack.n; k++) {
		for (s = 0; s < WB_CI_STEPS; s++)
			free(ci->v[k].step[s].why);
		wb_lint_clear(&ci->v[k].header);
		wb_warnings_clear(&ci->v[k].fresh);
	}
	free(ci->v);
	if (ci->table.nrows)
		wb_table_clear(&ci->table);
	wb_result_clear(&ci->result);
	memset(ci, 0, sizeof(*ci));
}
