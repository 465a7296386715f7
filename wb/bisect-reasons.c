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
 * Profiles come last in a journal, in any order: a search that is over may be
 * asked for them later, and for those again that could not be had.
 */
static const struct wb_json *known_profile(const struct wb_bisect_session *s,
					   const struct pair *p)
{
	const struct wb_json *v;
	const char *metric;
	int64_t at;
	size_t i;

	for (i = s->log.next; i < s->log.n; i++) {
		v = wb_json_get(s->log.entry[i], "profile");
		if (wb_json_get_str(wb_json_get(v, "metric"), &metric) &&
		    !strcmp(metric, p->metric) &&
		    wb_json_get_int(wb_json_get(v, "at"), &at) && at == p->at)
			return wb_json_get(v, "profile");
	}
	return NULL;
}

static int keep_profile(struct wb_bisect_session *s, const struct pair *p,
			const struct wb_json *profile, struct wb_error *err)
{
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "metric", wb_json_str(p->metric));
	wb_json_set(o, "at", wb_json_int(p->at));
	wb_json_set(o, "profile", wb_json_copy(profile));
	return wb_bisect_log_add(&s->log, "profile", o, err);
}

static int ask_profile(struct wb_bisect_session *s, const struct pair *p,
		       struct wb_json **out, struct wb_error *err)
{
	size_t next = s->log.next;
	int ret;

	*out = wb_json_copy(known_profile(s, p));
	if (*out || !s->profile || !s->bench)
		return 0;
	if (wb_bisect_profile_make(s->bench, p->below, p->at, p->metric, out,
				   err) < 0)
		return -1;
	ret = wb_json_get(*out, "why") ? 0 : keep_profile(s, p, *out, err);
	s->log.next = next;
	return ret;
}

/* The store's words, so not of a search that is played back elsewhere. */
static int ask_others(struct wb_bisect_session *s,
		      const struct wb_bisect_outcome *c, const struct pair *p,
		      double effect, struct wb_json **out, struct wb_error *err)
{
	struct wb_bisect_found f = {
		p->below, p->at, c->metric, c->better, c->level, effect,
	};

	return s->bench ? wb_bisect_others(s->bench, &f, out, err) : 0;
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
