/*
 * Notes on pages, and the reports that they make possible.
 */
#include "page_note.h"

#if PA_DEBUG

#include <errno.h>
#include <execinfo.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "page_check.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define __asan_poison_memory_region(start, size)	((void)(start))
#define __asan_unpoison_memory_region(start, size)	((void)(start))
#endif

#define POISON		0xa5	/* each byte of a free page */
#define NO_PFN		(~0ul)
#define OWN_FRAMES	2	/* of a trail: its maker, and who notes */

enum note_state {
	NOTE_FREE,
	NOTE_HEAD,		/* of a block in use */
	NOTE_INSIDE,		/* of a block in use: head says of which */
};

struct page_note {
	unsigned char state;	/* changed by whoever has the page */
	unsigned long head;	/* pfn */
	struct pa_owner owner;	/* of a head; stays when it is free again */
};

struct pa_notes {
	struct page_note *note;		/* by pfn */
	struct pa_fail fail;		/* interval 0: nothing fails */
	atomic_ulong seen, failed;
};

int pa_notes_open(struct pa *pa)
{
	bool shared = pa->config.shared;
	struct pa_notes *notes = pa_arena_meta(sizeof(*notes), shared);

	if (!notes)
		return -ENOMEM;
	notes->note = pa_arena_map(pa->map_pages * sizeof(*notes->note),
				   shared);
	pa->notes = notes;
	if (!notes->note)
		return -ENOMEM;
	memset(pa->base, POISON, pa->nr_pages * PA_PAGE_SIZE);
	__asan_poison_memory_region(pa->base, pa->nr_pages * PA_PAGE_SIZE);
	return 0;
}

void pa_notes_close(struct pa *pa)
{
	if (!pa->notes)
		return;
	__asan_unpoison_memory_region(pa->base, pa->nr_pages * PA_PAGE_SIZE);
	pa_arena_unmap(pa->notes->note,
		       pa->map_pages * sizeof(*pa->notes->note));
	pa_arena_meta_free(pa->notes, pa->config.shared);
	pa->notes = NULL;
}

static __attribute__((noinline)) struct pa_trail trail_here(void)
{
	void *frame[PA_TRAIL + OWN_FRAMES];
	struct pa_trail t = { .thread = gettid() };
	int n = backtrace(frame, PA_TRAIL + OWN_FRAMES);

	for (int i = OWN_FRAMES; i < n; i++)
		t.caller[i - OWN_FRAMES] = frame[i];
	return t;
}

static void report(struct pa *pa, const struct pa_page_bug *bug)
{
	if (pa->config.page_bug)
		pa->config.page_bug(pa->config.arg, bug);
	else
		pa_report_bug(pa, bug->bug,
			      bug->pfn == NO_PFN ? NULL : bug->page);
}

static struct page_note *note_at(struct pa *pa, unsigned long pfn)
{
	return &pa->notes->note[pfn];
}

/* The pfn of what the caller says is a page, or NO_PFN. */
static unsigned long known_pfn(const struct pa *pa, const struct page *page)
{
	unsigned long offset = (const char *)page - (const char *)pa->mem_map;

	if (offset % sizeof(*page) || offset / sizeof(*page) >= pa->nr_pages)
		return NO_PFN;
	return offset / sizeof(*page);
}

/* ---- on the way out ------------------------------------------------------ */

/* The first byte of a free page that was written to, or NULL. */
static const unsigned char *written_byte(const unsigned char *start)
{
	/* equal to itself one byte on, and to the pattern at the start */
	if (start[0] == POISON && !memcmp(start, start + 1, PA_PAGE_SIZE - 1))
		return NULL;
	while (*start == POISON)
		start++;
	return start;
}

static void check_free_page(struct pa *pa, struct page *page)
{
	unsigned long pfn = page_to_pfn(pa, page);
	const unsigned char *where;
	struct pa_page_bug bug = {
		.bug = PA_BUG_USED_FREE, .page = page, .pfn = pfn,
		.expected = POISON, .owner = note_at(pa, pfn)->owner,
	};

	where = written_byte(pa_page_address(pa, page));
	if (!where)
		return;
	bug.where = where;
	bug.found = *where;
	report(pa, &bug);
}

static void take_page(struct pa *pa, struct page *page, unsigned long head,
		      const struct pa_owner *owner)
{
	unsigned long pfn = page_to_pfn(pa, page);
	struct page_note *note = note_at(pa, pfn);

	__asan_unpoison_memory_region(pa_page_address(pa, page), PA_PAGE_SIZE);
	if (note->state == NOTE_FREE)
		check_free_page(pa, page);
	else
		pa_report_bug(pa, PA_BUG_NEW_STATE, page);
	note->head = head;
	note->owner.order = owner->order;
	note->owner.gfp = owner->gfp;
	note->owner.got = owner->got;
	__atomic_store_n(&note->state, pfn == head ? NOTE_HEAD : NOTE_INSIDE,
			 __ATOMIC_RELEASE);
}

void pa_note_given(struct pa *pa, struct page *page, unsigned int order,
		   pa_gfp_t gfp)
{
	struct pa_owner owner = { order, gfp, trail_here(), { { 0 }, 0 } };

	for (unsigned long i = 0; i < 1ul << order; i++)
		take_page(pa, page + i, page_to_pfn(pa, page), &owner);
}

