#include "bisect-print.h"

#include "bisect-search.h"
#include "progress.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	BARS_MAX = 12,		/* patches with a bar of their own */
	BAR_WIDTH = 20,
	SET_MAX = 8,		/* names of a credible set that are printed */
};

#define EVALUE_MAX 1e300

/* Belief beyond which a side counts as known, in a log for git. */
#define SURE 0.95

/* ---- text ---- */

static void add_name(struct wb_buf *out, const struct wb_bisect_name *n)
{
	wb_buf_addf(out, "%lld '", (long long)n->index);
	wb_text_add(out, n->name, WB_TEXT_UTF8);
	wb_buf_addch(out, '\'');
	if (n->subject && *n->subject && strcmp(n->subject, n->name)) {
		wb_buf_addch(out, ' ');
		wb_text_add(out, n->subject, WB_TEXT_UTF8);
	}
}

static const char *direction(const struct wb_bisect_outcome *c, double effect)
{
	if (c->better == WB_BETTER_UNKNOWN)
		return effect > 0 ? "more" : "less";
	return (effect > 0) == (c->better == WB_BETTER_HIGHER) ? "faster"
								: "slower";
}

/* "+2.9 % [2.4, 3.4]", an exact one without an interval. */
static void add_effect(struct wb_buf *out, const struct wb_bisect_outcome *c,
		       const struct wb_bisect_suspect *s)
{
	wb_buf_addf(out, "%+.2f %%", 100 * expm1(s->effect));
	if (!c->exact)
		wb_buf_addf(out, " [%.2f, %.2f]", 100 * expm1(s->low),
			    100 * expm1(s->high));
}

static void add_odds(struct wb_buf *out, double log_e)
{
	if (log_e > 0)
		wb_buf_addf(out, ", no change: 1 in %.3g",
			    exp(fmin(log_e, log(EVALUE_MAX))));
}

static void print_set(const struct wb_bisect_session *s,
		      const struct wb_bisect_suspect *p, struct wb_buf *out)
{
	size_t i;

	if (p->ncredible < 2)
		return;
	wb_buf_addstr(out, "    95 % set:");
	for (i = 0; i < p->ncredible && i < SET_MAX; i++)
		wb_buf_addf(out, " %lld",
			    (long long)s->name[p->credible[i]].index);
	wb_buf_addch(out, '\n');
}

/* What is kept by change, of one of c; a candidate has none. */
static const struct wb_json *of_change(const struct wb_bisect_outcome *c,
				       const struct wb_bisect_suspect *p,
				       struct wb_json *const *list)
{
	const struct wb_bisect_result *r = &c->result;
	size_t i;

	for (i = 0; list && i < r->nchanges; i++)
		if (p == &r->change[i])
			return list[i];
	return NULL;
}

static void print_change(const struct wb_bisect_session *s,
			 const struct wb_bisect_outcome *c,
			 const struct wb_bisect_suspect *p, struct wb_buf *out)
{
	wb_buf_addf(out, "  %s: ", direction(c, p->effect));
	add_name(out, &s->name[p->patch]);
	wb_buf_addstr(out, "\n    ");
	add_effect(out, c, p);
	if (c->exact)
		wb_buf_addstr(out, ", exact");
	else
		wb_buf_addf(out, ", belief %.1f %%", 100 * p->posterior);
	add_odds(out, p->log_e);
	wb_buf_addch(out, '\n');
	print_set(s, p, out);
	wb_bisect_others_print(of_change(c, p, c->others), out);
	if (of_change(c, p, c->profile))
		wb_bisect_profile_print(of_change(c, p, c->profile), out);
}

static void print_candidates(const struct wb_bisect_session *s,
			     const struct wb_bisect_outcome *c,
			     struct wb_buf *out)
{
	const struct wb_bisect_result *r = &c->result;
	size_t i;

	if (!r->ncandidates)
		return;
	wb_buf_addf(out, "  open: one of %zu patches", r->ncandidates);
	if (isfinite(r->candidate[0].effect)) {
		wb_buf_addstr(out, " moves it by ");
		add_effect(out, c, &r->candidate[0]);
	}
	wb_buf_addch(out, '\n');
	for (i = 0; i < r->ncandidates && i < BARS_MAX; i++) {
		wb_buf_addf(out, "    %3.0f %%  ",
			    100 * r->candidate[i].posterior);
		add_name(out, &s->name[r->candidate[i].patch]);
		wb_buf_addch(out, '\n');
	}
	if (i < r->ncandidates)
		wb_buf_addf(out, "    and %zu more\n", r->ncandidates - i);
}

