#ifndef WB_BISECT_OTHERS_H
#define WB_BISECT_OTHERS_H

#include "bisect-measure.h"
#include "bisect.h"
#include "json.h"

/*
 * What the store says of a change by metrics of the other kind: of one that was
 * found by a clock the instruction counts, and the reverse. The two can differ
 * for good reasons (a cache, a system call, code that was laid out elsewhere),
 * so a difference is a finding to be told, and no error of either.
 *
 *	[{"metric":...,"level":...,"n":n,"change":r,"low":r,"high":r,
 *	  "verdict":"faster|slower|same|unclear","agrees":true|false|null},...]
 *
 * The verdicts are those of a report on the two builds. agrees is null when
 * the other metric tells nothing (unclear). Metrics that are not judged or
 * were not measured on both sides are left out.
 */
struct wb_bisect_found {
	int below, at;
	const char *metric;
	enum wb_better better;
	enum wb_level level;
	double effect;		/* log ratio */
};

int wb_bisect_others(const struct wb_bisect_bench *b,
		     const struct wb_bisect_found *f, struct wb_json **out,
		     struct wb_error *err);

/* A line each, indented. */
void wb_bisect_others_print(const struct wb_json *list, struct wb_buf *out);

#endif
