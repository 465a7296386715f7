#ifndef WB_PATCH_NAME_H
#define WB_PATCH_NAME_H

#include "buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * File names as they stand in patches: behind "--- ", perhaps quoted as C
 * does, perhaps followed by a time.
 */
struct wb_name_form {
	bool git;		/* a blank may be part of the name */
	int strip;		/* leading folders to take off */
};

struct wb_name {
	char *path;		/* NULL: no name, too few folders, /dev/null */
	bool null;		/* it was /dev/null */
	bool epoch;		/* the time is the first second of 1970 */
};

/* Reads the name at s, which is len bytes to the end of the line. */
void wb_name_read(struct wb_name *out, const char *s, size_t len,
		  const struct wb_name_form *form);

/*
 * The name that both words of "diff --git A B" give once stripped; NULL when
 * they differ.
 */
char *wb_name_pair(const char *s, size_t len, int strip);

/*
 * Takes "." and doubled '/' out of path, in place; false when it is none that
 * a patch may touch: empty, absolute, with "..", or inside .git.
 */
bool wb_name_tidy(char *path);

#endif
