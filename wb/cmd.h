#ifndef WB_CMD_H
#define WB_CMD_H

#include "config.h"
#include "error.h"
#include "opt.h"

#include <stdbool.h>

/*
 * Commands. To add one:
 *
 * 1. write wb/cmd-NAME.c, which defines one struct wb_cmd per verb and keeps
 *    everything else static;
 * 2. declare it below and add it to the table in main.c;
 * 3. write wb/man/wb-NAME.1.md, whose SYNOPSIS is the usage text (a test
 *    compares them);
 * 4. test it in tests/cli.
 *
 * A row says what the command needs, so that no command opens the repository,
 * the configuration or the store for itself. Its options are read into a
 * struct of .size bytes that starts as a copy of .defaults (zeroes when that
 * is NULL), together with the options that every command takes.
 */
struct wb_git;
struct wb_db;

enum wb_color { WB_COLOR_AUTO, WB_COLOR_ALWAYS, WB_COLOR_NEVER };

/* What every command gets. Borrowed; main() owns it. */
struct wb {
	bool json;		/* --json */
	bool no_pager;
	bool quiet, verbose;
	bool color;		/* resolved: use colour on stdout */
	struct wb_git *git;	/* NULL without a repository */
	struct wb_db *db;	/* NULL unless WB_NEED_DB */
	struct wb_config config;
};

enum wb_need {
	WB_NEED_REPO = 1,	/* fails outside a repository */
	WB_WANT_REPO = 2,	/* opens one when there is one */
	WB_NEED_DB = 4,		/* the store; made when it is not there */
	WB_WANT_DB = 8,		/* the store when there is one */
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

extern const struct wb_cmd wb_cmd_build;
extern const struct wb_cmd wb_cmd_config;
extern const struct wb_cmd wb_cmd_help;
extern const struct wb_cmd wb_cmd_report;
extern const struct wb_cmd wb_cmd_run;
extern const struct wb_cmd wb_cmd_series_list;
extern const struct wb_cmd wb_cmd_series_trees;
extern const struct wb_cmd wb_cmd_status;
extern const struct wb_cmd wb_cmd_trust;

/* The table, in the order of "wb help"; ends with NULL. In main.c. */
extern const struct wb_cmd *const wb_cmds[];

#endif
