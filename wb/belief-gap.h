#ifndef WB_BELIEF_GAP_H
#define WB_BELIEF_GAP_H

#include "belief.h"

/*
 * How the measured positions part the patches of a range: into the gaps of a
 * line, or the classes of a history (belief.h). Of a history a new position
 * splits each class into the patches that it contains and those that it does
 * not. Pure.
 */

/* Whether position `at` contains the patch. */
bool wb_belief_contains(const struct wb_belief *b, int at, int patch);
/* Whether the position is one of the range, and can so be measured for it. */
bool wb_belief_within(const struct wb_belief *b, int at);
/* Whether it is a patch of the range. */
bool wb_belief_searched(const struct wb_belief *b, int patch);
/* Whether the patch is one of the gap. */
bool wb_belief_in_gap(const struct wb_belief *b, size_t gap, int patch);

/* Prior weight of the patches from + 1 .. to. */
double wb_belief_weight(const struct wb_belief *b, int from, int to);

/* Makes b->gap from b->at; leaves it alone while an end was not measured. */
void wb_belief_make_gaps(struct wb_belief *b);

#endif
