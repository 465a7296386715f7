/*
 * Event counters, for a library built with -DPA_STATS=1. In the default build
 * an event costs nothing, so that what is timed is the allocator alone.
 */
#ifndef PA_STAT_H
#define PA_STAT_H

#ifndef PA_STATS
#define PA_STATS 0
#endif

#if PA_STATS
#define count_event(pa, item)						\
	atomic_fetch_add_explicit(&(pa)->events[item], 1,		\
				  memory_order_relaxed)
#else
#define count_event(pa, item)	((void)(pa))
#endif

#endif
