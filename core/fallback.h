/*
 * What happens when a migratetype has no free block left in a zone.
 *
 * The largest free block of another type is taken, since one large intrusion
 * leaves fewer blocks mixed than many small ones. If the request will pollute
 * much of the pageblock anyway, or half of it is free, the pageblock changes
 * its type to that of the request.
 *
 * All calls want zone->lock held.
 */
#ifndef PA_FALLBACK_H
#define PA_FALLBACK_H

#include "mmzone.h"

/* True if a block now is on the lists of migratetype, so that it may retry. */
bool pa_rmqueue_fallback(struct pa *pa, struct zone *zone, unsigned int order,
			 unsigned int migratetype);

/*
 * Moves the free blocks of page's pageblock to the lists of migratetype;
 * returns their pages. The type of the pageblock is the caller's business.
 */
unsigned long pa_move_freepages_block(struct pa *pa, struct zone *zone,
				      struct page *page,
				      unsigned int migratetype);

#endif
