#ifndef WB_CGROUP_H
#define WB_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Where control groups are, of version 1, of version 2, or of both side by
 * side, by /proc/self/mounts and /proc/self/cgroup; and the few things that
 * are done with one. What is found is malloc'ed.
 */

/*
 * The mount of the hierarchy that a controller belongs to: one of version 1
 * that has it, else that of version 2, and *v2 says which; "" asks for version
 * 2 alone. NULL: there is none.
 */
char *wb_cgroup_mount(const char *controller, bool *v2);

/* wb's own group there, a path below the mount; "" is version 2. */
char *wb_cgroup_own(const char *controller);

/* The folder PREFIX-PID below parent, made; NULL: it cannot be. */
char *wb_cgroup_make(const char *parent, const char *prefix);
/* Takes away those of wbs that are gone, unless somebody is in them. */
void wb_cgroup_remove_stale(const char *parent, const char *prefix);

/* Writes a number into a file of a group; whether that worked. */
bool wb_cgroup_set(const char *dir, const char *file, uint64_t value);

#endif
