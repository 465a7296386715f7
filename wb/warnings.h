#ifndef WB_WARNINGS_H
#define WB_WARNINGS_H

#include <stddef.h>

/*
 * The warnings in what a build printed, in the form that gcc, clang and those
 * who imitate them use:
 *
 *	FILE:LINE[:COLUMN]: warning: TEXT
 *
 * Pure. One warning is the same as another when file and text are: lines move
 * with every patch, and builds print in any order.
 */
struct wb_warning {
	char *file, *text;
	size_t line;
};

struct wb_warnings {
	struct wb_warning *v;	/* by file and text */
	size_t n, cap;
};

/* root: the folder that names are shown from, "/" behind it; may be NULL. */
void wb_warnings_read(struct wb_warnings *w, const char *log, const char *root);
void wb_warnings_clear(struct wb_warnings *w);

/* Those of now that old has fewer of; now is left without them. */
void wb_warnings_fresh(struct wb_warnings *now, const struct wb_warnings *old,
		       struct wb_warnings *fresh);

#endif
