/*
 * What is done for a request that the first attempt could not serve.
 *
 * In this order: go down to the MIN watermark; for those who may, below it;
 * then, if the request can wait, bring pages back from the per-CPU lists, give
 * up a highatomic block, and ask the owner's reclaim callback. The context has
 * the caller's nodemask, not that of the cpuset: whether the cpuset holds is
 * up to ALLOC_CPUSET and PA_GFP_HARDWALL.
 */
#include <sched.h>

#include "alloc.h"
#include "cpuset.h"
#include "highatomic.h"

/* How often reclaim may report success without helping the request. */
#define MAX_RECLAIM_RETRIES	16

static unsigned int slowpath_alloc_flags(const struct alloc_context *ac)
{
	unsigned int flags = ALLOC_WMARK_MIN | ALLOC_CPUSET |
			     gfp_place(ac->gfp)->alloc_flags;
	pa_gfp_t gfp = ac->gfp;

	if (gfp & PA_GFP_HIGH)
		flags |= ALLOC_HIGH;
	if (gfp & PA_GFP_HARDER) {
		flags |= ALLOC_HARDER;
		/* better from outside than not at all, for who cannot wait */
		if (!(gfp & PA_GFP_HARDWALL))
			flags &= ~ALLOC_CPUSET;
	}
	return flags;
}

static struct page *attempt(struct alloc_context *ac, unsigned int alloc_flags)
{
	ac->alloc_flags = alloc_flags;
	return pa_get_page_from_freelist(ac);
}

/* Drains, unreserves and reclaims; true if an attempt is worth while. */
static bool make_progress(const struct alloc_context *ac, bool *drained)
{
	struct pa *pa = ac->pa;

	if (!*drained) {
		pa_drain_all(pa);
		*drained = true;
		return true;
	}
	if (pa_unreserve_highatomic(ac))
		return true;
	if (pa->config.reclaim &&
	    pa->config.reclaim(pa->config.arg, ac->order)) {
		/* what was freed may wait on this CPU's lists */
		pa_drain_all(pa);
		return true;
	}
	return false;
}

static struct page *attempt_waiting(struct alloc_context *ac,
				    unsigned int alloc_flags)
{
	bool drained = false;
	struct page *page;
	int tries = 0;

	for (;;) {
		bool progress = make_progress(ac, &drained) &&
				tries++ < MAX_RECLAIM_RETRIES;

		page = attempt(ac, alloc_flags);
		if (page || (!progress && !(ac->gfp & PA_GFP_NOFAIL)))
			return page;
		if (!progress) {
			/* only another thread can help now */
			alloc_flags |= ALLOC_NO_WATERMARKS;
			drained = false;
			sched_yield();
		}
	}
}

static struct page *attempt_all(struct alloc_context *ac)
{
	unsigned int alloc_flags = slowpath_alloc_flags(ac);
	struct page *page;

	set_preferred_zone(ac);
	if (!ac->preferred_zone)
		return NULL;

	page = attempt(ac, alloc_flags);
	if (!page && (ac->gfp & PA_GFP_MEMALLOC))
		page = attempt(ac, ALLOC_NO_WATERMARKS);
	if (!page && (ac->gfp & PA_GFP_RECLAIM))
		page = attempt_waiting(ac, alloc_flags);
	return page;
}

struct page *pa_alloc_slowpath(struct alloc_context *ac)
{
	unsigned int seq;
	struct page *page;

	count_event(ac->pa, PA_STAT_SLOWPATH);
	do {
		seq = read_mems_allowed_begin(ac->pa);
		page = attempt_all(ac);
	} while (!page && read_mems_allowed_retry(ac->pa, seq));
	return page;
}
