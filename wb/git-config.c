#include "git-config.h"
#include "path.h"

#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define PROJECT_FILE ".wbconfig"
#define PROJECT_MAX (1024 * 1024)

static int config_failed(struct wb_error *err, const char *file)
{
	const git_error *e = git_error_last();

	return wb_fail(err, WB_E_USAGE, "%s: %s", file,
		       e ? e->message : "cannot be read");
}

/* Reads one file into entries of one scope; shown is its name for people. */
static int read_file(struct wb_config *c, enum wb_scope scope,
		     const char *path, const char *shown, struct wb_error *err)
{
	git_config_iterator *it = NULL;
	git_config_entry *e;
	git_config *cfg = NULL;
	int rc, ret = -1;

	if (git_config_new(&cfg) < 0 ||
	    git_config_add_file_ondisk(cfg, path, GIT_CONFIG_LEVEL_APP, NULL,
				       0) < 0 ||
	    git_config_iterator_new(&it, cfg) < 0) {
		config_failed(err, shown);
		goto out;
	}
	while (!(rc = git_config_next(&e, it)))
		wb_config_add(c, scope, shown, e->name, e->value);
	if (rc != GIT_ITEROVER) {
		config_failed(err, shown);
		goto out;
	}
	ret = 0;
out:
	git_config_iterator_free(it);
	git_config_free(cfg);
	return ret;
}

static bool env_true(const char *name)
{
	const char *v = getenv(name);

	return v && *v && strcmp(v, "0") && strcasecmp(v, "false") &&
	       strcasecmp(v, "no") && strcasecmp(v, "off");
}

/* A file that git reads: a variable names it, or libgit2 finds it. */
static int read_found(struct wb_config *c, enum wb_scope scope, const char *env,
		      int (*find)(git_buf *), struct wb_error *err)
{
	git_buf path = { 0 };
	const char *named = env ? getenv(env) : NULL;
	int ret = 0;

	if (named) {
		if (*named && !access(named, R_OK))
			ret = read_file(c, scope, named, named, err);
	} else if (!find(&path)) {
		ret = read_file(c, scope, path.ptr, path.ptr, err);
	}
	git_buf_dispose(&path);
	return ret;
}

/*
 * Where an include seems to stand, for the message only: what counts is what
 * libgit2 read. 1 when nothing looks like one.
 */
static int line_of_include(const char *text, size_t len)
{
	size_t i, j, line = 1;

	for (i = 0; i < len; i++) {
		line += text[i] == '\n';
		if (text[i] != '[')
			continue;
		for (j = i + 1; j < len && strchr(" \t", text[j]); j++)
			;
		if (len - j >= 7 && !strncasecmp(text + j, "include", 7))
			return (int)line;
	}
	return 1;
}

/* By what libgit2 made of the file, whatever it looks like. */
static bool includes(const struct wb_config *c, size_t from)
{
	size_t i;

	for (i = from; i < c->nentries; i++)
		if (wb_str_starts(c->entry[i].key, "include.") ||
		    wb_str_starts(c->entry[i].key, "includeif."))
			return true;
	return false;
}

/* libgit2 reads config from files only: the bytes go through a private one. */
static int read_bytes(struct wb_config *c, const char *text, size_t len,
		      struct wb_error *err)
{
	const char *tmp = getenv("TMPDIR");
	char path[4096];
	size_t done = 0;
	ssize_t n;
	int fd, ret = -1;

	snprintf(path, sizeof(path), "%s/wb-config-XXXXXX",
		 tmp && *tmp ? tmp : "/tmp");
	fd = mkstemp(path);
	if (fd < 0)
		return wb_fail_errno(err, "%s", path);
	while (done < len) {
		n = write(fd, text + done, len - done);
		if (n < 0) {
			wb_fail_errno(err, "%s", path);
			goto out;
		}
		done += (size_t)n;
	}
	ret = read_file(c, WB_SCOPE_PROJECT, path, PROJECT_FILE, err);
out:
	close(fd);
	unlink(path);
	return ret;
}

static int bytes_at(struct wb_git *g, const struct wb_oid *tree,
		    struct wb_buf *out, bool *there, struct wb_error *err)
{
	struct wb_oid id;
	uint32_t mode;
	int rc = wb_git_entry(g, tree, PROJECT_FILE, &mode, &id, err);

	*there = rc > 0;
	return rc > 0 ? wb_git_read_blob(g, &id, out, err) : rc;
}

/* The bytes of .wbconfig: of the work tree, or of HEAD when there is none. */
static int project_bytes(struct wb_git *g, struct wb_buf *out, bool *there,
			 struct wb_error *err)
{
	const char *top = wb_git_workdir(g);
	struct wb_error ignored = WB_ERROR_INIT;
	struct wb_oid head;
	char *path;
	int rc;

	*there = false;
	if (top) {
		path = wb_xasprintf("%s/%s", top, PROJECT_FILE);
		rc = wb_path_read(path, PROJECT_MAX, out, there, err);
		free(path);
		return rc;
	}
	/* a bare repository without a commit has no project file either */
	if (wb_git_tree_of(g, "HEAD", &head, &ignored) < 0)
		return 0;
	return bytes_at(g, &head, out, there, err);
}

