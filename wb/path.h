#ifndef WB_PATH_H
#define WB_PATH_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>

/*
 * Where wb keeps its files, and the few things it does with files.
 */

/* $XDG_CONFIG_HOME/wb, $XDG_CACHE_HOME/wb; malloc'ed, perhaps not there. */
char *wb_path_config_dir(struct wb_error *err);
char *wb_path_cache_dir(struct wb_error *err);

/* "./a/b/" to "a/b", in place: as git names what lies in a tree. */
void wb_path_tidy(char *path);

/* Whether a program of that name is in PATH. */
bool wb_path_program(const char *name);

/* mkdir -p */
int wb_path_make(const char *dir, struct wb_error *err);

/* rm -rf that follows no link and leaves other file systems alone. */
int wb_path_remove(const char *path, struct wb_error *err);

/* The whole file, at most max bytes; *there is false when it is missing. */
int wb_path_read(const char *path, size_t max, struct wb_buf *out, bool *there,
		 struct wb_error *err);

/* The same where strangers may write: what is a link there is refused. */
int wb_path_read_theirs(const char *path, size_t max, struct wb_buf *out,
			bool *there, struct wb_error *err);

/*
 * Replaces the file in one step: readers see the old bytes or the new ones,
 * also after a crash.
 */
int wb_path_write(const char *path, const void *data, size_t len,
		  struct wb_error *err);

/*
 * For a name that a person gave: what is no file (/dev/stdout, /dev/null, a
 * pipe) is written to and stays; a file is replaced as above.
 */
int wb_path_put(const char *path, const void *data, size_t len,
		struct wb_error *err);

/* Whether that would work now, for whoever has long work to do before it. */
int wb_path_can_put(const char *path, struct wb_error *err);

/* No file there any more, where wb_path_put() may have made one. */
int wb_path_take_back(const char *path, struct wb_error *err);

#endif
