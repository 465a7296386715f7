/*
 * Bad pages, and the marks of compound pages.
 */
#include "page_check.h"

void pa_report_bug(struct pa *pa, enum pa_bug bug, struct page *page)
{
	if (pa->config.bug)
		pa->config.bug(pa->config.arg, bug, page);
}

void pa_bad_block(struct pa *pa, enum pa_bug bug, struct page *page,
		  unsigned int order)
{
	for (unsigned long i = 0; i < 1ul << order; i++)
		set_page_flags(page + i, page[i].flags | PG_BAD);
	pa_report_bug(pa, bug, page);
}

bool pa_check_tails(const struct page *page, unsigned int order,
		    unsigned long flags)
{
	for (unsigned long i = 1; i < 1ul << order; i++) {
		if (unlikely(!page_state_ok(page + i, flags)))
			return false;
	}
	return true;
}

bool pa_destroy_compound(struct page *page, unsigned int order)
{
	unsigned long head = (unsigned long)page + 1;
	bool good = order && (page->flags & PG_HEAD) && page->private == order;

	if (!good)
		return false;
	set_page_flags(page, page->flags & ~PG_HEAD);
	for (unsigned long i = 1; i < 1ul << order; i++) {
		if (page[i].compound_head != head)
			good = false;
		page[i].compound_head = 0;
	}
	return good;
}
