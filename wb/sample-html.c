#include "sample-html.h"

#include "path.h"
#include "result-json.h"
#include "sample.h"
#include "zip.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define PAGE_MAX ((size_t)256 << 20)
#define LINES_MAX ((size_t)4 << 30)

bool wb_sample_is_html(const char *path)
{
	char begin[16] = "";
	FILE *f = fopen(path, "re");
	size_t n = f ? fread(begin, 1, sizeof(begin) - 1, f) : 0;

	if (f)
		fclose(f);
	return n > 9 && !strncasecmp(begin, "<!doctype", 9);
}

/* The text of the script that begins like this; NULL: there is none. */
static const char *find_script(const char *page, const char *open, size_t *len)
{
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

static const char digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_base64(struct wb_buf *out, const unsigned char *p, size_t n)
{
	uint32_t v;
	size_t i, k;

	for (i = 0; i < n; i += 3) {
		v = (uint32_t)p[i] << 16;
		if (i + 1 < n)
			v |= (uint32_t)p[i + 1] << 8;
		if (i + 2 < n)
			v |= p[i + 2];
		for (k = 0; k < 4; k++)
			wb_buf_addch(out, k > n - i ? '=' :
				     digits[v >> (18 - 6 * k) & 63]);
	}
}

/* False for what is none. Padding may stand at the end alone. */
static bool read_base64(const char *p, size_t n, struct wb_buf *out)
{
	uint32_t v = 0, bits = 0;
	const char *d;

	while (n && p[n - 1] == '=')
		n--;
	for (; n; n--, p++) {
		d = *p ? strchr(digits, *p) : NULL;
		if (!d)
			return false;
		v = v << 6 | (uint32_t)(d - digits);
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			wb_buf_addch(out, (char)(v >> bits));
		}
	}
	return true;
}

void wb_sample_pack(const struct wb_buf *lines, struct wb_buf *out)
{
	struct wb_buf zipped = WB_BUF_INIT;

	wb_zip_gzip(lines->ptr, lines->len, &zipped);
	add_base64(out, (const unsigned char *)zipped.ptr, zipped.len);
	wb_buf_clear(&zipped);
}

int wb_sample_unpack(const char *path, const char *page, struct wb_buf *out,
		     struct wb_error *err)
{
	struct wb_buf zipped = WB_BUF_INIT;
	const char *text;
	size_t len;
	int ret;

	text = find_script(page, "<script type=\"text/plain\" id=\"wb-lines\">",
			   &len);
	if (!text)
		return wb_fail(err, WB_E_FATAL, "%s: a page without samples: "
			       "'wb report --format html' writes one with them",
			       path);
	ret = read_base64(text, len, &zipped) ?
	      wb_zip_read(WB_ZIP_GZIP, zipped.ptr, zipped.len, LINES_MAX, out,
			  err) :
	      wb_fail(err, WB_E_FATAL, "its samples are damaged");
	if (!ret && memchr(out->ptr, '\0', out->len))
		ret = wb_fail(err, WB_E_FATAL, "a NUL byte in its samples");
	if (ret < 0)
		wb_fail_at(err, "%s", path);
	wb_buf_clear(&zipped);
	return ret;
}

int wb_sample_load_html(struct wb_result *r, const char *path,
			struct wb_error *err)
{
	struct wb_buf page = WB_BUF_INIT, lines = WB_BUF_INIT;
	struct wb_json *doc = NULL;
	const char *data;
	size_t len;
	bool there;
	int ret = -1;

	if (wb_path_read(path, PAGE_MAX, &page, &there, err) < 0)
		goto out;
	data = find_script(page.ptr, "<script type=\"application/json\""
			   " id=\"wb-data\">", &len);
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
	if (wb_sample_unpack(path, page.ptr, &lines, err) == 0)
		ret = wb_sample_load_known(r, path, &lines, err);
out:
	wb_json_free(doc);
	wb_buf_clear(&lines);
	wb_buf_clear(&page);
	return ret;
}
