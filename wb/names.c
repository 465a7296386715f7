#include "names.h"
#include "buf.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h ^ h >> 29;
}

static void put_slot(struct wb_names *t, size_t i)
{
	size_t at = hash(t->name[i]) & (t->nslots - 1);

	while (t->slot[at])
		at = (at + 1) & (t->nslots - 1);
	t->slot[at] = (uint32_t)i + 1;
}

size_t wb_names_add(struct wb_names *t, const char *name)
{
	size_t at, i;

	if (t->n && !strcmp(t->name[t->last], name))
		return t->last;
	if (2 * t->n >= t->nslots) {
		free(t->slot);
		t->nslots = t->nslots ? 2 * t->nslots : 64;
		t->slot = wb_xcalloc(t->nslots, sizeof(*t->slot));
		for (i = 0; i < t->n; i++)
			put_slot(t, i);
	}
	for (at = hash(name) & (t->nslots - 1); t->slot[at];
	     at = (at + 1) & (t->nslots - 1)) {
		i = t->slot[at] - 1;
		if (!strcmp(t->name[i], name))
			return t->last = i;
	}
	t->name = wb_grow(t->name, t->n, &t->cap, sizeof(*t->name));
	t->name[t->n] = wb_xstrdup(name);
	put_slot(t, t->n);
	return t->last = t->n++;
}

void wb_names_clear(struct wb_names *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		free(t->name[i]);
	free(t->name);
	free(t->slot);
	memset(t, 0, sizeof(*t));
}
