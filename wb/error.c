#include "error.h"
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * The one piece of state the program keeps for itself: whether remarks are
 * wanted. It belongs to stderr, of which a process has one as well.
 */
static bool quiet_remarks;

static void set(struct wb_error *err, enum wb_error_kind kind, const char *fmt,
		va_list ap)
{
	err->kind = kind;
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
}

int wb_fail(struct wb_error *err, enum wb_error_kind kind, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, kind, fmt, ap);
	va_end(ap);
	return -1;
}

int wb_fail_errno(struct wb_error *err, const char *fmt, ...)
{
	int saved = errno;
	size_t len;
	va_list ap;

	va_start(ap, fmt);
	set(err, WB_E_FATAL, fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	snprintf(err->msg + len, sizeof(err->msg) - len, ": %s%s",
		 strerror(saved), saved == ENOSPC ?
		 "; free some space and repeat the command" : "");
	return -1;
}

int wb_fail_at(struct wb_error *err, const char *fmt, ...)
{
	char reason[sizeof(err->msg)];
	size_t len;
	va_list ap;

	memcpy(reason, err->msg, sizeof(reason));
	va_start(ap, fmt);
	set(err, err->kind, fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	snprintf(err->msg + len, sizeof(err->msg) - len, ": %.*s",
		 (int)(sizeof(reason) - 1), reason);
	return -1;
}

void wb_error_clear(struct wb_error *err)
{
	err->kind = WB_E_NONE;
	err->msg[0] = '\0';
}

int wb_error_exit_code(const struct wb_error *err)
{
	switch (err->kind) {
	case WB_E_NONE:
		return 0;
	case WB_E_LOSS:
		return 1;
	case WB_E_JUDGE:
		return 125;
	case WB_E_USAGE:
		return 129;
	case WB_E_SIGINT:
		return 130;
	case WB_E_SIGTERM:
		return 143;
	case WB_E_FATAL:
		break;
	}
	return 128;
}

/* Text of a message may come from a patch or a build. */
static void say(const char *tag, const char *fmt, va_list ap)
{
	struct wb_buf raw = WB_BUF_INIT, safe = WB_BUF_INIT;

	wb_buf_vaddf(&raw, fmt, ap);
	wb_text_add(&safe, raw.ptr, WB_TEXT_UTF8);
	fprintf(stderr, "wb: %s%s\n", tag, safe.ptr);
	wb_buf_clear(&raw);
	wb_buf_clear(&safe);
}

static void sayf(const char *tag, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(tag, fmt, ap);
	va_end(ap);
}

void wb_error_print(const struct wb_error *err)
{
	sayf("error: ", "%s", err->msg);
}

void wb_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say("warning: ", fmt, ap);
	va_end(ap);
}

void wb_talk(const char *fmt, ...)
{
	va_list ap;

	if (quiet_remarks)
		return;
	va_start(ap, fmt);
	say("", fmt, ap);
	va_end(ap);
}

void wb_talk_quiet(bool quiet)
{
	quiet_remarks = quiet;
}
