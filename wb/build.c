#include "build.h"
#include "env.h"
#include "path.h"
#include "proc.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <unistd.h>

#define LOG_MAX ((size_t)64 << 20)
#define LOCK_POLL 0.1		/* seconds */

int wb_build_locate(struct wb_build *b, const char *id, size_t layout,
		    struct wb_error *err)
{
	char *cache = wb_path_cache_dir(err);

	memset(b, 0, sizeof(*b));
	b->layout = layout;
	if (!cache)
		return -1;
	b->dir = wb_xasprintf("%s/build/%s", cache, id);
	b->tree = wb_xasprintf("%s/tree", b->dir);
	b->out = wb_xasprintf("%s/out", b->dir);
	free(cache);
	return 0;
}

void wb_build_clear(struct wb_build *b)
{
	wb_sandbox_close(b->box);
	free(b->dir);
	free(b->tree);
	free(b->out);
	memset(b, 0, sizeof(*b));
}

int wb_build_box(struct wb_build *b, const struct wb_plan *p, struct wb_git *g,
		 struct wb_error *err)
{
	const char *top = wb_git_workdir(g);
	/* a linked work tree has its repository elsewhere */
	const char *const seen[] = {
		wb_git_common_dir(g), top, NULL,
	};

	if (b->boxed)
		return 0;
	b->boxed = true;
	return wb_sandbox_open(&b->box, p->config, b->dir, seen, err);
}

bool wb_build_done(const struct wb_build *b)
{
	char *ok = wb_xasprintf("%s/ok", b->dir);
	/* somebody may have cleaned up in the cache, but not all of it */
	bool done = !access(ok, F_OK) && !access(b->tree, X_OK) &&
		    !access(b->out, X_OK);

	free(ok);
	return done;
}

void wb_build_env(struct wb_env *env, const struct wb_plan *p, size_t k,
		  struct wb_git *g, const struct wb_build *b)
{
	const char *top = wb_git_workdir(g);

	wb_env_set(env, "WB_TREE", b->tree);
	wb_env_set(env, "WB_BUILD", b->out);
	wb_env_set(env, "WB_TOP", top ? top : "");
	wb_env_setf(env, "WB_JOBS", "%zu", p->machine.ncpus);
	wb_env_setf(env, "WB_PREFIX", "%zu", k);
	wb_env_set(env, "WB_NAME", p->stack.prefix[k].name);
	wb_env_setf(env, "WB_LAYOUT", "%zu", b->layout);
	if (b->box)
		wb_sandbox_env(env);
}

/* Waits while another wb builds the same, but hears signals. */
static int wait_for_lock(int fd, int interrupt_fd, struct wb_error *err)
{
	int signo;

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK)
			return wb_fail_errno(err, "flock");
		wb_proc_sleep(LOCK_POLL, interrupt_fd);
		signo = wb_proc_interrupted(interrupt_fd);
		if (signo)
			return wb_proc_fail_interrupted(signo, err);
	}
	return 0;
}

/* The lock is the open file; closing it gives it up, also on kill -9. */
static int take_lock(const struct wb_build *b, int interrupt_fd,
		     struct wb_error *err)
{
	char *file = wb_xasprintf("%s.lock", b->dir);
	int fd;

	fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0) {
		wb_fail_errno(err, "%s", file);
	} else if (wait_for_lock(fd, interrupt_fd, err) < 0) {
		close(fd);
		fd = -1;
	}
	free(file);
	return fd;
}

static int prepare(const struct wb_build *b, struct wb_git *g,
		   const struct wb_oid *tree, struct wb_error *err)
{
	if (wb_path_remove(b->dir, err) < 0 || wb_path_make(b->tree, err) < 0 ||
	    wb_path_make(b->out, err) < 0)
		return -1;
	return wb_git_export(g, tree, b->tree, err);
}

