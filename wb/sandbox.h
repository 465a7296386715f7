#ifndef WB_SANDBOX_H
#define WB_SANDBOX_H

#include "box.h"
#include "config.h"
#include "env.h"
#include "error.h"
#include "proc.h"

/*
 * What commands of a stack may see and do: the one place where it is decided.
 *
 * A stack is code of other people, and wb runs all of it: builds, tests,
 * benches. By default they run in a box that bubblewrap makes:
 *
 *	seen, not written	/usr /bin /sbin /lib* /etc /opt /sys, the user's
 *				work tree and its repository, the folders of
 *				PATH, wb.sandbox-read
 *	written			the build's folder, up to wb.sandbox-disk, and
 *				wb.sandbox-write
 *	its own, and empty	/tmp, /var/tmp, /dev/shm, the home folder
 *	not there		the network but for its own loopback, other
 *				processes, privileges, variables that hold
 *				secrets, all other files
 *	bounded			memory and processes, by control groups where
 *				those may be made (limits.h); time by the
 *				command's timeout
 *
 * The keys that decide are the user's: .wbconfig cannot loosen the box that it
 * is to run in.
 *
 * A box is made once for a folder and then entered by every command that runs
 * there (box.h): making one takes milliseconds, entering it a fraction of one,
 * before the command's own time begins. Pinning and SCHED_FIFO are set from
 * outside. A box goes with its wb, kill -9 included.
 */
struct wb_sandbox {
	struct wb_box box;
	struct wb_proc_live holder;
};

/*
 * A box whose room is a folder that exists. seen: more to read, NULL-ended.
 * *out is NULL where wb.sandbox is off, or auto and there can be none: then a
 * remark has said why, once.
 */
int wb_sandbox_open(struct wb_sandbox **out, const struct wb_config *c,
		    const char *room, const char *const *seen,
		    struct wb_error *err);
void wb_sandbox_close(struct wb_sandbox *s);	/* NULL is fine */

/* The box for struct wb_proc; NULL of NULL. */
const struct wb_box *wb_sandbox_box(const struct wb_sandbox *s);

/* Takes out what a boxed command has no business with. */
void wb_sandbox_env(struct wb_env *env);

#endif
