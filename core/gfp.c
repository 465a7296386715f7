/*
 * What the flags of a request say about zone and migratetype, by table.
 */
#include "alloc.h"

#define HM	(PA_GFP_HIGHMEM | PA_GFP_MOVABLE)

#define ZONE_OF(gfp)							\
	((gfp) & PA_GFP_DMA ? ZONE_DMA :				\
	 ((gfp) & HM) == HM ? ZONE_MOVABLE : ZONE_NORMAL)

#define IS_MOVABLE(gfp)							\
	(((gfp) & PA_GFP_MOVABLE) && !((gfp) & PA_GFP_RECLAIMABLE))

#define TYPE_OF(gfp)							\
	(IS_MOVABLE(gfp) ? MIGRATE_MOVABLE :				\
	 ((gfp) & PA_GFP_RECLAIMABLE) && !((gfp) & PA_GFP_MOVABLE) ?	\
		MIGRATE_RECLAIMABLE : MIGRATE_UNMOVABLE)

#define PLACE_OF(gfp) [gfp] = {						\
	.high_zoneidx = ZONE_OF(gfp),					\
	.migratetype = TYPE_OF(gfp),					\
	.alloc_flags = IS_MOVABLE(gfp) ? ALLOC_CMA : 0,			\
}

#define FOUR(f, n)	f(n), f((n) + 1), f((n) + 2), f((n) + 3)
#define ALL(f)		FOUR(f, 0), FOUR(f, 4), FOUR(f, 8), FOUR(f, 12), \
			FOUR(f, 16), FOUR(f, 20), FOUR(f, 24)

const struct gfp_place pa_gfp_places[GFP_PLACE_MASK + 1] = { ALL(PLACE_OF) };
