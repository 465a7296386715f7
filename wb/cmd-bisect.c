#include "bisect-print.h"
#include "bisect-session.h"
#include "cmd.h"
#include "git.h"
#include "pager.h"
#include "path.h"
#include "proc.h"
#include "run.h"
#include "trust.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	struct wb_source from;
	bool series;
	const char *bench, *metric, *level, *drift, *replay;
	double alpha, belief, min_effect, budget;
	int grid;
	bool log, git_log, status, visualize, reset;
};

static const struct wb_opt opts[] = {
	WB_OPT_FLAG(0, "series", struct options, series,
		    "search a patch stack (SERIES) instead of GOOD..BAD"),
	WB_SOURCE_OPTS(struct options),
	WB_OPT_STR(0, "bench", struct options, bench, "GLOB",
		   "only benches whose name matches"),
	WB_OPT_STR(0, "metric", struct options, metric, "GLOBS",
		   "metrics to search, instead of those that are judged"),
	WB_OPT_STR(0, "level", struct options, level, "S|I",
		   "clocks (S) or instruction counts (I)"),
	WB_OPT_RATIO(0, "min-effect", struct options, min_effect, "RATIO",
		     "smaller changes do not matter (1%; counts: 0.1%)"),
	WB_OPT_RATIO(0, "alpha", struct options, alpha, "RATIO",
		     "risk of naming a change where none is (1%)"),
	WB_OPT_RATIO(0, "belief", struct options, belief, "RATIO",
		     "belief in one patch that ends the search (95%)"),
	WB_OPT_DURATION(0, "budget", struct options, budget, "TIME",
			"stop after this time, builds included"),
	WB_OPT_INT(0, "grid", struct options, grid, "G",
		   "look at G prefixes between the ends first"),
	WB_OPT_STR(0, "drift", struct options, drift, "strict",
		   "trust nothing that lies minutes apart"),
	WB_OPT_FLAG(0, "log", struct options, log,
		    "print the journal of the search"),
	WB_OPT_FLAG(0, "git-log", struct options, git_log,
		    "print what is known as 'git bisect log' does"),
	WB_OPT_STR(0, "replay", struct options, replay, "FILE",
		   "say again what a journal led to; runs nothing"),
	WB_OPT_FLAG(0, "status", struct options, status,
		    "say where the search stands"),
	WB_OPT_FLAG(0, "visualize", struct options, visualize,
		    "draw the belief over the patches"),
	WB_OPT_FLAG(0, "reset", struct options, reset,
		    "forget the searches; what they measured stays"),
	WB_OPT_END
};

static const struct options defaults = {
	.alpha = 0.01, .belief = 0.95, .min_effect = -1,
};

#define EXACT_EFFECT 0.001
#define NOISY_EFFECT 0.01

/* ---- journals ---- */

static char *journal_dir(const struct wb *wb)
{
	return wb_xasprintf("%s/wb/bisect", wb_git_common_dir(wb->git));
}

/* A bench's name as part of a file's. */
static char *journal_file(const struct wb *wb, const char *bench, bool counting)
{
	char *dir = journal_dir(wb), *name = wb_xstrdup(bench), *c, *file;

	for (c = name; *c; c++)
		if (*c == '/')
			*c = '-';
	file = wb_xasprintf("%s/%s.%s", dir, name, counting ? "count" : "time");
	free(name);
	free(dir);
	return file;
}

/* What a session prints; 0, or -1 with the reason. */
typedef int use_fn(struct wb *wb, struct wb_bisect_session *s,
		   const char *file, struct wb_error *err);

/*
 * Plays a journal back as far as it goes; a search that is not over is no
 * failure of this.
 */
static int play_back(struct wb_bisect_session *s, const char *file, bool *over,
		     struct wb_error *err)
{
	*over = false;
	wb_bisect_defaults(&s->o, 0, 1);
	s->quiet = true;
	if (wb_bisect_log_read(&s->log, file, err) < 0 ||
	    wb_bisect_session_recall(s, err) < 0)
		return -1;
	if (wb_bisect_session_run(s, err) == 0) {
		*over = true;
		return 0;
	}
	if (err->kind != WB_E_JUDGE)
		return -1;
	/* as said above */
	wb_error_clear(err);
	return 0;
}

