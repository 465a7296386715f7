#ifndef WB_SAMPLE_AXES_H
#define WB_SAMPLE_AXES_H

#include "error.h"
#include "json.h"

#include <stddef.h>

/*
 * Axes: under which circumstances a bench ran ("nr_task": "50%"), as lkp has
 * them. Samples of one bench with other axes are of another group, and never
 * compared with each other.
 */
struct wb_axes {
	char *names, *values;	/* each joined with '/'; NULL: there are none */
};

/* An object of strings and numbers, in its order; absent or null is none. */
int wb_axes_read(struct wb_axes *a, const struct wb_json *v,
		 struct wb_error *err);
void wb_axes_clear(struct wb_axes *a);

/*
 * Benches that were run under several axes become as many, named with the
 * values. Each user of a name (a metric, a run that failed) gets the new one.
 */
struct wb_axes_user {
	char **bench;		/* malloc'ed, and replaced */
	const char *values;	/* NULL: without axes */
};

void wb_axes_part(const struct wb_axes_user *u, size_t n);

#endif
