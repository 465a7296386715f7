#ifndef WB_STRIP_H
#define WB_STRIP_H

#include "table.h"

/*
 * Samples as a line of ASCII for a mail or a terminal, one a prefix, all on
 * one scale:
 *
 *	 0 base     41.2  |      . .::|#|:. .                    |
 *
 * A dot is a sample, a colon several; # is the median, between bars its 95 %
 * interval where there are six samples. "<" and ">" at an edge: some lie
 * beyond. width: of the scale, in characters.
 */
void wb_strip(const struct wb_table *t, size_t metric, size_t width,
	      struct wb_buf *out);

#endif
