#ifndef WB_BISECT_SESSION_H
#define WB_BISECT_SESSION_H

#include "bisect-aa.h"
#include "bisect-log.h"
#include "bisect-measure.h"
#include "bisect-others.h"
#include "bisect-profile.h"
#include "bisect.h"

/*
 * A search, from its journal and, where that ends, from the machine.
 *
 * One session is of one bench and one kind of run (timing or counting). All
 * metrics that a block gave are kept, so that the search for the second metric
 * begins with what the first one measured, and both with what the store holds
 * of the range.
 */
struct wb_bisect_outcome {
	char *metric, *unit;	/* metric: its name in the bench */
	enum wb_better better;
	enum wb_level level;
	bool exact;
	struct wb_bisect_aa aa;	/* NaN and 0 for exact metrics */
	struct wb_bisect_result result;
	/* by change, NULL: none (bisect-profile.h, bisect-others.h) */
	struct wb_json **profile, **others;
};

struct wb_bisect_name {		/* of a position */
	const char *name, *subject, *commit;	/* commit, subject: or NULL */
	int64_t index;		/* k of its prefix */
};

struct wb_bisect_session {
	struct wb_bisect_log log;
	struct wb_bisect_bench *bench;	/* borrowed; NULL: play back only */
	struct wb_bisect_options o;	/* budgets are of the whole session */
	const char *judge;	/* globs of metrics to search; NULL: default */
	const char *merge;	/* commit that brought the range in; or NULL */
	bool quiet;
	bool profile;		/* of each change (bisect-profile.h) */

	struct wb_bisect_name *name;	/* n positions, of the header */
	int n;
	struct wb_ancestry dag;	/* of a history that is no line */
	size_t layouts;
	bool counting;
	bool *ready;		/* by position */
	char **why;		/* by position: it is a hole; NULL: it is not */
	uint64_t seed;		/* of the whole session */
	struct wb_bisect_block *block;	/* all so far */
	size_t nblocks, capblocks;
	size_t runs, builds;
	double seconds, run_seconds;

	struct wb_bisect_outcome *outcome;
	size_t noutcomes;
	struct wb_bisect_outcome *now;	/* in work */
	const char *phase;		/* of that one, and */
	struct wb_belief_gap *seen;	/* the belief after its last block */
	size_t nseen;
	bool whole;			/* of the whole range */
	struct wb_bisect_session **inner;	/* of merges that it found */
	size_t ninner;
};

/* The header that a journal of this search has. */
struct wb_json *wb_bisect_session_header(const struct wb_bisect_session *s);

/*
 * In what two headers differ, for a message: the first difference. A search
 * goes on only where nothing does.
 */
const char *wb_bisect_header_differs(const struct wb_json *a,
				     const struct wb_json *b);

/* Names, options and kind from the header of an open journal. */
int wb_bisect_session_recall(struct wb_bisect_session *s, struct wb_error *err);

/* To its end, or -1: interrupted, or the journal that is played back ended. */
int wb_bisect_session_run(struct wb_bisect_session *s, struct wb_error *err);
void wb_bisect_session_clear(struct wb_bisect_session *s);

#endif
