#include "trust.h"
#include "hash.h"
#include "path.h"

#include <stdlib.h>
#include <string.h>

#define TRUST_MAX (16 * 1024 * 1024)

bool wb_trust_needed(const struct wb_config *c)
{
	size_t i;

	if ((c->build.command && c->build.from_project) ||
	    (c->build.test && c->build.test_from_project))
		return true;
	for (i = 0; i < c->nbenches; i++)
		if (c->bench[i].command && c->bench[i].from_project)
			return true;
	return false;
}

/* "sha256 HEX\n", the line that stands for the file's content. */
static void line_of(const struct wb_config *c, struct wb_buf *line)
{
	struct wb_hash *h = wb_hash_new();
	char hex[65];

	wb_hash_add(h, c->project, c->project_len);
	wb_hash_end(h, hex);
	wb_buf_addf(line, "sha256 %s\n", hex);
}

static int load(char **path, struct wb_buf *text, struct wb_error *err)
{
	char *dir = wb_path_config_dir(err);
	bool there;
	int rc;

	*path = NULL;
	if (!dir)
		return -1;
	*path = wb_xasprintf("%s/trust", dir);
	free(dir);
	rc = wb_path_read(*path, TRUST_MAX, text, &there, err);
	if (!rc && text->len && text->ptr[text->len - 1] != '\n')
		wb_buf_addch(text, '\n');
	return rc;
}

/* Where the line stands in text, at the start of a line; NULL if nowhere. */
static char *find_line(const struct wb_buf *text, const struct wb_buf *line)
{
	char *p = text->ptr;

	while ((p = strstr(p, line->ptr))) {
		if (p == text->ptr || p[-1] == '\n')
			return p;
		p++;
	}
	return NULL;
}

int wb_trust_get(const struct wb_config *c, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT, line = WB_BUF_INIT;
	char *path;
	int ret = -1;

	line_of(c, &line);
	if (!load(&path, &text, err))
		ret = find_line(&text, &line) != NULL;
	free(path);
	wb_buf_clear(&text);
	wb_buf_clear(&line);
	return ret;
}

static int change(const struct wb_config *c, bool wanted, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT, line = WB_BUF_INIT;
	char *path, *at, *dir = NULL;
	int ret = -1;

	line_of(c, &line);
	if (load(&path, &text, err) < 0)
		goto out;
	at = find_line(&text, &line);
	if (wanted == (at != NULL)) {
		ret = 0;
		goto out;
	}
	if (wanted) {
		wb_buf_add(&text, line.ptr, line.len);
	} else {
		memmove(at, at + line.len,
			text.len - (size_t)(at - text.ptr) - line.len);
		wb_buf_truncate(&text, text.len - line.len);
	}
	dir = wb_path_config_dir(err);
	if (!dir || wb_path_make(dir, err) < 0)
		goto out;
	ret = wb_path_write(path, text.ptr, text.len, err);
out:
	free(dir);
	free(path);
	wb_buf_clear(&text);
	wb_buf_clear(&line);
	return ret;
}

int wb_trust_add(const struct wb_config *c, struct wb_error *err)
{
	return change(c, true, err);
}

int wb_trust_remove(const struct wb_config *c, struct wb_error *err)
{
	return change(c, false, err);
}

int wb_trust_check(const struct wb_config *c, struct wb_error *err)
{
	int rc;

	if (!wb_trust_needed(c))
		return 0;
	rc = wb_trust_get(c, err);
	if (rc < 0)
		return -1;
	if (!rc)
		return wb_fail(err, WB_E_FATAL, ".wbconfig names commands that "
			       "you have not trusted: look at them and allow "
			       "them with 'wb trust'");
	return 0;
}
