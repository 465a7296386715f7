#include "git-object.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * A range of commits as a stack. Which commits belong to it is what git log
 * A..B says; their order and number is that of the first parents, so that a
 * merge is one step whose change is all that it brought in.
 */
struct set {
	git_oid *id;
	size_t n, cap;
};

/* Most ranges are straight and shorter than this. */
#define STRAIGHT 4096

static int fail(struct wb_error *err, git_repository *repo, const char *from,
		const char *to)
{
	const git_error *e = git_error_last();

	if (git_repository_is_shallow(repo) > 0)
		return wb_fail(err, WB_E_FATAL, "%s..%s: the history of this "
			       "shallow clone ends too early: git fetch "
			       "--unshallow", from, to);
	return wb_fail(err, WB_E_FATAL, "%s..%s: %s", from, to,
		       e && e->message ? e->message : "cannot be read");
}

static int by_id(const void *a, const void *b)
{
	return git_oid_cmp(a, b);
}

/*
 * When the first parents of `to` lead to `from`, the commits on the way are
 * the range, whatever lies beyond; so a shallow clone can do it as well.
 */
static bool straight(git_repository *repo, const git_oid *from,
		     const git_oid *to, struct set *s)
{
	git_commit *c = NULL, *parent;
	bool there = git_oid_equal(from, to);

	if (there || git_commit_lookup(&c, repo, to) < 0)
		return there;
	while (!there && s->n < STRAIGHT) {
		s->id = wb_grow(s->id, s->n, &s->cap, sizeof(*s->id));
		git_oid_cpy(&s->id[s->n++], git_commit_id(c));
		if (!git_commit_parentcount(c))
			break;
		there = git_oid_equal(from, git_commit_parent_id(c, 0));
		if (there || git_commit_parent(&parent, c, 0) < 0)
			break;
		git_commit_free(c);
		c = parent;
	}
	git_commit_free(c);
	if (s->n)
		qsort(s->id, s->n, sizeof(*s->id), by_id);
	return there;
}

/* The commits that can be reached from `to` and not from `from`. */
static int collect(git_repository *repo, const git_oid *from,
		   const git_oid *to, struct set *s)
{
	git_revwalk *walk = NULL;
	git_oid id;
	int code;

	s->n = 0;
	code = git_revwalk_new(&walk, repo);
	if (code == 0)
		code = git_revwalk_push(walk, to);
	if (code == 0)
		code = git_revwalk_hide(walk, from);
	while (code == 0 && (code = git_revwalk_next(&id, walk)) == 0) {
		s->id = wb_grow(s->id, s->n, &s->cap, sizeof(*s->id));
		git_oid_cpy(&s->id[s->n++], &id);
	}
	git_revwalk_free(walk);
	if (s->n)
		qsort(s->id, s->n, sizeof(*s->id), by_id);
	return code == GIT_ITEROVER ? 0 : code;
}

/* "2024-05-01 10:00:00 +0200" */
static char *date_of(const git_signature *who)
{
	int zone = who->when.offset;
	time_t t = (time_t)who->when.time + zone * 60;
	struct tm tm;
	char text[40];

	if (!gmtime_r(&t, &tm))
		return NULL;
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm);
	return wb_xasprintf("%s %c%02d%02d", text, zone < 0 ? '-' : '+',
			    abs(zone) / 60, abs(zone) % 60);
}

static int count_lines(git_repository *repo, git_commit *c, git_commit *parent,
		       struct wb_git_step *step)
{
	git_tree *old = NULL, *new = NULL;
	git_diff *diff = NULL;
	git_diff_stats *stats = NULL;
	int code;

	code = git_commit_tree(&new, c);
	if (code == 0 && parent)
		code = git_commit_tree(&old, parent);
	if (code == 0)
		code = git_diff_tree_to_tree(&diff, repo, old, new, NULL);
	if (code == 0)
		code = git_diff_get_stats(&stats, diff);
	if (code == 0) {
		step->files = (int)git_diff_stats_files_changed(stats);
		step->added = (int)git_diff_stats_insertions(stats);
		step->removed = (int)git_diff_stats_deletions(stats);
	}
	git_diff_stats_free(stats);
	git_diff_free(diff);
	git_tree_free(new);
	git_tree_free(old);
	return code;
}

int wb_git_range_step(git_repository *repo, git_commit *c, git_commit *parent,
		      unsigned how, struct wb_git_range *out)
{
	const git_signature *who = git_commit_author(c);
	struct wb_git_step *s;

	out->step = wb_grow(out->step, out->n, &out->cap, sizeof(*out->step));
	s = &out->step[out->n++];
	memset(s, 0, sizeof(*s));
	wb_oid_from_raw(&s->commit, git_commit_id(c)->id);
	wb_oid_from_raw(&s->tree, git_commit_tree_id(c)->id);
	s->message = wb_xstrdup(git_commit_message(c));
	s->author = wb_xasprintf("%s <%s>", who->name, who->email);
	s->date = date_of(who);
	return how & WB_GIT_DIFFSTAT ? count_lines(repo, c, parent, s) : 0;
}

static void turn_round(struct wb_git_range *r)
{
	struct wb_git_step t;
	size_t i;

	for (i = 0; i < r->n / 2; i++) {
		t = r->step[i];
		r->step[i] = r->step[r->n - 1 - i];
		r->step[r->n - 1 - i] = t;
	}
}

