/*
 * Making guard blocks, and making memory of them again.
 */
#include "arena.h"
#include "guard.h"

void pa_set_guard(struct pa *pa, struct page *page, unsigned int order)
{
	page->flags |= PG_GUARD;
	page->private = order;
	pa_arena_protect(pa_page_address(pa, page), PA_PAGE_SIZE << order,
			 true);
}

void pa_clear_guard(struct pa *pa, struct page *page, unsigned int order)
{
	page->flags &= ~PG_GUARD;
	page->private = 0;
	pa_arena_protect(pa_page_address(pa, page), PA_PAGE_SIZE << order,
			 false);
}
