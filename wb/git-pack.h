#ifndef WB_GIT_PACK_H
#define WB_GIT_PACK_H

#include "git-object.h"

#include <stddef.h>

/*
 * Objects of the memory (git-memory.h) as a pack and its index, on the disk.
 *
 * Made for speed: content is stored as it is, and deltas are those that the
 * memory has anyway. git gc packs it again and takes its time. A pack is seen
 * by git when its index is there, which is put in place last; what is left
 * of a killed wb is named tmp_*, and git gc takes it away.
 */
struct wb_git_packed {
	unsigned char raw[WB_GIT_RAW];
};

/* dir: a folder for packs. No object twice. */
int wb_git_pack_write(struct wb_git *g, const struct wb_git_packed *object,
		      size_t n, const char *dir, struct wb_error *err);

#endif
