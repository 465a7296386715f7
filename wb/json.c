#include "json.h"
#include "text.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* struct wb_json is never defined: a pointer to it is jansson's json_t. */
static json_t *in(const struct wb_json *v)
{
	return (json_t *)v;
}

static struct wb_json *out_of(json_t *v)
{
	assert(v);	/* jansson fails on no memory or a bad argument only */
	return (struct wb_json *)v;
}

struct wb_json *wb_json_object(void)
{
	return out_of(json_object());
}

struct wb_json *wb_json_array(void)
{
	return out_of(json_array());
}

struct wb_json *wb_json_str(const char *s)
{
	struct wb_buf b = WB_BUF_INIT;
	const char *p;
	struct wb_json *v;
	size_t n;

	if (!s)
		return wb_json_null();
	for (p = s; *p; p += n ? n : 1) {
		n = wb_utf8_len(p);
		if (n)
			wb_buf_add(&b, p, n);
		else
			wb_buf_addstr(&b, "\xef\xbf\xbd");
	}
	v = out_of(json_string(b.ptr));
	wb_buf_clear(&b);
	return v;
}

struct wb_json *wb_json_int(int64_t v)
{
	return out_of(json_integer(v));
}

struct wb_json *wb_json_num(double v)
{
	return isfinite(v) ? out_of(json_real(v)) : wb_json_null();
}

struct wb_json *wb_json_bool(bool v)
{
	return out_of(json_boolean(v));
}

struct wb_json *wb_json_null(void)
{
	return out_of(json_null());
}

void wb_json_set(struct wb_json *obj, const char *key, struct wb_json *v)
{
	int rc = json_object_set_new(in(obj), key, v ? in(v) : json_null());

	assert(!rc);
	(void)rc;
}

void wb_json_append(struct wb_json *arr, struct wb_json *v)
{
	int rc = json_array_append_new(in(arr), v ? in(v) : json_null());

	assert(!rc);
	(void)rc;
}

struct wb_json *wb_json_copy(const struct wb_json *v)
{
	return v ? out_of(json_deep_copy(in(v))) : NULL;
}

void wb_json_free(struct wb_json *v)
{
	json_decref(in(v));	/* takes NULL */
}

static int add_chunk(const char *data, size_t len, void *arg)
{
	wb_buf_add(arg, data, len);
	return 0;
}

/* Code point c as a JSON string has it, in UTF-16. */
static void add_escape(struct wb_buf *out, uint32_t c)
{
	if (c > 0xffff) {
		c -= 0x10000;
		wb_buf_addf(out, "\\u%04x\\u%04x", 0xd800 | c >> 10,
			    0xdc00 | (c & 0x3ff));
	} else {
		wb_buf_addf(out, "\\u%04x", c);
	}
}

/*
 * JSON lets stand in a string what a terminal would act on, and what turns the
 * direction of text; an escape says the same. Without it there is no copy.
 */
static void escape_unprintable(struct wb_buf *out, size_t start)
{
	const unsigned char *p = (const unsigned char *)out->ptr + start;
	struct wb_buf text = WB_BUF_INIT;
	size_t n, places;
	uint32_t c;

	while (*p && *p < 0x7f)
		p++;
	if (!*p)
		return;
	for (p = (const unsigned char *)out->ptr + start; *p; p += n) {
		n = wb_text_step((const char *)p, &places);
		if (n || *p < ' ') {
			n = n ? n : 1;		/* lines between the values */
			wb_buf_add(&text, p, n);
			continue;
		}
		c = wb_utf8_point((const char *)p, &n);
		add_escape(&text, c);
	}
	wb_buf_truncate(out, start);
	wb_buf_add(out, text.ptr, text.len);
	wb_buf_clear(&text);
}

void wb_json_print(const struct wb_json *v, struct wb_buf *out, int indent)
{
	size_t start = out->len;
	size_t flags = JSON_PRESERVE_ORDER | JSON_ENCODE_ANY |
		       JSON_REAL_PRECISION(17) |
		       (indent ? JSON_INDENT((size_t)indent) : JSON_COMPACT);

	json_dump_callback(in(v), add_chunk, out, flags);
	escape_unprintable(out, start);
}

bool wb_json_same(const struct wb_json *a, const struct wb_json *b)
{
	struct wb_buf x = WB_BUF_INIT, y = WB_BUF_INIT;
	bool same = !a == !b;

	if (same && a) {
		wb_json_print(a, &x, 0);
		wb_json_print(b, &y, 0);
		same = !strcmp(x.ptr, y.ptr);
	}
	wb_buf_clear(&x);
	wb_buf_clear(&y);
	return same;
}

void wb_json_put(struct wb_json *doc)
{
	struct wb_buf text = WB_BUF_INIT;

	wb_json_print(doc, &text, 2);
	puts(text.ptr);
	wb_buf_clear(&text);
	wb_json_free(doc);
}

int wb_json_parse_at(const char *text, size_t len, struct wb_json **out,
		     int *line, struct wb_error *err)
{
	const char *nul = memchr(text, '\0', len), *p;
	json_error_t why;
	json_t *v;

	/* which jansson overlooks behind a number */
	if (nul) {
		for (*line = 1, p = text; p < nul; p++)
			*line += *p == '\n';
		return wb_fail(err, WB_E_FATAL, "not JSON: a NUL byte");
	}
	v = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY,
		       &why);
	if (!v) {
		*line = why.line > 0 ? why.line : 1;
		return wb_fail(err, WB_E_FATAL, "not JSON: %s", why.text);
	}
	*out = out_of(v);
	return 0;
}

int wb_json_parse(const char *text, size_t len, struct wb_json **out,
		  struct wb_error *err)
{
	int line;

	return wb_json_parse_at(text, len, out, &line, err);
}

const char *wb_json_key(const struct wb_json *obj, const char *before)
{
	json_t *o = in(obj);
	void *at = before ? json_object_iter_at(o, before) : NULL;

	at = at ? json_object_iter_next(o, at) : json_object_iter(o);
	return at ? json_object_iter_key(at) : NULL;
}

struct wb_json *wb_json_get(const struct wb_json *obj, const char *key)
{
	return (struct wb_json *)json_object_get(in(obj), key);
}

size_t wb_json_count(const struct wb_json *arr)
{
	return json_array_size(in(arr));
}

struct wb_json *wb_json_at(const struct wb_json *arr, size_t i)
{
	return (struct wb_json *)json_array_get(in(arr), i);
}

bool wb_json_is_object(const struct wb_json *v)
{
	return json_is_object(in(v));
}

bool wb_json_is_array(const struct wb_json *v)
{
	return json_is_array(in(v));
}

bool wb_json_is_null(const struct wb_json *v)
{
	return v && json_is_null(in(v));
}

bool wb_json_get_str(const struct wb_json *v, const char **out)
{
	if (!json_is_string(in(v)))
		return false;
	*out = json_string_value(in(v));
	return true;
}

bool wb_json_get_num(const struct wb_json *v, double *out)
{
	if (!json_is_number(in(v)))
		return false;
	*out = json_number_value(in(v));
	return true;
}

bool wb_json_get_int(const struct wb_json *v, int64_t *out)
{
	if (!json_is_integer(in(v)))
		return false;
	*out = json_integer_value(in(v));
	return true;
}

bool wb_json_get_bool(const struct wb_json *v, bool *out)
{
	if (!json_is_boolean(in(v)))
		return false;
	*out = json_is_true(in(v));
	return true;
}
