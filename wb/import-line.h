#ifndef WB_IMPORT_LINE_H
#define WB_IMPORT_LINE_H

#include "db.h"
#include "error.h"
#include "sample.h"

/*
 * What a line of wb export says of its run, checked; for import.c. Every error
 * is of the line alone and names no place.
 */

/*
 * All of a run but its samples, why it failed, and what headers say, which may
 * stand below. Strings live as long as s.
 */
int wb_import_record(const struct wb_sample *s, struct wb_db_record *r,
		     struct wb_error *err);

/* The sample of a line that has a value; its strings are those of s, its passes
   are malloc'ed. */
int wb_import_sample(const struct wb_sample *s, struct wb_db_sample *out,
		     struct wb_error *err);

/* Whether the line is of an event; its count, as it was read. */
bool wb_import_is_counter(const struct wb_sample *s);
int wb_import_counter(const struct wb_sample *s, struct wb_db_counter *out,
		      struct wb_error *err);

/* A build of a header's "broken". */
struct wb_import_broken {
	const char *build, *tree, *reason;
};
int wb_import_broken(const struct wb_json *o, struct wb_import_broken *out,
		     struct wb_error *err);

#endif
