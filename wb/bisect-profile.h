#ifndef WB_BISECT_PROFILE_H
#define WB_BISECT_PROFILE_H

#include "bisect-measure.h"
#include "json.h"

#include <stdbool.h>

/*
 * Why a patch moved a number: the functions whose inclusive share of the
 * instructions moved most between two builds, and the hunks of the patch that
 * touch them.
 *
 * A share moves most where the cost arose: a caller has the cost as well, but
 * among more that stayed as it was. Shares that moved alike stand in the order
 * of hunks: what the patch touches comes first.
 *
 * A hunk touches the function whose definition begins in the first column
 * above the changed line, or on it, when the profile names that function. Code
 * that was inlined is counted where it went, so its hunks touch nothing here
 * and are listed apart.
 *
 * A profile is a JSON object, for it is kept in the journal:
 *
 *	{"counter":"callgrind","functions":[{"name":...,"before":share,
 *	 "after":share,"hunks":["FILE:LINE",...]},...],"elsewhere":[hunks],
 *	 "before":n,"after":n}
 *
 * Shares are of 1, null where the function had no cost; before and after are
 * the instructions of what was searched, or of the whole, when there is one
 * such number. {"why":...} when there could be no profile.
 */

/* Runs positions `below` and `at`, once each, under callgrind. */
int wb_bisect_profile_make(struct wb_bisect_bench *b, int below, int at,
			   const char *metric, struct wb_json **out,
			   struct wb_error *err);

/* Indented lines below what was found. */
void wb_bisect_profile_print(const struct wb_json *p, struct wb_buf *out);

/* ---- pure parts ---- */

struct wb_bisect_function {
	char *name;
	double before, after;	/* share of 1; NaN: no cost */
	char **hunk;		/* FILE:LINE */
	size_t nhunks;
};

struct wb_bisect_shares {
	struct wb_bisect_function *v;
	size_t n, cap;
	char **elsewhere;	/* hunks that touch none of them */
	size_t nelsewhere;
};

void wb_bisect_shares_add(struct wb_bisect_shares *s, const char *name,
			  double share, bool after);
/* After all shares. */
void wb_bisect_shares_hunk(struct wb_bisect_shares *s,
			   const struct wb_git_hunk *h);
/* Largest move first. */
void wb_bisect_shares_sort(struct wb_bisect_shares *s);
void wb_bisect_shares_clear(struct wb_bisect_shares *s);

#endif
