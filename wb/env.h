#ifndef WB_ENV_H
#define WB_ENV_H

#include "buf.h"

#include <stdbool.h>

/*
 * The environment of a build or bench command.
 *
 * It is wb's own, less what would make the command see wb's surroundings
 * instead of its own (git's GIT_DIR and the like, the flags of a make that
 * started wb), plus the WB_ variables. The size of the environment moves the
 * stack, and with it what is measured; WB_PAD fills every environment of a
 * bench up to one size, whatever the length of a prefix's name.
 */
struct wb_env {
	char **v;		/* NULL-terminated, for execve */
	size_t n, cap;
};

void wb_env_init(struct wb_env *e);	/* a copy of environ, as said above */
void wb_env_clear(struct wb_env *e);
void wb_env_set(struct wb_env *e, const char *name, const char *value);
void wb_env_setf(struct wb_env *e, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Takes out every variable ("NAME=VALUE") that is so. */
void wb_env_drop(struct wb_env *e, bool (*is)(const char *pair));

/* Bytes of all strings with their NULs. */
size_t wb_env_size(const struct wb_env *e);
/* Sets WB_PAD so that the size becomes `size` (at least the present one). */
void wb_env_pad(struct wb_env *e, size_t size);

#endif
