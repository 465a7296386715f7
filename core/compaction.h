/*
 * Taking free blocks out of the zone from where they are, not by size.
 *
 * Who empties a range needs pages elsewhere to move its content to. A scanner
 * walks a range and takes what is free there as single pages. A pageblock that
 * is taken as a whole, or half of it, will be filled with what was moved, so
 * it becomes MOVABLE.
 */
#ifndef PA_COMPACTION_H
#define PA_COMPACTION_H

#include "mmzone.h"

/*
 * Takes one free block off its list, and accounts; returns its pages, or 0 if
 * the zone cannot spare them. Wants zone->lock held.
 */
unsigned long pa_isolate_free_page(struct pa *pa, struct zone *zone,
				   struct page *page, unsigned int order);

/* Makes single pages in use of a block that was taken off its list. */
void pa_split_free_page(struct page *page, unsigned int order);

#endif
