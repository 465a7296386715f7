#include "cmd.h"
#include "ci.h"
#include "git-config.h"
#include "path.h"
#include "proc.h"
#include "todo.h"
#include "trust.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	struct wb_source from;
	const char *base, *old, *bench, *junit, *summary, *comment, *quality;
	int rounds;
	double budget;
	bool trust;
};

static const struct wb_opt opts[] = {
	WB_OPT_STR(0, "base", struct options, base, "REV",
		   "the commits REV..HEAD, or what SERIES has and had "
		   "not at REV; by REV's .wbconfig"),
	WB_SOURCE_OPTS(struct options),
	WB_OPT_STR(0, "bench", struct options, bench, "GLOB",
		   "only benches whose name matches"),
	WB_OPT_INT('n', "rounds", struct options, rounds, "N",
		   "N rounds for each comparison, whatever the verdicts"),
	WB_OPT_DURATION(0, "budget", struct options, budget, "TIME",
			"stop after this time, builds and tests included"),
	WB_OPT_STR(0, "junit", struct options, junit, "FILE",
		   "write JUnit XML"),
	WB_OPT_STR(0, "summary", struct options, summary, "FILE",
		   "write a Markdown summary"),
	WB_OPT_STR(0, "comment", struct options, comment, "FILE",
		   "write the body of a comment, if there is news"),
	WB_OPT_STR(0, "code-quality", struct options, quality, "FILE",
		   "write a GitLab code quality report"),
	WB_OPT_FLAG(0, "trust", struct options, trust,
		    "run the commands of .wbconfig without 'wb trust'"),
	WB_OPT_END
};

static const struct options defaults = { .rounds = -1 };

typedef void text_fn(const struct wb_ci *ci, struct wb_buf *out);

static int put(const struct wb_ci *ci, const char *path, text_fn *fn,
	       struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	int ret;

	if (!path)
		return 0;
	fn(ci, &text);
	ret = wb_path_put(path, text.ptr, text.len, err);
	wb_buf_clear(&text);
	return ret;
}

/* A job of half an hour is not to end at a folder that is not there. */
static int check_places(const struct options *o, struct wb_error *err)
{
	const char *const place[] = {
		o->junit, o->summary, o->comment, o->quality,
	};
	size_t i;

	for (i = 0; i < sizeof(place) / sizeof(*place); i++)
		if (place[i] && wb_path_can_put(place[i], err) < 0)
			return -1;
	return 0;
}

/* A comment that was written when there was news goes when there is none. */
static int put_comment(const struct wb_ci *ci, const char *path,
		       struct wb_error *err)
{
	if (!path || wb_ci_has_news(ci))
		return put(ci, path, wb_ci_markdown, err);
	return wb_path_take_back(path, err);
}

/* The service's own ways, where wb runs in it. */
static int tell_github(const struct wb_ci *ci, const struct options *o,
		       bool json, struct wb_error *err)
{
	const char *github = getenv("GITHUB_ACTIONS");
	const char *file = getenv("GITHUB_STEP_SUMMARY");
	struct wb_buf text = WB_BUF_INIT;
	FILE *f;

	if (!github || strcmp(github, "true"))
		return 0;
	/* stdout belongs to the document when there is one */
	if (!json)
		wb_ci_annotations(ci, &text);
	fputs(text.ptr, stdout);
	wb_buf_clear(&text);
	if (!file || !*file || o->summary)
		return 0;
	/* other steps may have written there */
	wb_ci_markdown(ci, &text);
	f = fopen(file, "ae");
	if (!f || fputs(text.ptr, f) < 0) {
		wb_fail_errno(err, "%s", file);
		if (f)
			fclose(f);
		wb_buf_clear(&text);
		return -1;
	}
	wb_buf_clear(&text);
	return fclose(f) ? wb_fail_errno(err, "%s", file) : 0;
}

static int show(struct wb *wb, const struct options *o, const struct wb_ci *ci,
		struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;

	if (wb->json) {
		wb_ci_json(ci);
	} else {
		wb_ci_text(ci, &text);
		fputs(text.ptr, stdout);
		wb_buf_clear(&text);
	}
	if (put(ci, o->junit, wb_ci_junit, err) < 0 ||
	    put(ci, o->summary, wb_ci_markdown, err) < 0 ||
	    put(ci, o->quality, wb_ci_quality, err) < 0 ||
	    put_comment(ci, o->comment, err) < 0)
		return -1;
	return tell_github(ci, o, wb->json, err);
}

static int run(struct wb *wb, const struct wb_config *config,
	       const struct options *o, const struct wb_plan *p,
	       struct wb_ci *ci, struct wb_error *err)
{
	struct wb_ci_options how = {
		.from = &o->from, .gate = config->gate, .budget = o->budget,
		.old = o->old,
		.rule = wb_todo_rule(config, o->rounds), .quiet = wb->quiet,
	};
	int lock = wb_run_lock(wb->git, err), ret = -1;

