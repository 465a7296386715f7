#ifndef WB_PAGER_H
#define WB_PAGER_H

#include "config.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The one way out for a command's result: all of it at once to stdout, or
 * through a pager when stdout is a terminal and paging is allowed. The pager
 * is pager.wb, GIT_PAGER, core.pager, PAGER or less, in this order, as git
 * chooses; "cat" and "" mean none. LESS is FRX unless it is set, so that what
 * fits the screen is just printed.
 *
 * A reader that goes away early is no error; a disk that is full is.
 */
int wb_pager_print(const struct wb_config *c, bool page, const char *text,
		   size_t len, struct wb_error *err);

/* Columns of a line: COLUMNS, what the terminal on stdout has, or 80. */
int wb_terminal_width(void);

#endif