static int show_journal(struct wb *wb, const struct options *o,
			const char *file, struct wb_buf *out,
			struct wb_error *err)
{
	struct wb_bisect_session s = { .n = 0 };
	const char *bench = "";
	bool over;
	int ret = -1;

	(void)wb;
	if (play_back(&s, file, &over, err) < 0)
		goto out;
	wb_json_get_str(wb_json_get(s.log.header, "bench"), &bench);
	ret = 0;
	if (o->git_log && !s.name[s.n - 1].commit) {
		ret = wb_fail(err, WB_E_USAGE, "--git-log: a stack of patches "
			      "has no commits");
		goto out;
	}
	if (o->git_log) {
		wb_bisect_print_git(&s, out);
		goto out;
	}
	wb_buf_addf(out, "%s, %s, %d patches: %s\n", bench,
		    s.counting ? "counts" : "clocks", s.n - 1,
		    over ? "over" : "not over");
	if (o->visualize)
		wb_bisect_print_bars(&s, out);
	else if (over)
		wb_bisect_print(&s, out);
	else
		wb_bisect_print_status(&s, out);
out:
	wb_bisect_session_clear(&s);
	return ret;
}

static int show_text(const char *file, struct wb_buf *out, struct wb_error *err)
{
	bool there;

	return wb_path_read(file, (size_t)256 << 20, out, &there, err);
}

/* Every bench that matches, and both kinds of it. */
static int show_all(struct wb *wb, const struct options *o,
		    struct wb_error *err)
{
	const struct wb_config *c = &wb->config;
	struct wb_buf out = WB_BUF_INIT;
	size_t i, n = 0;
	int ret = 0, kind;
	char *file;

	for (i = 0; i < 2 * c->nbenches && !ret; i++) {
		kind = i % 2;
		file = journal_file(wb, c->bench[i / 2].name, kind);
		if (!access(file, R_OK)) {
			n++;
			ret = o->log ? show_text(file, &out, err)
				     : show_journal(wb, o, file, &out, err);
		}
		free(file);
	}
	if (!ret && !n)
		ret = wb_fail(err, WB_E_JUDGE, "no search is under way: 'wb "
			      "bisect-perf GOOD BAD' begins one");
	if (!ret)
		ret = wb_pager_print(c, !wb->no_pager, out.ptr, out.len, err);
	wb_buf_clear(&out);
	return ret;
}

static int reset(struct wb *wb, struct wb_error *err)
{
	char *dir = journal_dir(wb);
	int ret = wb_path_remove(dir, err);

	free(dir);
	return ret;
}

/* ---- searching ---- */

/* A journal of another search that is over makes room; else it is in the way */
static int open_journal(struct wb *wb, struct wb_bisect_session *s,
			struct wb_error *err)
{
	struct wb_bisect_session old = { .n = 0 };
	char *file = journal_file(wb, s->bench->bench->config->name,
				  s->bench->counting);
	char *dir = journal_dir(wb);
	bool other = false, over = false;
	int ret = -1;

	if (wb_path_make(dir, err) < 0 ||
	    wb_bisect_log_open(&s->log, file, wb_bisect_session_header(s),
			       &other, err) < 0)
		goto out;
	if (other) {
		if (play_back(&old, file, &over, err) < 0)
			goto out;
		if (!over) {
			wb_fail(err, WB_E_FATAL, "another search of bench '%s' "
				"is not over: go on with the command that "
				"began it, or 'wb bisect-perf --reset'",
				s->bench->bench->config->name);
			goto out;
		}
		wb_bisect_log_close(&s->log);
		if (unlink(file) < 0) {
			wb_fail_errno(err, "%s", file);
			goto out;
		}
		if (wb_bisect_log_open(&s->log, file,
				       wb_bisect_session_header(s), &other,
				       err) < 0)
			goto out;
	}
	ret = 0;
out:
	wb_bisect_session_clear(&old);
	free(dir);
	free(file);
	return ret;
}

