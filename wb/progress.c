#include "progress.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR 18
#define ALONE 60			/* places of what is shown */
#define WITH_BAR 40
#define TTY_EVERY 0.1		/* seconds between two lines */
#define LOG_EVERY 15.0

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void wb_progress_start(struct wb_progress *p, bool quiet)
{
	memset(p, 0, sizeof(*p));
	p->on = !quiet;
	p->tty = isatty(STDERR_FILENO);
	p->began = now();
	p->last = p->tty ? 0 : p->began;
}

const char *wb_progress_duration(double seconds, char out[24])
{
	long s = seconds > 0 ? (long)(seconds + 0.5) : 0;

	if (s < 100)
		snprintf(out, 24, "%lds", s);
	else if (s < 5400)
		snprintf(out, 24, "%ldm%02lds", s / 60, s % 60);
	else
		snprintf(out, 24, "%ldh%02ldm", s / 3600 % 100000,
			 s / 60 % 60);
	return out;
}

void wb_progress_show(struct wb_progress *p, double seconds_left,
		      const char *fmt, ...)
{
	struct wb_buf raw = WB_BUF_INIT, what = WB_BUF_INIT;
	char left[24] = "?", bar[BAR + 1];
	double t = now();
	size_t fill;
	va_list ap;

	if (!p->on || t - p->last < (p->tty ? TTY_EVERY : LOG_EVERY))
		return;
	p->last = t;
	va_start(ap, fmt);
	wb_buf_vaddf(&raw, fmt, ap);
	va_end(ap);
	wb_text_add(&what, raw.ptr, WB_TEXT_UTF8);
	if (p->tty)
		wb_text_cut(&what, p->total ? WITH_BAR : ALONE);
	if (seconds_left >= 0)
		wb_progress_duration(seconds_left, left);
	fill = p->total ? BAR * p->done / p->total : 0;
	memset(bar, ' ', BAR);
	memset(bar, '=', fill < BAR ? fill : BAR);
	bar[BAR] = '\0';
	if (!p->total)
		fprintf(stderr, p->tty ? "\r\033[Kwb: %s" : "wb: %s\n",
			what.ptr);
	else if (p->tty)
		fprintf(stderr, "\r\033[Kwb: [%s] %zu/%zu  eta %s  %s",
			bar, p->done, p->total, left, what.ptr);
	else
		fprintf(stderr, "wb: %zu/%zu  eta %s  %s\n", p->done,
			p->total, left, what.ptr);
	fflush(stderr);
	wb_buf_clear(&raw);
	wb_buf_clear(&what);
}

void wb_progress_hide(struct wb_progress *p)
{
	if (p->on && p->tty)
		fputs("\r\033[K", stderr);
}
