#ifndef WB_TICK_H
#define WB_TICK_H

#include "cells.h"

/*
 * The tick of a metric: the smallest step that its values can take, in its
 * unit, found from the values themselves. Pure.
 *
 * It is 10^-d, d being the decimals of the value that needs most of them: 1
 * for whole numbers, 0.1 for 41.2. When enough different values are all a
 * multiple of a larger step apart (memory comes in pages of 4 KiB), the tick is
 * that step. Values with more decimals than anybody prints have none: 0.
 */
double wb_tick(const struct wb_cells *c, size_t metric);

#endif