static int search_bench(struct wb *wb, const struct options *o,
			struct wb_bisect_session *s, struct wb_error *err)
{
	double least = s->bench->counting ? EXACT_EFFECT : NOISY_EFFECT;

	wb_bisect_defaults(&s->o, 0, s->bench->line->n - 1);
	s->o.alpha = o->alpha;
	s->o.belief = o->belief;
	s->o.min_effect = log1p(o->min_effect >= 0 ? o->min_effect : least);
	s->o.grid = o->grid;
	s->o.strict = o->drift != NULL;
	s->o.budget_seconds = o->budget;
	s->judge = o->metric ? o->metric : s->bench->bench->config->judge;
	s->quiet = wb->quiet;
	if (open_journal(wb, s, err) < 0 ||
	    wb_bisect_session_recall(s, err) < 0 ||
	    wb_bisect_bench_open(s->bench, err) < 0)
		return -1;
	s->o.budget_seconds = o->budget;
	return wb_bisect_session_run(s, err);
}

static void add_json(const struct wb_bisect_session *s, struct wb_json *list)
{
	size_t i;

	for (i = 0; i < s->noutcomes; i++)
		wb_json_append(list, wb_bisect_json(s, &s->outcome[i]));
}

/* One metric is the document itself, several are a list in it. */
static void put_json(struct wb_json *list)
{
	struct wb_json *doc = wb_json_object();
	struct wb_buf text = WB_BUF_INIT;
	bool one = wb_json_count(list) == 1;

	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "metrics", list);
	wb_json_print(one ? wb_json_at(list, 0) : doc, &text, 2);
	puts(text.ptr);
	wb_buf_clear(&text);
	wb_json_free(doc);
}

static size_t changes_in(const struct wb_bisect_session *s)
{
	size_t i, n = 0;

	for (i = 0; i < s->noutcomes; i++)
		n += s->outcome[i].result.nchanges;
	return n;
}

static int conclude(struct wb *wb, size_t changes, struct wb_json *list,
		    const struct wb_buf *text, struct wb_error *err)
{
	if (wb->json) {
		put_json(list);
	} else {
		wb_json_free(list);
		fwrite(text->ptr, 1, text->len, stdout);
	}
	if (changes)
		return 0;
	return wb_fail(err, WB_E_JUDGE, "no change is named");
}

static bool wants_counts(const struct options *o,
			 const struct wb_bench_config *b)
{
	if (o->level)
		return !strcmp(o->level, "I");
	return b->level == WB_WISH_I;
}

static int search_all(struct wb *wb, const struct options *o,
		      const struct wb_plan *p, struct wb_error *err)
{
	struct wb_json *list = wb_json_array();
	struct wb_bisect_line line;
	struct wb_buf text = WB_BUF_INIT;
	size_t i, changes = 0;
	int fd = wb_proc_interrupt_fd(err), ret = fd < 0 ? -1 : 0;

	wb_bisect_line_make(&line, p);
	if (!ret && line.n < 2)
		ret = wb_fail(err, WB_E_JUDGE, "no patch between the ends "
			      "changes what is built (wb-build.inputs)");
	for (i = 0; i < p->nbenches && !ret; i++) {
		struct wb_bisect_bench b = {
			.line = &line, .git = wb->git, .db = wb->db,
			.bench = &p->bench[i], .interrupt_fd = fd,
			.counting = wants_counts(o, p->bench[i].config),
		};
		struct wb_bisect_session s = { .bench = &b };
		ret = search_bench(wb, o, &s, err);
		if (!ret) {
			add_json(&s, list);
			wb_bisect_print(&s, &text);
			changes += changes_in(&s);
		}
		wb_bisect_session_clear(&s);
		wb_bisect_bench_clear(&b);
	}
	wb_proc_interrupt_close(fd);
	if (!ret)
		ret = conclude(wb, changes, list, &text, err);
	else
		wb_json_free(list);
	wb_bisect_line_clear(&line);
	wb_buf_clear(&text);
	return ret;
}

/* ---- the command ---- */

