#ifndef WB_DB_H
#define WB_DB_H

#include "error.h"
#include "pmu.h"
#include "result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The store: every run that finished and every sample it gave, in SQLite, in
 * results.db below the repository's common git folder, so that linked work
 * trees share it.
 *
 * Runs are keyed by build id, bench id and machine id, never by a commit or a
 * patch name. A run is one transaction, as is a round whose runs end all at
 * once: kill -9 loses no run that was reported as finished, and leaves no part
 * of one. The end of a round is synced to disk, so a power cut loses at most
 * the runs of the round in progress.
 *
 * A store of a newer schema is refused, a damaged one is named and left as it
 * is. One of an older schema is read as it is, and brought up to date by the
 * first command that writes.
 */
struct wb_db;

/*
 * Opens GITDIR/wb/results.db. Without create a missing store gives *out NULL
 * and no error.
 */
int wb_db_open(const char *git_dir, bool create, struct wb_db **out,
	       struct wb_error *err);
void wb_db_close(struct wb_db *db);	/* NULL is fine */

/* Number of the row for an id; made when it is new. */
int wb_db_machine(struct wb_db *db, const char *id, const char *facts,
		  int64_t *row, struct wb_error *err);
int wb_db_bench(struct wb_db *db, const char *id, const char *name,
		const char *command, int64_t *row, struct wb_error *err);
int wb_db_build(struct wb_db *db, const char *id, const char *tree,
		int64_t *row, struct wb_error *err);

/*
 * The remembered failure of a build: *reason is malloc'ed, NULL when none is
 * known. Setting it to NULL forgets it.
 */
int wb_db_broken(struct wb_db *db, const char *build, char **reason,
		 struct wb_error *err);
int wb_db_set_broken(struct wb_db *db, int64_t build, const char *reason,
		     struct wb_error *err);

/* Opens a round; boot is the kernel's boot id, seed gave its order. */
int wb_db_round(struct wb_db *db, int64_t bench, int64_t machine,
		const char *boot, uint64_t seed, int64_t *row,
		struct wb_error *err);
/*
 * What befell the machine meanwhile, a word of mishap.h. A round that is
 * discarded for it is kept, and nothing but wb_db_load() knows of it.
 */
struct wb_db_mishap {
	const char *what;
	bool discarded;
};
/*
 * Everything up to here is on the disk when this returns 0. mishap NULL: none.
 */
int wb_db_end_round(struct wb_db *db, int64_t round,
		    const struct wb_db_mishap *mishap, struct wb_error *err);

struct wb_db_sample {
	const char *metric, *unit;
	enum wb_better better;
	enum wb_level level;	/* unknown: that of its run */
	bool exact;
	double value;
	int64_t iter;		/* slices behind it; 0 unknown */
	/* of lockstep slices: ln(pass / value), pass by pass of the round */
	const float *pass;
	size_t npasses;		/* 0: no slices */
	double mean;		/* of all timed parts; with passes only */
};

/* An event's count as it was read, of a metric without a sample of its own. */
struct wb_db_counter {
	const char *metric;
	enum wb_level level;
	struct wb_pmu_count count;
};

/* What a run took of the machine; -1 is unknown. */
struct wb_db_usage {
	double user, sys;	/* seconds */
	int64_t maxrss;		/* bytes, of the largest process */
	int64_t nvcsw;		/* voluntary context switches */
	int64_t faults, migrations;
	int64_t task_clock;	/* ns on a CPU, of all processes */
	int64_t locked;		/* bytes kept in memory (proc-locked.h) */
};

#define WB_DB_USAGE_UNKNOWN { -1, -1, -1, -1, -1, -1, -1, -1 }

struct wb_db_run {
	int64_t round, build;
	int order;		/* place in its round, from 0 */
	enum wb_level level;
	const char *reason;	/* why it gave no samples; NULL: it did */
	bool control;		/* of the base as if it were another prefix */
	int open;		/* outside of a sandbox: 1; -1: unknown */
	int64_t time;		/* seconds since 1970; 0: now */
	double wall, cpu;	/* seconds */
	int64_t nivcsw;		/* involuntary context switches */
	struct wb_db_usage usage;
	const struct wb_db_sample *sample;
	size_t nsamples;
	const struct wb_db_counter *counter;
	size_t ncounters;
};

int wb_db_add_run(struct wb_db *db, const struct wb_db_run *run,
		  struct wb_error *err);

/*
 * A round whose runs ended together, with its beginning and its end, all in
 * one transaction that is on the disk when this returns 0. Fills run[].round.
 */
