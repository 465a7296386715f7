#include "cmd.h"
#include "git.h"
#include "path.h"
#include "plan.h"
#include "proc.h"
#include "report.h"
#include "run.h"
#include "todo.h"
#include "trust.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct options {
	struct wb_source from;
	const char *bench;
	struct wb_strlist only;
	int rounds;
	double budget;
};

static const struct wb_opt opts[] = {
	WB_SOURCE_OPTS(struct options),
	WB_OPT_STR(0, "bench", struct options, bench, "GLOB",
		   "only benches whose name matches"),
	WB_OPT_LIST(0, "only", struct options, only, "PREFIX,...",
		    "measure what the verdicts of these need"),
	WB_OPT_INT('n', "rounds", struct options, rounds, "N",
		   "N rounds for each comparison, whatever the verdicts"),
	WB_OPT_DURATION(0, "budget", struct options, budget, "TIME",
			"stop after this time, builds included"),
	WB_OPT_END
};

static const struct options defaults = { .rounds = -1 };

/* --only words, each perhaps several names with commas, to a flag a prefix. */
static int mark_only(const struct wb_plan *p, struct wb_git *g,
		     const struct wb_strlist *words, bool **only,
		     struct wb_error *err)
{
	char *list, *name, *save = NULL;
	int ret = 0;
	size_t i, k, named = 0;

	if (!words->n)
		return 0;
	*only = wb_xcalloc(p->stack.n, sizeof(**only));
	for (i = 0; i < words->n && !ret; i++) {
		list = wb_xstrdup(words->v[i]);
		for (name = strtok_r(list, ",", &save); name && !ret;
		     name = strtok_r(NULL, ",", &save)) {
			ret = wb_stack_find(&p->stack, g, name, &k, err);
			if (!ret)
				(*only)[k] = true;
			named++;
		}
		free(list);
	}
	if (!ret && !named)
		return wb_fail(err, WB_E_USAGE, "--only names no prefix");
	return ret;
}

/* A name that is safe as a file's: of "A..B" or "some/folder". */
static char *file_name(const char *source)
{
	char *name = wb_xstrdup(*source ? source : "series"), *c;

	for (c = name; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
			    "XYZ0123456789._-", *c))
			*c = '-';
	if (*name == '.')
		*name = '-';
	if (strlen(name) > 100)
		name[100] = '\0';
	return name;
}

/* What the page is about: the stack, its base, the day. */
static int add_title(struct wb *wb, const struct wb_plan *p, const char *name,
		     struct wb_buf *text, struct wb_error *err)
{
	struct wb_oid head;
	char day[16];
	time_t now = time(NULL);
	struct tm tm;

	if (wb_git_commit_of(wb->git, "HEAD", &head, err) < 0)
		return -1;
	strftime(day, sizeof(day), "%Y-%m-%d", gmtime_r(&now, &tm));
	wb_buf_addf(text, "# %s: %zu patches\n\nHEAD %.12s, %s, wb %s\n\n",
		    name, p->stack.n - 1, head.hex, day, WB_VERSION);
	return 0;
}

static int write_report(struct wb *wb, const struct wb_plan *p,
			const struct wb_result *r, struct wb_error *err)
{
	char *name = file_name(p->stack.source);
	char *dir = wb_xasprintf("%s/wb/reports", wb_git_common_dir(wb->git));
	char *file = wb_xasprintf("%s/%s.md", dir, name);
	struct wb_buf text = WB_BUF_INIT;
	int ret = -1;

	if (add_title(wb, p, name, &text, err) < 0)
		goto out;
	wb_report_markdown(r, wb->config.margin, &text);
	if (wb_path_make(dir, err) < 0 ||
	    wb_path_write(file, text.ptr, text.len, err) < 0)
		goto out;
	wb_talk("report: %s", file);
	ret = 0;
out:
	wb_buf_clear(&text);
	free(file);
	free(dir);
	free(name);
	return ret;
}

static size_t bench_of(const struct wb_plan *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->nbenches; i++)
		if (!strcmp(p->bench[i].config->name, name))
			break;
	return i;
}

/* have[bench][prefix]: whether there is a sample of the level it is run for. */
static bool *mark_measured(const struct wb_plan *p, const struct wb_result *r)
{
	bool *have = wb_xcalloc(p->nbenches * p->stack.n, sizeof(*have));
	size_t *bench = wb_xcalloc(r->nmetrics, sizeof(*bench));
	bool counted;
	size_t i, b;

	for (i = 0; i < r->nmetrics; i++)
		bench[i] = bench_of(p, r->metric[i].bench);
	for (i = 0; i < r->npoints; i++) {
		b = bench[r->point[i].metric];
		counted = r->metric[r->point[i].metric].level == WB_LEVEL_I;
		have[b * p->stack.n + r->point[i].column] |= counted ==
			(p->bench[b].config->level == WB_WISH_I);
	}
	/* what became broken after it was measured is not measured */
	for (i = 0; i < r->nholes; i++)
		for (b = 0; b < p->nbenches; b++)
			if (!r->hole[i].bench || b == bench_of(p,
							r->hole[i].bench))
				have[b * p->stack.n + r->hole[i].column] =
					false;
	free(bench);
	return have;
}

