#ifndef WB_CONFIG_H
#define WB_CONFIG_H

#include "buf.h"
#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * What the user configured, from all scopes, later ones winning:
 *
 *	system, global (~/.gitconfig and its XDG place), project (.wbconfig at
 *	the root of the work tree, of HEAD in a bare repository), local
 *	(.git/config), environment (WB_CONFIG_COUNT, WB_CONFIG_KEY_n,
 *	WB_CONFIG_VALUE_n), command line (-c key=value)
 *
 * Every entry is kept with its scope, because .wbconfig comes with the
 * repository and names commands: those run only after "wb trust" (trust.h).
 * Commands of the other scopes are the user's own.
 */
enum wb_scope {
	WB_SCOPE_DEFAULT, WB_SCOPE_SYSTEM, WB_SCOPE_GLOBAL, WB_SCOPE_PROJECT,
	WB_SCOPE_LOCAL, WB_SCOPE_ENV, WB_SCOPE_COMMAND,
};

struct wb_config_entry {
	enum wb_scope scope;
	char *origin;		/* file name, "environment", "-c" */
	char *key;		/* section and name lowercase, as git does */
	char *value;		/* NULL: a key without "=", true */
};

enum wb_sandbox_wish { WB_SANDBOX_AUTO, WB_SANDBOX_ON, WB_SANDBOX_OFF };
enum wb_fifo { WB_FIFO_AUTO, WB_FIFO_ON, WB_FIFO_OFF };
/* Part of every bench id (plan.h): a number keeps its meaning for ever. */
enum wb_reader {
	WB_READER_SAMPLES = 0,	/* sample lines, JSON */
	WB_READER_LINES,	/* NAME VALUE [UNIT] */
	WB_READER_TIME,		/* the command is timed: wall user sys maxrss */
	WB_READER_LAST_NUMBER,	/* the last number of stdout */
	WB_READER_GOOGLE,	/* google-benchmark's JSON */
	WB_READER_HYPERFINE,	/* hyperfine's JSON */
	WB_READER_GO,		/* the text of go test -bench */
	WB_READER_PERF,		/* perf stat -j */
	WB_READER_KTAP,		/* numbers in the diagnostics of tests */
	WB_READER_MMTESTS,	/* mmtests' tables and extracted logs */
	WB_READER_SLICES,	/* asked slice by slice, see lockstep.h */
};
#define WB_READERS (WB_READER_SLICES + 1)
enum wb_counter_wish { WB_WISH_ANY_COUNTER, WB_WISH_CALLGRIND, WB_WISH_QEMU };
enum wb_level_wish { WB_WISH_AUTO, WB_WISH_H, WB_WISH_S, WB_WISH_I };

struct wb_bench_config {
	char *name;
	char *command;
	enum wb_reader reader;
	char *better;		/* "lower", "higher"; NULL not said */
	char *unit;		/* NULL not said */
	char *judge;		/* globs, NULL default */
	int cpus;
	enum wb_level_wish level;
	enum wb_counter_wish counter;
	char *events;		/* of perf, NULL none */
	char *toggle;		/* function that is counted, NULL none */
	char *profile;		/* functions whose share is a metric, or NULL */
	double timeout;		/* seconds, one run */
	bool from_project;	/* the command comes from .wbconfig */
};

#define WB_LAYOUTS_MAX 64	/* each is a build of every prefix */

struct wb_build_config {
	char *command;		/* NULL: nothing to build */
	char *inputs;		/* paths separated by blanks; NULL: all */
	char *overlay;		/* paths separated by blanks; NULL: none */
	char *test;		/* of a prefix's correctness; NULL: none */
	bool test_from_project;
	int layouts;		/* builds of a prefix that differ in layout */
	double timeout;		/* seconds */
	bool from_project;
};

struct wb_config {
	char *series;		/* quilt folder of the stack */
	char *profile;		/* strict, quilt, dpkg, git */
	bool header_only;	/* patches without a diff change nothing */
	char *templates;	/* folder from the top, NULL none */
	double margin;		/* ratio */
	double gate;		/* ratio */
	enum wb_fifo fifo;
	char *cpuset;		/* folder of a control group, NULL none */
	int rounds, max_rounds;
	enum wb_sandbox_wish sandbox;
	char *sandbox_read, *sandbox_write;	/* more paths; NULL none */
	uint64_t sandbox_disk, sandbox_memory;	/* bytes; 0: by the machine */
	int sandbox_processes;
	/* whether it was said that there is no box: all else is read only to
	   whoever has a config, but many want one and one remark is enough */
	bool *unboxed_said;
	struct wb_build_config build;
	struct wb_bench_config *bench;	/* in order of first appearance */
	size_t nbenches, capbenches;

	struct wb_config_entry *entry;	/* all of them, weakest first */
	size_t nentries, capentries;
	char *project;		/* content of .wbconfig, NULL: there is none */
	size_t project_len;
};

/* One row of the table of plain keys; "wb help config" prints them all. */
struct wb_config_key {
	const char *key, *fallback, *help;
};
extern const struct wb_config_key wb_config_keys[];	/* ends with NULL key */

void wb_config_init(struct wb_config *c);
void wb_config_clear(struct wb_config *c);

/* Copies its strings; value NULL is a key that stands alone. */
void wb_config_add(struct wb_config *c, enum wb_scope scope,
		   const char *origin, const char *key, const char *value);

/* WB_CONFIG_COUNT and its pairs; -c words ("key=value" or "key"). */
int wb_config_add_env(struct wb_config *c, struct wb_error *err);
int wb_config_add_word(struct wb_config *c, const char *word,
		       struct wb_error *err);

/*
 * Entries to fields, defaults filled in; once. A bad value fails and names key
 * and origin; a key of ours that the table does not have is warned of.
 */
int wb_config_settle(struct wb_config *c, struct wb_error *err);

const struct wb_bench_config *wb_config_bench(const struct wb_config *c,
					      const char *name);
const char *wb_scope_word(enum wb_scope s);
const char *wb_reader_word(enum wb_reader r);
bool wb_reader_parse(const char *word, enum wb_reader *out);

#endif
