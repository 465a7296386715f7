#ifndef WB_SLICE_PROC_H
#define WB_SLICE_PROC_H

#include "error.h"
#include "proc.h"
#include "room.h"
#include "sample.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A bench that stays alive and answers: one line in, one line out.
 *
 *	list			{"metrics":["alloc","free"]}
 *	run METRIC SEED		{"metric":METRIC,"value":V,"parts":[8 times V]}
 *	quit			the end of the process
 *
 * A slice (run) is warmed up untimed for the first fifth of WB_SLICE_US and
 * then timed in 8 parts; value is their median. Nothing is taken on trust: an
 * answer that is late, early, too long, not the sample line that was asked
 * for, not finite, not positive, or whose value is not the median of its
 * parts fails the process for good, with a reason.
 */
#define WB_SLICE_PARTS 8

struct wb_slice_proc {
	struct wb_proc proc;
	struct wb_proc_live live;
	bool started;		/* and not stopped */
	char *failure;		/* why it answers no more; NULL: it does */
	struct wb_buf line, err;	/* its answer, its errors */
	struct wb_room room;	/* what it wrote, in a box */
	struct wb_proc_result end;	/* after wb_slice_stop() */
};

/* One slice, checked. The sample's strings live until it is cleared. */
struct wb_slice {
	struct wb_sample sample;
	double median, mean;	/* of the parts */
};

/*
 * proc.timeout is for each answer; strings and vectors of proc are borrowed.
 * In all of these -1 means that wb itself must stop (interrupted, no process
 * can be started); what is the bench's fault is p->failure and 0.
 */
int wb_slice_start(struct wb_slice_proc *p, const struct wb_proc *proc,
		   struct wb_error *err);

/*
 * Asks `list`: 1 and the names, each and the vector malloc'ed, or 0, when what
 * came back is no list of names without blanks.
 */
int wb_slice_list(struct wb_slice_proc *p, char ***names, size_t *n,
		  struct wb_error *err);

/* Asks for a slice: 1 and *s, which the caller clears, or 0. */
int wb_slice_run(struct wb_slice_proc *p, const char *metric, uint32_t seed,
		 struct wb_slice *s, struct wb_error *err);

/* Asks it to end without waiting for that; then wb_slice_stop() waits. */
void wb_slice_quit(struct wb_slice_proc *p);
void wb_slice_stop(struct wb_slice_proc *p);

/* Stops it too, when nobody did. */
void wb_slice_clear(struct wb_slice_proc *p);

/* Whether a name can stand in a line between two others. */
bool wb_slice_name_ok(const char *metric);

#endif
