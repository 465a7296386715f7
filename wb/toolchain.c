#include "toolchain.h"
#include "buf.h"
#include "env.h"
#include "proc.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

#define VERSION_TIMEOUT 10

static void add_version(struct wb_buf *out, const char *var, const char *tool)
{
	struct wb_error ignored = WB_ERROR_INIT;
	const char *named = var ? getenv(var) : NULL;
	struct wb_proc p = {
		.cwd = "/",
		.timeout = VERSION_TIMEOUT,
		.max_output = 1 << 20,
		.interrupt_fd = -1,
	};
	struct wb_proc_result r;
	struct wb_env env;
	char *command;

	command = wb_xasprintf("%s --version", named && *named ? named : tool);
	wb_env_init(&env);
	wb_proc_result_init(&r);
	p.command = command;
	p.env = env.v;
	/* a compiler that cannot be asked is identified by having no answer */
	if (wb_proc_run(&p, &r, &ignored) < 0 || r.end != WB_PROC_EXIT ||
	    r.code)
		wb_buf_reset(&r.out);
	wb_buf_addf(out, "%s: %.*s\n", tool, (int)strcspn(r.out.ptr, "\n"),
		    r.out.ptr);
	wb_proc_result_clear(&r);
	wb_env_clear(&env);
	free(command);
}

char *wb_toolchain(bool layouts)
{
	static const char *const flags[] = {
		"CC", "CXX", "AR", "LD", "CPPFLAGS", "CFLAGS", "CXXFLAGS",
		"LDFLAGS", NULL,
	};
	struct wb_buf out = WB_BUF_INIT;
	const char *v;
	size_t i;

	add_version(&out, "CC", "cc");
	add_version(&out, "CXX", "c++");
	add_version(&out, NULL, "as");
	add_version(&out, NULL, "ld");
	/* what shuffles sections, where it is there */
	if (layouts)
		add_version(&out, NULL, "ld.lld");
	for (i = 0; flags[i]; i++) {
		v = getenv(flags[i]);
		if (v)
			wb_buf_addf(&out, "%s=%s\n", flags[i], v);
	}
	return wb_buf_detach(&out);
}

/* The line of text that begins like line up to its : or =, or NULL. */
static const char *same_tool(const char *text, const char *line, size_t key)
{
	for (; text && *text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (!strncmp(text, line, key))
			return text;
	}
	return NULL;
}

static void add_line(struct wb_buf *out, const char *line, size_t len)
{
	char *s = wb_xstrndup(line, len);

	wb_text_add(out, s, WB_TEXT_UTF8);
	free(s);
}

void wb_toolchain_differ(const char *mine, const char *other,
			 struct wb_buf *out)
{
	size_t key, len, n, start = out->len;
	const char *here;

	for (; *other; other += len + (other[len] == '\n')) {
		len = strcspn(other, "\n");
		key = strcspn(other, ":=\n") + 1;
		here = key <= len ? same_tool(mine, other, key) : NULL;
		n = here ? strcspn(here, "\n") : 0;
		if (!len || (here && n == len && !memcmp(here, other, len)))
			continue;
		wb_buf_addstr(out, out->len > start ? ", " : "");
		add_line(out, other, len);
		if (!here)
			continue;
		while (key < n && here[key] == ' ')
			key++;
		wb_buf_addstr(out, " (here ");
		add_line(out, here + key, n - key);
		wb_buf_addch(out, ')');
	}
}
