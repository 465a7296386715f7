#ifndef WB_ROUNDS_H
#define WB_ROUNDS_H

#include "campaign.h"

/*
 * The rounds of one bench in a campaign, timing or counting: what the schedule
 * asks for is run, read and stored until every comparison has the rounds that
 * it wants, or the time is up. See run.h for what a round is.
 *
 * -1 only when wb must stop; a bench that cannot run here is left out.
 */
int wb_rounds_run(struct wb_campaign *c, size_t bench, bool counting,
		  const struct wb_wish *wish, struct wb_error *err);

#endif