void pa_note_taken(struct pa *pa, struct page *page, unsigned long nr)
{
	struct pa_owner owner = { 0, 0, trail_here(), { { 0 }, 0 } };

	for (unsigned long i = 0; i < nr; i++)
		take_page(pa, page + i, page_to_pfn(pa, page + i), &owner);
}

/* ---- on the way back ----------------------------------------------------- */

static void leave_page(struct pa *pa, unsigned long pfn,
		       const struct pa_trail *trail)
{
	void *start = pa_page_address(pa, pfn_to_page(pa, pfn));
	struct page_note *note = note_at(pa, pfn);

	memset(start, POISON, PA_PAGE_SIZE);
	__asan_poison_memory_region(start, PA_PAGE_SIZE);
	note->owner.freed = *trail;
	__atomic_store_n(&note->state, NOTE_FREE, __ATOMIC_RELEASE);
}

/* What is wrong with freeing the page as a block of that order, if anything. */
static bool free_is_wrong(struct pa *pa, unsigned long pfn, unsigned int order,
			  enum pa_bug *bug)
{
	struct page_note *note = note_at(pa, pfn);

	switch (__atomic_load_n(&note->state, __ATOMIC_ACQUIRE)) {
	case NOTE_FREE:
		*bug = PA_BUG_DOUBLE_FREE;
		return true;
	case NOTE_INSIDE:
		*bug = PA_BUG_FREE_TAIL;
		return true;
	}
	*bug = PA_BUG_FREE_ORDER;
	return note->owner.order != order;
}

/* Of two threads that free one block at once, one is too late. */
static bool end_use(struct pa *pa, unsigned long pfn, unsigned int order)
{
	struct pa_trail trail;

	if (__atomic_exchange_n(&note_at(pa, pfn)->state, NOTE_FREE,
				__ATOMIC_ACQ_REL) != NOTE_HEAD)
		return false;
	trail = trail_here();
	for (unsigned long i = 0; i < 1ul << order; i++)
		leave_page(pa, pfn + i, &trail);
	return true;
}

bool pa_note_freed(struct pa *pa, struct page *page, unsigned int order)
{
	struct pa_page_bug bug = {
		.page = page, .pfn = known_pfn(pa, page), .order = order,
	};

	if (bug.pfn == NO_PFN) {
		bug.bug = PA_BUG_FREE_FOREIGN;
	} else if (!free_is_wrong(pa, bug.pfn, order, &bug.bug)) {
		/* others have references too: that is not the end of it */
		if (__atomic_load_n(&page->refcount, __ATOMIC_RELAXED) != 1 ||
		    end_use(pa, bug.pfn, order))
			return true;
		bug.bug = PA_BUG_DOUBLE_FREE;
	}
	if (bug.pfn != NO_PFN)
		bug.owner = note_at(pa, note_at(pa, bug.pfn)->head)->owner;
	report(pa, &bug);
	return false;
}

void pa_note_freed_list(struct pa *pa, struct pa_list *list)
{
	struct pa_list *pos, *next;

	list_for_each_safe(pos, next, list) {
		if (!pa_note_freed(pa, lru_page(pos), 0))
			list_del(pos);
	}
}

bool pa_page_owner(struct pa *pa, const struct page *page,
		   struct pa_owner *owner)
{
	unsigned long pfn = known_pfn(pa, page);

	if (pfn == NO_PFN || note_at(pa, pfn)->state == NOTE_FREE)
		return false;
	*owner = note_at(pa, note_at(pa, pfn)->head)->owner;
	return true;
}

/* ---- failures ------------------------------------------------------------ */

int pa_set_fail(struct pa *pa, const struct pa_fail *fail)
{
	struct pa_notes *notes = pa->notes;

	if (fail && !fail->interval)
		return -EINVAL;
	atomic_store(&notes->seen, 0);
	atomic_store(&notes->failed, 0);
	notes->fail = fail ? *fail : (struct pa_fail){ .interval = 0 };
	return 0;
}

unsigned long pa_fail_seen(const struct pa *pa)
{
	return atomic_load(&pa->notes->seen);
}

bool pa_note_fails(struct pa *pa, pa_gfp_t gfp, unsigned int order)
{
	struct pa_notes *notes = pa->notes;
	const struct pa_fail *f = &notes->fail;
	unsigned long nr;

	if (!f->interval || order < f->min_order || (gfp & PA_GFP_NOFAIL))
		return false;
	nr = atomic_fetch_add(&notes->seen, 1) + 1;
	if (nr <= f->skip || (nr - f->skip) % f->interval)
		return false;
	return atomic_fetch_add(&notes->failed, 1) < f->times;
}

#else

#include <errno.h>

int pa_set_fail(struct pa *pa, const struct pa_fail *fail)
{
	(void)pa, (void)fail;
	return -ENOTSUP;
}

unsigned long pa_fail_seen(const struct pa *pa)
{
	(void)pa;
	return 0;
}

bool pa_page_owner(struct pa *pa, const struct page *page,
		   struct pa_owner *owner)
{
	(void)pa, (void)page, (void)owner;
	return false;
}

#endif
