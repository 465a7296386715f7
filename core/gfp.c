/*
 * What the flags of a request say about zone and migratetype, by table.
 */
#include "alloc.h"

#define HM	(PA_GFP_HIGHMEM | PA_GFP_MOVABLE)

#define ZONE_OF(gfp) [gfp] =						\
	(gfp) & PA_GFP_DMA ? ZONE_DMA :					\
	((gfp) & HM) == HM ? ZONE_MOVABLE : ZONE_NORMAL

#define TYPE_OF(gfp) [gfp] =						\
	((gfp) & PA_GFP_MOVABLE) && !((gfp) & PA_GFP_RECLAIMABLE) ?	\
		MIGRATE_MOVABLE :					\
	((gfp) & PA_GFP_RECLAIMABLE) && !((gfp) & PA_GFP_MOVABLE) ?	\
		MIGRATE_RECLAIMABLE : MIGRATE_UNMOVABLE

#define FOUR(f, n)	f(n), f((n) + 1), f((n) + 2), f((n) + 3)
#define ALL(f)		FOUR(f, 0), FOUR(f, 4), FOUR(f, 8), FOUR(f, 12), \
			FOUR(f, 16), FOUR(f, 20), FOUR(f, 24)

const unsigned char pa_gfp_zone[GFP_PLACE_MASK + 1] = { ALL(ZONE_OF) };
const unsigned char pa_gfp_migratetype[GFP_PLACE_MASK + 1] = { ALL(TYPE_OF) };
