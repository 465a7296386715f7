#ifndef WB_CMD_H
#define WB_CMD_H

#include "config.h"
#include "error.h"
#include "limits.h"
#include "opt.h"

#include <stdbool.h>

/*
 * Commands. To add one:
 *
 * 1. write wb/cmd-NAME.c, which defines one struct wb_cmd per verb and keeps
 *    everything else static;
 * 2. declare it below and add it to the table in cmd.c;
 * 3. write wb/man/wb-NAME.1.md, whose SYNOPSIS is the usage text (a test
 *    compares them);
 * 4. test it in tests/cli.
 *
 * A row says what the command needs, so that no command opens the repository,
 * the configuration or the store for itself. Its options are read into a
 * struct of .size bytes that starts as a copy of .defaults (zeroes when that
 * is NULL), together with the options that every command takes. Lists in it
 * are freed by the caller of fn.
 */
struct wb_buf;
struct wb_git;
struct wb_db;

/* What every command gets. Borrowed; main() owns it. */
struct wb {
	bool json;		/* --json */
	bool no_pager;
	bool quiet, verbose;
	bool color;		/* resolved: use colour on stdout */
	int width;		/* of the terminal on stdout; 0: it is none */
	struct wb_git *git;	/* NULL without a repository */
	struct wb_error no_git;	/* why it is NULL */
	struct wb_db *db;	/* NULL unless needed, or wanted and there */
	struct wb_config config;
	struct wb_limits limits;	/* of what it runs */
};

enum wb_need {
	WB_NEED_REPO = 1,	/* fails outside a repository */
	WB_WANT_REPO = 2,	/* opens one when there is one */
	WB_NEED_DB = 4,		/* the store; made when it is not there */
	WB_WANT_DB = 8,		/* the store when there is one */
	WB_RUNS = 16,		/* runs commands of a stack: within limits */
};

struct wb_cmd {
	const char *name;	/* "run"; two words for a verb: "series list" */
	int (*fn)(struct wb *wb, void *opts, int argc, char **argv,
		  struct wb_error *err);	/* argv[1..argc-1]: words */
	unsigned needs;
	const char *usage;	/* lines of the SYNOPSIS, "wb run [...]" */
	const char *summary;	/* one line for "wb help" */
	const struct wb_opt *opts;
	size_t size;
	const void *defaults;
};

extern const struct wb_cmd wb_cmd_bisect;
extern const struct wb_cmd wb_cmd_build;
extern const struct wb_cmd wb_cmd_check;
extern const struct wb_cmd wb_cmd_ci;
extern const struct wb_cmd wb_cmd_config;
extern const struct wb_cmd wb_cmd_doctor;
extern const struct wb_cmd wb_cmd_export;
extern const struct wb_cmd wb_cmd_help;
extern const struct wb_cmd wb_cmd_import;
extern const struct wb_cmd wb_cmd_init;
extern const struct wb_cmd wb_cmd_plot;
extern const struct wb_cmd wb_cmd_report;
extern const struct wb_cmd wb_cmd_run;
extern const struct wb_cmd wb_cmd_series_check;
extern const struct wb_cmd wb_cmd_series_diff;
extern const struct wb_cmd wb_cmd_series_drop;
extern const struct wb_cmd wb_cmd_series_edit;
extern const struct wb_cmd wb_cmd_series_export;
extern const struct wb_cmd wb_cmd_series_fold;
extern const struct wb_cmd wb_cmd_series_import;
extern const struct wb_cmd wb_cmd_series_list;
extern const struct wb_cmd wb_cmd_series_new;
extern const struct wb_cmd wb_cmd_series_refresh;
extern const struct wb_cmd wb_cmd_series_rename;
extern const struct wb_cmd wb_cmd_series_reorder;
extern const struct wb_cmd wb_cmd_series_trees;
extern const struct wb_cmd wb_cmd_status;
extern const struct wb_cmd wb_cmd_trust;

/* The table, in the order of "wb help"; ends with NULL. */
extern const struct wb_cmd *const wb_cmds[];

/*
 * The row for argv[1..]: two words ("series list") before one, and the first
 * verb of a noun when the noun stands alone ("series"). *words is how many
 * of argv[1..] belong to the name. NULL: there is none.
 */
const struct wb_cmd *wb_cmd_find(int argc, char **argv, int *words);

/*
 * Adds what -h prints: the synopsis (noun: of all verbs of the command's noun)
 * and the options.
 */
void wb_cmd_usage(const struct wb_cmd *cmd, bool noun, struct wb_buf *out);

/* For completion, a line each: the commands, the options beside opts. */
void wb_cmd_list(struct wb_buf *out);
void wb_cmd_opts(const struct wb_opt *opts, struct wb_buf *out);

#endif
