#ifndef WB_REFERENCE_H
#define WB_REFERENCE_H

#include "table.h"

/*
 * One revision judged against others that are known to be good, and perhaps
 * bad. Pure. In the table the revision is column `at`, and stands behind the
 * good one; with two references the bad one comes next.
 *
 * Against a good one alone it is bad that fails the gate (gate.h), and good
 * where every judged metric is known not to. Between a good and a bad one only
 * metrics tell whose ends differ for certain: the revision is bad where it is
 * slower than the good one and nearer to the bad one, both for certain, good
 * where the bad one is slower and the revision nearer to the good one. One half
 * way between the two is neither, however long it is measured. One metric that
 * says bad is enough; good takes all that tell.
 */
enum wb_reference { WB_REFERENCE_GOOD, WB_REFERENCE_BAD, WB_REFERENCE_UNKNOWN };

/* What one judged metric says. */
enum wb_reference wb_reference_metric(const struct wb_table *t, size_t at,
				      size_t metric, bool two, double gate);

/* All of them; *metric is the one that decided. */
enum wb_reference wb_reference_judge(const struct wb_table *t, size_t at,
				     bool two, double gate, size_t *metric);

/* From good to bad, in the bad direction, for certain, beyond the gate. */
bool wb_reference_ends_differ(const struct wb_table *t, size_t at,
			      size_t metric, double gate);

const char *wb_reference_word(enum wb_reference r);

#endif
