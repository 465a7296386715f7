/*
 * Bugs in words.
 */
#include <stdarg.h>
#include <stdio.h>

#include "pagealloc.h"

struct text {
	char *buf;
	size_t size;
	int len;		/* of all there is to say */
};

__attribute__((format(printf, 2, 3)))
static void say(struct text *t, const char *fmt, ...)
{
	size_t at = (size_t)t->len < t->size ? (size_t)t->len : t->size;
	va_list ap;

	va_start(ap, fmt);
	t->len += vsnprintf(t->buf + at, t->size - at, fmt, ap);
	va_end(ap);
}

static const char *mistake(enum pa_bug bug)
{
	switch (bug) {
	case PA_BUG_FREE_FOREIGN:
		return "freed what is no page of this instance";
	case PA_BUG_FREE_TAIL:
		return "freed a page inside of a block in use";
	case PA_BUG_FREE_ORDER:
		return "freed a block with another order than it has";
	case PA_BUG_DOUBLE_FREE:
		return "freed a block twice";
	case PA_BUG_USED_FREE:
		return "somebody wrote to a free page";
	case PA_BUG_OBJECT_FOREIGN:
		return "freed what is no object in use";
	case PA_BUG_OBJECT_DOUBLE_FREE:
		return "freed an object twice";
	case PA_BUG_OBJECT_OVERRUN:
		return "somebody wrote beside an object";
	case PA_BUG_OBJECT_USED_FREE:
		return "somebody wrote to a free object";
	default:
		return "a page is not in the state it should be in";
	}
}

static void say_trail(struct text *t, const char *what,
		      const struct pa_trail *trail)
{
	if (!trail->thread)
		return;
	say(t, "\n  %s by thread %d, from", what, trail->thread);
	for (int i = 0; i < PA_TRAIL && trail->caller[i]; i++)
		say(t, " %p", trail->caller[i]);
}

int pa_page_bug_text(char *buf, size_t size, const struct pa_page_bug *bug)
{
	struct text t = { buf, size, 0 };

	say(&t, "%s: ", mistake(bug->bug));
	if (bug->bug == PA_BUG_FREE_FOREIGN)
		say(&t, "%p", (void *)bug->page);
	else
		say(&t, "page %lu", bug->pfn);
	if (bug->bug == PA_BUG_USED_FREE)
		say(&t, ", byte %lu is 0x%02x, not 0x%02x",
		    (unsigned long)bug->where % PA_PAGE_SIZE, bug->found,
		    bug->expected);
	else
		say(&t, ", order %u", bug->order);
	if (bug->owner.got.thread)
		say(&t, "\n  the block has, or had, order %u and gfp 0x%x",
		    bug->owner.order, bug->owner.gfp);
	say_trail(&t, "got", &bug->owner.got);
	say_trail(&t, "freed", &bug->owner.freed);
	return t.len;
}

int pa_object_bug_text(char *buf, size_t size, const struct pa_object_bug *bug)
{
	struct text t = { buf, size, 0 };

	say(&t, "%s: %p", mistake(bug->bug), bug->object);
	if (bug->cache)
		say(&t, ", cache %s", bug->cache);
	if (bug->where)
		say(&t, ", byte %td is 0x%02x, not 0x%02x",
		    (const char *)bug->where - (const char *)bug->object,
		    bug->found, bug->expected);
	return t.len;
}
