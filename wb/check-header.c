#include "check.h"
#include "lint.h"

void wb_check_headers(struct wb_check *c)
{
	struct wb_lint l = { .n = 0 };
	bool signs = false;
	size_t k, i;

	for (k = 0; k < c->edit.n; k++)
		signs |= wb_lint_signs_off(&c->edit.patch[k].parts.head);
	for (k = 0; k < c->edit.n; k++) {
		wb_lint_head(&l, &c->edit.patch[k].parts.head,
			     c->edit.patch[k].name, signs);
		for (i = 0; i < l.n; i++)
			wb_check_add(c, WB_CHECK_HEADER, k + 1, "%s", l.v[i]);
		wb_lint_clear(&l);
	}
	c->looked[WB_CHECK_HEADER] = c->edit.n;
}
