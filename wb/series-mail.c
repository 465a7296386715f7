#include "mbox-series.h"
#include "mbox.h"
#include "series-load.h"

#include <stdlib.h>

static void load_letter(struct wb_loading *l, const struct wb_mbox_patch *p)
{
	struct wb_error why = WB_ERROR_INIT;
	struct wb_prefix *pre;
	char *reason;

	wb_load_patch(l, &(struct wb_load_patch){
		.name = p->name, .shown = p->shown, .text = p->text.ptr,
		.len = p->text.len, .line = p->line, .strip = 1,
	}, &why);
	pre = &l->stack->prefix[l->stack->n - 1];
	if (!pre->applies && p->flowed && l->stopped == l->stack->n - 1) {
		reason = wb_xasprintf("%s; the mail is format=flowed, which "
				      "breaks patches: ask for it as an "
				      "attachment", pre->why);
		free(pre->why);
		pre->why = reason;
	}
}

int wb_load_mbox(struct wb_loading *l, struct wb_error *err)
{
	const char *path = l->o->from.mbox;
	struct wb_mbox_series letters = { .n = 0 };
	struct wb_mbox box;
	struct wb_oid base;
	size_t i;
	int ret = -1;

	if (wb_mbox_read(&box, path, err) < 0 ||
	    wb_mbox_series_make(&letters, &box, path, err) < 0 ||
	    wb_load_base(l, &base, err) < 0)
		goto out;
	wb_load_start(l, &base);
	for (i = 0; i < letters.n; i++)
		load_letter(l, &letters.patch[i]);
	ret = 0;
out:
	wb_mbox_series_clear(&letters);
	wb_mbox_clear(&box);
	return ret;
}