/* One line each; what a build or bench said is not to be trusted. */
static void print_holes(const struct wb_bisect_session *s, const char *title,
			struct wb_buf *out)
{
	int at;

	for (at = 0; at < s->n; at++) {
		if (!s->why[at])
			continue;
		if (title)
			wb_buf_addf(out, "%s\n", title);
		title = NULL;
		wb_buf_addstr(out, "  ");
		add_name(out, &s->name[at]);
		wb_buf_addstr(out, ": ");
		wb_text_add(out, s->why[at], WB_TEXT_UTF8);
		wb_buf_addch(out, '\n');
	}
}

static void print_verdict(const struct wb_bisect_session *s,
			  const struct wb_bisect_outcome *c,
			  struct wb_buf *out);

static void print_sides(const struct wb_bisect_session *s,
			const struct wb_bisect_outcome *c,
			const struct wb_bisect_suspect *p, struct wb_buf *out)
{
	const struct wb_bisect_session *in;
	size_t n;

	for (n = 0; (in = wb_bisect_side(s, c, p, n)); n++) {
		wb_buf_addf(out, "  the side that %lld merged, %d patches:\n",
			    (long long)s->name[p->patch].index, in->n - 1);
		print_verdict(in, &in->outcome[0], out);
		if (in->outcome[0].result.verdict == WB_BISECT_NO_CHANGE)
			wb_buf_addstr(out, "  so it is the merge itself: both "
				      "sides together\n");
		print_holes(in, "  not measured:", out);
	}
}

static void print_verdict(const struct wb_bisect_session *s,
			  const struct wb_bisect_outcome *c, struct wb_buf *out)
{
	const struct wb_bisect_result *r = &c->result;
	size_t i;

	if (r->verdict == WB_BISECT_NO_CHANGE)
		wb_buf_addf(out, "  no change%s\n", c->exact
			    ? "" : " that matters");
	for (i = 0; i < r->nchanges; i++) {
		print_change(s, c, &r->change[i], out);
		print_sides(s, c, &r->change[i], out);
	}
	print_candidates(s, c, out);
	if (r->reason != WB_BISECT_PROVEN)
		wb_buf_addf(out, "  undecided: %s\n",
			    wb_bisect_reason_word(r->reason));
	/* equal ends say nothing of pairs that cancel each other */
	if (isfinite(r->bound) && !c->exact)
		wb_buf_addf(out, "  %s no step above %.2f %% between the ends "
			    "of what was examined\n",
			    r->nchanges ? "beside that" : "tested:",
			    100 * expm1(r->bound));
	if (!r->nchanges && r->reason == WB_BISECT_PROVEN && !s->o.grid)
		wb_buf_addstr(out, "  only the ends were compared: changes "
			      "that cancel want --grid\n");
}

static void add_cost(const struct wb_bisect_session *s, size_t *runs,
		     size_t *builds, double *seconds)
{
	size_t i;

	*runs += s->runs;
	*builds += s->builds;
	*seconds += s->seconds;
	for (i = 0; i < s->ninner; i++)
		add_cost(s->inner[i], runs, builds, seconds);
}

void wb_bisect_print(const struct wb_bisect_session *s, struct wb_buf *out)
{
	const char *bench = "";
	char time[24];
	size_t i, runs = 0, builds = 0;
	double seconds = 0;

	wb_json_get_str(wb_json_get(s->log.header, "bench"), &bench);
	for (i = 0; i < s->noutcomes; i++) {
		const struct wb_bisect_outcome *c = &s->outcome[i];
		wb_buf_addf(out, "%s ", bench);
		wb_text_add(out, c->metric, WB_TEXT_UTF8);
		if (*c->unit || c->better != WB_BETTER_UNKNOWN)
			wb_buf_addf(out, " (%s%s%s%s)", c->unit,
				    *c->unit && c->better ? ", " : "",
				    wb_better_word(c->better),
				    c->better ? " is better" : "");
		wb_buf_addf(out, ", %d patches\n", s->n - 1);
		print_verdict(s, c, out);
		if (isfinite(c->aa.floor))
			wb_buf_addf(out, "  A/A: the lower end against itself "
				    "+-%.2f %%\n", 100 * c->aa.floor);
	}
	print_holes(s, "not measured:", out);
	add_cost(s, &runs, &builds, &seconds);
	wb_buf_addf(out, "%zu runs, %zu builds, %s\n", runs, builds,
		    wb_progress_duration(seconds, time));
}

/* ---- JSON ---- */

static struct wb_json *relative(double log_ratio)
{
	return wb_json_num(expm1(log_ratio));
}

