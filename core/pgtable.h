/*
 * A table of pages in two levels: the address space of an mm, or the pages of
 * a file that are in memory.
 *
 * Each level is one page of 512 words. A word of the second level is an
 * *entry*: the address of a struct page, or 0, with ENTRY_WRITE in bit 0.
 * Second levels are made when they are first needed and stay until the table
 * ends. Words change by compare-and-swap, so no lock is needed to fill them.
 */
#ifndef PA_PGTABLE_H
#define PA_PGTABLE_H

#include "mmzone.h"

#define TABLE_SHIFT	9
#define TABLE_WORDS	(1ul << TABLE_SHIFT)
#define TABLE_PAGES	(TABLE_WORDS * TABLE_WORDS)	/* that it can hold */

#define ENTRY_WRITE	1ul

struct pgtable {
	struct pa *pa;
	unsigned long *top;	/* addresses of second levels */
};

int pa_pgtable_init(struct pgtable *table, struct pa *pa);	/* -ENOMEM */
void pa_pgtable_clear(struct pgtable *table);	/* leaves the pages alone */

/* The entry of number nr < TABLE_PAGES; NULL if there is no second level. */
unsigned long *pa_pgtable_find(const struct pgtable *table, unsigned long nr);

/* The same, but makes the second level; NULL if there is no memory. */
unsigned long *pa_pgtable_make(struct pgtable *table, unsigned long nr);

static inline struct page *entry_page(unsigned long entry)
{
	return (struct page *)(entry & ~ENTRY_WRITE);
}

static inline unsigned long make_entry(struct page *page, bool write)
{
	return (unsigned long)page | (write ? ENTRY_WRITE : 0);
}

static inline unsigned long read_entry(const unsigned long *entry)
{
	return __atomic_load_n(entry, __ATOMIC_ACQUIRE);
}

static inline bool swap_entry(unsigned long *entry, unsigned long *old,
			      unsigned long new)
{
	return __atomic_compare_exchange_n(entry, old, new, false,
					   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

#endif
