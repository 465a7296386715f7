#ifndef WB_GATE_H
#define WB_GATE_H

#include "table.h"

/*
 * When a change fails whoever stands guard (wb ci, wb check): it is a loss that
 * is certain, which is to say that its verdict is "slower" after Holm's
 * correction, or that it is exact; and the loss itself, the mean change in the
 * bad direction, is larger than the gate (wb.gate, 0.5 %).
 */

/* The change in the bad direction, a ratio, negative for a gain; NaN: none. */
double wb_gate_loss(const struct wb_table *t, const struct wb_row *row);

bool wb_gate_fails(const struct wb_table *t, const struct wb_row *row,
		   double gate);

#endif