static struct wb_json *suspect(const struct wb_bisect_session *s,
			       const struct wb_bisect_outcome *c,
			       const struct wb_bisect_suspect *p)
{
	const struct wb_bisect_name *name = &s->name[p->patch];
	struct wb_json *o = wb_json_object(), *set = wb_json_array();
	size_t k;

	wb_json_set(o, "metric", wb_json_str(c->metric));
	wb_json_set(o, "commit", wb_json_str(name->commit));
	wb_json_set(o, "name", wb_json_str(name->name));
	wb_json_set(o, "index", wb_json_int(name->index));
	wb_json_set(o, "posterior", wb_json_num(p->posterior));
	for (k = 0; k < p->ncredible; k++)
		wb_json_append(set, wb_json_str(
			s->name[p->credible[k]].name));
	wb_json_set(o, "credible", set);
	wb_json_set(o, "effect", relative(p->effect));
	wb_json_set(o, "low", relative(p->low));
	wb_json_set(o, "high", relative(p->high));
	if (wb_json_count(of_change(c, p, c->others)))
		wb_json_set(o, "others",
			    wb_json_copy(of_change(c, p, c->others)));
	if (of_change(c, p, c->profile))
		wb_json_set(o, "profile",
			    wb_json_copy(of_change(c, p, c->profile)));
	if (s->merge)
		wb_json_set(o, "merge", wb_json_str(s->merge));
	return o;
}

/* What was found, a merge giving way to what it merged, with all it cost. */
struct found {
	struct wb_json *changes, *candidates;
	size_t runs, builds;
	double seconds;
};

static void collect(const struct wb_bisect_session *s,
		    const struct wb_bisect_outcome *c, struct found *f)
{
	const struct wb_bisect_result *r = &c->result;
	const struct wb_bisect_session *in;
	size_t i, n, before;

	/* the ends and A/A serve all metrics; of one they are its cost */
	f->runs += s->noutcomes == 1 ? s->runs : r->runs;
	f->builds += s->noutcomes == 1 ? s->builds : r->builds;
	f->seconds += s->noutcomes == 1 ? s->seconds : r->seconds;
	for (i = 0; i < r->ncandidates; i++)
		wb_json_append(f->candidates, suspect(s, c, &r->candidate[i]));
	for (i = 0; i < r->nchanges; i++) {
		before = wb_json_count(f->changes);
		for (n = 0; (in = wb_bisect_side(s, c, &r->change[i], n)); n++)
			collect(in, &in->outcome[0], f);
		if (wb_json_count(f->changes) == before)
			wb_json_append(f->changes,
				       suspect(s, c, &r->change[i]));
	}
}

struct wb_json *wb_bisect_json(const struct wb_bisect_session *s,
			       const struct wb_bisect_outcome *c)
{
	const struct wb_bisect_result *r = &c->result;
	struct wb_json *o = wb_json_object();
	struct found f = { wb_json_array(), wb_json_array(), 0, 0, 0 };

	collect(s, c, &f);
	wb_json_set(o, "schema", wb_json_int(1));
	wb_json_set(o, "metric", wb_json_str(c->metric));
	wb_json_set(o, "verdict",
		    wb_json_str(wb_bisect_verdict_word(r->verdict)));
	wb_json_set(o, "reason", wb_json_str(wb_bisect_reason_word(r->reason)));
	wb_json_set(o, "changes", f.changes);
	wb_json_set(o, "candidates", f.candidates);
	wb_json_set(o, "evalue",
		    wb_json_num(exp(fmin(r->log_e, log(EVALUE_MAX)))));
	wb_json_set(o, "runs", wb_json_int((int64_t)f.runs));
	wb_json_set(o, "builds", wb_json_int((int64_t)f.builds));
	wb_json_set(o, "seconds", wb_json_num(f.seconds));
	return o;
}

/* ---- on the way ---- */

void wb_bisect_print_status(const struct wb_bisect_session *s,
			    struct wb_buf *out)
{
	char time[24];
	size_t i, open = 0;
	double most = 0;

	for (i = 0; i < s->nseen; i++) {
		open += (size_t)s->seen[i].n *
			(s->seen[i].post > 0.05);
		most = fmax(most, s->seen[i].post);
	}
	if (s->now && s->nseen)
		wb_buf_addf(out, "%s: %s, %.0f %% of belief in one gap, %zu of "
			    "%d patches open\n", s->now->metric, s->phase,
			    100 * most, open, s->n - 1);
	else if (s->now)
		wb_buf_addf(out, "%s: %s\n", s->now->metric, s->phase);
	else if (!s->noutcomes)
		wb_buf_addstr(out, "the lower end against itself\n");
	wb_buf_addf(out, "%zu runs, %zu builds, %s so far\n", s->runs,
		    s->builds, wb_progress_duration(s->seconds, time));
}

