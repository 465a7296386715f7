#ifndef WB_ROOM_H
#define WB_ROOM_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a folder has grown past its limit, asked again and again while
 * something writes there.
 *
 * A folder has no quota that everybody could set, and adding up its files
 * costs time. So the free space of its file system is looked at first, once a
 * period, and files are added up only after it has shrunk by another
 * eighth of the limit.
 *
 * A file takes WB_ROOM_FILE_LEAST at least, also an empty one, for a file
 * system has only so many names; those that are free are looked at like its
 * space.
 *
 * A file that is open and has no name any more is in no folder. So it is also
 * too much when twice the limit has gone since the first look, wherever to.
 */
#define WB_ROOM_PERIOD 0.25	/* seconds */
#define WB_ROOM_FILE_LEAST 4096	/* bytes */

struct wb_room {		/* starts as zeroes */
	double next;		/* when to look again; monotonic seconds */
	uint64_t free;		/* at the last adding up */
	uint64_t first;		/* at the first look */
	uint64_t files;		/* as free, of names: so many more can be */
};

bool wb_room_full(struct wb_room *r, const char *dir, uint64_t limit);

#endif
