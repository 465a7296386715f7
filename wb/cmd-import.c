#include "cmd.h"
#include "export.h"
#include "json.h"
#include "sample-html.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>

/* Lines of a page, in memory; lines never begin as a page does. */
static int import_page(struct wb *wb, const char *path, FILE *in,
		       struct wb_import *done, struct wb_error *err)
{
	struct wb_buf lines = WB_BUF_INIT;
	char *page = NULL;
	size_t cap = 0;
	ssize_t len = getdelim(&page, &cap, '\0', in);
	FILE *text = NULL;
	int ret = -1;

	if (len < 0) {
		wb_fail_errno(err, "%s", path);
		goto out;
	}
	if (wb_sample_unpack(path, page, &lines, err) < 0)
		goto out;
	text = fmemopen(lines.ptr, lines.len, "r");
	ret = text ? wb_import(wb->db, path, text, done, err) :
		     wb_fail_errno(err, "%s", path);
out:
	if (text)
		fclose(text);
	free(page);
	wb_buf_clear(&lines);
	return ret;
}

static int import_file(struct wb *wb, const char *path, struct wb_json *list,
		       struct wb_error *err)
{
	struct wb_buf name = WB_BUF_INIT;
	FILE *in = fopen(path, "re");
	struct wb_import done;
	struct wb_json *o;
	int first, ret;

	if (!in)
		return wb_fail_errno(err, "%s", path);
	first = ungetc(getc(in), in);
	ret = first == '<' ? import_page(wb, path, in, &done, err) :
	      wb_import(wb->db, path, in, &done, err);
	fclose(in);
	if (ret < 0)
		return -1;
	if (wb->json) {
		o = wb_json_object();
		wb_json_set(o, "file", wb_json_str(path));
		wb_json_set(o, "runs", wb_json_int((int64_t)done.runs));
		wb_json_set(o, "added", wb_json_int((int64_t)done.added));
		wb_json_append(list, o);
	} else if (!wb->quiet) {
		wb_text_add(&name, path, WB_TEXT_UTF8);
		printf("%s: %zu run%s, %zu new here\n", name.ptr, done.runs,
		       done.runs == 1 ? "" : "s", done.added);
		wb_buf_clear(&name);
	}
	return 0;
}

static int cmd_import(struct wb *wb, void *v, int argc, char **argv,
		      struct wb_error *err)
{
	struct wb_json *doc, *list = wb_json_array();
	int i, ret = 0;

	(void)v;
	if (argc < 2)
		ret = wb_fail(err, WB_E_USAGE, "which FILE of wb export?");
	for (i = 1; i < argc && !ret; i++)
		ret = import_file(wb, argv[i], list, err);
	if (ret < 0 || !wb->json) {
		wb_json_free(list);
		return ret;
	}
	doc = wb_json_object();
	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "files", list);
	wb_json_put(doc);
	return 0;
}

const struct wb_cmd wb_cmd_import = {
	.name = "import",
	.fn = cmd_import,
	.needs = WB_NEED_REPO | WB_NEED_DB,
	.usage = "wb import FILE ...",
	.summary = "take samples of wb export, or of a report's page",
	.size = 0,
};
