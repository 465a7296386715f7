#ifndef WB_QUILT_H
#define WB_QUILT_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A quilt folder: the file `series`, which names patches in their order, and
 * the patch files. Nothing in it can name a file outside the folder, and of
 * the options that quilt would hand to patch only -pN and -R are taken.
 */
struct wb_quilt_entry {
	char *file;		/* as the series file has it */
	char *name;		/* file without a final ".patch" */
	int strip;
	bool reverse;
	size_t line;		/* of the series file */
};

struct wb_quilt {
	char *dir, *shown;	/* the folder; how messages name it */
	char *list;		/* how messages name its series file */
	const char *list_file;	/* its name in the folder; in .list */
	struct wb_quilt_entry *entry;
	size_t n, cap;
};

/*
 * shown NULL: dir; series NULL: "series". Reasons begin with
 * "SHOWN/SERIES:LINE: ".
 */
int wb_quilt_read(struct wb_quilt *q, const char *dir, const char *shown,
		  const char *series, struct wb_error *err);

/* The same for the text of a series file that is at hand. */
int wb_quilt_parse(struct wb_quilt *q, const struct wb_buf *text,
		   const char *dir, const char *shown, const char *series,
		   struct wb_error *err);
void wb_quilt_clear(struct wb_quilt *q);

/* The text of a patch, inflated when its name says that it is compressed. */
int wb_quilt_patch(const struct wb_quilt *q, const struct wb_quilt_entry *e,
		   struct wb_buf *out, struct wb_error *err);

#endif
