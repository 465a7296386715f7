#include "bisect-reasons.h"

#include <stdlib.h>
#include <string.h>

struct pair {
	int below, at;
	const char *metric;
};

/* The neighbour below that was measured, along the line or a parent. */
static int below(const struct wb_bisect_session *s, int at)
{
	const struct wb_ancestry *a = s->o.dag;
	size_t i;

	for (i = 0; a && i < a->up[at].n; i++)
		if (!s->why[a->up[at].at[i]])
			return a->up[at].at[i];
	return a && a->up[at].n ? a->up[at].at[0] : a ? 0 : at - 1;
}

/*
 * A search that is over may be asked for profiles later, and for those again
 * that could not be had.
 */
static int ask_profile(struct wb_bisect_session *s, const struct pair *p,
		       struct wb_json **out, struct wb_error *err)
{
	*out = wb_json_copy(wb_bisect_log_note(&s->log, "profile", p->metric,
					       p->at));
	if (*out || !s->profile || !s->bench)
		return 0;
	if (wb_bisect_profile_make(s->bench, p->below, p->at, p->metric, out,
				   err) < 0)
		return -1;
	return wb_json_get(*out, "why") ? 0
		: wb_bisect_log_add_note(&s->log, "profile", p->metric, p->at,
					 *out, err);
}

/*
 * The store's words of today; of a search that is played back elsewhere, those
 * of the last time that it was looked at here.
 */
static int ask_others(struct wb_bisect_session *s,
		      const struct wb_bisect_outcome *c, const struct pair *p,
		      double effect, struct wb_json **out, struct wb_error *err)
{
	struct wb_bisect_found f = {
		p->below, p->at, c->metric, c->better, c->level, effect,
	};

	const struct wb_json *last = wb_bisect_log_note(&s->log, "others",
							p->metric, p->at);

	*out = NULL;
	if (!s->bench) {
		*out = wb_json_copy(last);
		return 0;
	}
	if (wb_bisect_others(s->bench, &f, out, err) < 0)
		return -1;
	return !last && !wb_json_count(*out) ? 0
		: wb_bisect_log_add_note(&s->log, "others", p->metric, p->at,
					 *out, err);
}

int wb_bisect_reasons(struct wb_bisect_session *s, struct wb_error *err)
{
	size_t i, k;
	int ret = 0;

	for (i = 0; i < s->noutcomes && !ret; i++) {
		struct wb_bisect_outcome *c = &s->outcome[i];
		c->profile = wb_xcalloc(c->result.nchanges + 1,
					sizeof(*c->profile));
		c->others = wb_xcalloc(c->result.nchanges + 1,
				       sizeof(*c->others));
		for (k = 0; k < c->result.nchanges && !ret; k++) {
			struct pair p = { .at = c->result.change[k].patch,
					  .metric = c->metric };
			p.below = below(s, p.at);
			ret = ask_profile(s, &p, &c->profile[k], err);
			if (!ret)
				ret = ask_others(s, c, &p,
						 c->result.change[k].effect,
						 &c->others[k], err);
		}
	}
	return ret;
}

void wb_bisect_reasons_clear(struct wb_bisect_outcome *c)
{
	size_t k;

	for (k = 0; c->profile && k < c->result.nchanges; k++) {
		wb_json_free(c->profile[k]);
		wb_json_free(c->others[k]);
	}
	free(c->profile);
	free(c->others);
}