static int more_belief(const void *a, const void *b)
{
	const struct wb_belief_gap *x = a, *y = b;
	double p = x->post / x->n, q = y->post / y->n;

	return p < q ? 1 : p > q ? -1 : x->patch - y->patch;
}

static void add_bar(struct wb_buf *out, double share)
{
	size_t bar = (size_t)(fmax(share, 0) * BAR_WIDTH + 0.5);

	wb_buf_addstr(out, "  ");
	wb_buf_fill(out, '#', bar);
	wb_buf_fill(out, ' ', BAR_WIDTH - bar);
	wb_buf_addf(out, " %3.0f %%  ", 100 * share);
}

/* What a search that is over believes. */
static size_t print_found(const struct wb_bisect_session *s,
			  const struct wb_bisect_suspect *p, size_t n,
			  struct wb_buf *out)
{
	size_t i;

	for (i = 0; i < n && i < BARS_MAX; i++) {
		add_bar(out, fmin(p[i].posterior, 1));
		add_name(out, &s->name[p[i].patch]);
		wb_buf_addch(out, '\n');
	}
	return n;
}

static size_t print_outcomes(const struct wb_bisect_session *s,
			     struct wb_buf *out)
{
	size_t i, n = 0;

	for (i = 0; !s->now && i < s->noutcomes; i++) {
		const struct wb_bisect_result *r = &s->outcome[i].result;
		n += print_found(s, r->change, r->nchanges, out);
		n += print_found(s, r->candidate, r->ncandidates, out);
	}
	return n;
}

void wb_bisect_print_bars(const struct wb_bisect_session *s,
			  struct wb_buf *out)
{
	struct wb_belief_gap *g = wb_xcalloc(s->nseen + 1, sizeof(*g));
	size_t i, found = print_outcomes(s, out);

	if (s->nseen)
		memcpy(g, s->seen, s->nseen * sizeof(*g));
	qsort(g, s->nseen, sizeof(*g), more_belief);
	for (i = 0; i < s->nseen && i < BARS_MAX && !found; i++) {
		add_bar(out, g[i].post);
		if (g[i].n > 1 && s->o.dag)
			wb_buf_addf(out, "one of %d in ", g[i].n);
		else if (g[i].n > 1)
			wb_buf_addf(out, "%lld to ",
				    (long long)s->name[g[i].patch].index);
		add_name(out, &s->name[g[i].n > 1 ? g[i].to : g[i].patch]);
		wb_buf_addch(out, '\n');
	}
	if (!s->nseen && !found)
		wb_buf_addstr(out, "  nothing is believed yet: the ends are "
			      "being compared\n");
	print_holes(s, "not measured, neighbours are:", out);
	free(g);
}

static void add_git(struct wb_buf *out, const char *word,
		    const struct wb_bisect_name *n)
{
	wb_buf_addf(out, "# %s: [%s] ", word, n->commit);
	wb_text_add(out, n->subject ? n->subject : "", WB_TEXT_UTF8);
	wb_buf_addf(out, "\ngit bisect %s %s\n", word, n->commit);
}

/* The prefixes between which the change is, as far as that is sure. */
static void find_sides(const struct wb_bisect_session *s, int *good, int *bad)
{
	const struct wb_bisect_result *r = &s->outcome[0].result;
	double below = 0;
	size_t i;

	*good = 0;
	*bad = s->n - 1;
	if (s->noutcomes && r->nchanges) {
		*bad = r->change[0].patch;
		*good = s->o.dag ? s->dag.up[*bad].at[0] : *bad - 1;
		return;
	}
	/* gaps of a history are in no order */
	for (i = 0; i < s->nseen && !s->o.dag; i++) {
		if (below <= 1 - SURE)
			*good = s->seen[i].from;
		below += s->seen[i].post;
		if (below >= SURE && *bad == s->n - 1)
			*bad = s->seen[i].to;
	}
}

void wb_bisect_print_git(const struct wb_bisect_session *s, struct wb_buf *out)
{
	int good, bad;
	size_t i;

	find_sides(s, &good, &bad);
	wb_buf_addstr(out, "git bisect start\n");
	add_git(out, "bad", &s->name[bad]);
	add_git(out, "good", &s->name[good]);
	for (i = 0; i < (size_t)s->n; i++)
		if ((int)i > good && (int)i < bad && s->why[i])
			add_git(out, "skip", &s->name[i]);
}
