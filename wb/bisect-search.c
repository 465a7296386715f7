#include "bisect-search.h"

#include "path.h"
#include "progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXACT_EFFECT 0.001
#define NOISY_EFFECT 0.01

/* Merges within merges within merges: beyond that the merge is the answer. */
enum { DEPTH_MAX = 16 };

/* ---- journals ---- */

char *wb_bisect_dir(const struct wb_git *g)
{
	return wb_xasprintf("%s/wb/bisect", wb_git_common_dir(g));
}

/* BENCH.time, BENCH.count; of a search within BENCH.time.MERGE-METRIC */
static char *journal_file(const struct wb_bisect_search *w,
			  const struct wb_bisect_session *s)
{
	char *dir = wb_bisect_dir(w->git), *file, *c;

	file = wb_xasprintf("%s/%s.%s%s%s%s%s", dir,
			    s->bench->bench->config->name,
			    s->bench->counting ? "count" : "time",
			    s->merge ? "." : "", s->merge ? s->merge : "",
			    s->merge ? "-" : "", s->merge ? s->judge : "");
	for (c = file + strlen(dir) + 1; *c; c++)
		if (*c == '/')
			*c = '-';
	free(dir);
	return file;
}

/*
 * Plays back one search, without those within it. One that ended without an
 * answer fails as it did, and is over.
 */
static int play_one(struct wb_bisect_session *s, const char *file, size_t *at,
		    bool *over, struct wb_error *err)
{
	*over = false;
	wb_bisect_defaults(&s->o, 0, 1);
	s->quiet = true;
	if (wb_bisect_log_read(&s->log, file, at, err) < 0 ||
	    wb_bisect_session_recall(s, err) < 0)
		return -1;
	if (wb_bisect_session_run(s, err) == 0) {
		*over = true;
		return 0;
	}
	if (!s->log.short_of)
		*over = err->kind == WB_E_JUDGE || err->kind == WB_E_USAGE;
	else
		wb_error_clear(err);
	return err->msg[0] ? -1 : 0;
}

static struct wb_bisect_session *add_inner(struct wb_bisect_session *s)
{
	s->inner = wb_xrealloc(s->inner,
			       (s->ninner + 1) * sizeof(*s->inner));
	return s->inner[s->ninner++] = wb_xcalloc(1, sizeof(**s->inner));
}

int wb_bisect_play_back(struct wb_bisect_session *s, const char *file,
			size_t *at, bool *over, struct wb_error *err)
{
	struct wb_bisect_session *in;
	bool inner_over;
	size_t next;
	int ret = play_one(s, file, at, over, err);

	while (!ret && wb_bisect_log_within(file, *at)) {
		next = *at;
		in = add_inner(s);
		ret = play_one(in, file, &next, &inner_over, err);
		*over &= inner_over;
		*at = next;
	}
	return ret;
}

/*
 * A journal of another search makes room when that is over, or when it was one
 * within another; else it is in the way.
 */
static int make_room(struct wb_bisect_session *s, const char *file,
		     const struct wb_json *header, struct wb_error *err)
{
	struct wb_bisect_session old = { .n = 0 };
	bool over = s->merge != NULL;
	size_t at = 0;
	int ret = over ? 0 : play_one(&old, file, &at, &over, err);

	if (over) {
		/* how it ended is of no interest any more */
		wb_error_clear(err);
		ret = 0;
	}
	if (!ret && !over)
		ret = wb_fail(err, WB_E_FATAL, "another search of bench '%s' "
			      "(other %s) is not over: go on as it began, or "
			      "'wb bisect-perf --reset'",
			      s->bench->bench->config->name,
			      wb_bisect_header_differs(old.log.header,
						       header));
	if (!ret && unlink(file) < 0)
		ret = wb_fail_errno(err, "%s", file);
	wb_bisect_session_clear(&old);
	return ret;
}

static int open_journal(const struct wb_bisect_search *w,
			struct wb_bisect_session *s, struct wb_error *err)
{
	char *file = journal_file(w, s), *dir = wb_bisect_dir(w->git);
	struct wb_json *header = wb_bisect_session_header(s);
	bool other = false;
	int ret = wb_path_make(dir, err);

	if (!ret)
		ret = wb_bisect_log_open(&s->log, file, wb_json_copy(header),
					 &other, err);
	if (!ret && other) {
		wb_bisect_log_close(&s->log);
		ret = make_room(s, file, header, err);
		if (!ret)
			ret = wb_bisect_log_open(&s->log, file,
						 wb_json_copy(header), &other,
						 err);
	}
	wb_json_free(header);
	free(dir);
	free(file);
	return ret;
}

/* ---- searching ---- */

static bool wants_counts(const struct wb_bisect_search *w,
			 const struct wb_bench_config *b)
{
	return w->level ? !strcmp(w->level, "I") : b->level == WB_WISH_I;
}

static int run_session(const struct wb_bisect_search *w,
		       struct wb_bisect_session *s, double budget,
		       struct wb_error *err)
{
	double least = s->bench->counting ? EXACT_EFFECT : NOISY_EFFECT;

