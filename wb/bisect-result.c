#include "bisect-result.h"

#include "buf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct wb_bisect_suspect *
wb_bisect_add_suspect(struct wb_bisect_suspect **list, size_t *n, int patch,
		      double posterior)
{
	*list = wb_xrealloc(*list, (*n + 1) * sizeof(**list));
	(*list)[*n] = (struct wb_bisect_suspect){
		.patch = patch, .posterior = posterior,
		.effect = NAN, .low = NAN, .high = NAN, .log_e = NAN,
	};
	return &(*list)[(*n)++];
}

void wb_bisect_leave_open(struct wb_bisect_result *r, enum wb_bisect_reason why)
{
	if (r->reason == WB_BISECT_PROVEN)
		r->reason = why;
}

static int by_patch(const void *a, const void *b)
{
	const struct wb_bisect_suspect *x = a, *y = b;

	return x->patch - y->patch;
}

void wb_bisect_conclude(struct wb_bisect_result *r)
{
	r->verdict = r->nchanges ? WB_BISECT_CHANGE
		   : r->reason != WB_BISECT_PROVEN ? WB_BISECT_UNDECIDED
						   : WB_BISECT_NO_CHANGE;
	if (r->nchanges)
		qsort(r->change, r->nchanges, sizeof(*r->change), by_patch);
	if (r->ncandidates && r->reason == WB_BISECT_UNBUILDABLE)
		qsort(r->candidate, r->ncandidates, sizeof(*r->candidate),
		      by_patch);
}

void wb_bisect_result_clear(struct wb_bisect_result *r)
{
	for (size_t i = 0; i < r->nchanges; i++)
		free(r->change[i].credible);
	free(r->change);
	free(r->candidate);
	memset(r, 0, sizeof(*r));
}

const char *wb_bisect_verdict_word(enum wb_bisect_verdict v)
{
	switch (v) {
	case WB_BISECT_CHANGE:
		return "change";
	case WB_BISECT_NO_CHANGE:
		return "no-change";
	default:
		return "undecided";
	}
}

const char *wb_bisect_reason_word(enum wb_bisect_reason r)
{
	switch (r) {
	case WB_BISECT_BUDGET:
		return "budget";
	case WB_BISECT_LAYOUT:
		return "layout";
	case WB_BISECT_UNBUILDABLE:
		return "unbuildable";
	case WB_BISECT_BROKEN_END:
		return "an end does not build or run";
	case WB_BISECT_UNCONFIRMED:
		return "not confirmed";
	case WB_BISECT_GRADUAL:
		return "several patches, each below the least effect";
	case WB_BISECT_PARALLEL:
		return "branches that cannot be told apart here";
	case WB_BISECT_NOT_EXACT:
		return "a count did not repeat";
	default:
		return "";
	}
}
