#include "bisect-session.h"

#include <stdlib.h>
#include <string.h>

/*
 * The first line of a journal: what is searched, and how. All that a search
 * needs to be told again is in it, so that it can be played back anywhere.
 */

static struct wb_json *parents_of(const struct wb_bisect_parents *p)
{
	struct wb_json *list = wb_json_array();
	size_t i;

	for (i = 0; i < p->n; i++)
		wb_json_append(list, wb_json_int(p->at[i]));
	return list;
}

static struct wb_json *header_line(const struct wb_bisect_line *l,
				   struct wb_git *g)
{
	struct wb_json *list = wb_json_array(), *o;
	struct wb_error none = WB_ERROR_INIT;
	const struct wb_prefix *p;
	struct wb_oid id;
	bool range = !*l->plan->stack.dir;
	char *rev;
	int at;

	for (at = 0; at < l->n; at++) {
		p = wb_bisect_line_at(l, at);
		o = wb_json_object();
		wb_json_set(o, "name", wb_json_str(p->name));
		wb_json_set(o, "subject", wb_json_str(p->subject));
		wb_json_set(o, "index", wb_json_int((int64_t)l->prefix[at]));
		wb_json_set(o, "build",
			    wb_json_str(wb_bisect_line_build(l, at, 0)));
		/* the base has no name of its own; a patch is no commit */
		rev = at ? wb_xstrdup(p->name)
			 : wb_xasprintf("%s^", l->plan->stack.prefix[1].name);
		if (range && wb_git_commit_of(g, rev, &id, &none) == 0)
			wb_json_set(o, "commit", wb_json_str(id.hex));
		wb_error_clear(&none);
		free(rev);
		if (l->parent)
			wb_json_set(o, "parents",
				    parents_of(&l->parent[at]));
		wb_json_append(list, o);
	}
	return list;
}

struct wb_json *wb_bisect_session_header(const struct wb_bisect_session *s)
{
	const struct wb_bisect_bench *b = s->bench;
	const struct wb_plan *p = b->line->plan;
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "wb-bisect", wb_json_int(1));
	wb_json_set(o, "bench", wb_json_str(b->bench->config->name));
	wb_json_set(o, "bench-id", wb_json_str(wb_plan_bench_id(b->bench,
							     b->counting)));
	wb_json_set(o, "machine", wb_json_str(p->machine.id));
	wb_json_set(o, "kind", wb_json_str(b->counting ? "count" : "time"));
	wb_json_set(o, "metric", wb_json_str(s->judge));
	wb_json_set(o, "alpha", wb_json_num(s->o.alpha));
	wb_json_set(o, "belief", wb_json_num(s->o.belief));
	wb_json_set(o, "min-effect", wb_json_num(s->o.min_effect));
	wb_json_set(o, "grid", wb_json_int(s->o.grid));
	wb_json_set(o, "strict", wb_json_bool(s->o.strict));
	wb_json_set(o, "layouts", wb_json_int((int64_t)p->layouts));
	if (s->merge)
		wb_json_set(o, "merge", wb_json_str(s->merge));
	wb_json_set(o, "line", header_line(b->line, b->git));
	return o;
}

const char *wb_bisect_header_differs(const struct wb_json *a,
				     const struct wb_json *b)
{
	static const struct {
		const char *key, *word;
	} keys[] = {
		{ "machine", "machine, or its kernel" },
		{ "bench-id", "bench" },
		{ "layouts", "wb-build.layouts" },
		{ "metric", "--metric" },
		{ "alpha", "--alpha" },
		{ "belief", "--belief" },
		{ "min-effect", "--min-effect" },
		{ "grid", "--grid" },
		{ "strict", "--drift" },
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!wb_json_same(wb_json_get(a, keys[i].key),
				  wb_json_get(b, keys[i].key)))
			return keys[i].word;
	return "range, or what it builds";
}

