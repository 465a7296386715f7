#ifndef WB_CHECK_H
#define WB_CHECK_H

#include "config.h"
#include "edit.h"
#include "expect.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * What a stack must hold to be sent, or to be built upon. Each check looks at
 * each patch; what it finds is one line.
 */
enum wb_check_kind {
	WB_CHECK_APPLIES,	/* exactly: no offset, no fuzz */
	WB_CHECK_FIXED,		/* refresh would not change a byte */
	WB_CHECK_HEADER,	/* who, why, trailers, lengths */
	WB_CHECK_DEPENDS,	/* applies on what it says it needs, alone */
	WB_CHECK_BUILD,
	WB_CHECK_TEST,		/* passes, but for what "expect" names */
	WB_CHECK_EXPECT,	/* what "expect" says of it is true */
	WB_CHECKS,
};

struct wb_finding {
	enum wb_check_kind kind;
	size_t index;		/* of the prefix, 0 is the base */
	char *text;
};

struct wb_check {
	struct wb_edit edit;
	struct wb_expect expect;
	size_t looked[WB_CHECKS];	/* how many patches; 0: not done */
	struct wb_finding *finding;
	size_t n, cap;
	const char *skipped[WB_CHECKS];	/* why it was not done, or NULL */
};

const char *wb_check_word(enum wb_check_kind kind);

/* Loads the stack and does the first four. */
int wb_check_make(struct wb_check *c, struct wb_git *g,
		  const struct wb_stack_options *o, struct wb_error *err);
void wb_check_clear(struct wb_check *c);

void wb_check_add(struct wb_check *c, enum wb_check_kind kind, size_t index,
		  const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* The words in front of each diff. (check-header.c) */
void wb_check_headers(struct wb_check *c);

/* Builds each prefix, tests it, holds "expect" against it. (check-run.c) */
int wb_check_run(struct wb_check *c, struct wb_git *g,
		 const struct wb_config *config, const struct wb_source *from,
		 bool build, bool test, bool quiet, struct wb_error *err);

#endif