	wb_bisect_defaults(&s->o, 0, s->bench->line->n - 1);
	s->o.alpha = w->alpha;
	s->o.belief = w->belief;
	s->o.min_effect = log1p(w->min_effect >= 0 ? w->min_effect : least);
	s->o.grid = w->grid;
	s->o.strict = w->strict;
	s->quiet = w->quiet;
	s->profile = w->profile;
	if (open_journal(w, s, err) < 0 ||
	    wb_bisect_session_recall(s, err) < 0 ||
	    wb_bisect_bench_open(s->bench, err) < 0)
		return -1;
	s->o.budget_seconds = budget;
	return wb_bisect_session_run(s, err);
}

static int search_line(const struct wb_bisect_search *w,
		       const struct wb_plan *p, size_t i, double budget,
		       struct wb_bisect_session *s, struct wb_error *err)
{
	struct wb_bisect_line line = { .n = 0 };
	struct wb_bisect_bench b = {
		.line = &line, .git = w->git, .db = w->db,
		.bench = &p->bench[i], .interrupt_fd = w->interrupt_fd,
		.counting = wants_counts(w, p->bench[i].config),
	};
	int ret = w->full_history
		? wb_bisect_line_of_dag(&line, p, w->git, err)
		: wb_bisect_line_make(&line, p, w->git, w->path, w->npaths,
				      err);

	if (!ret && line.n < 2)
		ret = wb_fail(err, WB_E_JUDGE, "%s: no patch between the ends "
			      "changes what is built%s", p->stack.source,
			      w->npaths ? " and touches the paths" :
			      " (wb-build.inputs)");
	s->bench = &b;
	if (!ret)
		ret = run_session(w, s, budget, err);
	/* what is said of it later is in its journal */
	s->bench = NULL;
	wb_bisect_bench_clear(&b);
	wb_bisect_line_clear(&line);
	return ret;
}

static int search_merges(const struct wb_bisect_search *w, const char *bench,
			 struct wb_bisect_session *s, int depth,
			 struct wb_error *err);

/* What parent number `parent` of a merge brought in. */
static int search_side(const struct wb_bisect_search *w, const char *bench,
		       struct wb_bisect_session *s, const char *metric,
		       const char *merge, int parent, int depth,
		       struct wb_error *err)
{
	char *range = wb_xasprintf("%s^1..%s^%d", merge, merge, parent);
	struct wb_source from = { .word = range };
	struct wb_bisect_session *in = add_inner(s);
	struct wb_plan p = { .nbenches = 0 };
	double budget = w->budget > 0
		? fmax(w->budget - s->seconds, 1e-9) : 0;
	int ret = wb_plan_make(&p, w->git, w->config, &from, bench, err);

	in->merge = merge;
	in->judge = metric;
	if (!ret)
		ret = search_line(w, &p, 0, budget, in, err);
	if (ret && err->kind == WB_E_JUDGE) {
		/* nothing to search there: it is the merge then */
		if (!w->quiet)
			wb_talk("merge %.12s: %s", merge, err->msg);
		wb_error_clear(err);
		wb_bisect_session_clear(in);
		free(in);
		s->ninner--;
		ret = 0;
	} else if (!ret) {
		ret = search_merges(w, bench, in, depth + 1, err);
	}
	wb_plan_clear(&p);
	free(range);
	return ret;
}

static bool has_parent(struct wb_git *g, const char *commit, int parent)
{
	struct wb_error none = WB_ERROR_INIT;
	char *rev = wb_xasprintf("%s^%d", commit, parent);
	struct wb_oid id;
	bool there = wb_git_commit_of(g, rev, &id, &none) == 0;

	wb_error_clear(&none);
	free(rev);
	return there;
}

static int search_merges(const struct wb_bisect_search *w, const char *bench,
			 struct wb_bisect_session *s, int depth,
			 struct wb_error *err)
{
	size_t i, k;
	int ret = 0, parent;

	for (i = 0; i < s->noutcomes && depth < DEPTH_MAX; i++) {
		const struct wb_bisect_outcome *c = &s->outcome[i];
		for (k = 0; k < c->result.nchanges; k++) {
			const char *id = s->name[c->result.change[k].patch]
						 .commit;
			for (parent = 2; !ret && id &&
			     has_parent(w->git, id, parent); parent++)
				ret = search_side(w, bench, s, c->metric, id,
						  parent, depth, err);
		}
	}
	return ret;
}

int wb_bisect_search(const struct wb_bisect_search *w, const struct wb_plan *p,
		     size_t i, struct wb_bisect_session *s,
		     struct wb_error *err)
{
	const struct wb_bench_config *c = p->bench[i].config;

	s->judge = w->metric ? w->metric : c->judge;
	if (search_line(w, p, i, w->budget, s, err) < 0)
		return -1;
	/* of a history, what was merged has been searched already */
	return w->full_history ? 0 : search_merges(w, c->name, s, 0, err);
}

const struct wb_bisect_session *
wb_bisect_side(const struct wb_bisect_session *s,
	       const struct wb_bisect_outcome *c,
	       const struct wb_bisect_suspect *p, size_t n)
{
	const char *commit = s->name[p->patch].commit;
	size_t i;

	for (i = 0; commit && i < s->ninner; i++)
		if (s->inner[i]->noutcomes && s->inner[i]->merge &&
		    !strcmp(s->inner[i]->merge, commit) &&
		    !strcmp(s->inner[i]->outcome[0].metric, c->metric) && !n--)
			return s->inner[i];
	return NULL;
}
