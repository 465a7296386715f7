#ifndef WB_BISECT_PRINT_H
#define WB_BISECT_PRINT_H

#include "bisect-session.h"
#include "json.h"

/*
 * What a search found, as text and as JSON, from a session that ran to its end
 * or, for the last two, as far as its journal goes.
 */
void wb_bisect_print(const struct wb_bisect_session *s, struct wb_buf *out);

/* The object of one metric, as DESIGN and wb-bisect-perf(1) have it. */
struct wb_json *wb_bisect_json(const struct wb_bisect_session *s,
			       const struct wb_bisect_outcome *c);

/* Where it stands: phase, runs, and what is believed. */
void wb_bisect_print_status(const struct wb_bisect_session *s,
			    struct wb_buf *out);

/* Bars of belief over the patches, the most likely ones and the holes. */
void wb_bisect_print_bars(const struct wb_bisect_session *s,
			  struct wb_buf *out);

/* As "git bisect log", for those who go on by hand. */
void wb_bisect_print_git(const struct wb_bisect_session *s,
			 struct wb_buf *out);

#endif
