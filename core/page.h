/*
 * What is known about one page: 64 bytes, one cache line, in the array
 * mem_map, where the index of a page is its page frame number (pfn).
 *
 * A page is in exactly one state:
 *
 *	buddy		head of a free block: PG_BUDDY, on a list of its zone,
 *			private is the order of the block
 *	on a CPU's list	refcount 0, linked by lru, no mark
 *	allocated	head has refcount 1, private is the order
 *	guard		head of a block kept out of use: PG_GUARD, private is
 *			the order
 *	inside a block	not the head: only flags' zone and node are meaningful,
 *			and compound_head in a compound page
 *	bad		PG_BAD, on no list, never used again
 *	reserved	PG_RESERVED: padding behind the last node
 *
 * A free page has refcount 0, mapcount -1, no mapping and no owner, and none
 * of the PG_ flags that users set.
 */
#ifndef PA_PAGE_H
#define PA_PAGE_H

#include <stdbool.h>

#include "list.h"

#define PG_LOCKED	0x01ul	/* users' flags: none may be set at free */
#define PG_DIRTY	0x02ul
#define PG_LRU		0x04ul
#define PG_HEAD		0x08ul	/* first page of a compound page */
#define PG_BUDDY	0x10ul
#define PG_RESERVED	0x20ul
#define PG_BAD		0x40ul
#define PG_GUARD	0x80ul	/* head of a guard block, on no list */

#define PG_CHECK_AT_FREE (PG_LOCKED | PG_DIRTY | PG_LRU | PG_BUDDY | \
			  PG_RESERVED | PG_BAD | PG_GUARD)
#define PG_CHECK_AT_PREP (PG_CHECK_AT_FREE | PG_HEAD)

/*
 * Zone and node of the page never change. They are the topmost bits of flags,
 * so that one shift gets them.
 */
#define PAGE_PLACES		16
#define PAGE_PLACE_SHIFT	(8 * sizeof(unsigned long) - 4)
#define PAGE_PLACE_MASK		((PAGE_PLACES - 1ul) << PAGE_PLACE_SHIFT)

struct page {
	unsigned long flags;
	union {
		struct pa_list lru;
		unsigned long compound_head;	/* tails: head's address + 1 */
	};
	void *mapping;		/* of the user, NULL at free */
	unsigned long index;	/* of the user, any value at free */
	unsigned long private;	/* order of the block that starts here */
	int refcount;
	int mapcount;		/* of the user, -1 at free */
	void *owner;		/* of the user, NULL at free */
};

/* Node and zone of the page as one small number. */
static inline unsigned int page_place(const struct page *page)
{
	return page->flags >> PAGE_PLACE_SHIFT;
}

/*
 * Who merges looks at the flags of neighbours, which may be in use: their
 * owners then write them as one word, by set_page_flags().
 */
static inline unsigned long page_flags(const struct page *page)
{
	return __atomic_load_n(&page->flags, __ATOMIC_RELAXED);
}

static inline void set_page_flags(struct page *page, unsigned long flags)
{
	__atomic_store_n(&page->flags, flags, __ATOMIC_RELAXED);
}

static inline bool page_buddy(const struct page *page)
{
	return page_flags(page) & PG_BUDDY;
}

/* The lru pointers of an untailed page are even, so bit 0 tells a tail. */
static inline bool page_compound(const struct page *page)
{
	return (page->flags & PG_HEAD) || (page->compound_head & 1);
}

static inline bool page_guard(const struct page *page)
{
	return page->flags & PG_GUARD;
}

static inline unsigned int buddy_order(const struct page *page)
{
	return page->private;
}

static inline struct page *lru_page(struct pa_list *lru)
{
	return list_entry(lru, struct page, lru);
}

/*
 * While a page is on a per-CPU list, index remembers the type of the list, so
 * that the drain knows where it goes without looking its pageblock up.
 */
static inline unsigned int pcppage_migratetype(const struct page *page)
{
	return page->index;
}

static inline void set_pcppage_migratetype(struct page *page, unsigned int mt)
{
	page->index = mt;
}

#endif
