#ifndef WB_FORMAT_GRID_H
#define WB_FORMAT_GRID_H

#include "format-parts.h"

/*
 * A table of text that is split to fit a width. Not for use outside of
 * format*.c.
 *
 * Rows have a number and, if there is room, a label; groups are columns whose
 * cells have up to three parts ("-1.9%", "[-2.4,-1.4]", "faster") that line up
 * below each other; the first stands right, unless the group is of prose. As
 * many groups as fit stand side by side; the next ones follow in another table
 * below, with numbers and labels repeated. All text is safe for its format
 * already (wb_grid_text).
 */
#define WB_GRID_PARTS 3

struct wb_grid_cell {
	char *part[WB_GRID_PARTS];	/* NULL: empty */
	enum wb_verdict verdict;	/* colours the last part */
};

struct wb_grid_group {
	char *title;
	size_t nparts;
	bool prose;
	bool joined;		/* never apart from the group before */
	size_t width[WB_GRID_PARTS], total;	/* set when printed */
};

struct wb_grid {
	const struct wb_format_options *o;
	size_t nrows, ngroups;
	const char *head;	/* of the numbers; NULL: k, in markdown # */
	char **number, **label;		/* by row; no label at all: all NULL */
	struct wb_grid_group *group;
	struct wb_grid_cell *cell;	/* [group][row] */
};

void wb_grid_init(struct wb_grid *g, const struct wb_format_options *o,
		  size_t nrows, size_t ngroups);
void wb_grid_clear(struct wb_grid *g);
struct wb_grid_cell *wb_grid_cell(const struct wb_grid *g, size_t group,
				  size_t row);
/* Whether labels of that width fit beside all groups; cells are filled. */
bool wb_grid_has_room(struct wb_grid *g, size_t label);
void wb_grid_print(struct wb_grid *g, struct wb_buf *out);

/* Columns that the format may fill: 72 plain and markdown, or the terminal. */
size_t wb_grid_width(const struct wb_format_options *o);

/*
 * A name or a sentence, made safe for the format and cut to width; malloc'ed.
 * In a mail a name is one word.
 */
char *wb_grid_text(const struct wb_format_options *o, const char *s,
		   size_t width);
char *wb_grid_sentence(const struct wb_format_options *o, const char *s,
		       size_t width);

/* Places that are left of a line beside numbers and labels. */
size_t wb_grid_room(const struct wb_grid *g);

/* A line of text that is safe already, so that it starts no mail's part. */
void wb_grid_line(const struct wb_format_options *o, const char *safe,
		  struct wb_buf *out);

/* A paragraph of prose, wrapped; in markdown an item of a list. */
void wb_grid_prose(const struct wb_format_options *o, const char *s,
		   struct wb_buf *out);

#endif
