/*
 * What a debug build remembers of each page.
 *
 * Built with -DPA_DEBUG=1, the library keeps a *note* a page, in memory of its
 * own: whether the page is free or in use, of which block, who asked for it
 * and who gave it back. Free pages are filled with a byte that is looked for
 * when they go out again, and under AddressSanitizer they are out of bounds.
 * So a call that frees what is not a block in use can be told from its cause:
 * a second free, a page inside a block, another order, a pointer to something
 * else. Such a call does nothing but report.
 *
 * A request can be made to fail as well, to see what the caller makes of it.
 *
 * In other builds all of this is nothing.
 */
#ifndef PA_PAGE_NOTE_H
#define PA_PAGE_NOTE_H

#include "mmzone.h"

#if PA_DEBUG

int pa_notes_open(struct pa *pa);	/* all pages free; 0 or -ENOMEM */
void pa_notes_close(struct pa *pa);

/* A block goes out, before anything is written to it. */
void pa_note_given(struct pa *pa, struct page *page, unsigned int order,
		   pa_gfp_t gfp);

/* Its free blocks were taken out by address, and go out as single pages. */
void pa_note_taken(struct pa *pa, struct page *page, unsigned long nr);

/* A block comes back; false if it may not, which is reported. */
bool pa_note_freed(struct pa *pa, struct page *page, unsigned int order);

/* Takes out of the list what may not come back. */
void pa_note_freed_list(struct pa *pa, struct pa_list *list);

/* True if this request shall fail. */
bool pa_note_fails(struct pa *pa, pa_gfp_t gfp, unsigned int order);

#else

static inline int pa_notes_open(struct pa *pa)
{
	(void)pa;
	return 0;
}

static inline void pa_notes_close(struct pa *pa)
{
	(void)pa;
}

static inline void pa_note_given(struct pa *pa, struct page *page,
				 unsigned int order, pa_gfp_t gfp)
{
	(void)pa, (void)page, (void)order, (void)gfp;
}

static inline void pa_note_taken(struct pa *pa, struct page *page,
				 unsigned long nr)
{
	(void)pa, (void)page, (void)nr;
}

static inline bool pa_note_freed(struct pa *pa, struct page *page,
				 unsigned int order)
{
	(void)pa, (void)page, (void)order;
	return true;
}

static inline void pa_note_freed_list(struct pa *pa, struct pa_list *list)
{
	(void)pa, (void)list;
}

static inline bool pa_note_fails(struct pa *pa, pa_gfp_t gfp,
				 unsigned int order)
{
	(void)pa, (void)gfp, (void)order;
	return false;
}

#endif

#endif
