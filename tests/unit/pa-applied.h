/*
 * Which patches of the stack the allocator under test has. The tests are the
 * same for every prefix, but the base has defects that later patches mend: a
 * test asks here what it may expect.
 *
 * "make check-core" puts the names into PA_APPLIED, one a line, from the head
 * of series/series; without it the allocator is the base.
 */
#ifndef PA_APPLIED_H
#define PA_APPLIED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STALE_TYPES	"mm-page_alloc-remove-pcppage-migratetype-caching"
#define MERGED_TYPES	\
	"mm-page_alloc-fix-up-block-types-when-merging-compatible-blocks"
#define TAKEN_HALVES	\
	"mm-page_alloc-move-free-pages-when-converting-block-during-isolation"
#define ODD_ZONES	"mm-page_alloc-fix-move_freepages_block-range-error"
#define CONVERSION	\
	"mm-page_alloc-fix-freelist-movement-during-block-conversion"
#define FREE_RACE	\
	"mm-page_alloc-close-migratetype-race-between-freeing-and-stealing"
#define ACCOUNTING	"mm-page_alloc-consolidate-free-page-accounting"
#define LONE_ZONES	\
	"mm-page_alloc-take-turns-only-where-there-are-several-zones"

static inline bool patch_applied(const char *name)
{
	const char *at = getenv("PA_APPLIED");
	size_t n = strlen(name);

	while (at && (at = strstr(at, name))) {
		if (!strncmp(at + n, ".patch", 6))
			return true;
		at += n;
	}
	return false;
}

/*
 * A line of TAP for a test of what a patch mends. Before the patch the test
 * must fail, which is a TODO; if it passes there, it shows nothing.
 */
static inline bool tap_fix(int number, const char *what, bool sound,
			   const char *patch)
{
	bool applied = patch_applied(patch);

	if (applied || !sound)
		printf("%sok %d - %s%s%s\n", sound ? "" : "not ", number, what,
		       applied ? "" : " # TODO ", applied ? "" : patch);
	else
		printf("not ok %d - %s: shows nothing before %s\n", number,
		       what, patch);
	return sound == applied;
}

#endif