	if (lock < 0)
		return -1;
	how.interrupt_fd = wb_proc_interrupt_fd(err);
	if (how.interrupt_fd >= 0)
		ret = wb_ci_run(ci, p, wb->git, wb->db, &how, err);
	wb_proc_interrupt_close(how.interrupt_fd);
	close(lock);
	return ret;
}

static int answer(const struct wb_ci *ci, struct wb_error *err)
{
	char *verdict = wb_ci_verdict(ci);
	int ret = 0;

	if (wb_ci_count(ci, WB_CI_FAILED, NULL))
		ret = wb_fail(err, WB_E_LOSS, "%s", verdict);
	else if (ci->out_of_time || wb_ci_count(ci, WB_CI_UNCLEAR, NULL) ||
		 ci->v[0].step[WB_CI_BUILD].state == WB_CI_FAILED ||
		 ci->v[0].step[WB_CI_TEST].state == WB_CI_FAILED)
		ret = wb_fail(err, WB_E_JUDGE, "%s", verdict);
	free(verdict);
	return ret;
}

/*
 * What is judged must not set the rules: with --base they are those of REV,
 * whatever the commits above it do to .wbconfig or to the bench.
 */
static int settle(struct wb *wb, struct options *o, struct wb_config *at,
		  char **range, struct wb_error *err)
{
	if (!o->base)
		return 0;
	if (o->from.mbox || o->from.stgit)
		return wb_fail(err, WB_E_USAGE, "--base names a stack, and so "
			       "does '%s'", o->from.mbox ? o->from.mbox :
			       "--stgit");
	if (o->from.word) {
		o->old = o->base;
	} else {
		*range = wb_xasprintf("%s..HEAD", o->base);
		o->from.word = *range;
		o->from.overlay = o->base;
	}
	return wb_git_config_at(at, &wb->config, wb->git, o->base, err);
}

/* Only a folder in the repository can be compared with what REV has there. */
static int check_old(const struct options *o, const struct wb_plan *p,
		     struct wb_error *err)
{
	if (o->old && p->stack.commits)
		return wb_fail(err, WB_E_USAGE, "--base names a stack, and so "
			       "does '%s'", o->from.word);
	if (o->old && !*p->stack.dir)
		return wb_fail(err, WB_E_USAGE, "'%s' is not in the work tree, "
			       "so %s has none to compare with", o->from.word,
			       o->old);
	return 0;
}

static int cmd_ci(struct wb *wb, void *opts_, int argc, char **argv,
		  struct wb_error *err)
{
	struct options *o = opts_;
	const struct wb_config *config = &wb->config;
	struct wb_ci ci = { .plan = NULL };
	struct wb_config at;
	struct wb_plan p;
	char *range = NULL;
	int ret = -1;

	wb_config_init(&at);
	memset(&p, 0, sizeof(p));
	if (argc > 2) {
		wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[2]);
		goto out;
	}
	o->from.word = argv[1];
	if (settle(wb, o, &at, &range, err) < 0 || check_places(o, err) < 0)
		goto out;
	if (o->base)
		config = &at;
	if ((!o->trust && wb_trust_check(config, err) < 0) ||
	    wb_plan_make(&p, wb->git, config, &o->from, o->bench ? o->bench :
			 config->nbenches ? NULL : "", err) < 0 ||
	    check_old(o, &p, err) < 0)
		goto out;
	if (!config->build.command && !config->build.test && !p.nbenches)
		wb_warn("no build, test or bench is configured%s%s: patches "
			"are applied and read, no more", o->base ? " at " : "",
			o->base ? o->base : "");
	if (run(wb, config, o, &p, &ci, err) < 0 ||
	    show(wb, o, &ci, err) < 0)
		goto out;
	ret = answer(&ci, err);
out:
	wb_ci_clear(&ci);
	wb_plan_clear(&p);
	wb_config_clear(&at);
	free(range);
	return ret;
}

const struct wb_cmd wb_cmd_ci = {
	.name = "ci",
	.fn = cmd_ci,
	.needs = WB_NEED_REPO | WB_NEED_DB | WB_RUNS,
	.usage = "wb ci [--base=REV] [SERIES] [--trust] [--budget=TIME] "
		 "[--rounds=N]\n"
		 "      [--bench=GLOB] [--junit=FILE] [--summary=FILE] "
		 "[--comment=FILE]\n"
		 "      [--code-quality=FILE]",
	.summary = "each patch applied, built, tested, measured: pass or fail",
	.opts = opts,
	.size = sizeof(struct options),
	.defaults = &defaults,
};