int wb_db_add_round(struct wb_db *db, int64_t bench, int64_t machine,
		    const char *boot, uint64_t seed, struct wb_db_run *run,
		    size_t n, const struct wb_db_mishap *mishap,
		    struct wb_error *err);

/*
 * The runs of some builds, good and failed: one call of fn for each, rounds
 * ascending. build is the index into builds, wall in seconds, counters the
 * names of the events that were counted, separated by blanks.
 */
struct wb_db_past {
	int64_t round;
	size_t build;
	enum wb_level level;
	bool failed, control;
	double wall;
	const char *counters;	/* borrowed */
};
typedef void wb_db_run_fn(void *arg, const struct wb_db_past *run);
int wb_db_rounds(struct wb_db *db, const char *bench, const char *machine,
		 const char *const *builds, size_t n, wb_db_run_fn *fn,
		 void *arg, struct wb_error *err);

/*
 * The runs of the finished round that this seed gave its order: a call of fn
 * for each sample (borrowed), and one with s NULL for a run that gave none. 1,
 * or 0 when there is no such round.
 */
typedef void wb_db_round_fn(void *arg, int place, const char *build,
			    double wall, const char *reason,
			    const struct wb_db_sample *s);
int wb_db_round_runs(struct wb_db *db, int64_t bench, int64_t machine,
		     uint64_t seed, wb_db_round_fn *fn, void *arg,
		     struct wb_error *err);

/*
 * Adds the metrics and samples of one bench on one machine to r, for the
 * columns whose build id is set. Columns may share a build; each then gets
 * the samples. Columns whose runs all failed get a hole with the last reason.
 * Control runs go to r->control. Rounds in which something befell the machine
 * are counted.
 */
int wb_db_load(struct wb_db *db, const char *bench, const char *name,
	       const char *machine, struct wb_result *r, struct wb_error *err);

/*
 * What other machines than this one, or this one in another state, have
 * measured of some builds: one call of fn for each machine and build.
 */
typedef void wb_db_machine_fn(void *arg, const char *facts, size_t runs);
int wb_db_elsewhere(struct wb_db *db, const char *machine,
		    const char *const *builds, size_t n, wb_db_machine_fn *fn,
		    void *arg, struct wb_error *err);

/*
 * A run with all that is known of it and of its round, to be carried to
 * another store. A round keeps its id there, which is how it is known again.
 */
struct wb_db_record {
	const char *bench, *name, *command;
	const char *machine, *facts;
	const char *build, *tree;
	const char *round, *boot;	/* ids */
	uint64_t seed;
	int64_t began, ended;	/* seconds since 1970; ended -1: never */
	struct wb_db_run run;	/* without the numbers of rows */
};

/*
 * The runs of a bench on a machine of some builds, in the order of rounds and
 * within them: one call of fn for each.
 */
typedef void wb_db_record_fn(void *arg, const struct wb_db_record *r);
int wb_db_export(struct wb_db *db, const char *bench, const char *machine,
		 const char *const *builds, size_t n, wb_db_record_fn *fn,
		 void *arg, struct wb_error *err);

/*
 * Between begin and end every record is added that is not there yet; *added
 * says which. end without keep, like a death, leaves nothing of them. A run
 * that is stored with other numbers is refused.
 */
int wb_db_import_begin(struct wb_db *db, struct wb_error *err);
int wb_db_import(struct wb_db *db, const struct wb_db_record *r, bool *added,
		 struct wb_error *err);
/* A build that failed; one that this store knows stays as it is. */
int wb_db_import_broken(struct wb_db *db, const char *build, const char *tree,
			const char *reason, struct wb_error *err);
int wb_db_import_end(struct wb_db *db, bool keep, struct wb_error *err);

/*
 * What built on another machine, for its builds have other ids than those of
 * this one's compiler: taken by import, and told newest first of the machines
 * whose id begins with prefix. layouts is the text for layouts from 1 on.
 */
int wb_db_import_toolchain(struct wb_db *db, const char *machine,
			   const char *facts, const char *plain,
			   const char *layouts, struct wb_error *err);
typedef int wb_db_toolchain_fn(void *arg, const char *machine,
			       const char *plain, const char *layouts,
			       struct wb_error *err);
int wb_db_toolchains(struct wb_db *db, const char *prefix,
		     wb_db_toolchain_fn *fn, void *arg, struct wb_error *err);

/*
 * The machines, newest first, whose id begins with prefix: a call of fn for
 * each that has good runs of one of the builds.
 */
typedef void wb_db_known_fn(void *arg, const char *id, const char *facts);
int wb_db_machines(struct wb_db *db, const char *prefix,
		   const char *const *builds, size_t n, wb_db_known_fn *fn,
		   void *arg, struct wb_error *err);

#endif
