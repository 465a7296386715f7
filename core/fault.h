/*
 * Address spaces that exist in numbers only, and what a page fault does.
 *
 * An mm is a table of pages and a list of mappings. Nothing is ever mapped in
 * the machine: a "fault" is a call that finds or makes the page of an address
 * and enters it, as a kernel would, and so costs what that costs there less
 * the trap.
 *
 * References: an entry holds one, and counts in page->mapcount. A file holds
 * one of each page that it has in memory. Anonymous pages belong to one entry.
 *
 * Locks: faults hold the mm's lock shared, which keeps mappings in place; map
 * and unmap take it alone, for a moment. An unmap marks its mapping, so that
 * no later fault finds it, and empties it without the lock; only then does the
 * range of addresses become free.
 */
#ifndef PA_FAULT_H
#define PA_FAULT_H

#include "pgtable.h"

struct pa_file {
	struct pgtable pages;
	unsigned long nr_pages;
};

struct mapping {
	struct mapping *next;		/* by address */
	unsigned long start, nr;	/* in pages */
	unsigned int flags;		/* PA_MAP_ */
	bool dying;
	struct pa_file *file;		/* NULL: anonymous */
	unsigned long offset;		/* in the file, pages */
};

struct pa_mm {
	struct pa *pa;
	struct pgtable table;
	struct mapping *mappings;
	atomic_int users;		/* faults inside; -1: map or unmap */
};

/* file.c: the page of the file, made if it is not in memory; NULL: no memory */
struct page *pa_file_page(struct pa_file *file, unsigned long nr);

/* page->mapcount and refcount of pages that several mms have. */
static inline void map_page(struct page *page)
{
	__atomic_fetch_add(&page->refcount, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&page->mapcount, 1, __ATOMIC_RELAXED);
}

static inline void unmap_page(struct page *page)
{
	__atomic_fetch_sub(&page->mapcount, 1, __ATOMIC_RELAXED);
	__atomic_fetch_sub(&page->refcount, 1, __ATOMIC_RELEASE);
}

#endif
