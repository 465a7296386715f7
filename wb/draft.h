#ifndef WB_DRAFT_H
#define WB_DRAFT_H

#include "buf.h"
#include "config.h"
#include "error.h"

/*
 * A .wbconfig in the making: what wb init found out or was told. A field that
 * is NULL is not written. All are malloc'ed.
 */
struct wb_draft {
	char *series, *profile;
	char *build, *overlay;
	char *name;		/* of the bench */
	char *bench, *reader, *better, *unit, *judge;
};

void wb_draft_clear(struct wb_draft *d);

/* The name that a bench gets from its command: the program's, as one word. */
char *wb_draft_name(const char *command);

/* The draft as configuration, as if the user had typed it. */
int wb_draft_config(const struct wb_draft *d, struct wb_config *out,
		    struct wb_error *err);

/* The file's text: reading it gives what wb_draft_config() gives. */
void wb_draft_print(const struct wb_draft *d, struct wb_buf *out);

#endif
