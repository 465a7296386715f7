#ifndef WB_RESULT_H
#define WB_RESULT_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A result set: every sample behind a report, and what each belongs to.
 *
 * It is filled from the store (db.c) or from a file of sample lines
 * (sample.c) and read by the table and the formats, which cannot tell the two
 * apart. A column is a prefix; a metric is one named number of one bench; a
 * point is one sample: one number of one metric from one process of one
 * column. A hole says why a column has no samples for a bench. A bench is
 * listed whether anything was measured of it or not.
 *
 * A round is a set of runs measured back to back in random order; only points
 * of the same bench and round are compared with each other. Points without a
 * known round have round -1 (and are then compared unpaired).
 */
enum wb_better { WB_BETTER_UNKNOWN, WB_BETTER_LOWER, WB_BETTER_HIGHER };

/* How a number was counted: hardware, software clock, emulated instructions */
enum wb_level { WB_LEVEL_UNKNOWN, WB_LEVEL_H, WB_LEVEL_S, WB_LEVEL_I };

struct wb_metric {
	char *bench;		/* "" when a file names none */
	char *name;
	char *unit;		/* "" unknown; "fail": 0/1 failure metric */
	enum wb_better better;
	enum wb_level level;
	bool exact;		/* repeats give the same number */
	bool judged;		/* verdicts are given on it */
	char *axes, *values;	/* of its group (sample-axes.h), or NULL */
	/* an event's: the part of the time it was on the hardware, in the run
	   where that was least; below 1 counts are estimates; 0 of others */
	double counted;
};

struct wb_column {
	int index;		/* k: place in the stack */
	char *name;		/* "base" or the patch's name */
	char *subject;		/* NULL unknown */
	char **trailer;		/* "Key: value", of the patch's message */
	size_t ntrailers, captrailers;
	char *tree;		/* 40 hex digits, NULL unknown */
	char *build;		/* build id, NULL unknown */
	char **layout;		/* ids of its other layouts, from 1 on */
	size_t nlayouts, caplayouts;
};

enum wb_hole_kind { WB_HOLE_MISSING, WB_HOLE_BROKEN };

struct wb_hole {
	size_t column;
	char *bench;		/* NULL: all (does not apply or build) */
	enum wb_hole_kind kind;
	char *reason;		/* one line: first error line, log path */
};

#define WB_OWN_RUN ((uint32_t)1 << 31)

struct wb_point {
	double value;		/* finite */
	uint32_t metric, column;
	int32_t round;		/* -1 unknown */
	/* process; points of one process share it. From WB_OWN_RUN on: of a
	   line that named none */
	uint32_t run;
	uint32_t layout;	/* of the build; a round has one */
	int32_t nivcsw;		/* its involuntary switches; -1 unknown */
};

/*
 * What lockstep slices tell beyond a point: the passes of a round, in which
 * the processes of all columns took turns. Pass p of one column stands beside
 * pass p of another; it took exp(log + offset[p]) in the metric's unit.
 */
struct wb_passes {
	uint32_t metric, column;
	int32_t round;
	double log;		/* of the point's value */
	double mean;		/* of all timed parts */
	const float *offset;	/* shared by columns of one build */
	size_t n;
};

struct wb_result {
	struct wb_column *column;
	size_t ncolumns, capcolumns;
	struct wb_metric *metric;
	size_t nmetrics, capmetrics;
	struct wb_point *point;
	size_t npoints, cappoints;
	struct wb_passes *passes;
	size_t npasses, cappasses;
	float **offsets;	/* memory behind passes */
	size_t noffsets, capoffsets;
	/*
	 * The A/A control: samples of a second run of a column in a round, as
	 * if it were another prefix. Never part of the column's own.
	 */
	struct wb_point *control;
	size_t ncontrols, capcontrols;
	struct wb_passes *control_passes;	/* of lockstep slices */
	size_t ncontrol_passes, capcontrol_passes;
	/* numbers of the rounds and runs that a store gave: the next ones */
	int32_t nrounds;
	uint32_t nruns;
	/* rounds that a call of wb run began with; may be out of order */
	int32_t *start;
	size_t nstarts, capstarts;
	struct wb_hole *hole;
	size_t nholes, capholes;
	char **bench;		/* each once, in the order of the report */
	size_t nbenches, capbenches;
	char *machine;		/* machine id, NULL unknown */
	char *machine_facts;	/* one line for people, NULL unknown */
	char *toolchain;	/* how it differs from what builds here; NULL:
				   it does not, as far as is known */
	/* runs of other machines, or other states of this one: left out, for
	   only like is compared with like */
	struct wb_elsewhere {
		char *facts;
		size_t runs;
	} *elsewhere;
	size_t nelsewhere, capelsewhere;
	size_t open_runs;	/* of these benches, that no sandbox held */
	/* rounds in which something befell the machine, a word of mishap.h */
	struct wb_result_mishap {
		char *bench, *what;
		size_t discarded, kept;	/* rounds */
	} *mishap;
	size_t nmishaps, capmishaps;
	size_t locked_runs;	/* that had memory locked (proc-locked.h) */
	size_t unlocked_runs;	/* that had none when they were looked at */
	size_t layouts;		/* that rounds go through; 0, 1: there is one */
};

