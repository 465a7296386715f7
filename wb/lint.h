#ifndef WB_LINT_H
#define WB_LINT_H

#include "buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether the words in front of a diff are fit for a list: a subject that
 * names an area, an author, a date, a text that says why, lines that a mail
 * can carry, trailers that say something.
 */
struct wb_lint {
	char **v;		/* what was found, a line each */
	size_t n, cap;
};

/*
 * head: as patch-file.h has it. name: of the patch file; NULL: it has none,
 * being a commit. signs_off: the project signs off, so this has to as well.
 */
void wb_lint_head(struct wb_lint *l, const struct wb_buf *head,
		  const char *name, bool signs_off);
void wb_lint_clear(struct wb_lint *l);

/* One patch that signs off says that the project does. */
bool wb_lint_signs_off(const struct wb_buf *head);

#endif
