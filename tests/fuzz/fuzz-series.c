/*
 * The series file. What was read must be safe to open below the folder: no
 * name leads out, none is there twice, and strip stays in its range.
 */
#include "quilt.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct wb_quilt *q)
{
	const struct wb_quilt_entry *e;
	size_t i;

	for (i = 0; i < q->n; i++) {
		e = &q->entry[i];
		if (*e->file == '/' || !*e->file || strstr(e->file, "/../") ||
		    !strncmp(e->file, "../", 3) || !strcmp(e->file, "..") ||
		    e->strip < 0 || e->strip > 9 || !e->line)
			abort();
		if (i && !strcmp(e->name, q->entry[i - 1].name))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	struct wb_quilt q;

	wb_buf_add(&text, data, size);
	if (wb_quilt_parse(&q, &text, "dir", NULL, NULL, &err) == 0)
		check(&q);
	else if (err.kind == WB_E_NONE || !*err.msg)
		abort();
	wb_quilt_clear(&q);
	wb_buf_clear(&text);
	return 0;
}
