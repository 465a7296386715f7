#ifndef WB_GIT_MEMORY_H
#define WB_GIT_MEMORY_H

#include "git-object.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The objects that wb made, in memory: a backend of libgit2's database, and
 * the quicker way to it for the files git-*.c.
 *
 * A stack of thousands of patches on a large file makes as many large blobs.
 * So an object of some size that came from another is kept as what differs
 * from it (delta.h); every hundredth is kept whole, to be found without going
 * through all those before it.
 *
 * Names are SHA-1 without a search for attacks on it, which would take three
 * times as long. Instead, two contents that claim one name are refused where
 * they meet, here; among the user's own objects git has seen to it.
 */
struct wb_git_memory;
struct git_odb;

/* Joins the database, which frees it; a code of the library. */
int wb_git_memory_new(struct wb_git *g, struct git_odb *odb,
		      struct wb_git_memory **out);

/* like: what it came from, or NULL. */
int wb_git_memory_put(struct wb_git_memory *m, const unsigned char *raw,
		      enum wb_git_kind kind, const void *data, size_t len,
		      const struct wb_git_like *like, struct wb_error *err);

/*
 * 1 found, 0 not here, -1 error. out->handle is NULL, and the bytes stay as
 * long as the database, or it is to be freed.
 */
int wb_git_memory_get(struct wb_git_memory *m, const unsigned char *raw,
		      enum wb_git_kind *kind, struct wb_git_object *out,
		      struct wb_error *err);

bool wb_git_memory_has(const struct wb_git_memory *m,
		       const unsigned char *raw);

/* How it is kept: as it is, or as a delta to like, which may be elsewhere. */
struct wb_git_kept {
	enum wb_git_kind kind;
	const unsigned char *like;	/* NULL: as it is */
	const char *data;
	size_t stored;
};

bool wb_git_memory_kept(const struct wb_git_memory *m,
			const unsigned char *raw, struct wb_git_kept *out);

/*
 * Marks are for walks that see an object many times: true when it had none.
 * wb_git_memory_unmark() takes all away.
 */
bool wb_git_memory_mark(struct wb_git_memory *m, const unsigned char *raw);
void wb_git_memory_unmark(struct wb_git_memory *m);

#endif
