#ifndef WB_OPT_H
#define WB_OPT_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Options of a command: one table of rows, each naming the field of the
 * command's struct that it fills. getopt_long does the reading; the same
 * table gives the option part of -h and the shell completion.
 *
 *	static const struct wb_opt opts[] = {
 *		WB_OPT_INT('n', "rounds", struct run, rounds, "N", "..."),
 *		WB_OPT_END
 *	};
 *
 * Fields by kind: FLAG bool (set true; the row NAME "no-x" with NOFLAG sets
 * false), STR const char * (borrowed from argv), INT int >= 0, DURATION
 * double in seconds ("90", "10m", "1h30m"), RATIO double ("0.5%" is 0.005),
 * LIST struct wb_strlist (repeatable; wb_opt_clear() frees it).
 */
enum wb_opt_kind {
	WB_OPTK_END, WB_OPTK_FLAG, WB_OPTK_NOFLAG, WB_OPTK_STR, WB_OPTK_INT,
	WB_OPTK_DURATION, WB_OPTK_RATIO, WB_OPTK_LIST,
};

struct wb_strlist {
	const char **v;
	size_t n, cap;
};

struct wb_opt {
	enum wb_opt_kind kind;
	char letter;		/* 0: none */
	const char *name;
	size_t offset;
	const char *arg;	/* name of the argument in help; NULL: none */
	const char *help;
};

#define WB_OPT_FLAG(c, name, type, field, help) \
	{ WB_OPTK_FLAG, c, name, offsetof(type, field), NULL, help }
#define WB_OPT_NOFLAG(c, name, type, field, help) \
	{ WB_OPTK_NOFLAG, c, name, offsetof(type, field), NULL, help }
#define WB_OPT_STR(c, name, type, field, arg, help) \
	{ WB_OPTK_STR, c, name, offsetof(type, field), arg, help }
#define WB_OPT_INT(c, name, type, field, arg, help) \
	{ WB_OPTK_INT, c, name, offsetof(type, field), arg, help }
#define WB_OPT_DURATION(c, name, type, field, arg, help) \
	{ WB_OPTK_DURATION, c, name, offsetof(type, field), arg, help }
#define WB_OPT_RATIO(c, name, type, field, arg, help) \
	{ WB_OPTK_RATIO, c, name, offsetof(type, field), arg, help }
#define WB_OPT_LIST(c, name, type, field, arg, help) \
	{ WB_OPTK_LIST, c, name, offsetof(type, field), arg, help }
#define WB_OPT_END { WB_OPTK_END, 0, NULL, 0, NULL, NULL }

enum {
	/* stop at the first word that is not an option (for "wb -x CMD ...") */
	WB_OPT_STOP_AT_WORD = 1,
};

/* A table and the struct it fills; layers are searched in their order. */
struct wb_opt_layer {
	const struct wb_opt *opts;
	void *into;
};

enum wb_opt_help {
	WB_OPT_NO_HELP,
	WB_OPT_USAGE,		/* -h */
	WB_OPT_PAGE,		/* --help */
};

/*
 * Reads argv[1..] by all layers; the words that are no options are left in
 * argv[1..], their number in *nwords. -h and --help set *help and end the
 * reading: the rest of argv counts as words.
 */
int wb_opt_parse(int argc, char **argv, const struct wb_opt_layer *layers,
		 size_t nlayers, int flags, enum wb_opt_help *help,
		 int *nwords, struct wb_error *err);

/* Frees the lists that reading filled; they are empty then. */
void wb_opt_clear(const struct wb_opt *opts, void *into);

/* One line an option, for -h. */
struct wb_buf;
void wb_opt_help(const struct wb_opt *opts, struct wb_buf *out);
/* "--name\n" lines, for completion. */
void wb_opt_names(const struct wb_opt *opts, struct wb_buf *out);

/* "90", "1.5s", "10m", "1h30m", "2d" -> seconds, at most 10 years. */
int wb_parse_duration(const char *s, double *seconds, struct wb_error *err);
/* "0.5%" or "0.005" -> 0.005, within [0, 1]. */
int wb_parse_ratio(const char *s, double *ratio, struct wb_error *err);
/* "512M", "8G", plain bytes; K, M, G, T are powers of 1024. */
int wb_parse_bytes(const char *s, uint64_t *bytes, struct wb_error *err);
/* A decimal number in [min, max] and nothing else. */
int wb_parse_int(const char *s, long min, long max, long *out,
		 struct wb_error *err);

#endif
