#ifndef WB_SERIES_MEMORY_H
#define WB_SERIES_MEMORY_H

#include "apply.h"
#include "git.h"
#include "hash.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * How a long stack applied the last time, remembered in the cache folder (a
 * file a quilt folder), so that listing it again does not apply it again.
 *
 * What is remembered are ids of trees, not the trees: whoever needs the files
 * of a prefix loads the stack without this. An entry holds only for the key
 * it was made under, which is a hash over all that decides the outcome: the
 * sources of wb, the tree of the base, the rules, and the bytes and options
 * of every patch in their order. So a stale one is never taken; one that was
 * damaged fails its own checksum and is as good as none. Only stacks that
 * applied as a whole are remembered.
 */
struct wb_memory_patch {
	struct wb_oid tree;
	struct wb_applied applied;
};

struct wb_memory {
	char key[65];
	struct wb_memory_patch *patch;
	size_t n, cap;
};

/* The hash that a key is made of, with what is known before the patches. */
struct wb_hash *wb_memory_key(const struct wb_oid *base,
			      const struct wb_apply_rules *r);

/* True when there is an entry for dir under m->key, with n patches. */
bool wb_memory_recall(struct wb_memory *m, const char *dir, size_t n);

/* What cannot be kept is not: a remark at most. */
void wb_memory_keep(const struct wb_memory *m, const char *dir);

void wb_memory_add(struct wb_memory *m, const struct wb_oid *tree,
		   const struct wb_applied *applied);
void wb_memory_clear(struct wb_memory *m);

#endif
