/*
 * Mappings, faults, and giving the pages of a range back.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "fault.h"

/* Pages that are unmapped before they are freed together. */
#define GATHER_PAGES	512

/* Another thread changed the entry meanwhile. */
#define FAULT_RETRY	1

static void lock_shared(struct pa_mm *mm)
{
	int users = atomic_load_explicit(&mm->users, memory_order_relaxed);

	for (;;) {
		if (unlikely(users < 0)) {
			sched_yield();
			users = atomic_load_explicit(&mm->users,
						     memory_order_relaxed);
		} else if (atomic_compare_exchange_weak_explicit(&mm->users,
				&users, users + 1, memory_order_acquire,
				memory_order_relaxed)) {
			return;
		}
	}
}

static void unlock_shared(struct pa_mm *mm)
{
	atomic_fetch_sub_explicit(&mm->users, 1, memory_order_release);
}

static void lock_alone(struct pa_mm *mm)
{
	int nobody = 0;

	while (!atomic_compare_exchange_weak_explicit(&mm->users, &nobody, -1,
						      memory_order_acquire,
						      memory_order_relaxed)) {
		nobody = 0;
		sched_yield();
	}
}

static void unlock_alone(struct pa_mm *mm)
{
	atomic_store_explicit(&mm->users, 0, memory_order_release);
}

int pa_mm_create(struct pa *pa, struct pa_mm **out)
{
	struct pa_mm *mm = pa_kmalloc(pa, sizeof(*mm), PA_GFP_KERNEL);

	if (!mm)
		return -ENOMEM;
	*mm = (struct pa_mm){ .pa = pa };
	atomic_init(&mm->users, 0);
	if (pa_pgtable_init(&mm->table, pa) < 0) {
		pa_kfree(pa, mm);
		return -ENOMEM;
	}
	*out = mm;
	return 0;
}

void pa_mm_destroy(struct pa_mm *mm)
{
	if (!mm)
		return;
	while (mm->mappings)
		pa_mm_unmap(mm, mm->mappings->start * PA_PAGE_SIZE);
	pa_pgtable_clear(&mm->table);
	pa_kfree(mm->pa, mm);
}

static bool mapping_valid(const struct pa_map *map)
{
	const struct pa_file *file = map->file;

	if (!map->nr_pages || map->nr_pages > TABLE_PAGES)
		return false;
	if (!file)
		return !(map->flags & PA_MAP_SHARED) && !map->offset;
	return map->offset < file->nr_pages &&
	       map->nr_pages <= file->nr_pages - map->offset;
}

/* Links m in at the first gap that it fits into. The lock is held alone. */
static int place_mapping(struct pa_mm *mm, struct mapping *m)
{
	struct mapping **link = &mm->mappings;
	unsigned long start = 0;

	while (*link && (*link)->start - start < m->nr) {
		start = (*link)->start + (*link)->nr;
		link = &(*link)->next;
	}
	if (m->nr > TABLE_PAGES - start)
		return -ENOMEM;
	m->start = start;
	m->next = *link;
	*link = m;
	return 0;
}

