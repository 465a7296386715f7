#ifndef WB_BISECT_BLOCK_H
#define WB_BISECT_BLOCK_H

#include "json.h"
#include "result.h"

/*
 * What a block of runs gave: for each metric a number a run. In a journal it
 * is a JSON object, with the numbers as they were measured.
 */
struct wb_bisect_metric {
	char *name, *unit;
	enum wb_better better;
	enum wb_level level;
	bool exact;
	double *value;		/* a run each; NaN: it gave none */
};

struct wb_bisect_block {
	size_t n;		/* runs */
	int *at;
	size_t *layout;
	struct wb_bisect_metric *metric;
	size_t nmetrics;
	double seconds;		/* of the whole block */
};

void wb_bisect_block_init(struct wb_bisect_block *k, const int *at,
			  const size_t *layout, size_t n);
/* The metric of that name, made when it is new; its values are NaN. */
struct wb_bisect_metric *wb_bisect_block_metric(struct wb_bisect_block *k,
						const char *name,
						const char *unit);
void wb_bisect_block_clear(struct wb_bisect_block *k);

/* The metric of that name, or NULL. */
const struct wb_bisect_metric *
wb_bisect_block_find(const struct wb_bisect_block *k, const char *name);

/* hole: the position that failed, with the reason; why NULL: none did. */
struct wb_json *wb_bisect_block_to_json(const struct wb_bisect_block *k,
					int hole, const char *why);
/* Anything goes in; what is missing is 0 or NaN. */
void wb_bisect_block_from_json(const struct wb_json *o,
			       struct wb_bisect_block *k);

#endif