void wb_result_init(struct wb_result *r);
void wb_result_clear(struct wb_result *r);

/* Each copies its strings and gives the index of the new element. */
size_t wb_result_add_column(struct wb_result *r, int index, const char *name);
size_t wb_result_add_metric(struct wb_result *r, const char *bench,
			    const char *name);
void wb_result_add_hole(struct wb_result *r, size_t column, const char *bench,
			enum wb_hole_kind kind, const char *reason);
void wb_result_add_trailer(struct wb_result *r, size_t column,
			   const char *key, const char *value);
/* Somebody else's word on a patch ("Acked-by: ..."), not its author's. */
bool wb_trailer_is_given(const char *line);
/* The build id of a column, then those of its other layouts. */
void wb_result_add_build(struct wb_result *r, size_t column, const char *id);
void wb_result_add_point(struct wb_result *r, const struct wb_point *p);
void wb_result_add_control(struct wb_result *r, const struct wb_point *p);
void wb_result_add_start(struct wb_result *r, int32_t round);

/* n floats that live as long as r, for the passes of one or more columns. */
float *wb_result_offsets(struct wb_result *r, size_t n);
void wb_result_add_passes(struct wb_result *r, const struct wb_passes *p);
void wb_result_add_control_passes(struct wb_result *r,
				  const struct wb_passes *p);

/* A bench that belongs to the report; one that is listed stays as it is. */
void wb_result_add_bench(struct wb_result *r, const char *name);

/* Runs that were left out; those of one machine are added up. */
void wb_result_add_elsewhere(struct wb_result *r, const char *facts,
			     size_t runs);

/* A round that something befell; those of one bench are added up. */
void wb_result_add_mishap(struct wb_result *r, const char *bench,
			  const char *what, bool discarded);

/* Index, or -1. */
long wb_result_find_column(const struct wb_result *r, const char *name);
long wb_result_find_metric(const struct wb_result *r, const char *bench,
			   const char *name);

/* Whether its name is 12 hex digits, which tell a reader nothing. */
bool wb_column_is_commit(const struct wb_column *c);

/*
 * The column that a user means by word: its name, with or without a final
 * ".patch"; "base" for the first; its number; or, for a commit of a range, as
 * many hex digits as only one column begins with, or more than its name has.
 * -1 for none, -2 for several.
 */
long wb_result_pick_column(const struct wb_result *r, const char *word);

/*
 * Marks the judged metrics of a bench: those whose name matches one of the
 * globs. Without globs (NULL or blank): all when the bench has at most 8
 * metrics, none when it has more. Several globs are separated by blanks. Says
 * whether any metric is judged now.
 */
bool wb_result_judge(struct wb_result *r, const char *bench, const char *globs);

/* Whether name matches one of several globs, which blanks separate. */
bool wb_globs_match(const char *globs, const char *name);

/* Judged by default: a bench with at most so many metrics, when nobody says. */
#define WB_JUDGED_BY_DEFAULT 8

const char *wb_better_word(enum wb_better b);	/* "lower" "higher" "" */
bool wb_better_parse(const char *word, enum wb_better *out);
const char *wb_level_word(enum wb_level l);	/* "H" "S" "I" "" */
bool wb_level_parse(const char *word, enum wb_level *out);

#endif
