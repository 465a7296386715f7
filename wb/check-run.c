#include "check.h"
#include "build.h"
#include "env.h"
#include "path.h"
#include "plan.h"
#include "proc.h"
#include "progress.h"
#include "sandbox.h"

#include <stdlib.h>
#include <string.h>

#define LOG_MAX ((size_t)64 << 20)

struct running {
	struct wb_check *check;
	struct wb_git *git;
	const struct wb_config *config;
	struct wb_plan plan;
	struct wb_build place;	/* where prefixes are tested */
	char *cache;
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

/* The prefix's files, alone; what was tested before is gone. */
static int lay_out(struct running *r, size_t k, struct wb_error *err)
{
	if (wb_path_remove(r->place.tree, err) < 0 ||
	    wb_path_remove(r->place.out, err) < 0 ||
	    wb_path_make(r->place.tree, err) < 0 ||
	    wb_path_make(r->place.out, err) < 0)
		return -1;
	return wb_git_export(r->git, &r->plan.prefix[k].tree, r->place.tree,
			     err);
}

/* Runs wb-build.test: test names one, skip those to be left out. */
static int run_test(struct running *r, size_t k, const char *test,
		    const char *skip, struct wb_proc_result *res,
		    struct wb_error *err)
{
	struct wb_proc p = {
		.command = r->config->build.test, .cwd = r->place.tree,
		.timeout = r->config->build.timeout, .max_output = LOG_MAX,
		.merge = true, .interrupt_fd = r->interrupt_fd,
	};
	struct wb_env env;
	int ret;

	wb_progress_show(&r->progress, -1, "test %s%s%s", name_of(r, k),
			 *test ? ": " : "", test);
	wb_proc_result_init(res);
	wb_env_init(&env);
	if (wb_build_box(&r->place, &r->plan, r->git, err) < 0) {
		wb_env_clear(&env);
		return -1;
	}
	wb_build_env(&env, &r->plan, k, r->git, &r->place);
	wb_env_set(&env, "WB_TEST", test);
	wb_env_set(&env, "WB_SKIP", skip);
	p.env = env.v;
	p.box = wb_sandbox_box(r->place.box);
	ret = wb_proc_run(&p, res, err);
	wb_env_clear(&env);
	if (ret == 0 && res->end == WB_PROC_INTERRUPT)
		ret = wb_proc_fail_interrupted(res->code, err);
	return ret;
}

static bool passed(const struct wb_proc_result *res)
{
	return res->end == WB_PROC_EXIT && !res->code;
}

/* The line that says what failed, else the last one. */
static char *reason(const struct wb_proc_result *res)
{
	const char *line = res->out.ptr, *last = "printed nothing", *end;

	for (; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (end > line)
			last = line;
		if (!strncmp(line, "not ok", 6))
			break;
	}
	return wb_xstrndup(last, strcspn(last, "\n") > 160 ? 160 :
			   strcspn(last, "\n"));
}

/* Keeps what a test printed; the path, malloc'ed. */
static char *keep_log(struct running *r, size_t k,
		      const struct wb_proc_result *res)
{
	char *path = wb_xasprintf("%s/check-%zu.log", r->cache, k), *what;
	struct wb_error why = WB_ERROR_INIT;

	/* the finding stands without its log */
	if (wb_path_write(path, res->out.ptr, res->out.len, &why) == 0)
		return path;
	what = wb_xasprintf("not kept: %s", why.msg);
	wb_error_clear(&why);
	free(path);
	return what;
}

static bool known_to_fail(const struct wb_expect *x, const char *test, size_t k)
{
	long state = -1;	/* the last prefix that said something */
	bool fails = false;
	size_t i;

	for (i = 0; i < x->n; i++) {
		if (strcmp(x->v[i].test, test) || x->v[i].index > k ||
		    (long)x->v[i].index < state)
			continue;
		state = (long)x->v[i].index;
		fails = !x->v[i].fixes;
	}
	return fails;
}

static int test_whole(struct running *r, size_t k, struct wb_error *err)
{
	const struct wb_expect *x = &r->check->expect;
	struct wb_buf skip = WB_BUF_INIT;
	struct wb_proc_result res;
	char *why, *log;
	size_t i;
	int ret;

	for (i = 0; i < x->n; i++)
		if (known_to_fail(x, x->v[i].test, k))
			wb_buf_addf(&skip, "%s%s", skip.len ? " " : "",
				    x->v[i].test);
	ret = run_test(r, k, "", skip.ptr, &res, err);
	r->check->looked[WB_CHECK_TEST]++;
	if (ret == 0 && !passed(&res)) {
		why = reason(&res);
		log = keep_log(r, k, &res);
		wb_check_add(r->check, WB_CHECK_TEST, k, "%s (log: %s)", why,
			     log);
		free(why);
		free(log);
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
	if (ret == 0 && (!ran || passed(&res) != must_pass)) {
		log = keep_log(r, k, &res);
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
		else if (!e->fixes && known_to_fail(x, e->test, k) &&
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
	if (lay_out(r, k, err) < 0 || test_whole(r, k, err) < 0)
		return -1;
	return test_expected(r, k, err);
}

static int make_place(struct running *r, struct wb_error *err)
{
	r->cache = wb_path_cache_dir(err);
	if (!r->cache || wb_path_make(r->cache, err) < 0)
		return -1;
	r->place.dir = wb_xasprintf("%s/check-XXXXXX", r->cache);
	if (!mkdtemp(r->place.dir))
		return wb_fail_errno(err, "%s", r->place.dir);
	r->place.tree = wb_xasprintf("%s/tree", r->place.dir);
	r->place.out = wb_xasprintf("%s/out", r->place.dir);
	return 0;
}

int wb_check_run(struct wb_check *c, struct wb_git *g,
		 const struct wb_config *config, const struct wb_source *from,
		 bool do_build, bool do_test, bool quiet, struct wb_error *err)
{
	struct running r = {
		.check = c, .git = g, .config = config, .interrupt_fd = -1,
	};
	struct wb_error ignored = WB_ERROR_INIT;
	size_t k;
	int ret = -1;

	wb_progress_start(&r.progress, quiet);
	if (wb_plan_make(&r.plan, g, config, from, "", err) < 0 ||
	    make_place(&r, err) < 0)
		goto out;
	r.interrupt_fd = wb_proc_interrupt_fd(err);
	if (r.interrupt_fd < 0)
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
	/* a folder that stays in the cache is in nobody's way */
	if (r.place.dir)
		wb_path_remove(r.place.dir, &ignored);
	wb_build_clear(&r.place);
	wb_plan_clear(&r.plan);
	free(r.cache);
	return ret;
}
