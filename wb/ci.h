#ifndef WB_CI_H
#define WB_CI_H

#include "db.h"
#include "lint.h"
#include "plan.h"
#include "run.h"
#include "table.h"
#include "warnings.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A stack at the gate: each patch applied, read, built, tested and measured,
 * base and prefixes side by side on this machine.
 *
 * What was done before and cannot have changed is not done again: a prefix
 * with the build inputs of the one before it is the same build, and a test that
 * passed on the same files is not run again. Of a quilt stack that is compared
 * with the one of an earlier revision, only prefixes whose build is not in that
 * stack are looked at. A patch fails the gate when it does not apply, build or
 * pass its test, or when it costs more than the gate (gate.h) and the stack's
 * folder does not expect it to. Words in front of a diff and new compiler
 * warnings are told and fail nothing.
 */
enum wb_ci_step {
	WB_CI_APPLY, WB_CI_HEADER, WB_CI_BUILD, WB_CI_TEST, WB_CI_MEASURE,
	WB_CI_STEPS,
};

enum wb_ci_state {
	WB_CI_NONE,		/* not done: nothing to do, or not reached */
	WB_CI_OK,
	WB_CI_SAME,		/* as before, so not done again */
	WB_CI_TOLD,		/* something to look at */
	WB_CI_UNCLEAR,		/* could not be judged */
	WB_CI_FAILED,
};

struct wb_ci_cell {
	enum wb_ci_state state;
	char *why;		/* one line; NULL: nothing to say */
};

struct wb_ci_prefix {
	struct wb_ci_cell step[WB_CI_STEPS];
	bool unchanged;		/* the build is in the stack of old */
	bool made;		/* there is a build to compare with */
	struct wb_lint header;
	struct wb_warnings fresh;	/* that the prefix before has not */
};

struct wb_ci_options {
	const struct wb_source *from;	/* of the plan */
	const char *old;	/* revision of the stack before; NULL: none */
	double gate;		/* ratio */
	double budget;		/* seconds for everything; 0: no limit */
	struct wb_stop_rule rule;
	bool quiet;
	int interrupt_fd;
};

struct wb_ci {
	const struct wb_plan *plan;
	struct wb_ci_prefix *v;	/* plan->stack.n of them; 0 is the base */
	struct wb_result result;
	struct wb_table table;	/* of result; nrows 0: nothing to measure */
	double gate;
	const char *old;	/* as in the options, which it is borrowed of */
	bool out_of_time;
};

/*
 * v[k].unchanged, for the quilt stack that revision rev has in the same folder,
 * on rev's own files. Patches that were reworded, and prefixes that a patch
 * below shifted without touching the build's inputs, are unchanged.
 */
int wb_ci_compare(struct wb_ci *ci, struct wb_git *g, const char *rev,
		  struct wb_error *err);

/* Everything, in this order; -1 when wb itself cannot go on. */
int wb_ci_run(struct wb_ci *ci, const struct wb_plan *plan, struct wb_git *g,
	      struct wb_db *db, const struct wb_ci_options *o,
	      struct wb_error *err);
void wb_ci_clear(struct wb_ci *ci);

const char *wb_ci_step_word(enum wb_ci_step s);
const char *wb_ci_state_word(enum wb_ci_state s);

/* Patches (not the base) with such a cell; first: the lowest, if there is. */
size_t wb_ci_count(const struct wb_ci *ci, enum wb_ci_state s, size_t *first);
/*
 * Words of others for a log that a service reads along: it takes "##[" for the
 * start of a command wherever it stands in a line.
 */
void wb_ci_add_words(struct wb_buf *out, const char *s);
/* The sentence that says how it went, malloc'ed. */
char *wb_ci_verdict(const struct wb_ci *ci);
/* Whether there is anything that a person should read. */
bool wb_ci_has_news(const struct wb_ci *ci);

/* What it looks like (ci-*.c). */
void wb_ci_text(const struct wb_ci *ci, struct wb_buf *out);
void wb_ci_json(const struct wb_ci *ci);
void wb_ci_junit(const struct wb_ci *ci, struct wb_buf *out);
void wb_ci_markdown(const struct wb_ci *ci, struct wb_buf *out);
/* "::warning file=...": what GitHub Actions reads from a step's output. */
void wb_ci_annotations(const struct wb_ci *ci, struct wb_buf *out);
/* The JSON that GitLab reads as a code quality report. */
void wb_ci_quality(const struct wb_ci *ci, struct wb_buf *out);

/* Where a finding of prefix k stands: the patch file, or the commit's name. */
char *wb_ci_place(const struct wb_ci *ci, size_t k);

/*
 * One thing that was found. Strings are borrowed; the line is 0 where none is
 * known, the file NULL where it is about none.
 */
struct wb_ci_finding {
	size_t k;
	enum wb_ci_step step;
	enum wb_ci_state state;
	const char *file;
	size_t line;
	const char *text;
	bool warning;		/* of the compiler, new in this prefix */
};
typedef void wb_ci_finding_fn(void *to, const struct wb_ci_finding *f);

/* All of prefix k, in the order of a report. (ci-findings.c) */
void wb_ci_each(const struct wb_ci *ci, size_t k, wb_ci_finding_fn *fn,
		void *to);
/* Its text, with the place where a warning is; not escaped for anything. */
void wb_ci_finding_text(const struct wb_ci_finding *f, struct wb_buf *out);

#endif
