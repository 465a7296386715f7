#ifndef WB_SAMPLE_ADD_H
#define WB_SAMPLE_ADD_H

#include "names.h"
#include "sample-axes.h"
#include "sample.h"

/*
 * Samples on their way from lines into a result set. For sample-*.c only.
 */
struct wb_loader {
	struct wb_result *r;
	bool known;		/* its columns and metrics, so many of them */
	size_t ncolumns, nmetrics;
	struct wb_names prefixes;	/* numbered as columns */
	struct wb_names metrics;	/* lengths, axes, bench, name */
	struct wb_names listed;		/* the header's metrics */
	struct wb_names boots;
	struct wb_buf key;
	struct wb_axes axes;	/* of the header, for lines without their own */
	uint32_t own_run;
	/* runs that failed: what has no sample in the end is broken */
	struct failure {
		size_t column;
		char *bench, *values, *reason;
	} *failure;
	size_t nfailures, capfailures;
	/* of wb export: what gave the rounds their order */
	struct seed {
		int32_t round;
		bool counting;
		uint64_t seed;
	} *seed;
	size_t nseeds, capseeds;
};

/* Of an empty result set, or (known) of one with columns and metrics. */
void wb_loader_init(struct wb_loader *l, struct wb_result *r, bool known);
void wb_loader_clear(struct wb_loader *l);

/* The prefix or the metric of that name, which is added when it is new. */
size_t wb_loader_column(struct wb_loader *l, const char *prefix);
size_t wb_loader_metric(struct wb_loader *l, const char *bench,
			const char *name, const struct wb_axes *axes);
/* What a line says, which must not contradict the lines before. */
int wb_loader_add(struct wb_loader *l, const struct wb_sample *s,
		  struct wb_error *err);
/* Behind the last line: what failed, and where calls of wb run began. */
void wb_loader_end(struct wb_loader *l);

#endif
