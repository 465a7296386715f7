#include "sample-axes.h"
#include "names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int add_value(struct wb_buf *out, const struct wb_json *v,
		     const char *key, struct wb_error *err)
{
	const char *s;
	double d;

	if (wb_json_get_str(v, &s))
		wb_buf_addstr(out, s);
	else if (wb_json_get_num(v, &d))
		wb_buf_addf(out, "%.15g", d);
	else
		return wb_fail(err, WB_E_FATAL, "axis '%.80s' is neither a "
			       "string nor a number", key);
	return 0;
}

int wb_axes_read(struct wb_axes *a, const struct wb_json *v,
		 struct wb_error *err)
{
	struct wb_buf names = WB_BUF_INIT, values = WB_BUF_INIT;
	const char *key;
	int ret = 0;

	*a = (struct wb_axes){ NULL, NULL };
	if (!v || wb_json_is_null(v))
		return 0;
	if (!wb_json_is_object(v))
		return wb_fail(err, WB_E_FATAL, "\"axes\" is not an object");
	for (key = wb_json_key(v, NULL); key && !ret;
	     key = wb_json_key(v, key)) {
		wb_buf_addf(&names, "%s%s", names.len ? "/" : "", key);
		if (names.len > strlen(key))
			wb_buf_addch(&values, '/');
		ret = add_value(&values, wb_json_get(v, key), key, err);
	}
	if (!ret && names.len) {
		a->names = wb_buf_detach(&names);
		a->values = wb_buf_detach(&values);
	}
	wb_buf_clear(&names);
	wb_buf_clear(&values);
	return ret;
}

void wb_axes_clear(struct wb_axes *a)
{
	free(a->names);
	free(a->values);
	*a = (struct wb_axes){ NULL, NULL };
}

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

void wb_axes_part(const struct wb_axes_user *u, size_t n)
{
	const char **first = wb_xcalloc(n, sizeof(*first));
	bool *several = wb_xcalloc(n, sizeof(*several));
	struct wb_names benches = { .n = 0 };
	size_t *bench = wb_xcalloc(n, sizeof(*bench)), i, known;
	char *name;

	for (i = 0; i < n; i++) {
		known = benches.n;
		bench[i] = wb_names_add(&benches, *u[i].bench);
		if (bench[i] == known)
			first[known] = u[i].values;
		several[bench[i]] |= !same(first[bench[i]], u[i].values);
	}
	for (i = 0; i < n; i++) {
		if (!several[bench[i]])
			continue;
		name = wb_xasprintf("%s%s%s", *u[i].bench,
				    **u[i].bench ? " " : "",
				    u[i].values ? u[i].values : "-");
		free(*u[i].bench);
		*u[i].bench = name;
	}
	wb_names_clear(&benches);
	free(bench);
	free(first);
	free(several);
}
