#ifndef WB_SLICES_H
#define WB_SLICES_H

#include "result.h"
#include "stats.h"

/*
 * The change between two columns that took turns, slice by slice (lockstep.h).
 * Pure.
 *
 * In a pass every process is timed once within a few milliseconds, and what the
 * machine does to one it does to its neighbours in time. So the unit is the
 * difference in one pass: d = ln(now) - ln(old), of the median part of each
 * slice. From these
 *
 *	batch	consecutive rounds, pooled: the median of their d. Noise of
 *		neighbours lasts for many passes, and a process keeps what
 *		fortune gave it (0.2 to 0.3 %) for a round: single passes are
 *		no independent values, batches nearly are.
 *	log	the 10 % trimmed mean over batches, with its interval after
 *		Yuen (wb_robust_mean in stats.h)
 *	mean	the same over ln of the means of all timed parts, round by
 *		round: medians do not see a cost that comes in less than half
 *		of the parts
 *
 * There are a quarter as many batches as rounds, but at least 10 (or as many
 * as there are rounds) and at most 20. No smallest value alone, and no dividing
 * by a pass's median: on a busy machine the first is off by several per cent,
 * and the second loses one effect in four.
 *
 * Of log and mean, sd is the spread of one round and n the number of rounds,
 * so that a forecast in rounds holds.
 */
struct wb_slices {
	struct wb_estimate log, mean;
	size_t batches;
};

/* How many batches that number of rounds makes. */
size_t wb_slices_batches(size_t rounds);

/*
 * Both sides by rising rounds; rounds of one side alone are left out. floor as
 * in wb_robust_mean(). False, and NaN, when they have no round in common.
 */
bool wb_slices(const struct wb_passes *const *now, size_t nnow,
	       const struct wb_passes *const *old, size_t nold, double floor,
	       struct wb_slices *out);

#endif
