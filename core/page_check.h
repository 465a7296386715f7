/*
 * What must be true of a page that goes out, and of one that comes back.
 *
 * A page that fails is marked PG_BAD and left out of every list. That loses a
 * page, where going on would lose somebody's data.
 */
#ifndef PA_PAGE_CHECK_H
#define PA_PAGE_CHECK_H

#include "mmzone.h"

cold void pa_bad_block(struct pa *pa, enum pa_bug bug, struct page *page,
		  unsigned int order);

/* Ends a compound page; false if a tail does not belong to it. */
bool pa_destroy_compound(struct page *page, unsigned int order);

/* The rest of a block. */
bool pa_check_tails(const struct page *page, unsigned int order,
		    unsigned long flags);

static inline bool page_state_ok(const struct page *page, unsigned long flags)
{
	if (unlikely(page->mapcount != -1))
		return false;
	if (unlikely(page->mapping))
		return false;
	if (unlikely(page->refcount))
		return false;
	if (unlikely(page->owner))
		return false;
	if (unlikely(page->flags & flags))
		return false;
	return true;
}

/* Drops the caller's reference; true if it was the last. */
static inline bool put_page_testzero(struct pa *pa, struct page *page)
{
	if (unlikely(page->refcount <= 0)) {
		pa_report_bug(pa, PA_BUG_DOUBLE_FREE, page);
		return false;
	}
	return --page->refcount == 0;
}

static inline bool check_pages(const struct page *page, unsigned int order,
			       unsigned long flags)
{
	if (unlikely(!page_state_ok(page, flags)))
		return false;
	return !order || pa_check_tails(page, order, flags);
}

/* True if the block may go onto a list. */
static inline bool free_pages_prepare(struct pa *pa, struct page *page,
				      unsigned int order)
{
	if (unlikely(page_compound(page)) &&
	    unlikely(!pa_destroy_compound(page, order)))
		goto bad;
	if (likely(check_pages(page, order, PG_CHECK_AT_FREE)))
		return true;
bad:
	pa_bad_block(pa, PA_BUG_FREE_STATE, page, order);
	return false;
}

/* True if nobody wrote to the block while it was free. */
static inline bool check_new_pages(struct pa *pa, struct page *page,
				   unsigned int order)
{
	if (likely(check_pages(page, order, PG_CHECK_AT_PREP)))
		return true;
	pa_bad_block(pa, PA_BUG_NEW_STATE, page, order);
	return false;
}

#endif
