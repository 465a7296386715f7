/*
 * Making, finding and dropping the levels of a table.
 */
#include <errno.h>

#include "pgtable.h"

static unsigned long *new_level(struct pa *pa)
{
	struct page *page = pa_alloc_pages(pa, PA_GFP_KERNEL | PA_GFP_ZERO, 0);

	return page ? pa_page_address(pa, page) : NULL;
}

static void free_level(struct pa *pa, unsigned long *level)
{
	pa_free_pages(pa, pa_address_page(pa, level), 0);
}

int pa_pgtable_init(struct pgtable *table, struct pa *pa)
{
	table->pa = pa;
	table->top = new_level(pa);
	return table->top ? 0 : -ENOMEM;
}

void pa_pgtable_clear(struct pgtable *table)
{
	if (!table->top)
		return;
	for (unsigned long i = 0; i < TABLE_WORDS; i++) {
		if (table->top[i])
			free_level(table->pa, (unsigned long *)table->top[i]);
	}
	free_level(table->pa, table->top);
}

unsigned long *pa_pgtable_find(const struct pgtable *table, unsigned long nr)
{
	unsigned long *level = (unsigned long *)
		read_entry(&table->top[nr >> TABLE_SHIFT]);

	return level ? level + (nr & (TABLE_WORDS - 1)) : NULL;
}

/* Of two threads that make one at once, the second gives its own up. */
unsigned long *pa_pgtable_make(struct pgtable *table, unsigned long nr)
{
	unsigned long *entry = pa_pgtable_find(table, nr);
	unsigned long *level, old = 0;

	if (likely(entry))
		return entry;
	level = new_level(table->pa);
	if (!level)
		return NULL;
	if (!swap_entry(&table->top[nr >> TABLE_SHIFT], &old,
			(unsigned long)level))
		free_level(table->pa, level);
	return pa_pgtable_find(table, nr);
}
