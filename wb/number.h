#ifndef WB_NUMBER_H
#define WB_NUMBER_H

#include "buf.h"

/*
 * Numbers as decimal text, without regard to what they measure. NaN and
 * infinities are for the caller to deal with.
 */

/* As few digits as read back as the same number: 0.1 is not 0.1000000001 */
void wb_number_add(struct wb_buf *out, double v);

/* Rounded to at most so many digits; never with an exponent: 210, 0.0021, 3 */
void wb_number_add_rough(struct wb_buf *out, double v, int digits);

#endif
