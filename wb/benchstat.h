#ifndef WB_BENCHSTAT_H
#define WB_BENCHSTAT_H

#include "buf.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The arithmetic of benchstat's tables. Pure.
 *
 * A cell is the median of its values with the interval between two order
 * statistics that holds it with 95 % at least, whatever the distribution:
 * x(l) to x(n+1-l) with the largest l for which P(B(n, 1/2) < l) <= 2.5 %.
 * Fewer than 6 values have no such l.
 */
struct wb_bs_cell {
	double median;		/* NaN: no value */
	double spread;		/* the longer side, percent of the median;
				   infinite below 6 values */
	size_t n;
	bool equal;		/* all values are the same number */
};

/* Reorders v. */
struct wb_bs_cell wb_bs_cell(double *v, size_t n);

/*
 * Units in which they are compared: seconds and bytes. *factor is what a value
 * is to be multiplied with, *name the unit then (unit itself when unknown).
 */
void wb_bs_unit(const char *unit, double *factor, const char **name);

/*
 * A number of 4 digits with the prefix (n, u, m, k, M, G, T) that fits like,
 * so that all numbers of a row have one prefix.
 */
void wb_bs_add_scaled(struct wb_buf *out, double v, double like);

#endif
