#ifndef WB_TABLE_H
#define WB_TABLE_H

#include "cells.h"
#include "change.h"
#include "control.h"
#include "quality.h"

/*
 * A result set, judged: a row for each metric and column, with its change, its
 * interval and its verdict. Computed once, without I/O, and shown by every
 * format; no format computes a change or a verdict of its own (foreign layouts
 * excepted, which have their own arithmetic).
 *
 * Verdicts, in this order:
 *
 *	broken	the prefix does not apply, build or run
 *	missing	it has no sample of this metric
 *	same	the 95 % interval of the change lies inside +-margin, which is
 *		to say: two one-sided tests at 2.5 % each
 *	faster, slower	"no change" is rejected at 5 %, with Holm's correction
 *		over all changes of judged metrics in the result set, shown or
 *		not; the direction of the metric says which of the two
 *	unclear	anything else; the reason says why, and what would help
 *
 * An exact metric (all runs of a side gave one number, and the metric is
 * declared exact or is of level I and repeats somewhere) has margin 0 and needs
 * no interval: any difference is a verdict.
 *
 * Columns of one build share its samples; they are the same without a test.
 *
 * A change is raw: 0.02 says that the number grew by 2 %. It is against the
 * nearest column before that has samples and is not broken, or against one
 * column for all; and, next to it, against the first column.
 */
enum wb_verdict {
	WB_VERDICT_NONE,	/* the base itself; a metric not judged */
	WB_VERDICT_BROKEN,
	WB_VERDICT_MISSING,
	WB_VERDICT_SAME,
	WB_VERDICT_FASTER,
	WB_VERDICT_SLOWER,
	WB_VERDICT_UNCLEAR,
};

struct wb_row {
	uint32_t metric, column;
	long against;		/* column; -1: compared with nothing */
	double value;		/* median over processes; NaN: no sample */
	size_t n;		/* processes */
	size_t rounds;		/* values behind the interval */
	size_t skipped;		/* rounds of both sides that are not fit */
	double change, low, high;	/* NaN: not known */
	double base_change, base_low, base_high;
	/* of slices: the change of the mean of all parts; NaN: no slices */
	double mean, mean_low, mean_high;
	struct wb_estimate log;	/* behind change, low, high; df NaN: none */
	double p;		/* before correction; NaN: no test */
	double corrected;	/* after it; NaN: not of the family */
	double test_p;		/* of the extra test; NaN: none */
	bool exact, base_exact;	/* compared as numbers, without an interval */
	bool paired;		/* by round */
	enum wb_verdict verdict;
	char *reason;		/* one line; NULL: nothing to say */
};

enum wb_against { WB_AGAINST_PREV, WB_AGAINST_BASE, WB_AGAINST_COLUMN };

/*
 * A test that a reader may know better, beside the verdicts, on the processes
 * of both sides as if they had been drawn one by one.
 */
enum wb_test { WB_TEST_NONE, WB_TEST_WELCH, WB_TEST_MANN_WHITNEY };

struct wb_table_options {
	double margin;		/* ratio, 0.005 */
	enum wb_against against;
	size_t column;		/* of WB_AGAINST_COLUMN */
	enum wb_test test;
};

struct wb_table {
	const struct wb_result *r;	/* borrowed */
	struct wb_cells cells;
	struct wb_table_options o;
	struct wb_row *row;	/* row[metric * r->ncolumns + column] */
	size_t nrows;
	double *tick;		/* by metric, see tick.h */
	struct wb_control *control;	/* by metric: the A/A floor */
	struct wb_quality *quality;	/* by metric */
	size_t family;		/* changes that Holm's correction is over */
};

void wb_table_init(struct wb_table *t, const struct wb_result *r,
		   const struct wb_table_options *o);
void wb_table_clear(struct wb_table *t);

const struct wb_row *wb_table_row(const struct wb_table *t, size_t metric,
				  size_t column);

/*
 * The smallest change that the noisiest comparison of a metric would have
 * shown, 4 times in 5 and after the correction; 0: no comparison has noise.
 */
double wb_table_visible(const struct wb_table *t, size_t metric);

/* "welch", "mann-whitney"; and the name that a report gives. */
bool wb_test_parse(const char *word, enum wb_test *out);
const char *wb_test_name(enum wb_test t);

const char *wb_verdict_word(enum wb_verdict v);	/* "" for NONE */

#endif