int pa_mm_map(struct pa_mm *mm, const struct pa_map *map,
	      unsigned long *address)
{
	struct mapping *m;
	int ret;

	if (!mapping_valid(map))
		return -EINVAL;
	m = pa_kmalloc(mm->pa, sizeof(*m), PA_GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	*m = (struct mapping){ .nr = map->nr_pages, .flags = map->flags,
			       .file = map->file, .offset = map->offset };
	lock_alone(mm);
	ret = place_mapping(mm, m);
	unlock_alone(mm);
	if (ret < 0)
		pa_kfree(mm->pa, m);
	else
		*address = m->start * PA_PAGE_SIZE;
	return ret;
}

static struct mapping *find_mapping(const struct pa_mm *mm, unsigned long nr)
{
	struct mapping *m = mm->mappings;

	while (m && nr >= m->start + m->nr)
		m = m->next;
	return m && nr >= m->start && !m->dying ? m : NULL;
}

static struct page *new_anon_page(struct pa_mm *mm, pa_gfp_t extra)
{
	struct page *page = pa_alloc_pages(mm->pa, PA_GFP_HIGHUSER_MOVABLE |
					   extra, 0);

	if (unlikely(!page))
		return NULL;
	page->mapping = mm;
	page->mapcount = 0;
	return page;
}

static void free_anon_page(struct pa_mm *mm, struct page *page)
{
	page->mapping = NULL;
	page->mapcount = -1;
	pa_free_pages(mm->pa, page, 0);
}

static bool anon(const struct pa_mm *mm, const struct page *page)
{
	return page->mapping == mm;
}

/* An anonymous page of zeroes, or of anything. */
static int fault_anon(struct pa_mm *mm, const struct mapping *m,
		      unsigned long *entry)
{
	pa_gfp_t zero = m->flags & PA_MAP_UNINITIALIZED ? 0 : PA_GFP_ZERO;
	struct page *page = new_anon_page(mm, zero);
	unsigned long old = 0;

	if (unlikely(!page))
		return -ENOMEM;
	if (likely(swap_entry(entry, &old, make_entry(page, true))))
		return 0;
	free_anon_page(mm, page);
	return FAULT_RETRY;
}

/* The file's own page: to be written to by shared mappings alone. */
static int fault_file(const struct mapping *m, unsigned long nr,
		      unsigned long *entry, bool write)
{
	struct page *page = pa_file_page(m->file, m->offset + nr - m->start);
	unsigned long old = 0;

	if (unlikely(!page))
		return -ENOMEM;
	map_page(page);
	if (likely(swap_entry(entry, &old, make_entry(page, write))))
		return 0;
	unmap_page(page);
	return FAULT_RETRY;
}

/*
 * A copy of the file's page, in the place of old: nothing, or the page of the
 * file that a read has put there.
 */
static int fault_copy(struct pa_mm *mm, const struct mapping *m,
		      unsigned long nr, unsigned long *entry,
		      unsigned long old)
{
	struct page *from = pa_file_page(m->file, m->offset + nr - m->start);
	struct page *page = from ? new_anon_page(mm, 0) : NULL;

	if (unlikely(!page))
		return -ENOMEM;
	memcpy(pa_page_address(mm->pa, page), pa_page_address(mm->pa, from),
	       PA_PAGE_SIZE);
	if (likely(swap_entry(entry, &old, make_entry(page, true)))) {
		if (old)
			unmap_page(entry_page(old));
		return 0;
	}
	free_anon_page(mm, page);
	return FAULT_RETRY;
}

static int handle_fault(struct pa_mm *mm, unsigned long nr, bool write)
{
	struct mapping *m = find_mapping(mm, nr);
	unsigned long *entry, old;

	if (unlikely(!m))
		return -EFAULT;
	entry = pa_pgtable_make(&mm->table, nr);
	if (unlikely(!entry))
		return -ENOMEM;
	old = read_entry(entry);
	if (old && (!write || (old & ENTRY_WRITE)))
		return 0;
	if (!m->file)
		return fault_anon(mm, m, entry);
	if (write && !(m->flags & PA_MAP_SHARED))
		return fault_copy(mm, m, nr, entry, old);
	return fault_file(m, nr, entry, m->flags & PA_MAP_SHARED);
}

int pa_mm_fault(struct pa_mm *mm, unsigned long address, bool write)
{
	unsigned long nr = address / PA_PAGE_SIZE;
	int ret;

	if (unlikely(nr >= TABLE_PAGES))
		return -EFAULT;
	lock_shared(mm);
	do {
		ret = handle_fault(mm, nr, write);
	} while (unlikely(ret == FAULT_RETRY));
	unlock_shared(mm);
	return ret;
}

struct page *pa_mm_page(struct pa_mm *mm, unsigned long address)
{
	unsigned long nr = address / PA_PAGE_SIZE;
	unsigned long *entry = nr < TABLE_PAGES ?
			       pa_pgtable_find(&mm->table, nr) : NULL;

	return entry ? entry_page(read_entry(entry)) : NULL;
}

/* Takes the page of an entry out; anonymous ones go to the list. */
static unsigned int zap_entry(struct pa_mm *mm, unsigned long *entry,
			      struct pa_list *list)
{
	struct page *page = entry_page(__atomic_exchange_n(entry, 0,
							   __ATOMIC_ACQ_REL));

	if (!page)
		return 0;
	if (!anon(mm, page)) {
		unmap_page(page);
		return 0;
	}
	page->mapping = NULL;
	page->mapcount = -1;
	pa_list_add_page(list, page);
	return 1;
}

static void zap_range(struct pa_mm *mm, unsigned long start, unsigned long nr)
{
	unsigned int gathered = 0;
	struct pa_list list;

	pa_list_init(&list);
	for (unsigned long i = start; i < start + nr; i++) {
		unsigned long *entry = pa_pgtable_find(&mm->table, i);

		if (!entry) {
			i |= TABLE_WORDS - 1;
			continue;
		}
		gathered += zap_entry(mm, entry, &list);
		if (gathered == GATHER_PAGES) {
			pa_free_page_list(mm->pa, &list);
			gathered = 0;
		}
	}
	pa_free_page_list(mm->pa, &list);
}

/* Marks the mapping that starts there; NULL if there is none. */
static struct mapping *claim_mapping(struct pa_mm *mm, unsigned long start)
{
	struct mapping *m;

	lock_alone(mm);
	m = find_mapping(mm, start);
	if (m && m->start != start)
		m = NULL;
	if (m)
		m->dying = true;
	unlock_alone(mm);
	return m;
}

static void unlink_mapping(struct pa_mm *mm, struct mapping *m)
{
	struct mapping **link = &mm->mappings;

	lock_alone(mm);
	while (*link != m)
		link = &(*link)->next;
	*link = m->next;
	unlock_alone(mm);
}

int pa_mm_unmap(struct pa_mm *mm, unsigned long address)
{
	struct mapping *m = NULL;

	if (address % PA_PAGE_SIZE == 0)
		m = claim_mapping(mm, address / PA_PAGE_SIZE);
	if (!m)
		return -EINVAL;
	zap_range(mm, m->start, m->nr);
	unlink_mapping(mm, m);
	pa_kfree(mm->pa, m);
	return 0;
}

void pa_mm_audit(struct pa_mm *mm, struct pa_mm_report *report)
{
	*report = (struct pa_mm_report){ 0 };
	for (unsigned long nr = 0; nr < TABLE_PAGES; nr++) {
		unsigned long *entry = pa_pgtable_find(&mm->table, nr);
		const struct page *page;

		if (!entry) {
			nr |= TABLE_WORDS - 1;
			continue;
		}
		report->tables += nr % TABLE_WORDS == 0;
		page = entry_page(*entry);
		if (!page)
			continue;
		if (anon(mm, page))
			report->anon++;
		else
			report->file++;
		if (page->mapcount < 0 || page->refcount < 1 ||
		    (anon(mm, page) && page->mapcount) ||
		    !find_mapping(mm, nr))
			report->bad++;
	}
}
