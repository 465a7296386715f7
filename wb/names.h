#ifndef WB_NAMES_H
#define WB_NAMES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Strings and their numbers, 0, 1, 2, ... in the order they were added. A look
 * at the answer before comes before the hash: most lines of a file say what
 * the line before says. Names stay where they are until the end.
 */
struct wb_names {
	char **name;
	size_t n, cap;
	uint32_t *slot;		/* number + 1, 0: free; power of two of them */
	size_t nslots;
	size_t last;		/* the answer before */
};

/* The number of the name; it is added when it is not there. */
size_t wb_names_add(struct wb_names *t, const char *name);
void wb_names_clear(struct wb_names *t);	/* zeroes are an empty one */

#endif
