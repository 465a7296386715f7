#include "bisect-mail.h"
#include "bisect-print.h"
#include "bisect-search.h"
#include "cmd.h"
#include "git.h"
#include "pager.h"
#include "path.h"
#include "proc.h"
#include "run.h"
#include "trust.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	struct wb_source from;
	bool series;
	const char *bench, *metric, *level, *drift, *replay, *mail;
	double alpha, belief, min_effect, budget;
	int grid;
	bool profile, log, git_log, status, visualize, reset;
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
	WB_OPT_FLAG(0, "profile", struct options, profile,
		    "say which functions a change moved, and which hunks"),
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
	WB_OPT_STR(0, "mail", struct options, mail, "DIR",
		   "write a mail to the author of each change into DIR"),
	WB_OPT_FLAG(0, "reset", struct options, reset,
		    "forget the searches; what they measured stays"),
	WB_OPT_END
};

static const struct options defaults = {
	.alpha = 0.01, .belief = 0.95, .min_effect = -1,
};

/* ---- what is known ---- */

static int show_journal(const struct options *o, const char *file,
			struct wb_buf *out, struct wb_error *err)
{
	struct wb_bisect_session s = { .n = 0 };
	const char *bench = "";
	size_t at = 0;
	bool over;
	int ret = -1;

