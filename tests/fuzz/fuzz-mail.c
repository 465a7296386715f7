/*
 * A mailbox: taken apart, each message read, its patches put in order, and
 * the words of each found. A name must be one that a file could have.
 */
#include "mbox-series.h"
#include "mbox.h"
#include "message.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct wb_mbox_patch *p)
{
	struct wb_message m;

	if (!*p->name || strchr(p->name, '/') || strstr(p->name, "..") ||
	    strlen(p->name) > 57)
		abort();
	wb_message_of_patch(&m, p->text.ptr, p->text.len);
	if (!m.subject)
		abort();
	wb_message_clear(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wb_mbox_series s = { .n = 0 };
	struct wb_error err = WB_ERROR_INIT;
	struct wb_buf text = WB_BUF_INIT;
	struct wb_mbox box = { .n = 0 };
	struct wb_message m;
	size_t i;

	wb_buf_add(&text, data, size);
	wb_message_of_commit(&m, text.ptr);
	wb_message_clear(&m);
	if (wb_mbox_add(&box, "box", &text, false, &err) == 0 &&
	    wb_mbox_series_make(&s, &box, "box", &err) == 0) {
		for (i = 0; i < s.n; i++)
			check(&s.patch[i]);
	} else if (err.kind == WB_E_NONE || !*err.msg) {
		abort();
	}
	wb_mbox_series_clear(&s);
	wb_mbox_clear(&box);
	wb_buf_clear(&text);
	return 0;
}