static int replay(struct wb *wb, const struct options *o, struct wb_error *err)
{
	struct wb_bisect_session s = { .n = 0 };
	struct wb_buf text = WB_BUF_INIT;
	struct wb_json *list = wb_json_array();
	bool over;
	int ret = play_back(&s, o->replay, &over, err);

	if (!ret && !over) {
		ret = wb_fail(err, WB_E_JUDGE, "%s: the search was not over "
			      "when this was written; in its repository the "
			      "same command goes on", o->replay);
	} else if (!ret) {
		add_json(&s, list);
		wb_bisect_print(&s, &text);
		ret = conclude(wb, changes_in(&s), list, &text, err);
		list = NULL;
	}
	wb_json_free(list);
	wb_buf_clear(&text);
	wb_bisect_session_clear(&s);
	return ret;
}

static int check_options(const struct options *o, int argc,
			 struct wb_error *err)
{
	int words = argc - 1, wanted = o->series ? 1 : 2;

	if (o->drift && strcmp(o->drift, "strict"))
		return wb_fail(err, WB_E_USAGE, "--drift=%s: the word is "
			       "'strict'", o->drift);
	if (o->level && strcmp(o->level, "S") && strcmp(o->level, "I"))
		return wb_fail(err, WB_E_USAGE, "--level=%s: levels are S and "
			       "I", o->level);
	if (!(o->alpha > 0) || o->alpha >= 0.5)
		return wb_fail(err, WB_E_USAGE, "--alpha must be above 0 and "
			       "below 50%%");
	if (o->belief < 0.5 || o->belief >= 1)
		return wb_fail(err, WB_E_USAGE, "--belief must be at least "
			       "50%% and below 100%%");
	if (o->log || o->git_log || o->status || o->visualize || o->reset ||
	    o->replay)
		wanted = 0;
	if (words > wanted || (words < wanted && !o->series))
		return wb_fail(err, WB_E_USAGE, wanted == 2
			       ? "two revisions are wanted, GOOD and BAD; or "
				 "--series"
			       : "too many words");
	return 0;
}

static int search_range(struct wb *wb, struct options *o, char **argv, int argc,
			struct wb_error *err)
{
	struct wb_plan p = { .nbenches = 0 };
	char *range = NULL;
	int lock = -1, ret = -1;

	if (o->series) {
		o->from.word = argc > 1 ? argv[1] : NULL;
	} else {
		range = wb_xasprintf("%s..%s", argv[1], argv[2]);
		o->from.word = range;
	}
	if (wb_plan_make(&p, wb->git, &wb->config, &o->from, o->bench,
			 err) < 0 || wb_trust_check(&wb->config, err) < 0)
		goto out;
	lock = wb_run_lock(wb->git, err);
	if (lock < 0)
		goto out;
	ret = search_all(wb, o, &p, err);
out:
	if (lock >= 0)
		close(lock);
	wb_plan_clear(&p);
	free(range);
	return ret;
}

static int cmd_bisect(struct wb *wb, void *options, int argc, char **argv,
		      struct wb_error *err)
{
	struct options *o = options;

	if (check_options(o, argc, err) < 0)
		return -1;
	if (o->replay)
		return replay(wb, o, err);
	if (!wb->git) {
		*err = wb->no_git;
		return -1;
	}
	if (o->reset)
		return reset(wb, err);
	if (o->log || o->git_log || o->status || o->visualize)
		return show_all(wb, o, err);
	if (wb_db_open(wb_git_common_dir(wb->git), true, &wb->db, err) < 0)
		return -1;
	return search_range(wb, o, argv, argc, err);
}

const struct wb_cmd wb_cmd_bisect = {
	.name = "bisect-perf",
	.fn = cmd_bisect,
	.needs = WB_WANT_REPO,	/* all but --replay; and the store */
	.usage = "wb bisect-perf [OPTIONS] GOOD BAD\n"
		 "wb bisect-perf [OPTIONS] --series [SERIES]\n"
		 "wb bisect-perf --status | --visualize | --log | --git-log\n"
		 "wb bisect-perf --replay=FILE\n"
		 "wb bisect-perf --reset",
	.summary = "find the patches that moved a number, under noise",
	.opts = opts,
	.size = sizeof(struct options),
	.defaults = &defaults,
};