/* tree NULL: where project_bytes() looks. */
static int read_project(struct wb_config *c, struct wb_git *g,
			const struct wb_oid *tree, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	bool there;
	size_t from;
	int ret = -1;

	if ((tree ? bytes_at(g, tree, &text, &there, err) :
	     project_bytes(g, &text, &there, err)) < 0)
		goto out;
	if (!there) {
		ret = 0;
		goto out;
	}
	if (memchr(text.ptr, '\0', text.len)) {
		wb_fail(err, WB_E_USAGE, "%s: holds a NUL byte", PROJECT_FILE);
		goto out;
	}
	from = c->nentries;
	if (read_bytes(c, text.ptr, text.len, err) < 0)
		goto out;
	if (includes(c, from)) {
		wb_fail(err, WB_E_USAGE, "%s:%d: may not include other files",
			PROJECT_FILE, line_of_include(text.ptr, text.len));
		goto out;
	}
	c->project_len = text.len;
	c->project = wb_buf_detach(&text);
	ret = 0;
out:
	wb_buf_clear(&text);
	return ret;
}

/* git config --worktree: keys of one work tree alone. */
static int read_worktree(struct wb_config *c, struct wb_git *g,
			 struct wb_error *err)
{
	bool on = false;
	char *path;
	size_t i;
	int rc = 0;

	for (i = 0; i < c->nentries; i++)
		if (!strcmp(c->entry[i].key, "extensions.worktreeconfig"))
			on = !c->entry[i].value ||
			     !strcasecmp(c->entry[i].value, "true") ||
			     !strcmp(c->entry[i].value, "1");
	path = wb_xasprintf("%sconfig.worktree", wb_git_dir(g));
	if (on && !access(path, R_OK))
		rc = read_file(c, WB_SCOPE_LOCAL, path, path, err);
	free(path);
	return rc;
}

int wb_git_config_read(struct wb_config *c, struct wb_git *g,
		       struct wb_error *err)
{
	char *local;
	int rc = 0;

	git_libgit2_init();
	if (!env_true("GIT_CONFIG_NOSYSTEM") &&
	    read_found(c, WB_SCOPE_SYSTEM, "GIT_CONFIG_SYSTEM",
		       git_config_find_system, err) < 0)
		return -1;
	if (!getenv("GIT_CONFIG_GLOBAL") &&
	    read_found(c, WB_SCOPE_GLOBAL, NULL, git_config_find_xdg, err) < 0)
		return -1;
	if (read_found(c, WB_SCOPE_GLOBAL, "GIT_CONFIG_GLOBAL",
		       git_config_find_global, err) < 0)
		return -1;
	if (!g)
		return 0;
	if (read_project(c, g, NULL, err) < 0)
		return -1;
	local = wb_xasprintf("%s/config", wb_git_common_dir(g));
	if (!access(local, R_OK))
		rc = read_file(c, WB_SCOPE_LOCAL, local, local, err);
	free(local);
	return rc < 0 ? rc : read_worktree(c, g, err);
}

static void copy(struct wb_config *to, const struct wb_config *from,
		 enum wb_scope low, enum wb_scope high)
{
	const struct wb_config_entry *e;
	size_t i;

	for (i = 0; i < from->nentries; i++) {
		e = &from->entry[i];
		if (e->scope >= low && e->scope <= high)
			wb_config_add(to, e->scope, e->origin, e->key,
				      e->value);
	}
}

int wb_git_config_at(struct wb_config *out, const struct wb_config *c,
		     struct wb_git *g, const char *rev, struct wb_error *err)
{
	struct wb_oid tree;

	wb_config_init(out);
	if (rev && wb_git_tree_of(g, rev, &tree, err) < 0)
		return -1;
	copy(out, c, WB_SCOPE_DEFAULT, WB_SCOPE_GLOBAL);
	if (read_project(out, g, rev ? &tree : NULL, err) < 0)
		return rev ? wb_fail_at(err, "%s", rev) : -1;
	copy(out, c, WB_SCOPE_LOCAL, WB_SCOPE_COMMAND);
	return wb_config_settle(out, err);
}

int wb_git_config_file(struct wb_config *c, const char *path,
		       const char *shown, struct wb_error *err)
{
	return read_file(c, WB_SCOPE_PROJECT, path, shown, err);
}

char *wb_git_config_home(struct wb_git *g)
{
	char *path = wb_xasprintf("%s/config", wb_git_common_dir(g));
	git_config *cfg = NULL;
	git_buf home = GIT_BUF_INIT;
	char *out = NULL;

	if (git_config_open_ondisk(&cfg, path) == 0 &&
	    git_config_get_string_buf(&home, cfg, "wb.home") == 0)
		out = wb_xstrdup(home.ptr);
	git_buf_dispose(&home);
	git_config_free(cfg);
	free(path);
	return out;
}
