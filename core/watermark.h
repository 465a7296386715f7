/*
 * May a zone serve this request without going below its reserve?
 *
 * Three marks a zone: first attempts stop at LOW, the slow path goes down to
 * MIN, and a zone counts as well off at HIGH. Below MIN lie the pages for
 * requests that may not fail: HIGH takes half of it, HARDER a quarter of the
 * rest, NO_WATERMARKS everything.
 *
 * Free pages of CMA blocks count for MOVABLE requests alone, which can have
 * them. Two further parts of the free pages do not count for everybody: pages
 * of a low zone kept from requests that could use a higher one
 * (lowmem_reserve), and whole blocks kept for HARDER requests of high order
 * (highatomic).
 */
#ifndef PA_WATERMARK_H
#define PA_WATERMARK_H

#include "mmzone.h"

/* Which mark, in the low bits, and what may be done beyond it. */
#define ALLOC_WMARK_MIN		WMARK_MIN
#define ALLOC_WMARK_LOW		WMARK_LOW
#define ALLOC_WMARK_MASK	0x03u
#define ALLOC_NO_WATERMARKS	0x04u
#define ALLOC_CMA		0x08u	/* free pages of CMA blocks count too */
#define ALLOC_HARDER		0x10u
#define ALLOC_HIGH		0x20u
#define ALLOC_CPUSET		0x40u	/* only nodes of the cpuset */
#define ALLOC_FAIR		0x80u	/* local zones in turn, by their size */

/*
 * True if the zone would keep mark pages after serving the order, and has a
 * block that can. classzone_idx is the highest zone the request could use.
 */
bool pa_zone_watermark_ok(struct zone *zone, long mark,
			  unsigned int classzone_idx, unsigned int order,
			  unsigned int alloc_flags);

/* Distributes the reserve over the zones; sets marks and lowmem reserves. */
void pa_setup_watermarks(struct pa *pa, unsigned long min_free_pages);

#endif
