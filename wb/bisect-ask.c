#include "bisect-ask.h"

#include "buf.h"

#include <stdlib.h>
#include <string.h>

void wb_bisect_ask_init(struct wb_bisect_ask *a,
			const struct wb_bisect_options *o,
			const struct wb_bisect_runner *runner,
			struct wb_bisect_result *out, struct wb_error *err)
{
	size_t n = (size_t)o->hi + 1;

	*a = (struct wb_bisect_ask){
		.o = o, .runner = runner, .out = out, .err = err,
		.hole = wb_xcalloc(n, sizeof(*a->hole)),
		.ready = wb_xcalloc(n, sizeof(*a->ready)),
	};
	if (o->ready)
		memcpy(a->ready, o->ready, n * sizeof(*a->ready));
}

void wb_bisect_ask_clear(struct wb_bisect_ask *a)
{
	free(a->hole);
	free(a->ready);
}

bool wb_bisect_ask_spent(const struct wb_bisect_ask *a)
{
	const struct wb_bisect_options *o = a->o;

	return (o->budget_runs && a->out->runs >= o->budget_runs) ||
	       (o->budget_seconds > 0 && a->out->seconds >= o->budget_seconds);
}

enum wb_bisect_asked wb_bisect_ask_build(struct wb_bisect_ask *a, int at)
{
	double seconds = 0;
	int r;

	if (a->hole[at])
		return WB_ASKED_HOLE;
	if (a->ready[at])
		return WB_ASKED;
	r = a->runner->build(a->runner->arg, at, &seconds, a->err);
	if (r < 0)
		return WB_ASKED_STOP;
	a->out->builds++;
	a->out->seconds += seconds;
	a->build_seconds += seconds;
	a->hole[at] = r;
	a->ready[at] = !r;
	return r ? WB_ASKED_HOLE : WB_ASKED;
}

enum wb_bisect_asked wb_bisect_ask_block(struct wb_bisect_ask *a,
					 const int *at, size_t n, double *y)
{
	double seconds = 0;
	int hole = at[0];
	int r = a->runner->block(a->runner->arg, at, n, y, &hole, &seconds,
				 a->err);

	if (r < 0)
		return WB_ASKED_STOP;
	a->out->seconds += seconds;
	if (r) {
		a->hole[hole] = true;
		return WB_ASKED_HOLE;
	}
	a->run_seconds += seconds;
	a->out->runs += n;
	return WB_ASKED;
}