/* 125 when a bench has no sample of a wanted prefix; the table says why. */
static int check_complete(const struct wb_plan *p, const struct wb_result *r,
			  const bool *only, bool out_of_time,
			  struct wb_error *err)
{
	bool *have = mark_measured(p, r);
	size_t i, n = p->nbenches * p->stack.n, k, lost = 0, first = 0;

	for (i = 0; i < n; i++) {
		k = i % p->stack.n;
		if (have[i] || (only && !only[k]))
			continue;
		if (!lost++)
			first = i;
	}
	free(have);
	if (out_of_time)
		return wb_fail(err, WB_E_JUDGE, "the budget is used up: 'wb "
			       "status' shows what is left, 'wb run' goes on");
	if (!lost)
		return 0;
	k = first % p->stack.n;
	return wb_fail(err, WB_E_JUDGE, "%zu of %zu pairs of bench and prefix "
		       "could not be measured, the first is %s, %zu '%s'",
		       lost, n, p->bench[first / p->stack.n].config->name, k,
		       p->stack.prefix[k].name);
}

/* HEAD is what is built; an edit that is not committed is easily forgotten. */
static int warn_uncommitted(struct wb *wb, struct wb_error *err)
{
	const struct wb_build_config *b = &wb->config.build;
	char *paths, *first;
	int ret;

	/* without inputs the stack itself would count, read as it is */
	if (!b->inputs && !b->overlay)
		return 0;
	paths = wb_xasprintf("%s %s", b->inputs ? b->inputs : "",
			     b->overlay ? b->overlay : "");
	ret = wb_git_uncommitted(wb->git, paths, &first, err);
	if (!ret && first)
		wb_warn("'%s' is changed and not committed: HEAD is measured, "
			"without the change", first);
	free(first);
	free(paths);
	return ret;
}

static int measure(struct wb *wb, const struct options *opt, struct wb_plan *p,
		   bool **only, bool *out_of_time, struct wb_error *err)
{
	struct wb_run_options o = {
		.rule = wb_todo_rule(&wb->config, opt->rounds),
		.budget = opt->budget,
		.quiet = wb->quiet,
		.interrupt_fd = -1,
		.out_of_time = out_of_time,
	};
	int lock = -1, ret = -1;

	if (wb_trust_check(&wb->config, err) < 0 ||
	    warn_uncommitted(wb, err) < 0 ||
	    mark_only(p, wb->git, &opt->only, only, err) < 0)
		return -1;
	o.only = *only;
	lock = wb_run_lock(wb->git, err);
	if (lock < 0)
		return -1;
	o.interrupt_fd = wb_proc_interrupt_fd(err);
	if (o.interrupt_fd >= 0)
		ret = wb_run(p, wb->git, wb->db, &o, err);
	wb_proc_interrupt_close(o.interrupt_fd);
	close(lock);
	return ret;
}

static int cmd_run(struct wb *wb, void *o, int argc, char **argv,
		   struct wb_error *err)
{
	struct options *opt = o;
	struct wb_report_options how = { .json = wb->json, .color = wb->color };
	struct wb_result r;
	struct wb_plan p;
	bool *only = NULL, out_of_time = false;
	int ret = -1;

	wb_result_init(&r);
	if (argc > 2)
		return wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[2]);
	if (!opt->rounds)
		return wb_fail(err, WB_E_USAGE, "--rounds must be at least 1");
	opt->from.word = argv[1];
	if (wb_plan_make(&p, wb->git, &wb->config, &opt->from, opt->bench,
			 err) < 0 ||
	    measure(wb, opt, &p, &only, &out_of_time, err) < 0 ||
	    wb_plan_result(&p, wb->db, &r, err) < 0 ||
	    wb_report_print(&r, wb->config.margin, &how, err) < 0 ||
	    write_report(wb, &p, &r, err) < 0)
		goto out;
	ret = check_complete(&p, &r, only, out_of_time, err);
out:
	free(only);
	wb_result_clear(&r);
	wb_plan_clear(&p);
	return ret;
}

const struct wb_cmd wb_cmd_run = {
	.name = "run",
	.fn = cmd_run,
	.needs = WB_NEED_REPO | WB_NEED_DB | WB_RUNS,
	.usage = "wb run [--bench=GLOB] [--only=PREFIX,...] [--rounds=N] "
		 "[--budget=TIME] [SERIES]",
	.summary = "measure every prefix of a stack and print the table",
	.opts = opts,
	.size = sizeof(struct options),
	.defaults = &defaults,
};
