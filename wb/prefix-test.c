#include "prefix-test.h"
#include "env.h"
#include "path.h"
#include "sandbox.h"

#include <stdlib.h>
#include <string.h>

#define LOG_MAX ((size_t)64 << 20)
#define REASON_MAX 160

int wb_prefix_test_open(struct wb_prefix_test *t, const struct wb_plan *plan,
			struct wb_git *git, int interrupt_fd,
			struct wb_error *err)
{
	*t = (struct wb_prefix_test){
		.plan = plan, .git = git, .interrupt_fd = interrupt_fd,
	};
	t->cache = wb_path_cache_dir(err);
	if (!t->cache || wb_path_make(t->cache, err) < 0)
		return -1;
	t->place.dir = wb_xasprintf("%s/check-XXXXXX", t->cache);
	if (!mkdtemp(t->place.dir)) {
		wb_fail_errno(err, "%s", t->place.dir);
		free(t->place.dir);
		t->place.dir = NULL;
		return -1;
	}
	t->place.tree = wb_xasprintf("%s/tree", t->place.dir);
	t->place.out = wb_xasprintf("%s/out", t->place.dir);
	return 0;
}

void wb_prefix_test_close(struct wb_prefix_test *t)
{
	struct wb_error ignored = WB_ERROR_INIT;

	/* a folder that stays in the cache is in nobody's way */
	if (t->place.dir)
		wb_path_remove(t->place.dir, &ignored);
	wb_build_clear(&t->place);
	free(t->cache);
	t->cache = NULL;
}

int wb_prefix_test_lay_out(struct wb_prefix_test *t, size_t k,
			   struct wb_error *err)
{
	if (wb_path_remove(t->place.tree, err) < 0 ||
	    wb_path_remove(t->place.out, err) < 0 ||
	    wb_path_make(t->place.tree, err) < 0 ||
	    wb_path_make(t->place.out, err) < 0)
		return -1;
	return wb_git_export(t->git, &t->plan->prefix[k].tree, t->place.tree,
			     err);
}

int wb_prefix_test_run(struct wb_prefix_test *t, size_t k, const char *test,
		       const char *skip, struct wb_proc_result *res,
		       struct wb_error *err)
{
	const struct wb_build_config *c = &t->plan->config->build;
	struct wb_proc p = {
		.command = c->test, .cwd = t->place.tree,
		.timeout = c->timeout, .max_output = LOG_MAX, .merge = true,
		.interrupt_fd = t->interrupt_fd,
	};
	struct wb_env env;
	int ret;

	wb_proc_result_init(res);
	wb_env_init(&env);
	if (wb_build_box(&t->place, t->plan, t->git, err) < 0) {
		wb_env_clear(&env);
		return -1;
	}
	wb_build_env(&env, t->plan, k, t->git, &t->place);
	wb_env_set(&env, "WB_TEST", test);
	wb_env_set(&env, "WB_SKIP", skip);
	p.env = env.v;
	p.box = wb_sandbox_box(t->place.box);
	ret = wb_proc_run(&p, res, err);
	wb_env_clear(&env);
	if (ret == 0 && res->end == WB_PROC_INTERRUPT)
		ret = wb_proc_fail_interrupted(res->code, err);
	return ret;
}

bool wb_prefix_test_passed(const struct wb_proc_result *res)
{
	return res->end == WB_PROC_EXIT && !res->code;
}

static void add_line(const struct wb_proc_result *res, struct wb_buf *out)
{
	const char *line = res->out.ptr, *last = "printed nothing", *end;
	size_t n;

	for (; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (end > line)
			last = line;
		if (!strncmp(line, "not ok", 6))
			break;
	}
	n = strcspn(last, "\n");
	wb_buf_add(out, last, n > REASON_MAX ? REASON_MAX : n);
}

char *wb_prefix_test_log(const struct wb_prefix_test *t, size_t k,
			 const struct wb_proc_result *res)
{
	char *path = wb_xasprintf("%s/check-%zu.log", t->cache, k), *what;
	struct wb_error why = WB_ERROR_INIT;

	/* the finding stands without its log */
	if (wb_path_write(path, res->out.ptr, res->out.len, &why) == 0)
		return path;
	what = wb_xasprintf("not kept: %s", why.msg);
	wb_error_clear(&why);
	free(path);
	return what;
}

char *wb_prefix_test_reason(const struct wb_prefix_test *t, size_t k,
			    const struct wb_proc_result *res)
{
	const struct wb_proc p = {
		.timeout = t->plan->config->build.timeout,
		.max_output = LOG_MAX, .box = wb_sandbox_box(t->place.box),
	};
	char *log = wb_prefix_test_log(t, k, res);
	struct wb_buf why = WB_BUF_INIT;

	add_line(res, &why);
	wb_buf_addstr(&why, " (");
	wb_proc_describe(&p, res, &why);
	wb_buf_addf(&why, ", log: %s)", log);
	free(log);
	return wb_buf_detach(&why);
}
