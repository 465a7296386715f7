#ifndef WB_EXPORT_H
#define WB_EXPORT_H

#include "db.h"
#include "error.h"
#include "plan.h"

#include <stdio.h>

/*
 * Runs as sample lines, to be carried to other people and machines.
 *
 * A line is a sample with all that is known of its run; a run without samples
 * is a line with "failed" instead of "metric" and "value". One run's lines
 * stand together, once for each prefix of its build. The first line is a
 * header. The same stack and the same store give the same bytes, and so does
 * a store that was filled from them: nothing in them is of the file system,
 * and no row number of a store is.
 */

/* The runs of a plan on a machine; *runs of them. None is WB_E_JUDGE. */
int wb_export(struct wb_db *db, const struct wb_plan *p, const char *machine,
	      const char *facts, struct wb_buf *out, size_t *runs,
	      struct wb_error *err);

struct wb_import {
	size_t runs, added;	/* in the file, and new here */
};

/*
 * All runs of such a text, or none of them: one transaction. What is there
 * already is left as it is, so that a second time adds nothing, and the order
 * of files and lines does not matter. Errors name path and line.
 */
int wb_import(struct wb_db *db, const char *path, FILE *in,
	      struct wb_import *done, struct wb_error *err);

#endif