/* The line that a person would look for: the first that names an error. */
static const char *first_error(const char *log, size_t *len)
{
	static const char *const marks[] = {
		"error:", "error[", "Error ", "ERROR", "undefined reference",
		"No such file", "not found", "cannot ", NULL,
	};
	const char *line, *last = "", *end;
	size_t i;

	for (i = 0; marks[i]; i++) {
		for (line = log; *line; line = *end ? end + 1 : end) {
			end = line + strcspn(line, "\n");
			if (end > line)
				last = line;
			if (memmem(line, (size_t)(end - line), marks[i],
				   strlen(marks[i]))) {
				*len = (size_t)(end - line);
				return line;
			}
		}
	}
	*len = strcspn(last, "\n");
	return last;
}

static char *explain(const struct wb_build *b, const struct wb_proc *p,
		     const struct wb_proc_result *r)
{
	struct wb_buf why = WB_BUF_INIT;
	const char *line;
	size_t len;

	wb_buf_addstr(&why, "build: ");
	line = first_error(r->out.ptr, &len);
	if (len)
		wb_buf_addf(&why, "%.*s", len > 200 ? 200 : (int)len, line);
	else
		wb_buf_addstr(&why, "printed nothing");
	wb_buf_addstr(&why, " (");
	wb_proc_describe(p, r, &why);
	wb_buf_addf(&why, ", log: %s/log)", b->dir);
	return wb_buf_detach(&why);
}

static int run_build(const struct wb_plan *p, size_t k, struct wb_git *g,
		     struct wb_build *b, int interrupt_fd,
		     struct wb_build_outcome *out, struct wb_error *err)
{
	const struct wb_build_config *c = &p->config->build;
	struct wb_proc proc = {
		.command = c->command,
		.cwd = b->tree,
		.timeout = c->timeout,
		.max_output = LOG_MAX,
		.merge = true,
		.interrupt_fd = interrupt_fd,
	};
	struct wb_proc_result r;
	struct wb_env env;
	char *log = wb_xasprintf("%s/log", b->dir);
	int ret = -1;

	wb_proc_result_init(&r);
	wb_env_init(&env);
	if (wb_build_box(b, p, g, err) < 0)
		goto out;
	wb_build_env(&env, p, k, g, b);
	proc.env = env.v;
	proc.box = wb_sandbox_box(b->box);
	if (wb_proc_run(&proc, &r, err) < 0)
		goto out;
	if (r.end == WB_PROC_INTERRUPT) {
		wb_proc_fail_interrupted(r.code, err);
		goto out;
	}
	/* the command may have put something else there */
	if (wb_path_remove(log, err) < 0 ||
	    wb_path_write(log, r.out.ptr, r.out.len, err) < 0)
		goto out;
	if (r.end != WB_PROC_EXIT || r.code)
		out->broken = explain(b, &proc, &r);
	out->seconds = r.wall;
	ret = 0;
out:
	wb_proc_result_clear(&r);
	wb_env_clear(&env);
	free(log);
	return ret;
}

int wb_build_make(const struct wb_plan *p, size_t k, size_t layout,
		  struct wb_git *g, int interrupt_fd,
		  struct wb_build_outcome *out, struct wb_error *err)
{
	const struct wb_plan_prefix *pre = &p->prefix[k];
	struct wb_build b;
	char *up = NULL, *ok = NULL;
	int lock = -1, ret = -1;

	memset(out, 0, sizeof(*out));
	if (wb_build_locate(&b, pre->build[layout], layout, err) < 0)
		return -1;
	up = wb_xasprintf("%.*s", (int)(strrchr(b.dir, '/') - b.dir), b.dir);
	ok = wb_xasprintf("%s/ok", b.dir);
	if (wb_path_make(up, err) < 0)
		goto out;
	lock = take_lock(&b, interrupt_fd, err);
	if (lock < 0)
		goto out;
	if (wb_build_done(&b)) {
		out->cached = true;
		ret = 0;
		goto out;
	}
	if (prepare(&b, g, &pre->tree, err) < 0)
		goto out;
	if (p->config->build.command &&
	    run_build(p, k, g, &b, interrupt_fd, out, err) < 0)
		goto out;
	if (!out->broken && (wb_path_remove(ok, err) < 0 ||
			     wb_path_write(ok, "", 0, err) < 0))
		goto out;
	ret = 0;
out:
	if (lock >= 0)
		close(lock);
	free(up);
	free(ok);
	wb_build_clear(&b);
	return ret;
}
