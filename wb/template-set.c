#include "template-set.h"
#include "path.h"
#include "template.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE_LIMIT ((size_t)1 << 20)

/* A word that can be nothing but a file's name. */
static bool is_name(const char *name)
{
	const char *p;

	for (p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '-' && *p != '_')
			return false;
	return p > name;
}

/* 1: read, 0: there is none, -1: error. */
static int read_in(const char *dir, const char *name, struct wb_buf *out,
		   struct wb_error *err)
{
	char *file = wb_xasprintf("%s/%s.md", dir, name);
	bool there;
	int ret = wb_path_read(file, SIZE_LIMIT, out, &there, err);

	free(file);
	return ret < 0 ? -1 : there;
}

/* That of the work tree, whose links may lead out of it. */
static int read_own(const struct wb_template_set *s, const char *name,
		    struct wb_buf *out, struct wb_error *err)
{
	char *dir, *file, real[PATH_MAX], top[PATH_MAX];
	size_t n;
	int ret = 0;

	if (!s->dir || !s->top)
		return 0;
	dir = wb_xasprintf("%s/%s", s->top, s->dir);
	file = wb_xasprintf("%s/%s.md", dir, name);
	if (realpath(file, real) && realpath(s->top, top)) {
		n = strlen(top);
		if (!strncmp(real, top, n) && real[n] == '/')
			ret = read_in(dir, name, out, err);
		else
			ret = wb_fail(err, WB_E_FATAL, "%s leads out of the "
				      "work tree: not read", file);
	}
	free(file);
	free(dir);
	return ret;
}

static int read_users(const char *name, struct wb_buf *out,
		      struct wb_error *err)
{
	char *config = wb_path_config_dir(err), *dir;
	int ret;

	if (!config)
		return -1;
	dir = wb_xasprintf("%s/templates", config);
	ret = read_in(dir, name, out, err);
	free(dir);
	free(config);
	return ret;
}

/* Beside the program: installed, or in the folder build of the sources. */
static int read_shipped(const char *name, struct wb_buf *out,
			struct wb_error *err)
{
	static const char *const places[] = {
		"../share/wb/templates",
		/* build/, build/asan/ or build/tests/, build/asan/tests/ */
		"../templates", "../../templates", "../../../templates",
	};
	char exe[PATH_MAX], *dir, *slash;
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	size_t i;
	int ret = 0;

	if (n < 0)
		return wb_fail_errno(err, "/proc/self/exe");
	exe[n] = '\0';
	slash = strrchr(exe, '/');
	if (slash)
		*slash = '\0';
	for (i = 0; i < sizeof(places) / sizeof(places[0]) && !ret; i++) {
		dir = wb_xasprintf("%s/%s", exe, places[i]);
		ret = read_in(dir, name, out, err);
		free(dir);
	}
	return ret;
}

static int find(void *arg, const char *name, struct wb_buf *out,
		struct wb_error *err)
{
	int ret;

	if (!is_name(name))
		return wb_fail(err, WB_E_USAGE, "'%s' is no name of a "
			       "template: letters, digits, - and _", name);
	ret = read_own(arg, name, out, err);
	if (!ret)
		ret = read_users(name, out, err);
	if (!ret)
		ret = read_shipped(name, out, err);
	return ret;
}

int wb_template_set_fill(const struct wb_template_set *s, const char *name,
			 const struct wb_json *data, struct wb_buf *out,
			 struct wb_error *err)
{
	char *shown = wb_xasprintf("%s.md", name);
	struct wb_buf text = WB_BUF_INIT;
	struct wb_template_options o = {
		.name = shown, .escape = wb_template_escape_markdown,
		.partial = find, .arg = (void *)s,
	};
	int ret = find((void *)s, name, &text, err);

	if (!ret)
		ret = wb_fail(err, WB_E_FATAL, "there is no template '%s.md': "
			      "neither in wb.templates nor in "
			      "$XDG_CONFIG_HOME/wb/templates nor where wb is "
			      "installed", name);
	else if (ret > 0)
		ret = wb_template_fill(text.ptr, text.len, data, &o, out, err);
	wb_buf_clear(&text);
	free(shown);
	return ret < 0 ? -1 : 0;
}
