#ifndef WB_JSON_H
#define WB_JSON_H

#include "buf.h"
#include "error.h"

#include <stdint.h>

/*
 * JSON documents, made and read through jansson, whose header stays in
 * json.c.
 *
 * A container owns what is put into it: wb_json_set() and wb_json_append()
 * take the value over, also when it is NULL, which stands for JSON null.
 * Values that wb_json_get() and wb_json_at() give are borrowed. Text must be
 * UTF-8; bytes that are not are written as U+FFFD, for names in a repository
 * may be anything.
 */
struct wb_json;

struct wb_json *wb_json_object(void);
struct wb_json *wb_json_array(void);
struct wb_json *wb_json_str(const char *s);	/* NULL gives null */
struct wb_json *wb_json_int(int64_t v);
struct wb_json *wb_json_num(double v);		/* NaN and inf give null */
struct wb_json *wb_json_bool(bool v);
struct wb_json *wb_json_null(void);
void wb_json_set(struct wb_json *obj, const char *key, struct wb_json *v);
void wb_json_append(struct wb_json *arr, struct wb_json *v);
void wb_json_free(struct wb_json *v);
struct wb_json *wb_json_copy(const struct wb_json *v);	/* NULL of NULL */
/* Whether they are printed alike; NULL is like NULL only. */
bool wb_json_same(const struct wb_json *a, const struct wb_json *b);

/*
 * Adds the document as text, keys in the order they were set, without a final
 * newline. indent 0 gives one line; doubles are printed with 17 digits.
 */
void wb_json_print(const struct wb_json *v, struct wb_buf *out, int indent);

/* The document on stdout, indented, with a final newline; frees it. */
void wb_json_put(struct wb_json *doc);

/*
 * Reads one document that fills text. Refuses duplicate keys, trailing text,
 * nesting that jansson refuses, and numbers that do not fit a double.
 */
int wb_json_parse(const char *text, size_t len, struct wb_json **out,
		  struct wb_error *err);

/* The same, saying the line of the text that was wrong. */
int wb_json_parse_at(const char *text, size_t len, struct wb_json **out,
		     int *line, struct wb_error *err);

/* The key behind `before`, the first for NULL; NULL at the end. Borrowed. */
const char *wb_json_key(const struct wb_json *obj, const char *before);

struct wb_json *wb_json_get(const struct wb_json *obj, const char *key);
size_t wb_json_count(const struct wb_json *arr);	/* 0 if not an array */
struct wb_json *wb_json_at(const struct wb_json *arr, size_t i);
/* False when v is NULL or of another type; *out is then as it was. */
bool wb_json_is_object(const struct wb_json *v);
bool wb_json_is_array(const struct wb_json *v);
bool wb_json_is_null(const struct wb_json *v);	/* NULL is not null */
bool wb_json_get_str(const struct wb_json *v, const char **out);
bool wb_json_get_num(const struct wb_json *v, double *out);
bool wb_json_get_int(const struct wb_json *v, int64_t *out);
bool wb_json_get_bool(const struct wb_json *v, bool *out);

#endif
