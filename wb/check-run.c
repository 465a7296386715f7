#include "check.h"
#include "build.h"
#include "plan.h"
#include "prefix-test.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>

struct running {
	struct wb_check *check;
	struct wb_git *git;
	struct wb_plan plan;
	struct wb_prefix_test test;
	int interrupt_fd;
	struct wb_progress progress;
};

static const char *name_of(const struct running *r, size_t k)
{
	return r->plan.stack.prefix[k].name;
}

static int build(struct running *r, size_t k, bool *broken,
		 struct wb_error *err)
{
	struct wb_build_outcome out;

	wb_progress_show(&r->progress, -1, "build %s", name_of(r, k));
	if (wb_build_make(&r->plan, k, 0, r->git, r->interrupt_fd, &out,
			  err) < 0)
		return -1;
	*broken = out.broken != NULL;
	if (out.broken)
		wb_check_add(r->check, WB_CHECK_BUILD, k, "%s", out.broken);
	r->check->looked[WB_CHECK_BUILD]++;
	free(out.broken);
	return 0;
}

/* ---- tests -------------------------------------------------------------- */

/* test names one, skip those to be left out. */
static int run_test(struct running *r, size_t k, const char *test,
		    const char *skip, struct wb_proc_result *res,
		    struct wb_error *err)
{
	wb_progress_show(&r->progress, -1, "test %s%s%s", name_of(r, k),
			 *test ? ": " : "", test);
	return wb_prefix_test_run(&r->test, k, test, skip, res, err);
}

static int test_whole(struct running *r, size_t k, struct wb_error *err)
{
	const struct wb_expect *x = &r->check->expect;
	struct wb_buf skip = WB_BUF_INIT;
	struct wb_proc_result res;
	char *why;
	int ret;

	wb_expect_skip(x, k, &skip);
	ret = run_test(r, k, "", skip.ptr, &res, err);
	r->check->looked[WB_CHECK_TEST]++;
	if (ret == 0 && !wb_prefix_test_passed(&res)) {
		why = wb_prefix_test_reason(&r->test, k, &res);
		wb_check_add(r->check, WB_CHECK_TEST, k, "%s", why);
		free(why);
	}
	wb_proc_result_clear(&res);
	wb_buf_clear(&skip);
	return ret;
}

/* One test must pass, or must fail; and it must have run at all. */
static int hold(struct running *r, size_t k, const char *test, bool must_pass,
		const char *because, struct wb_error *err)
{
	const char *name = strrchr(test, ':');
	struct wb_proc_result res;
	char *log;
	int ret = run_test(r, k, test, "", &res, err);
	bool ran;

	r->check->looked[WB_CHECK_EXPECT]++;
	name = name ? name + 1 : test;
	/* a pattern is as good as the letters that it begins with */
	ran = ret == 0 && memmem(res.out.ptr, res.out.len, name,
				 strcspn(name, "*?["));
	if (ret == 0 && (!ran || wb_prefix_test_passed(&res) != must_pass)) {
		log = wb_prefix_test_log(&r->test, k, &res);
		wb_check_add(r->check, WB_CHECK_EXPECT, k, "%s %s, but %s "
			     "(log: %s)", test, !ran ? "did not run" :
			     must_pass ? "fails" : "passes", because, log);
		free(log);
	}
	wb_proc_result_clear(&res);
	return ret;
}

static int test_expected(struct running *r, size_t k, struct wb_error *err)
{
	const struct wb_expect *x = &r->check->expect;
	char *why;
	size_t i;
	int ret = 0;

	for (i = 0; ret == 0 && i < x->n; i++) {
		const struct wb_expectation *e = &x->v[i];

		why = wb_xasprintf("%s %s it", e->patch,
				   e->fixes ? "fixes" : "breaks");
		if (e->fixes && e->index == k)
			ret = hold(r, k, e->test, true, why, err);
		else if (e->fixes && e->index == k + 1)
			ret = hold(r, k, e->test, false, why, err);
		else if (!e->fixes && wb_expect_fails(x, e->test, k) &&
			 e->index <= k)
			ret = hold(r, k, e->test, false, why, err);
		free(why);
	}
	return ret;
}

static int run_prefix(struct running *r, size_t k, bool do_build, bool do_test,
		      struct wb_error *err)
{
	bool broken = false;

	if (!r->plan.prefix[k].applies)
		return 0;	/* which is a finding of its own */
	if (do_build && build(r, k, &broken, err) < 0)
		return -1;
	if (!do_test || broken)
		return 0;
	if (wb_prefix_test_lay_out(&r->test, k, err) < 0 ||
	    test_whole(r, k, err) < 0)
		return -1;
	return test_expected(r, k, err);
}

int wb_check_run(struct wb_check *c, struct wb_git *g,
		 const struct wb_config *config, const struct wb_source *from,
		 bool do_build, bool do_test, bool quiet, struct wb_error *err)
{
	struct running r = {
		.check = c, .git = g, .interrupt_fd = -1,
	};
	size_t k;
	int ret = -1;

	wb_progress_start(&r.progress, quiet);
	if (wb_plan_make(&r.plan, g, config, from, "", err) < 0)
		goto out;
	r.interrupt_fd = wb_proc_interrupt_fd(err);
	if (r.interrupt_fd < 0 ||
	    wb_prefix_test_open(&r.test, &r.plan, g, r.interrupt_fd, err) < 0)
		goto out;
	r.progress.total = r.plan.stack.n;
	for (k = 0; k < r.plan.stack.n; k++) {
		r.progress.done = k;
		if (run_prefix(&r, k, do_build, do_test, err) < 0) {
			wb_fail_at(err, "%s", name_of(&r, k));
			goto out;
		}
	}
	ret = 0;
out:
	wb_progress_hide(&r.progress);
	wb_proc_interrupt_close(r.interrupt_fd);
	wb_prefix_test_close(&r.test);
	wb_plan_clear(&r.plan);
	return ret;
}
