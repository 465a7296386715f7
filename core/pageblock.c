/*
 * Reading and writing the packed flags of pageblocks.
 */
#include <errno.h>

#include "arena.h"
#include "pageblock.h"

#define BITS_PER_WORD	(8 * sizeof(unsigned long))

static unsigned long pfn_to_bitidx(const struct pa *pa,
				   const struct zone *zone, unsigned long pfn)
{
	return ((pfn - zone->pageblock_pfn) >> pa->pageblock_order) * PB_BITS;
}

/*
 * All blocks but those of CMA begin as MOVABLE: the others claim what they
 * need.
 */
int pa_pageblock_init(struct pa *pa, struct zone *zone)
{
	unsigned long bits, words, all = 0;

	zone->pageblock_pfn = zone->zone_start_pfn & ~(pageblock_pages(pa) - 1);
	bits = pfn_to_bitidx(pa, zone, zone_end_pfn(zone) - 1) + PB_BITS;
	words = (bits + BITS_PER_WORD - 1) / BITS_PER_WORD;
	zone->pageblock_flags = pa_arena_meta(words * sizeof(unsigned long),
					      pa->config.shared);
	if (!zone->pageblock_flags)
		return -ENOMEM;
	for (unsigned int i = 0; i < BITS_PER_WORD; i += PB_BITS)
		all |= (unsigned long)MIGRATE_MOVABLE << i;
	for (unsigned long i = 0; i < words; i++)
		zone->pageblock_flags[i] = all;
	for (unsigned long i = 0; i < zone->cma_pages; i += pageblock_pages(pa))
		set_pageblock_migratetype(pa, pfn_to_page(pa,
						zone->cma_start_pfn + i),
					  MIGRATE_CMA);
	return 0;
}

unsigned long pa_get_pfnblock_flags_mask(struct pa *pa, const struct page *page,
					 unsigned long pfn, unsigned long mask)
{
	struct zone *zone = page_zone(pa, page);
	unsigned long bitidx = pfn_to_bitidx(pa, zone, pfn);
	unsigned long *word = &zone->pageblock_flags[bitidx / BITS_PER_WORD];

	count_event(pa, PA_STAT_PAGEBLOCK_LOOKUP);
	return (__atomic_load_n(word, __ATOMIC_RELAXED) >>
		(bitidx % BITS_PER_WORD)) & mask;
}

void pa_set_pfnblock_flags_mask(struct pa *pa, const struct page *page,
				unsigned long pfn, unsigned long flags,
				unsigned long mask)
{
	struct zone *zone = page_zone(pa, page);
	unsigned long bitidx = pfn_to_bitidx(pa, zone, pfn);
	unsigned long *word = &zone->pageblock_flags[bitidx / BITS_PER_WORD];
	unsigned long old = __atomic_load_n(word, __ATOMIC_RELAXED);
	unsigned long new;

	mask <<= bitidx % BITS_PER_WORD;
	flags <<= bitidx % BITS_PER_WORD;
	do {
		new = (old & ~mask) | flags;
	} while (!__atomic_compare_exchange_n(word, &old, new, true,
					      __ATOMIC_RELAXED,
					      __ATOMIC_RELAXED));
}
