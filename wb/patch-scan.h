#ifndef WB_PATCH_SCAN_H
#define WB_PATCH_SCAN_H

#include "patch.h"

/*
 * What the files patch*.c share: a cursor over the lines of the text. cur is
 * the line at hand without its newline and, if strip_cr, without a final CR.
 */
struct wb_scan {
	const char *next, *end;
	struct wb_line cur;
	size_t line;		/* number of cur, from 1 */
	bool strip_cr;
	const char *name;
	const struct wb_patch_rules *rules;
};

bool wb_scan_next(struct wb_scan *r);
/* True when cur begins with the words; *rest is what follows. */
bool wb_scan_at(const struct wb_scan *r, const char *words,
		const char **rest);
/* The line after cur begins with the words. */
bool wb_scan_sees(const struct wb_scan *r, const char *words);
int wb_scan_fail(const struct wb_scan *r, struct wb_error *err,
		 const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* patch-hunk.c: the hunks at cur; cur is then the line behind them. */
int wb_patch_hunks(struct wb_patch *p, struct wb_scan *r,
		   struct wb_section *s, bool *more, struct wb_error *err);
bool wb_patch_is_hunk(const struct wb_scan *r);

/* patch-git.c: the section whose "diff --git" line is cur; likewise. */
int wb_patch_git(struct wb_patch *p, struct wb_scan *r,
		 struct wb_section *s, bool *more, struct wb_error *err);

#endif
