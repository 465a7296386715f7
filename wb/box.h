#ifndef WB_BOX_H
#define WB_BOX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * How a process gets into a box that stands already (sandbox.h makes them).
 *
 * The supervisor of a command enters the box's namespaces and makes a pid
 * namespace for this run alone, whose init starts the command, waits for it
 * and goes: with it the kernel ends all that the run started, however it
 * hides. What a command costs is thus counted from its own exec on, without
 * the making of a box.
 *
 * All that is opened is opened beforehand; the calls are made between fork and
 * exec and use system calls only.
 */
#define WB_BOX_SPACES 5

struct wb_box {
	int space[WB_BOX_SPACES];	/* user, mount, net, ipc, uts; or -1 */
	char *room;		/* the folder that may be written */
	uint64_t disk;		/* bytes in it, and of any file */
	uint64_t processes;	/* RLIMIT_NPROC, which does not bind root */
	uint64_t memory;	/* of each process; 0: a group bounds all */
};

/* The supervisor's: 0, or -1 with errno. Its next child is an init. */
int wb_box_enter(const struct wb_box *b);
/* The init's: its own /proc, to be read; first to go when memory is short. */
int wb_box_settle(void);
/*
 * The command's, last before its exec: limits, no descriptors but the first
 * three, no privileges any more.
 */
int wb_box_confine(const struct wb_box *b);

#endif
