#ifndef WB_GIT_OBJECT_H
#define WB_GIT_OBJECT_H

#include "buf.h"
#include "error.h"
#include "git.h"

#include <stddef.h>

/*
 * Raw objects: what the files git-*.c share below git.h.
 *
 * An object that wb made is found in memory, any other in the repository. Its
 * bytes are those that git hashes, without the header. Trees are read and
 * written in this form because the walks of git-tree.c and git-export.c need
 * one pass over the bytes and no more.
 */
#define WB_GIT_RAW 20

enum wb_git_kind {
	WB_GIT_TREE,
	WB_GIT_BLOB,
	WB_GIT_COMMIT,
};

enum wb_git_from {
	WB_GIT_FROM_NOWHERE,
	WB_GIT_FROM_MEMORY,
	WB_GIT_FROM_STORE,	/* the repository */
	WB_GIT_FROM_FOLDER,	/* an imported folder */
};

struct wb_git_object {
	const char *data;
	size_t len;
	enum wb_git_from from;
	void *handle;		/* what release gives back */
};

#define WB_GIT_OBJECT_INIT { .data = "", .from = WB_GIT_FROM_NOWHERE }

int wb_git_object_read(struct wb_git *g, const unsigned char *raw,
		       enum wb_git_kind kind, struct wb_git_object *out,
		       struct wb_error *err);
void wb_git_object_release(struct wb_git *g, struct wb_git_object *o);

/* An object that another one came from, which is to be had by its name. */
struct wb_git_like {
	const unsigned char *raw;
	const char *data;
	size_t len;
};

/* like: what it shares with that is kept once; NULL: it came from nothing. */
int wb_git_object_write(struct wb_git *g, enum wb_git_kind kind,
			const void *data, size_t len,
			const struct wb_git_like *like, unsigned char *raw,
			struct wb_error *err);

/* The id that the bytes would get. */
void wb_git_object_hash(enum wb_git_kind kind, const void *data, size_t len,
			unsigned char *raw);

/* The library's handle, for git-*.c; borrowed. */
struct git_repository *wb_git_repo(struct wb_git *g);
/* The repository's own objects, without those of wb; NULL in memory. */
struct git_odb *wb_git_store(struct wb_git *g);
struct wb_git_memory *wb_git_memory(struct wb_git *g);
bool wb_git_borrows(const struct wb_git *g);	/* after wb_git_borrow() */

/* Adds a commit to a range; parent NULL: a root. A code of the library. */
struct git_commit;
int wb_git_range_step(struct git_repository *repo, struct git_commit *c,
		      struct git_commit *parent, unsigned how,
		      struct wb_git_range *out);

void wb_oid_to_raw(const struct wb_oid *id, unsigned char *raw);
void wb_oid_from_raw(struct wb_oid *id, const unsigned char *raw);

/*
 * Entries of a tree in their order, which is that of the bytes of their names
 * with a '/' behind the names of folders. next: 1 an entry, 0 the end, -1 the
 * tree is damaged.
 */
struct wb_tree_entry {
	uint32_t mode;
	const char *name;
	size_t len;		/* of name */
	const unsigned char *raw;
};

struct wb_tree_iter {
	const char *p, *end;
};

int wb_tree_next(struct wb_tree_iter *it, struct wb_tree_entry *e,
		 struct wb_error *err);

#define WB_MODE_TREE 040000
#define WB_MODE_FILE 0100644
#define WB_MODE_EXEC 0100755
#define WB_MODE_LINK 0120000
#define WB_MODE_COMMIT 0160000

#endif
