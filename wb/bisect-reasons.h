#ifndef WB_BISECT_REASONS_H
#define WB_BISECT_REASONS_H

#include "bisect-session.h"

/*
 * What else is known of the changes that a search named: what the other kind
 * of metric says (bisect-others.h) and, when asked for, which functions moved
 * (bisect-profile.h). No verdict depends on it.
 */
int wb_bisect_reasons(struct wb_bisect_session *s, struct wb_error *err);
void wb_bisect_reasons_clear(struct wb_bisect_outcome *c);

#endif
