#ifndef WB_PROGRESS_H
#define WB_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One line on stderr that says how far a long command is and how long it
 * still takes. On a terminal it is rewritten in place, elsewhere a line is
 * printed now and then. -q silences it.
 */
struct wb_progress {
	bool on, tty;
	double began, last;	/* monotonic seconds */
	size_t done, total;	/* steps; total may grow */
};

void wb_progress_start(struct wb_progress *p, bool quiet);
/* seconds_left < 0: not known yet. what is cut to the line's width. */
void wb_progress_show(struct wb_progress *p, double seconds_left,
		      const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Clears the line, so that something else can be printed. */
void wb_progress_hide(struct wb_progress *p);

/* "45s", "12m", "1h05m". */
const char *wb_progress_duration(double seconds, char out[24]);

#endif
