#ifndef WB_GNUPLOT_H
#define WB_GNUPLOT_H

#include "error.h"
#include "table.h"

/*
 * A picture as PNG, drawn by gnuplot: samples by prefix, medians joined. file
 * is replaced in one step. WB_E_FATAL names the package when gnuplot is not
 * there.
 */
int wb_gnuplot_png(const struct wb_table *t, size_t metric, const char *file,
		   struct wb_error *err);

#endif
