/*
 * Guard blocks: memory beside an allocated block that nobody may touch.
 *
 * With guard_order set, the halves that are left over when a free block is
 * split, and that are smaller than 2^guard_order pages, do not go to a free
 * list: their pages are made unreadable until the block beside them comes back
 * and merges with them. A stray access beyond a block then faults at once. This
 * is for hunting such accesses in small arenas: it wastes up to half of the
 * memory and costs a system call a split.
 */
#ifndef PA_GUARD_H
#define PA_GUARD_H

#include "mmzone.h"

/* Both want zone->lock held; the caller accounts. */
cold void pa_set_guard(struct pa *pa, struct page *page, unsigned int order);
cold void pa_clear_guard(struct pa *pa, struct page *page, unsigned int order);

#endif
