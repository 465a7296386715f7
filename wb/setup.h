#ifndef WB_SETUP_H
#define WB_SETUP_H

#include "cmd.h"
#include "error.h"
#include "opt.h"

#include <stdbool.h>

/*
 * What stands around every command: the options that all of them take, and
 * what is opened for one before it runs.
 */
struct wb_common {
	const char *dir;
	struct wb_strlist config;
	bool json, pager, quiet, verbose, sandbox;
	const char *color;
	bool version, list_cmds, list_opts;	/* see main.c */
};

/* They stand before the command's name or behind it. */
extern const struct wb_opt wb_common_opts[];

/*
 * Opens what the command needs, in the order in which one needs the other.
 * wb starts as zeroes and is to be torn down also when this fails.
 */
int wb_setup(struct wb *wb, const struct wb_cmd *cmd,
	     const struct wb_common *o, struct wb_error *err);
void wb_teardown(struct wb *wb);

#endif
