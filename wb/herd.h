#ifndef WB_HERD_H
#define WB_HERD_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * A control group of version 2 around one command and all that it starts, for
 * no other purpose than to end them all at once.
 *
 * Whoever kills processes one by one can lose against some that fork and exit
 * faster than they are found. The kernel cannot: what is written to cgroup.kill
 * ends every process of the group, those that are being forked meanwhile as
 * well (Linux 5.14). No controller is asked for, so the group may be made
 * wherever wb's own group can be written: by root, and by users whose group was
 * delegated to them.
 *
 * The command is in the group from its first moment (CLONE_INTO_CGROUP, Linux
 * 5.7), for moving a process takes the kernel some 10 ms. In a box none is
 * needed: a pid namespace ends as surely.
 */
struct wb_herd {
	char *dir;
	int fd;			/* the group; -1: there is none */
	bool below;		/* the group that was asked for */
};

/*
 * Makes one: below group (NULL: none) where that is of version 2 as well, for a
 * process is in one group of it; else below wb's own. None where it cannot.
 */
void wb_herd_open(struct wb_herd *h, const char *group);
/* fork(), with the child in the group. Children make system calls only. */
pid_t wb_herd_fork(const struct wb_herd *h);
/* Ends all that is in there, and the group. Dead children are the caller's. */
void wb_herd_end(struct wb_herd *h);
/* Takes away the group when it is empty, and forgets it. */
void wb_herd_close(struct wb_herd *h);

#endif
