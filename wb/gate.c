#include "gate.h"

#include <math.h>

double wb_gate_loss(const struct wb_table *t, const struct wb_row *row)
{
	switch (t->r->metric[row->metric].better) {
	case WB_BETTER_LOWER:
		return row->change;
	case WB_BETTER_HIGHER:
		return -row->change;
	case WB_BETTER_UNKNOWN:
		break;
	}
	return NAN;
}

bool wb_gate_fails(const struct wb_table *t, const struct wb_row *row,
		   double gate)
{
	/* a change from 0 has no ratio and is beyond any */
	return row->verdict == WB_VERDICT_SLOWER &&
	       !(wb_gate_loss(t, row) <= gate);
}
