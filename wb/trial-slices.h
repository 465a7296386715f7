#ifndef WB_TRIAL_SLICES_H
#define WB_TRIAL_SLICES_H

#include "trial.h"

#include <stddef.h>

/*
 * One round of a bench whose reader is slices: the trials of all builds at
 * once, in lockstep (lockstep.h), each as in trial.h otherwise.
 *
 * The trials are of one bench and share their CPU, fifo and interrupt_fd. r
 * gets n results, to be cleared in any case; wall is a build's share of the
 * round. *disturbed: another real-time task was in the way.
 */
int wb_trial_slices(const struct wb_trial *t, size_t n, uint64_t seed,
		    struct wb_trial_result *r, bool *disturbed,
		    struct wb_error *err);

#endif
