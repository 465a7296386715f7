/*
 * The reserve for requests of high order that cannot wait.
 *
 * When such a request succeeded, its pageblock is set aside: its free pages
 * serve only PA_GFP_HARDER requests from then on. At most one percent of a
 * zone and one block is kept, and the slow path gives it up when little else
 * helps.
 */
#ifndef PA_HIGHATOMIC_H
#define PA_HIGHATOMIC_H

#include "alloc.h"

void pa_reserve_highatomic(struct pa *pa, struct zone *zone,
			   struct page *page);

/* Turns one reserved pageblock into one of the request's type. */
bool pa_unreserve_highatomic(const struct alloc_context *ac);

#endif
