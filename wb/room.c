#include "room.h"
#include "proc.h"

#include <fts.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* So many limits gone, and nothing to be seen: it is held open, unlinked. */
#define HIDDEN 2

/* Bytes and files that the file system still takes. */
static void look(const char *dir, uint64_t *space, uint64_t *files)
{
	struct statvfs s;

	*space = *files = 0;
	if (statvfs(dir, &s) < 0)
		return;
	*space = (uint64_t)s.f_bavail * s.f_frsize;
	*files = s.f_favail;
}

/* Stops adding beyond the limit. What goes away meanwhile is left out. */
static uint64_t size_of(const char *dir, uint64_t limit)
{
	FTS *walk = fts_open((char *const[]){ (char *)dir, NULL },
			     FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	uint64_t sum = 0, size;
	FTSENT *e;

	while (walk && sum <= limit && (e = fts_read(walk))) {
		if (e->fts_info != FTS_F && e->fts_info != FTS_DEFAULT &&
		    e->fts_info != FTS_D && e->fts_info != FTS_SL &&
		    e->fts_info != FTS_SLNONE)
			continue;
		size = 512 * (uint64_t)e->fts_statp->st_blocks;
		sum += size > WB_ROOM_FILE_LEAST ? size : WB_ROOM_FILE_LEAST;
	}
	if (walk)
		fts_close(walk);
	return sum;
}

static bool shrank(uint64_t *most, uint64_t now, uint64_t by)
{
	if (now > *most)
		*most = now;
	if (*most - now < by)
		return false;
	*most = now;
	return true;
}

bool wb_room_full(struct wb_room *r, const char *dir, uint64_t limit)
{
	double now = wb_proc_now();
	uint64_t left, files;
	bool space, names;

	if (!limit || now < r->next)
		return false;
	look(dir, &left, &files);
	if (!r->next) {
		r->free = r->first = left;
		r->files = files;
	}
	r->next = now + WB_ROOM_PERIOD;
	space = shrank(&r->free, left, limit / 8);
	names = shrank(&r->files, files, limit / 8 / WB_ROOM_FILE_LEAST + 1);
	if (!space && !names)
		return false;
	if (size_of(dir, limit) > limit)
		return true;
	return left < r->first && (r->first - left) / HIDDEN > limit;
}
