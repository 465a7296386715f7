#ifndef WB_PLACE_H
#define WB_PLACE_H

#include "patch.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Where the hunks of a section go in a file, and what the file then is.
 *
 * A hunk says at which line its old lines (context and what it takes out)
 * should stand. When they do not stand there, the rules may allow to look
 * further: at other lines, nearest first and later before earlier (offset),
 * and then with the outermost context lines left out (fuzz). A hunk with
 * less context at one end than at the other came from the end of the file on
 * that side, and may only go there.
 *
 * GNU patch and git differ in the details; both readings are here. Under
 * GNU's, hunks come in order, and one that went n lines off makes the next
 * ones start looking n lines off. Under git's, hunks come in any order, a
 * line that one hunk covered is not open to another, and a hunk without
 * context at the end belongs at the end.
 */
struct wb_text {
	struct wb_line *line;
	size_t n, cap;
};

/* Splits bytes, which must outlive the lines; false: absurdly many lines. */
bool wb_text_split(struct wb_text *t, const char *data, size_t len);
void wb_text_clear(struct wb_text *t);

struct wb_place_rules {
	bool offset;		/* may look elsewhere */
	bool git;		/* git's reading, which implies no fuzz */
	size_t fuzz;		/* context lines that may be left out */
};

/* A hunk that found its place: lines at..at+old-1 of the file, from 0. */
struct wb_spot {
	const struct wb_hunk *hunk;
	size_t at;
	long offset;		/* from where the hunk says */
	size_t fuzz;
};

struct wb_placer {
	const struct wb_patch *patch;
	const struct wb_text *text;
	struct wb_place_rules rules;
	struct wb_spot *spot;	/* by .at */
	size_t nspots, capspots;
	const struct wb_line **old;	/* the hunk's old lines */
	size_t nold, capold;
	size_t frozen;		/* GNU: lines before this are settled */
	uint64_t *sum;		/* sum[i]: hash of the lines before i */
	uint64_t want, shift;	/* hash of the lines looked for */
	uint64_t looked;	/* places looked at, in all */
	long drift;		/* GNU: offset of the hunk before */
	long grown;		/* git: lines that the hunks added in all */
};

void wb_placer_init(struct wb_placer *pl, const struct wb_patch *p,
		    const struct wb_text *t, const struct wb_place_rules *r);
void wb_placer_clear(struct wb_placer *pl);

/*
 * More places than any honest patch makes one look at; a section for which
 * this is not enough is given up (a few seconds).
 */
#define WB_PLACE_ENOUGH ((uint64_t)1 << 30)

/* False: it has no place. Else *spot says where; it may move in pl. */
bool wb_place(struct wb_placer *pl, const struct wb_hunk *h,
	      struct wb_spot *spot);

/* For a hunk without a place: the line, from 0, where most lines agree. */
struct wb_near_miss {
	size_t at, agree, of;
};
void wb_place_nearest(struct wb_placer *pl, const struct wb_hunk *h,
		      struct wb_near_miss *miss);

/* The file with all placed hunks carried out, appended to out. */
void wb_place_render(const struct wb_placer *pl, struct wb_buf *out);

#endif