	if (wb_bisect_play_back(&s, file, &at, &over, err) < 0)
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
	wb_buf_addf(out, "%s, %s, %d patches%s%.12s: %s\n", bench,
		    s.counting ? "counts" : "clocks", s.n - 1,
		    s.merge ? " merged by " : "", s.merge ? s.merge : "",
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

/* BENCH.time or BENCH.count, or with what follows: of a search within it */
static bool is_journal(const struct options *o, const char *name)
{
	char *bench = wb_xstrdup(name), *dot = strstr(bench, ".time");
	bool yes;

	if (!dot)
		dot = strstr(bench, ".count");
	if (dot)
		*dot = '\0';
	yes = dot && (!o->bench || !fnmatch(o->bench, bench, 0));
	free(bench);
	return yes;
}

/* Every bench that matches, both kinds of it, and the searches within. */
static int show_all(struct wb *wb, const struct options *o,
		    struct wb_error *err)
{
	char *dir = wb_bisect_dir(wb->git), *file;
	struct wb_buf out = WB_BUF_INIT;
	struct dirent **list = NULL;
	int n = scandir(dir, &list, NULL, alphasort), ret = 0, i, seen = 0;

	for (i = 0; i < n; i++) {
		if (!ret && is_journal(o, list[i]->d_name)) {
			file = wb_xasprintf("%s/%s", dir, list[i]->d_name);
			ret = o->log ? show_text(file, &out, err)
				     : show_journal(o, file, &out, err);
			free(file);
			seen++;
		}
		free(list[i]);
	}
	free(list);
	free(dir);
	if (!ret && !seen)
		ret = wb_fail(err, WB_E_JUDGE, "no search is under way: 'wb "
			      "bisect-perf GOOD BAD' begins one");
	if (!ret)
		ret = wb_pager_print(&wb->config, !wb->no_pager, out.ptr,
				     out.len, err);
	wb_buf_clear(&out);
	return ret;
}

static int reset(struct wb *wb, struct wb_error *err)
{
	char *dir = wb_bisect_dir(wb->git);
	int ret = wb_path_remove(dir, err);

	free(dir);
	return ret;
}

/* ---- searching ---- */

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

/* All that is said of a search that is over; git NULL: of one elsewhere. */
static int tell(struct wb *wb, const struct options *o, struct wb_git *git,
		const struct wb_bisect_session *s, struct wb_json *list,
		struct wb_buf *text, struct wb_error *err)
{
	struct wb_bisect_mail mail = {
		.dir = o->mail, .config = &wb->config, .git = git,
		.from = o->from, .templates = {
			.top = wb->git ? wb_git_workdir(wb->git) : NULL,
			.dir = wb->config.templates,
		},
	};

	add_json(s, list);
	wb_bisect_print(s, text);
	return wb_bisect_mail(&mail, s, text, err);
}

static int search_all(struct wb *wb, const struct options *o,
		      const struct wb_bisect_search *w,
		      const struct wb_plan *p, struct wb_error *err)
{
	struct wb_json *list = wb_json_array();
	struct wb_buf text = WB_BUF_INIT;
	size_t i, changes = 0;
	int ret = 0;

	for (i = 0; i < p->nbenches && !ret; i++) {
		struct wb_bisect_session s = { .n = 0 };
		ret = wb_bisect_search(w, p, i, &s, err);
		if (!ret)
			ret = tell(wb, o, wb->git, &s, list, &text, err);
		if (!ret)
			changes += changes_in(&s);
		wb_bisect_session_clear(&s);
	}
	if (!ret)
		ret = conclude(wb, changes, list, &text, err);
	else
		wb_json_free(list);
	wb_buf_clear(&text);
	return ret;
}

/* ---- the command ---- */

static int replay(struct wb *wb, const struct options *o, struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	struct wb_json *list = wb_json_array();
	size_t at = 0, changes = 0;
	int ret = 0;
	bool over;

	do {
		struct wb_bisect_session s = { .n = 0 };
		ret = wb_bisect_play_back(&s, o->replay, &at, &over, err);
		if (!ret && !over)
			ret = wb_fail(err, WB_E_JUDGE, "%s: the search was not "
				      "over when this was written; in its "
				      "repository the same command goes on",
				      o->replay);
		if (!ret)
			ret = tell(wb, o, NULL, &s, list, &text, err);
		if (!ret)
			changes += changes_in(&s);
		wb_bisect_session_clear(&s);
	} while (!ret && at);
	if (!ret)
		ret = conclude(wb, changes, list, &text, err);
	else
		wb_json_free(list);
	wb_buf_clear(&text);
	return ret;
}

static int check_options(const struct options *o, int argc,
			 struct wb_error *err)
{
	int words = argc - 1;
	bool asks = o->log || o->git_log || o->status || o->visualize ||
		    o->reset || o->replay;

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
	if (o->from.full_history && (o->grid || o->series || words > 2))
		return wb_fail(err, WB_E_USAGE, "--full-history searches all "
			       "of GOOD..BAD: no --grid, --series or paths");
	if (asks && (words || o->profile))
		return wb_fail(err, WB_E_USAGE, "too many words");
	if (!asks && !o->series && words < 2)
		return wb_fail(err, WB_E_USAGE, "two revisions are wanted, "
			       "GOOD and BAD; or --series");
	return 0;
}

/* GOOD BAD [PATH...], or [SERIES [PATH...]] */
static int search_range(struct wb *wb, struct options *o, char **argv, int argc,
			struct wb_error *err)
{
	int words = o->series ? 1 : 2, lock = -1, ret = -1;
	char *range = o->series ? NULL
		    : wb_xasprintf("%s..%s", argv[1], argv[2]);
	struct wb_plan p = { .nbenches = 0 };
	struct wb_bisect_search w = {
		.git = wb->git, .db = wb->db, .config = &wb->config,
		.quiet = wb->quiet, .interrupt_fd = -1, .metric = o->metric,
		.level = o->level, .alpha = o->alpha, .belief = o->belief,
		.budget = o->budget, .min_effect = o->min_effect,
		.grid = o->grid, .strict = o->drift != NULL,
		.full_history = o->from.full_history,
		.profile = o->profile,
	};

	o->from.word = range ? range : argc > 1 ? argv[1] : NULL;
	if (argc - 1 > words) {
		w.path = argv + 1 + words;
		w.npaths = (size_t)(argc - 1 - words);
	}
	if (wb_plan_make(&p, wb->git, &wb->config, &o->from, o->bench,
			 err) < 0 || wb_trust_check(&wb->config, err) < 0)
		goto out;
	lock = wb_run_lock(wb->git, err);
	if (lock < 0)
		goto out;
	w.interrupt_fd = wb_proc_interrupt_fd(err);
	if (w.interrupt_fd >= 0)
		ret = search_all(wb, o, &w, &p, err);
	wb_proc_interrupt_close(w.interrupt_fd);
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
	.needs = WB_WANT_REPO |	/* all but --replay; and the store */
		 WB_RUNS,
	.usage = "wb bisect-perf [OPTIONS] GOOD BAD [--] [PATH ...]\n"
		 "wb bisect-perf [OPTIONS] --series [SERIES [PATH ...]]\n"
		 "wb bisect-perf --status | --visualize | --log | --git-log\n"
		 "wb bisect-perf --replay=FILE\n"
		 "wb bisect-perf --reset",
	.summary = "find the patches that moved a number, under noise",
	.opts = opts,
	.size = sizeof(struct options),
	.defaults = &defaults,
};
