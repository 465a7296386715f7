/*
 * Files: pages in memory by number. What has not been written reads as zeroes,
 * and nothing is behind it: a file lives as long as its pages.
 */
#include <errno.h>

#include "fault.h"

int pa_file_create(struct pa *pa, unsigned long nr_pages, struct pa_file **out)
{
	struct pa_file *file;

	if (!nr_pages || nr_pages > TABLE_PAGES)
		return -EINVAL;
	file = pa_kmalloc(pa, sizeof(*file), PA_GFP_KERNEL);
	if (!file)
		return -ENOMEM;
	*file = (struct pa_file){ .nr_pages = nr_pages };
	if (pa_pgtable_init(&file->pages, pa) < 0) {
		pa_kfree(pa, file);
		return -ENOMEM;
	}
	*out = file;
	return 0;
}

struct page *pa_file_page(struct pa_file *file, unsigned long nr)
{
	unsigned long *entry = pa_pgtable_make(&file->pages, nr);
	struct pa *pa = file->pages.pa;
	unsigned long old;
	struct page *page;

	if (unlikely(!entry))
		return NULL;
	old = read_entry(entry);
	if (likely(old))
		return entry_page(old);
	page = pa_alloc_pages(pa, PA_GFP_HIGHUSER_MOVABLE | PA_GFP_ZERO, 0);
	if (!page)
		return NULL;
	page->mapping = file;
	page->index = nr;
	if (likely(swap_entry(entry, &old, make_entry(page, false))))
		return page;
	page->mapping = NULL;
	pa_free_pages(pa, page, 0);
	return entry_page(old);
}

static unsigned long file_entry(const struct pa_file *file, unsigned long nr)
{
	unsigned long *entry = pa_pgtable_find(&file->pages, nr);

	return entry ? *entry : 0;
}

int pa_file_destroy(struct pa_file *file)
{
	struct pa *pa;

	if (!file)
		return 0;
	pa = file->pages.pa;
	for (unsigned long nr = 0; nr < file->nr_pages; nr++) {
		struct page *page = entry_page(file_entry(file, nr));

		if (page && page->mapcount != -1)
			return -EBUSY;
	}
	for (unsigned long nr = 0; nr < file->nr_pages; nr++) {
		struct page *page = entry_page(file_entry(file, nr));

		if (!page)
			continue;
		page->mapping = NULL;
		pa_free_pages(pa, page, 0);
	}
	pa_pgtable_clear(&file->pages);
	pa_kfree(pa, file);
	return 0;
}
