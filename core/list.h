/*
 * Circular doubly linked lists, linked through a member of their elements.
 *
 * A head and an element have the same type, so that taking an element out
 * needs neither the head nor a test for the ends. An element that was taken
 * out points nowhere in particular; only list_empty() on heads is meaningful.
 * Lists are changed under a lock, but a head may be tested for emptiness
 * without it: so next is written in one piece.
 */
#ifndef PA_LIST_H
#define PA_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "pagealloc.h"

#define list_entry(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))

#define list_first_entry(head, type, member) \
	list_entry((head)->next, type, member)

#define list_last_entry(head, type, member) \
	list_entry((head)->prev, type, member)

#define list_for_each(pos, head) \
	for (pos = (head)->next; pos != (head); pos = pos->next)

/* The body may take pos out, but not its successor. */
#define list_for_each_safe(pos, n, head) \
	for (pos = (head)->next, n = pos->next; pos != (head); \
	     pos = n, n = pos->next)

static inline void list_init(struct pa_list *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct pa_list *head)
{
	return __atomic_load_n(&head->next, __ATOMIC_RELAXED) == head;
}

static inline void list_insert(struct pa_list *item, struct pa_list *before,
			       struct pa_list *after)
{
	item->prev = before;
	item->next = after;
	after->prev = item;
	__atomic_store_n(&before->next, item, __ATOMIC_RELAXED);
}

static inline void list_add(struct pa_list *item, struct pa_list *head)
{
	list_insert(item, head, head->next);
}

static inline void list_add_tail(struct pa_list *item, struct pa_list *head)
{
	list_insert(item, head->prev, head);
}

static inline void list_del(struct pa_list *item)
{
	item->next->prev = item->prev;
	__atomic_store_n(&item->prev->next, item->next, __ATOMIC_RELAXED);
}

static inline void list_move(struct pa_list *item, struct pa_list *head)
{
	list_del(item);
	list_add(item, head);
}

#endif
