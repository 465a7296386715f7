#ifndef WB_GIT_FOLDER_H
#define WB_GIT_FOLDER_H

#include "git-object.h"

/*
 * The files of a plain folder as blobs: which id each had when the folder was
 * imported, and its bytes when they are asked for. A file that has changed
 * since is an error then, never other bytes.
 */
struct wb_git_folder;

struct wb_git_folder *wb_git_folder_new(const char *dir, struct wb_error *err);
void wb_git_folder_free(struct wb_git_folder *f);	/* NULL is fine */

int wb_git_folder_import(struct wb_git_folder *f, struct wb_git *g,
			 const char *const *skip, size_t nskip,
			 struct wb_oid *out, struct wb_error *err);

bool wb_git_folder_has(const struct wb_git_folder *f,
		       const unsigned char *raw);
int wb_git_folder_read(const struct wb_git_folder *f, const unsigned char *raw,
		       struct wb_git_object *out, struct wb_error *err);

#endif
