#include "cmd.h"
#include "export.h"
#include "json.h"
#include "path.h"
#include "sample-html.h"

#include <stdio.h>
#include <string.h>

#define FILE_MAX ((size_t)4 << 30)

static int read_file(const char *path, struct wb_buf *out,
		     struct wb_error *err)
{
	struct wb_buf page;
	bool there;
	int ret;

	if (wb_path_read(path, FILE_MAX, out, &there, err) < 0)
		return -1;
	if (!there)
		return wb_fail(err, WB_E_FATAL, "%s: no such file", path);
	if (!wb_sample_is_html(path))
		return 0;
	page = *out;
	wb_buf_init(out);
	ret = wb_sample_unpack(path, page.ptr, out, err);
	wb_buf_clear(&page);
	return ret;
}

static int import_file(struct wb *wb, const char *path, struct wb_json *list,
		       struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	struct wb_import done;
	struct wb_json *o;
	int ret = -1;

	if (read_file(path, &text, err) < 0 ||
	    wb_import(wb->db, path, text.ptr, text.len, &done, err) < 0)
		goto out;
	if (wb->json) {
		o = wb_json_object();
		wb_json_set(o, "file", wb_json_str(path));
		wb_json_set(o, "runs", wb_json_int((int64_t)done.runs));
		wb_json_set(o, "added", wb_json_int((int64_t)done.added));
		wb_json_append(list, o);
	} else if (!wb->quiet) {
		text.len = 0;
		wb_buf_addsafe(&text, path);
		printf("%s: %zu run%s, %zu new here\n", text.ptr, done.runs,
		       done.runs == 1 ? "" : "s", done.added);
	}
	ret = 0;
out:
	wb_buf_clear(&text);
	return ret;
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
