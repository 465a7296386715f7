#include "desk.h"
#include "git-keep.h"
#include "path.h"
#include "proc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_OUTPUT ((size_t)1 << 30)

static int put(const struct wb_desk *d, const char *name, const char *text,
	       struct wb_error *err)
{
	char *file = wb_xasprintf("%s/%s", d->dir, name);
	int ret = wb_path_write(file, text, strlen(text), err);

	free(file);
	return ret;
}

static int make_folder(const struct wb_desk *d, const char *name,
		       struct wb_error *err)
{
	char *dir = wb_xasprintf("%s/%s", d->dir, name);
	int ret = wb_path_make(dir, err);

	free(dir);
	return ret;
}

/* Where the user's work tree is, for a wb that is started at the desk. */
static char *config_of(const struct wb_desk *d)
{
	const char *home = wb_git_workdir(d->git), *p;
	struct wb_buf b = WB_BUF_INIT;

	wb_buf_addf(&b, "[core]\n\trepositoryformatversion = 0\n"
		    "\tbare = %s\n\tfilemode = true\n\tautocrlf = false\n"
		    "\tlogallrefupdates = false\n[gc]\n\tauto = 0\n"
		    "[user]\n\tname = wb\n\temail = wb@localhost\n",
		    d->work ? "false" : "true");
	if (d->work && home) {
		wb_buf_addstr(&b, "[wb]\n\thome = \"");
		for (p = home; *p; p++) {
			if (*p == '"' || *p == '\\')
				wb_buf_addch(&b, '\\');
			wb_buf_addch(&b, *p);
		}
		wb_buf_addstr(&b, "\"\n");
	}
	return wb_buf_detach(&b);
}

static int fill(const struct wb_desk *d, struct wb_error *err)
{
	char *lent = wb_xasprintf("%s/objects\n", wb_git_common_dir(d->git));
	char *config = config_of(d), *link = NULL, *text = NULL;
	int ret = -1;

	if (make_folder(d, "objects/info", err) < 0 ||
	    make_folder(d, "objects/pack", err) < 0 ||
	    make_folder(d, "refs/heads", err) < 0 ||
	    make_folder(d, "info", err) < 0 ||
	    put(d, "objects/info/alternates", lent, err) < 0 ||
	    /* bytes are bytes, whatever the tree's .gitattributes say */
	    put(d, "info/attributes", "* -text !eol !filter !ident !diff "
		"!working-tree-encoding\n", err) < 0 ||
	    put(d, "config", config, err) < 0 ||
	    put(d, "HEAD", "ref: refs/heads/wb\n", err) < 0)
		goto out;
	if (d->work) {
		link = wb_xasprintf("%s/.git", d->work);
		text = wb_xasprintf("gitdir: %s\n", d->dir);
		if (wb_path_write(link, text, strlen(text), err) < 0)
			goto out;
	}
	ret = 0;
out:
	free(text);
	free(link);
	free(config);
	free(lent);
	return ret;
}

void wb_desk_open(struct wb_desk *d, struct wb_git *g, const char *dir,
		  const char *work)
{
	*d = (struct wb_desk){
		.git = g, .dir = wb_xstrdup(dir), .work = wb_xstrdup(work),
	};
}

int wb_desk_make(struct wb_desk *d, struct wb_git *g, const char *dir,
		 const char *work, struct wb_error *err)
{
	wb_desk_open(d, g, dir, work);
	if (wb_path_remove(dir, err) < 0 || wb_path_make(dir, err) < 0)
		return -1;
	return fill(d, err);
}

int wb_desk_scratch(struct wb_desk *d, struct wb_git *g, struct wb_error *err)
{
	char *cache = wb_path_cache_dir(err), *dir;
	int ret = -1;

	memset(d, 0, sizeof(*d));
	if (!cache)
		return -1;
	dir = wb_xasprintf("%s/desk-XXXXXX", cache);
	if (wb_path_make(cache, err) < 0)
		goto out;
	if (!mkdtemp(dir)) {
		wb_fail_errno(err, "%s", dir);
		goto out;
	}
	wb_desk_open(d, g, dir, NULL);
	d->scratch = true;
	ret = fill(d, err);
out:
	free(dir);
	free(cache);
	return ret;
}

void wb_desk_clear(struct wb_desk *d)
{
	struct wb_error ignored = WB_ERROR_INIT;

	/* what stays behind in the cache is in nobody's way */
	if (d->scratch)
		wb_path_remove(d->dir, &ignored);
	free(d->dir);
	free(d->work);
	memset(d, 0, sizeof(*d));
}

int wb_desk_save(struct wb_desk *d, const struct wb_oid *commits, size_t n,
		 struct wb_error *err)
{
	char *dir = wb_xasprintf("%s/objects/pack", d->dir);
	int ret = wb_git_save(d->git, commits, n, dir, err);

	free(dir);
	return ret;
}

void wb_desk_env(const struct wb_desk *d, struct wb_env *env)
{
	wb_env_init(env);
	wb_env_set(env, "GIT_DIR", d->dir);
	if (d->work)
		wb_env_set(env, "GIT_WORK_TREE", d->work);
	wb_env_set(env, "GIT_CONFIG_NOSYSTEM", "1");
	wb_env_set(env, "GIT_CONFIG_GLOBAL", "/dev/null");
	wb_env_set(env, "GIT_ATTR_NOSYSTEM", "1");
	wb_env_set(env, "LC_ALL", "C.UTF-8");
}

int wb_desk_run(const struct wb_desk *d, const char *command,
		struct wb_env *env, struct wb_buf *out, struct wb_error *err)
{
	struct wb_proc p = {
		.command = command, .cwd = d->work ? d->work : d->dir,
		.env = env->v, .max_output = MAX_OUTPUT, .interrupt_fd = -1,
	};
	struct wb_proc_result r;
	int ret = -1;

	wb_proc_result_init(&r);
	if (wb_proc_run(&p, &r, err) < 0)
		goto out;
	ret = wb_proc_failed(&p, &r, "git", err);
	if (ret < 0)
		err->kind = WB_E_FATAL;
	else
		wb_buf_add(out, r.out.ptr, r.out.len);
out:
	wb_proc_result_clear(&r);
	return ret;
}
