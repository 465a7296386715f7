#ifndef WB_MMTESTS_H
#define WB_MMTESTS_H

#include "cells.h"

/*
 * The arithmetic of mmtests' comparison tables. Pure.
 *
 * It pools all samples of a metric, sorted best first, and compares columns by
 * a gain in percent of which positive is better. The rules include what the
 * original gets wrong, under the name compat; wb's own tables use change.h.
 */
enum wb_mm_kind {
	WB_MM_MIN, WB_MM_MEAN, WB_MM_SD, WB_MM_CV, WB_MM_MAX, WB_MM_FIRST,
	WB_MM_BEST,	/* mean of the best p percent */
	WB_MM_RANK,	/* the value of rank p percent, best first */
	WB_MM_INTERVAL,	/* of the gain; wb's own addition */
};

struct wb_mm_stat {
	enum wb_mm_kind kind;
	int p;
};

enum wb_rows {
	WB_ROWS_MULTIOPS, WB_ROWS_SINGLEOPS, WB_ROWS_NORMALISEDOPS,
	WB_ROWS_LEFTSKEW, WB_ROWS_VARIABLETIME,
};

struct wb_mm_rowset {
	const struct wb_mm_stat *stat;
	size_t n;
};

/* in2016: the rows and the spread that the program had in 2016. */
struct wb_mm_rowset wb_mm_rowset(enum wb_rows rows, bool in2016);

/* All samples of one metric in one column, best first. */
struct wb_mm_pool {
	double *v;
	size_t n;
	double first;		/* in the order of the samples */
	bool higher;		/* is better; unknown counts as lower */
};

void wb_mm_pool_init(struct wb_mm_pool *p, const struct wb_cells *c,
		     size_t metric, size_t column);
void wb_mm_pool_clear(struct wb_mm_pool *p);

/* A statistic in the unit of the metric (WB_MM_CV: percent); NaN undefined. */
double wb_mm_value(const struct wb_mm_pool *p, const struct wb_mm_stat *s,
		   bool in2016);
void wb_mm_label(struct wb_buf *out, const struct wb_mm_stat *s, bool higher,
		 bool in2016);

/*
 * Percent by which now is better than base: as the original has it, with its
 * answers for zeroes; and as it should be, NaN when base is 0.
 */
double wb_mm_gain_compat(double now, double base, bool higher);
double wb_mm_gain(double now, double base, bool higher);

/* The original's star: |difference| > 1.96 (s1 + s2), whatever n is. */
bool wb_mm_star_compat(const struct wb_mm_pool *now,
		       const struct wb_mm_pool *base);

/*
 * Where a kernel's name is cut into the two header lines: line 1 is
 * name[0..first), line 2 name[second..). The original cuts at the first dash,
 * or 4 bytes later when it sees "-rc" and a digit near; a name without a dash
 * loses its last byte on line 1.
 */
void wb_mm_split_compat(const char *name, size_t *first, size_t *second);

#endif
