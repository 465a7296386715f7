#include "calls.h"

void wb_calls_note(struct wb_calls *c, int32_t round, uint64_t seed,
		   bool counting, struct wb_result *r)
{
	if (c->round == round)
		return;
	c->round = round;
	if (!c->known[counting] || c->seed[counting] != seed)
		wb_result_add_start(r, round);
	c->known[counting] = true;
	c->seed[counting] = seed;
}
