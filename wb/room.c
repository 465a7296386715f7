#include "room.h"
#include "proc.h"

#include <fts.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* So many limits gone, and nothing to be seen: it is held open, unlinked. */
#define HIDDEN 2

static uint64_t free_space(const char *dir)
{
	struct statvfs s;

	return statvfs(dir, &s) < 0 ? 0 : (uint64_t)s.f_bavail * s.f_frsize;
}

/* Stops adding beyond the limit. What goes away meanwhile is left out. */
static uint64_t size_of(const char *dir, uint64_t limit)
{
	FTS *walk = fts_open((char *const[]){ (char *)dir, NULL },
			     FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	uint64_t sum = 0;
	FTSENT *e;

	while (walk && sum <= limit && (e = fts_read(walk)))
		if (e->fts_info == FTS_F || e->fts_info == FTS_DEFAULT ||
		    e->fts_info == FTS_D)
			sum += 512 * (uint64_t)e->fts_statp->st_blocks;
	if (walk)
		fts_close(walk);
	return sum;
}

bool wb_room_full(struct wb_room *r, const char *dir, uint64_t limit)
{
	double now = wb_proc_now();
	uint64_t left;

	if (!limit || now < r->next)
		return false;
	left = free_space(dir);
	if (!r->next)
		r->free = r->first = left;
	r->next = now + WB_ROOM_PERIOD;
	if (left > r->free)
		r->free = left;
	if (r->free - left < limit / 8)
		return false;
	r->free = left;
	if (size_of(dir, limit) > limit)
		return true;
	return left < r->first && (r->first - left) / HIDDEN > limit;
}