/* Down the first parents from tip, until they leave the set. */
static int walk_down(git_repository *repo, const git_oid *tip,
		     const struct set *s, unsigned how,
		     struct wb_git_range *out)
{
	git_commit *c = NULL, *parent = NULL;
	int code = git_commit_lookup(&c, repo, tip);

	while (code == 0 && s->n && bsearch(git_commit_id(c), s->id, s->n,
					    sizeof(*s->id), by_id)) {
		code = git_commit_parent(&parent, c, 0);
		if (code == 0)
			code = wb_git_range_step(repo, c, parent, how, out);
		git_commit_free(c);
		c = parent;
		parent = NULL;
	}
	if (code == 0) {
		wb_oid_from_raw(&out->base, git_commit_id(c)->id);
		wb_oid_from_raw(&out->base_tree, git_commit_tree_id(c)->id);
	}
	git_commit_free(c);
	turn_round(out);
	return code;
}

/* All of from..to, parents first. */
static int walk_all(git_repository *repo, const git_oid *from,
		    const git_oid *to, unsigned how, struct wb_git_range *out)
{
	git_commit *c = NULL, *parent = NULL;
	git_revwalk *walk = NULL;
	git_oid id, base;
	int code = git_merge_base(&base, repo, from, to);

	if (code == 0)
		code = git_commit_lookup(&c, repo, &base);
	if (code == 0) {
		wb_oid_from_raw(&out->base, base.id);
		wb_oid_from_raw(&out->base_tree, git_commit_tree_id(c)->id);
		code = git_revwalk_new(&walk, repo);
	}
	if (code == 0)
		code = git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL |
					   GIT_SORT_REVERSE);
	if (code == 0)
		code = git_revwalk_push(walk, to);
	if (code == 0)
		code = git_revwalk_hide(walk, from);
	while (code == 0 && (code = git_revwalk_next(&id, walk)) == 0) {
		git_commit_free(c);
		c = NULL;
		code = git_commit_lookup(&c, repo, &id);
		if (code == 0 && git_commit_parentcount(c))
			code = git_commit_parent(&parent, c, 0);
		if (code == 0)
			code = wb_git_range_step(repo, c, parent, how, out);
		git_commit_free(parent);
		parent = NULL;
	}
	git_revwalk_free(walk);
	git_commit_free(c);
	return code == GIT_ITEROVER ? 0 : code;
}

/* A range that is not straight: what git log would list. */
static int search(git_repository *repo, const char *from, const char *to,
		  const git_oid *a, const git_oid *b, struct set *s,
		  struct wb_error *err)
{
	git_oid base;
	int code = git_merge_base(&base, repo, a, b);

	if (code == GIT_ENOTFOUND && git_repository_is_shallow(repo) <= 0)
		return wb_fail(err, WB_E_FATAL, "%s..%s: the two have no "
			       "history in common", from, to);
	if (code < 0 || collect(repo, a, b, s) < 0)
		return fail(err, repo, from, to);
	if (!s->n)
		return wb_fail(err, WB_E_FATAL, "%s..%s is empty: %s comes "
			       "before %s; did you mean %s..%s?", from, to, to,
			       from, to, from);
	return 0;
}

int wb_git_range(struct wb_git *g, const char *from, const char *to,
		 unsigned how, struct wb_git_range *out, struct wb_error *err)
{
	git_repository *repo = wb_git_repo(g);
	struct wb_oid first, last;
	struct set s = { NULL, 0, 0 };
	git_oid a, b;
	int code, ret = -1;

	memset(out, 0, sizeof(*out));
	if (wb_git_commit_of(g, from, &first, err) < 0 ||
	    wb_git_commit_of(g, to, &last, err) < 0)
		return -1;
	wb_oid_to_raw(&first, a.id);
	wb_oid_to_raw(&last, b.id);
	if (!straight(repo, &a, &b, &s) &&
	    search(repo, from, to, &a, &b, &s, err) < 0)
		goto out;
	code = how & WB_GIT_FULL_HISTORY ? walk_all(repo, &a, &b, how, out) :
	       walk_down(repo, &b, &s, how, out);
	if (code == GIT_ENOTFOUND && git_repository_is_shallow(repo) <= 0)
		wb_fail(err, WB_E_FATAL, "%s..%s: by first parents %s does not "
			"lead back to %s", from, to, to, from);
	else if (code < 0)
		fail(err, repo, from, to);
	else
		ret = 0;
out:
	free(s.id);
	return ret;
}

int wb_git_parents(struct wb_git *g, const char *rev, struct wb_oid **out,
		   size_t *n, struct wb_error *err)
{
	git_commit *c = NULL;
	struct wb_oid id;
	git_oid raw;
	size_t i;

	*out = NULL;
	*n = 0;
	if (wb_git_commit_of(g, rev, &id, err) < 0)
		return -1;
	wb_oid_to_raw(&id, raw.id);
	if (git_commit_lookup(&c, wb_git_repo(g), &raw) < 0)
		return wb_fail(err, WB_E_FATAL, "%s: cannot be read", rev);
	*n = git_commit_parentcount(c);
	*out = wb_xcalloc(*n, sizeof(**out));
	for (i = 0; i < *n; i++)
		wb_oid_from_raw(&(*out)[i], git_commit_parent_id(c, i)->id);
	git_commit_free(c);
	return 0;
}

void wb_git_range_clear(struct wb_git_range *r)
{
	size_t i;

	for (i = 0; i < r->n; i++) {
		free(r->step[i].name);
		free(r->step[i].message);
		free(r->step[i].author);
		free(r->step[i].date);
	}
	free(r->step);
	memset(r, 0, sizeof(*r));
}
