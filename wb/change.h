#ifndef WB_CHANGE_H
#define WB_CHANGE_H

#include "cells.h"
#include "stats.h"

/*
 * The change of one metric from one column to another. Pure.
 *
 * Each side is what a column measured of the metric: one number per process,
 * the median of the points of that process, in order of round and run.
 *
 * The change is estimated on logs, so that a ratio of 2 and one of 1/2 weigh
 * the same. Rounds in which both sides were measured give one difference each:
 * mean log of the new side's processes less that of the old side's. With two
 * such rounds or more, the estimate is their robust mean (stats.h). Samples of
 * one common round, or without known rounds on both sides, are compared
 * unpaired (Welch). A round in which a process is not fit to be compared is
 * left out on both sides. Samples that share no round are not compared at all:
 * between rounds a machine drifts by more than most patches are worth.
 *
 * With several layouts of each build (build.h) a layout is what a difference
 * belongs to: rounds of one layout have its luck in common, so that their mean
 * is one value, and the interval is that of the layouts' means. It holds the
 * spread between layouts then, and no number of rounds in one layout makes it
 * narrow.
 *
 * Sides that were measured in lockstep slices are compared pass by pass
 * (slices.h), which is many times sharper than the medians of processes.
 */
struct wb_process {
	int64_t round;
	int64_t layout;
	double value;
	double log;		/* of it; of no use unless all are positive */
	int32_t nivcsw;		/* -1 unknown */
	bool skip;		/* not fit to be compared, see quality.h */
};

struct wb_runs {
	struct wb_process *process;	/* rising rounds */
	size_t n;
	const struct wb_passes *const *passes;	/* rising rounds; borrowed */
	size_t npasses;		/* 0: not measured in slices */
	size_t layouts;		/* that there should be; 0, 1: one */
	double median;		/* NaN for n = 0 */
	bool positive;		/* all values > 0 */
	bool equal;		/* all values the same number */
};

enum wb_change_kind {
	WB_CHANGE_NONE,		/* no common round */
	WB_CHANGE_NO_RATIO,	/* a value is 0 or below */
	WB_CHANGE_EXACT,	/* both sides repeat one number */
	WB_CHANGE_SINGLE,	/* too few values for an interval */
	WB_CHANGE_PAIRED,
	WB_CHANGE_UNPAIRED,
};

struct wb_change {
	enum wb_change_kind kind;
	struct wb_estimate log;	/* of new/old; PAIRED and UNPAIRED */
	double change;		/* new/old - 1; NaN: there is none */
	double low, high;	/* its 95 % interval; NaN: there is none */
	double p;		/* of "no change"; NaN: there is none */
	size_t rounds;		/* values behind the estimate */
	size_t skipped;		/* common rounds that were not fit */
	/* of the mean of all parts, where slices were measured; NaN else */
	double mean, mean_low, mean_high;
};

/* Reads a cell; failure metrics (unit "fail") have their mean as median. */
void wb_runs_init(struct wb_runs *s, const struct wb_cells *c, size_t metric,
		  size_t column);
void wb_runs_clear(struct wb_runs *s);

/*
 * exact: equal values of a side are the number itself and not luck. tick: the
 * smallest step of a value (0 unknown); it bounds the spread from below.
 */
struct wb_change wb_change(const struct wb_runs *now, const struct wb_runs *old,
			   bool exact, double tick);

#endif
