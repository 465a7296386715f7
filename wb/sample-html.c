#include "sample-html.h"

#include "path.h"
#include "result-json.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define PAGE_MAX ((size_t)256 << 20)

bool wb_sample_is_html(const char *path)
{
	char begin[16] = "";
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(begin, 1, sizeof(begin) - 1, f) : 0;

	if (f)
		fclose(f);
	return n > 9 && !strncasecmp(begin, "<!doctype", 9);
}

/* The text of the script that holds the data; NULL: there is none. */
static const char *find_data(const char *page, size_t *len)
{
	static const char open[] =
		"<script type=\"application/json\" id=\"wb-data\">";
	const char *from = strstr(page, open), *to;

	if (!from)
		return NULL;
	from += strlen(open);
	to = strstr(from, "</script>");
	if (!to)
		return NULL;
	*len = (size_t)(to - from);
	return from;
}

int wb_sample_load_html(struct wb_result *r, const char *path,
			struct wb_error *err)
{
	struct wb_buf page = WB_BUF_INIT;
	struct wb_json *doc = NULL;
	const char *data;
	size_t len;
	bool there;
	int ret = -1;

	if (wb_path_read(path, PAGE_MAX, &page, &there, err) < 0)
		goto out;
	data = find_data(page.ptr, &len);
	if (!data) {
		wb_fail(err, WB_E_FATAL, "%s: a page without results: 'wb "
			"report --format html' writes one with them", path);
		goto out;
	}
	if (wb_json_parse(data, len, &doc, err) < 0 ||
	    wb_result_from_json(doc, r, err) < 0) {
		err->kind = WB_E_FATAL;
		wb_fail_at(err, "%s", path);
		goto out;
	}
	ret = 0;
out:
	wb_json_free(doc);
	wb_buf_clear(&page);
	return ret;
}