static int recall_names(struct wb_bisect_session *s, const struct wb_json *list,
			struct wb_error *err)
{
	const struct wb_json *o;
	int at;

	s->n = (int)wb_json_count(list);
	if (s->n < 1)
		return wb_fail(err, WB_E_FATAL, "%s:1: names no prefix",
			       s->log.file);
	s->name = wb_xcalloc((size_t)s->n, sizeof(*s->name));
	s->why = wb_xcalloc((size_t)s->n, sizeof(*s->why));
	for (at = 0; at < s->n; at++) {
		o = wb_json_at(list, (size_t)at);
		if (!wb_json_get_str(wb_json_get(o, "name"), &s->name[at].name))
			return wb_fail(err, WB_E_FATAL, "%s:1: position %d has "
				       "no name", s->log.file, at);
		wb_json_get_str(wb_json_get(o, "subject"),
				&s->name[at].subject);
		wb_json_get_str(wb_json_get(o, "commit"), &s->name[at].commit);
		wb_json_get_int(wb_json_get(o, "index"), &s->name[at].index);
	}
	return 0;
}

/* Parents come before their children; what says otherwise is no history. */
static int recall_parents(struct wb_bisect_session *s,
			  const struct wb_json *list, struct wb_error *err)
{
	int *up, at;
	size_t n, i;
	int64_t v;

	wb_ancestry_init(&s->dag, s->n);
	for (at = 0; at < s->n; at++) {
		const struct wb_json *o = wb_json_get(
			wb_json_at(list, (size_t)at), "parents");
		n = wb_json_count(o);
		up = wb_xcalloc(n, sizeof(*up));
		for (i = 0; i < n; i++) {
			v = -1;
			wb_json_get_int(wb_json_at(o, i), &v);
			if (v < 0 || v >= at) {
				free(up);
				return wb_fail(err, WB_E_FATAL, "%s:1: position"
					       " %d has no such parent",
					       s->log.file, at);
			}
			up[i] = (int)v;
		}
		wb_ancestry_set(&s->dag, at, up, n);
		free(up);
	}
	if (s->dag.size[s->n - 1] != s->n - 1)
		return wb_fail(err, WB_E_FATAL, "%s:1: the last position does "
			       "not contain all others", s->log.file);
	s->o.dag = &s->dag;
	return 0;
}

int wb_bisect_session_recall(struct wb_bisect_session *s, struct wb_error *err)
{
	const struct wb_json *h = s->log.header;
	const char *kind = "time";
	int64_t grid = 0, layouts = 1;

	if (recall_names(s, wb_json_get(h, "line"), err) < 0)
		return -1;
	wb_json_get_str(wb_json_get(h, "kind"), &kind);
	s->counting = !strcmp(kind, "count");
	wb_json_get_str(wb_json_get(h, "metric"), &s->judge);
	wb_json_get_str(wb_json_get(h, "merge"), &s->merge);
	wb_json_get_num(wb_json_get(h, "alpha"), &s->o.alpha);
	wb_json_get_num(wb_json_get(h, "belief"), &s->o.belief);
	wb_json_get_num(wb_json_get(h, "min-effect"), &s->o.min_effect);
	wb_json_get_int(wb_json_get(h, "grid"), &grid);
	wb_json_get_bool(wb_json_get(h, "strict"), &s->o.strict);
	wb_json_get_int(wb_json_get(h, "layouts"), &layouts);
	if (grid < 0 || grid > s->n || layouts < 1 || layouts > WB_LAYOUTS_MAX)
		return wb_fail(err, WB_E_FATAL, "%s:1: grid or layouts out of "
			       "range", s->log.file);
	if (wb_json_get(wb_json_at(wb_json_get(h, "line"), 1), "parents") &&
	    recall_parents(s, wb_json_get(h, "line"), err) < 0)
		return -1;
	s->o.grid = (int)grid;
	s->layouts = (size_t)layouts;
	return 0;
}
