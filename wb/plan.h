#ifndef WB_PLAN_H
#define WB_PLAN_H

#include "config.h"
#include "count.h"
#include "db.h"
#include "error.h"
#include "events.h"
#include "git.h"
#include "machine.h"
#include "result.h"
#include "series.h"

/*
 * What there is to measure: the prefixes of a stack as they will be built,
 * the benches, and this machine, each with the identity that its results are
 * kept under.
 *
 *	build id	mode, object and path of the build's inputs in the
 *			prefix after overlay, the build command, the toolchain,
 *			the layout
 *	bench id	command, reader, the overlaid files, and the number of
 *			layouts: an average over other layouts is another one
 *	machine id	see machine.h
 *
 * No commit, patch name or message goes into any of them: rewording and
 * rebasing without a change of content keeps every result.
 */
struct wb_plan_prefix {
	bool applies;
	struct wb_oid tree;	/* after overlay, without the series folder */
	char (*build)[65];	/* by layout */
};

struct wb_plan_bench {
	const struct wb_bench_config *config;
	char id[65];
	/* what its instruction counts are kept under: id, or for qemu's
	   another one, so that counts of two counters never meet */
	char count_id[65];
	enum wb_counter counter;
	char *uncounted;	/* why the counter is none, or NULL */
	struct wb_events events;	/* what can be counted here */
};

/* What the samples of one kind of run are kept under. */
const char *wb_plan_bench_id(const struct wb_plan_bench *b, bool counting);

struct wb_plan {
	struct wb_stack stack;
	struct wb_plan_prefix *prefix;	/* stack.n of them */
	struct wb_plan_bench *bench;
	size_t nbenches;
	size_t layouts;		/* of each build, at least 1 */
	/* what builds (toolchain.h): layout 0, and the others; NULL: nothing
	   is built, there is one layout */
	char *toolchain, *layout_toolchain;
	char *home_toolchain;	/* this machine's, when that is another one's */
	struct wb_machine machine;
	bool elsewhere;		/* machine has the id of another one */
	const struct wb_config *config;
};

/*
 * from: what the user named; glob: only benches whose name matches, NULL for
 * all, "" for none, when there is only to be built. config must outlive the
 * plan.
 */
int wb_plan_make(struct wb_plan *p, struct wb_git *g,
		 const struct wb_config *config, const struct wb_source *from,
		 const char *glob, struct wb_error *err);
void wb_plan_clear(struct wb_plan *p);

/*
 * The ids that the same builds have where another toolchain makes them, to
 * find samples of there. layouts: the text for layouts from 1 on. The plan is
 * for a report then, and not to be built.
 */
int wb_plan_built_by(struct wb_plan *p, struct wb_git *g, const char *plain,
		     const char *layouts, struct wb_error *err);

/*
 * All that the store knows about the plan: a column for each prefix, samples
 * of this machine, and holes for what does not apply or build. db may be
 * NULL: then nothing has been measured.
 */
int wb_plan_result(const struct wb_plan *p, struct wb_db *db,
		   struct wb_result *out, struct wb_error *err);

#endif
