/*
 * The flags of a pageblock: four bits, three for its migratetype and one spare,
 * packed into words, one bitmap a zone.
 *
 * Writers hold the zone's lock, but two blocks of *other* kinds of flags share
 * a word, so a write is a compare-and-exchange of the word. Readers take no
 * lock: a type read without the zone's lock may be old when it is used.
 *
 * A zone may start in the middle of a pageblock; then its first block is the
 * part that lies in the zone.
 */
#ifndef PA_PAGEBLOCK_H
#define PA_PAGEBLOCK_H

#include "mmzone.h"

#define PB_BITS			4
#define PB_MIGRATETYPE_MASK	7ul

int pa_pageblock_init(struct pa *pa, struct zone *zone);

unsigned long pa_get_pfnblock_flags_mask(struct pa *pa, const struct page *page,
					 unsigned long pfn, unsigned long mask);
void pa_set_pfnblock_flags_mask(struct pa *pa, const struct page *page,
				unsigned long pfn, unsigned long flags,
				unsigned long mask);

static inline unsigned int get_pfnblock_migratetype(struct pa *pa,
						    const struct page *page,
						    unsigned long pfn)
{
	return pa_get_pfnblock_flags_mask(pa, page, pfn, PB_MIGRATETYPE_MASK);
}

static inline unsigned int get_pageblock_migratetype(struct pa *pa,
						     const struct page *page)
{
	return get_pfnblock_migratetype(pa, page, page_to_pfn(pa, page));
}

static inline void set_pageblock_migratetype(struct pa *pa,
					     const struct page *page,
					     unsigned int migratetype)
{
	pa_set_pfnblock_flags_mask(pa, page, page_to_pfn(pa, page),
				   migratetype, PB_MIGRATETYPE_MASK);
}

static inline bool has_isolate_pageblock(const struct zone *zone)
{
	return atomic_load_explicit(&zone->nr_isolate_pageblock,
				    memory_order_relaxed);
}

static inline bool is_migrate_cma(unsigned int migratetype)
{
	return migratetype == MIGRATE_CMA;
}

static inline bool is_migrate_isolate(unsigned int migratetype)
{
	return migratetype == MIGRATE_ISOLATE;
}

#endif
