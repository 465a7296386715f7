/*
 * Changing the migratetype of a pageblock together with its free pages.
 */
#ifndef PA_RETYPE_H
#define PA_RETYPE_H

#include "mmzone.h"

/*
 * Gives the pageblock of page another type, moves its free pages to the lists
 * of that type, and counts them in or out if it is to or from isolation.
 *
 * A free block may be larger than a pageblock and reach into others, which
 * keep their type: it is split first. Afterwards a pageblock that is free as a
 * whole merges with its new equals. Wants zone->lock held.
 */
void pa_retype_block(struct pa *pa, struct zone *zone, struct page *page,
		     unsigned int migratetype);

#endif
