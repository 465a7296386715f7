#include "env.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const hidden[] = {
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_NAMESPACE", "GIT_PREFIX", "MAKEFLAGS", "MFLAGS", "MAKELEVEL",
	"MAKEOVERRIDES", "WB_BUILD", "WB_COUNT", "WB_PAD", NULL,
};

static size_t name_len(const char *pair)
{
	return strcspn(pair, "=");
}

static bool is_hidden(const char *pair)
{
	size_t i, n = name_len(pair);

	for (i = 0; hidden[i]; i++)
		if (strlen(hidden[i]) == n && !memcmp(hidden[i], pair, n))
			return true;
	return false;
}

/* Keeps the vector terminated. */
static void append(struct wb_env *e, char *pair)
{
	e->v = wb_grow(e->v, e->n + 1, &e->cap, sizeof(*e->v));
	e->v[e->n++] = pair;
	e->v[e->n] = NULL;
}

void wb_env_init(struct wb_env *e)
{
	char **p;

	memset(e, 0, sizeof(*e));
	e->v = wb_grow(NULL, 0, &e->cap, sizeof(*e->v));
	e->v[0] = NULL;
	for (p = environ; *p; p++)
		if (!is_hidden(*p))
			append(e, wb_xstrdup(*p));
}

void wb_env_clear(struct wb_env *e)
{
	size_t i;

	for (i = 0; i < e->n; i++)
		free(e->v[i]);
	free(e->v);
	memset(e, 0, sizeof(*e));
}

void wb_env_set(struct wb_env *e, const char *name, const char *value)
{
	char *pair = wb_xasprintf("%s=%s", name, value);
	size_t i, n = strlen(name);

	for (i = 0; i < e->n; i++) {
		if (name_len(e->v[i]) != n || memcmp(e->v[i], name, n))
			continue;
		free(e->v[i]);
		e->v[i] = pair;
		return;
	}
	append(e, pair);
}

void wb_env_drop(struct wb_env *e, bool (*is)(const char *pair))
{
	size_t i, n = 0;

	for (i = 0; i < e->n; i++) {
		if (is(e->v[i]))
			free(e->v[i]);
		else
			e->v[n++] = e->v[i];
	}
	e->n = n;
	e->v[n] = NULL;
}

void wb_env_setf(struct wb_env *e, const char *name, const char *fmt, ...)
{
	struct wb_buf value = WB_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	wb_buf_vaddf(&value, fmt, ap);
	va_end(ap);
	wb_env_set(e, name, value.ptr);
	wb_buf_clear(&value);
}

size_t wb_env_size(const struct wb_env *e)
{
	size_t i, size = 0;

	for (i = 0; i < e->n; i++)
		size += strlen(e->v[i]) + 1;
	return size;
}

void wb_env_pad(struct wb_env *e, size_t size)
{
	struct wb_buf pad = WB_BUF_INIT;
	size_t now;

	wb_env_set(e, "WB_PAD", "");
	now = wb_env_size(e);
	wb_buf_fill(&pad, 'x', size > now ? size - now : 0);
	wb_env_set(e, "WB_PAD", pad.ptr);
	wb_buf_clear(&pad);
}
