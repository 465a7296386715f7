#ifndef WB_ERROR_H
#define WB_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * How a call fails, and what the user reads.
 *
 * A function that can fail returns int: 0, or -1 with the reason in its last
 * argument. The reason is one line: what went wrong, where (file:line when
 * there is a file), what to do. It is written where it is known; callers pass
 * it on or put a place in front of it. Only main() prints it, and the kind
 * alone decides the exit code, so a kind is chosen for what the caller of the
 * program may conclude, not for the library that failed.
 *
 * A caller that recovers calls wb_error_clear() and says in a comment why
 * going on is right.
 */
enum wb_error_kind {
	WB_E_NONE = 0,
	WB_E_LOSS,	/* 1: judged, and the answer is no */
	WB_E_JUDGE,	/* 125: cannot be judged: no build, sample or data */
	WB_E_FATAL,	/* 128: the request cannot be carried out */
	WB_E_USAGE,	/* 129: the command line or configuration is wrong */
	WB_E_SIGINT,	/* 130: interrupted, state saved */
	WB_E_SIGTERM,	/* 143: terminated, state saved */
};

struct wb_error {
	enum wb_error_kind kind;
	char msg[1024];
};

#define WB_ERROR_INIT { .kind = WB_E_NONE }

/* Sets the reason; an error that is already set is replaced. Returns -1. */
int wb_fail(struct wb_error *err, enum wb_error_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same, with ": " and the text of errno behind it. */
int wb_fail_errno(struct wb_error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Puts "PLACE: " in front of a reason that is set. Returns -1. */
int wb_fail_at(struct wb_error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void wb_error_clear(struct wb_error *err);
int wb_error_exit_code(const struct wb_error *err);

/* One line each on stderr. Bytes below space are shown as '?'. */
void wb_error_print(const struct wb_error *err);
void wb_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A remark; -q silences remarks (wb_talk_quiet), never warnings or errors. */
void wb_talk(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void wb_talk_quiet(bool quiet);

#endif
