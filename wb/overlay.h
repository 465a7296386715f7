#ifndef WB_OVERLAY_H
#define WB_OVERLAY_H

#include "buf.h"
#include "error.h"
#include "git.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A tree that patches are applied to, one after the other.
 *
 * The overlay remembers, for each path a patch spoke of, what stands there:
 * so the next patch of the same file reads nothing again, and the cost of a
 * patch does not depend on the size of the tree. While a patch is at work a
 * path has two versions, the one before the patch and the one now; commit
 * makes the second the first and writes the tree, abort forgets it.
 */
struct wb_version {
	uint32_t mode;		/* 0: nothing there */
	bool has_id, loaded;	/* .id, .data are valid; one always is */
	struct wb_oid id;
	struct wb_buf data;
};

struct wb_overlay_file {
	char *path;
	struct wb_version before, now;
	bool changed;		/* .now counts; else both are .before */
	bool moved_in;		/* .now was put where .before is to leave */
	uint64_t used;		/* by which patch, last */
	struct wb_overlay_file *chain;
};

struct wb_overlay;

struct wb_overlay *wb_overlay_new(struct wb_git *g, const struct wb_oid *tree);
void wb_overlay_free(struct wb_overlay *ov);
const struct wb_oid *wb_overlay_tree(const struct wb_overlay *ov);

/* The path's record, which stays where it is until the overlay is freed. */
int wb_overlay_find(struct wb_overlay *ov, const char *path,
		    struct wb_overlay_file **out, struct wb_error *err);

struct wb_version *wb_overlay_now(struct wb_overlay_file *f);

/* Sees to it that .data is valid; a submodule reads as git diffs it. */
int wb_overlay_load(struct wb_overlay *ov, struct wb_version *v,
		    struct wb_error *err);

/* Puts bytes there; takes the content of data over. */
void wb_overlay_put(struct wb_overlay *ov, struct wb_overlay_file *f,
		    uint32_t mode, struct wb_buf *data);
/* Puts there what v is, with another mode. */
void wb_overlay_copy(struct wb_overlay *ov, struct wb_overlay_file *f,
		     uint32_t mode, const struct wb_version *v);
void wb_overlay_remove(struct wb_overlay *ov, struct wb_overlay_file *f);

/* How many folders would have to be made for a file at path. */
int wb_overlay_lacks(struct wb_overlay *ov, const char *path, size_t *n,
		     struct wb_error *err);

/* The path of a link or file that stands where path needs a folder, or NULL */
int wb_overlay_blocked(struct wb_overlay *ov, const char *path, char **at,
		       uint32_t *mode, struct wb_error *err);

/*
 * Writes the tree. On failure the versions now are dropped, as abort does,
 * and *bad is the file at fault, NULL when there is none.
 */
int wb_overlay_commit(struct wb_overlay *ov, const struct wb_overlay_file **bad,
		      struct wb_error *err);
void wb_overlay_abort(struct wb_overlay *ov);

#endif
