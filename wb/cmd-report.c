#include "cmd.h"
#include "db.h"
#include "export.h"
#include "git.h"
#include "hash.h"
#include "pager.h"
#include "report-load.h"
#include "report-mail.h"
#include "report.h"
#include "sample-html.h"
#include "toolchain.h"

#include <stdlib.h>
#include <string.h>

struct report {
	struct wb_source from;
	const char *samples, *machine, *format, *widths, *rows, *against;
	const char *bench, *metric, *only, *test;
	bool compat, no_compare;
	int decimals;		/* -1: not given */
	/* what becomes of it, instead of a table on stdout */
	struct wb_strlist changelog;
	const char *template, *render, *output;
	bool below, cover, email, each, tested_by;
};

static const struct wb_opt opts[] = {
	WB_SOURCE_OPTS(struct report),
	WB_OPT_STR(0, "format", struct report, format, "FORMAT",
		   "terminal, plain, markdown, mmtests, delta, ..."),
	WB_OPT_STR(0, "samples", struct report, samples, "FILE",
		   "a file of sample lines (-: stdin), or an HTML report"),
	WB_OPT_STR(0, "machine", struct report, machine, "ID",
		   "what another machine measured (digits of its id)"),
	WB_OPT_STR(0, "against", struct report, against, "PREFIX",
		   "compare with prev, base, a name or a number"),
	WB_OPT_STR(0, "bench", struct report, bench, "GLOB",
		   "only these benches"),
	WB_OPT_STR(0, "metric", struct report, metric, "GLOB",
		   "these metrics, judged or not"),
	WB_OPT_STR(0, "only", struct report, only, "changed",
		   "only patches that are faster or slower"),
	WB_OPT_STR(0, "test", struct report, test, "TEST",
		   "also p by welch or mann-whitney"),
	WB_OPT_FLAG(0, "compat", struct report, compat,
		    "mmtests, lkp: the original's bytes, defects too"),
	WB_OPT_STR(0, "widths", struct report, widths, "2016",
		   "mmtests: the layout of 2016"),
	WB_OPT_STR(0, "rows", struct report, rows, "ROWS",
		   "mmtests: multiops, singleops, normalisedops, ..."),
	WB_OPT_INT(0, "decimals", struct report, decimals, "N",
		   "mmtests: decimals of a value, 2"),
	WB_OPT_FLAG(0, "no-compare", struct report, no_compare,
		    "mmtests: values without percentages"),
	WB_OPT_LIST(0, "changelog", struct report, changelog, "NAME",
		    "put the table into the message of this patch"),
	WB_OPT_FLAG(0, "below", struct report, below,
		    "changelog: under the rule, where git am drops it"),
	WB_OPT_FLAG(0, "cover", struct report, cover,
		    "the text of a cover letter, into that of --output"),
	WB_OPT_FLAG(0, "email", struct report, email,
		    "write an answer to the series, for git send-email"),
	WB_OPT_FLAG(0, "each", struct report, each,
		    "email: an answer to each patch"),
	WB_OPT_FLAG(0, "tested-by", struct report, tested_by,
		    "email: with your Tested-by for what was measured here"),
	WB_OPT_STR(0, "template", struct report, template, "NAME",
		   "fill the template NAME.md, such as report"),
	WB_OPT_STR(0, "render", struct report, render, "FORMAT",
		   "template: plain, markdown, html, man or latex"),
	WB_OPT_STR('o', "output", struct report, output, "PATH",
		   "email: folder of the mails; cover: the letter to fill"),
	WB_OPT_END
};

#define DECIMALS 2
#define DECIMALS_MAX 15

/* Layouts that have an original to be like. */
static bool has_original(enum wb_format_kind k)
{
	return k == WB_FORMAT_MMTESTS || k == WB_FORMAT_LKP ||
	       k == WB_FORMAT_LKP_LIST || k == WB_FORMAT_DELTA;
}

/* Options that only one layout has say so instead of doing nothing. */
static int check_mmtests(const struct report *o, enum wb_format_kind k,
			 struct wb_error *err)
{
	const char *stray = o->widths ? "--widths" :
			    o->rows ? "--rows" : o->decimals >= 0 ?
			    "--decimals" : o->no_compare ? "--no-compare" :
			    NULL;

	if (stray)
		return wb_fail(err, WB_E_USAGE, "%s needs --format mmtests",
			       stray);
	if (o->compat && !has_original(k))
		return wb_fail(err, WB_E_USAGE, "--compat needs --format "
			       "mmtests, lkp, lkp-list or delta");
	return 0;
}

/* Layouts that compare every column with the first, and what has no base. */
static int check_against(const struct report *o, enum wb_format_kind k,
			 struct wb_error *err)
{
	bool fixed = k == WB_FORMAT_MMTESTS || k == WB_FORMAT_LKP ||
		     k == WB_FORMAT_BENCHSTAT;

	if (!o->against || !strcmp(o->against, "base"))
		return 0;
	if (fixed)
		return wb_fail(err, WB_E_USAGE, "--against %s: --format %s "
			       "compares with the first column", o->against,
			       o->format);
	if (k == WB_FORMAT_LKP_LIST)
		return wb_fail(err, WB_E_USAGE, "--against %s: --format %s "
			       "prints no change", o->against, o->format);
	return 0;
}

static int choose_rows(const struct report *o, struct wb_format_options *f,
		       struct wb_error *err)
{
	struct wb_buf words = WB_BUF_INIT;

	if (o->widths && strcmp(o->widths, "2016"))
		return wb_fail(err, WB_E_USAGE, "--widths is 2016, not '%s'",
			       o->widths);
	if (o->decimals > DECIMALS_MAX)
		return wb_fail(err, WB_E_USAGE, "--decimals is at most %d",
			       DECIMALS_MAX);
	if (!o->rows || wb_rows_parse(o->rows, &f->rows))
		return 0;
	wb_rows_words(&words);
	wb_fail(err, WB_E_USAGE, "--rows '%s' is none of %s", o->rows,
		words.ptr);
	wb_buf_clear(&words);
	return -1;
}

static int choose_format(const struct wb *wb, const struct report *o,
			 struct wb_format_options *f, struct wb_error *err)
{
	struct wb_buf words = WB_BUF_INIT;

	if (o->format && !wb_format_parse(o->format, &f->kind)) {
		wb_format_words(&words);
		wb_fail(err, WB_E_USAGE, "--format '%s' is none of %s",
			o->format, words.ptr);
		wb_buf_clear(&words);
		return -1;
	}
	if (wb->json && o->format && f->kind != WB_FORMAT_JSON)
		return wb_fail(err, WB_E_USAGE,
			       "--json and --format %s exclude each other",
			       o->format);
	if (o->only && strcmp(o->only, "changed"))
		return wb_fail(err, WB_E_USAGE, "--only is changed, not '%s'",
			       o->only);
	if (check_against(o, f->kind, err) < 0)
		return -1;
	if (f->kind != WB_FORMAT_MMTESTS)
		return check_mmtests(o, f->kind, err);
	return choose_rows(o, f, err);
}

static int need_repo(struct wb *wb, struct wb_error *err)
{
	if (wb->git)
		return 0;
	*err = wb->no_git;
	return wb_fail_at(err, "no store to read (a file is read with "
			  "--samples FILE)");
}

/* ---- what is written instead of a table on stdout ---- */

static bool writes(const struct report *o)
{
	return o->changelog.n || o->cover || o->email || o->template;
}

static int check_writing(const struct report *o, struct wb_error *err)
{
	int n = (o->changelog.n > 0) + o->cover + o->email +
		(o->template != NULL);
	const char *stray =
		o->below && !o->changelog.n ? "--below needs --changelog" :
		o->each && !o->email ? "--each needs --email" :
		o->tested_by && !o->email ? "--tested-by needs --email" :
		o->render && !o->template ? "--render needs --template" :
		o->output && !o->email && !o->cover ?
		"--output needs --email or --cover" :
		n && o->format ? "--format is of tables; what is written is "
		"plain text, or --template with --render" :
		o->machine && o->samples ? "--machine is for the store, not "
		"for --samples" :
		o->changelog.n && o->samples ? "--changelog is for what this "
		"machine measured, not for --samples" :
		o->tested_by && o->samples ? "--tested-by is for what this "
		"machine measured, not for --samples" : NULL;

	if (n > 1)
		return wb_fail(err, WB_E_USAGE, "one of --changelog, --cover, "
			       "--email and --template");
	return stray ? wb_fail(err, WB_E_USAGE, "%s", stray) : 0;
}

/* Nobody says Tested-by for another machine's runs. */
static int check_here(const struct report *o, const struct wb_plan *p,
		      struct wb_error *err)
{
	if (!o->tested_by || !p->elsewhere)
		return 0;
	return wb_fail(err, WB_E_USAGE, "--tested-by is for what this machine "
		       "measured; these samples are of another one (%s)",
		       p->machine.facts);
}

/* The compiler's line of the toolchain; NULL: nothing is built. */
static char *compiler(const struct wb *wb)
{
	char *all, *line = NULL;

	if (!wb->config.build.command)
		return NULL;
	all = wb_toolchain(false);
	if (wb_str_starts(all, "cc: ") && all[4] != '\n')
		line = wb_xstrndup(all + 4, strcspn(all + 4, "\n"));
	free(all);
	return line;
}

static int dispatch(const struct report *o, const struct wb_report_job *j,
		    bool json, struct wb_buf *out, struct wb_error *err)
{
	struct wb_report_mail_options mail = {
		.dir = o->output, .each = o->each, .tested_by = o->tested_by,
	};

	if (o->changelog.n)
		return wb_report_changelog(j, &o->changelog, o->below, json,
					   err);
	if (o->cover)
		return wb_report_cover(j, o->output, out, err);
	if (o->email)
		return wb_report_mail(j, &mail, out, err);
	return wb_report_page(j, o->template, o->render, out, err);
}

/* What wb export gives of the samples of the report. */
static int export_lines(struct wb *wb, const struct wb_plan *p,
			struct wb_buf *out, struct wb_error *err)
{
	struct wb_db *db = NULL;
	size_t runs;
	int ret = wb_report_open_store(wb->git, &db, err);

	if (!ret)
		ret = wb_export(db, p, p->machine.id, p->machine.facts, out,
				&runs, err);
	wb_db_close(db);
	return ret;
}

/* "sha256:HEX" of them, malloc'ed. */
static int name_data(struct wb *wb, const struct wb_plan *p, char **out,
		     struct wb_error *err)
{
	struct wb_buf text = WB_BUF_INIT;
	int ret = export_lines(wb, p, &text, err);
	char sum[65];

	if (!ret) {
		wb_sha256(text.ptr, text.len, sum);
		*out = wb_xasprintf("sha256:%s", sum);
	}
	wb_buf_clear(&text);
	return ret;
}

/* "NAME: COMMAND" of each bench; free both. */
static char **bench_commands(const struct wb_config *c)
{
	char **v = wb_xcalloc(c->nbenches, sizeof(*v));
	size_t i;

	for (i = 0; i < c->nbenches; i++)
		v[i] = wb_xasprintf("%s: %s", c->bench[i].name,
				    c->bench[i].command ?
				    c->bench[i].command : "");
	return v;
}

static void free_commands(char **v, size_t n)
{
	while (n)
		free(v[--n]);
	free(v);
}

/* What the stack was named by, each word behind a blank. */
static void add_again(const struct wb_source *from, struct wb_buf *out)
{
	wb_buf_addstr(out, from->stgit ? " --stgit" : "");
	wb_buf_addstr(out, from->full_history ? " --full-history" : "");
	wb_buf_addstr(out, from->wip ? " --wip" : "");
	if (from->mbox) {
		wb_buf_addstr(out, " --mbox ");
		wb_buf_addquoted(out, from->mbox);
	}
	if (from->word) {
		wb_buf_addch(out, ' ');
		wb_buf_addquoted(out, from->word);
	}
}

/* A page carries its samples, and says how they came to be. */
static int print_page(struct wb *wb, const struct report *o,
		      struct wb_report_options *how, const struct wb_plan *p,
		      const struct wb_result *r, struct wb_buf *out,
		      struct wb_error *err)
{
	struct wb_buf lines = WB_BUF_INIT, packed = WB_BUF_INIT;
	struct wb_buf again = WB_BUF_INIT;
	struct wb_error ignored = WB_ERROR_INIT;
	char sum[65], *data = NULL, *cc = compiler(wb);
	char **command = bench_commands(&wb->config);
	int ret;

	add_again(&o->from, &again);
	how->format.page = (struct wb_page_facts){
		.again = again.ptr, .compiler = cc,
		.build = wb->config.build.command,
		.bench = (const char *const *)command,
		.nbenches = wb->config.nbenches,
	};
	/* where nothing is measured, the table says so */
	if (!export_lines(wb, p, &lines, &ignored)) {
		wb_sha256(lines.ptr, lines.len, sum);
		data = wb_xasprintf("sha256:%s", sum);
		wb_sample_pack(&lines, &packed);
		how->format.page.data = data;
		how->format.page.lines = packed.ptr;
	}
	ret = wb_report_text(r, wb->config.margin, how, out, err);
	wb_error_clear(&ignored);
	free_commands(command, wb->config.nbenches);
	free(cc);
	free(data);
	wb_buf_clear(&again);
	wb_buf_clear(&lines);
	wb_buf_clear(&packed);
	return ret;
}

static int print_table(struct wb *wb, const struct report *o,
		       struct wb_report_options *how, const struct wb_plan *p,
		       const struct wb_result *r, struct wb_buf *out,
		       struct wb_error *err)
{
	if (how->format.kind == WB_FORMAT_HTML && !o->samples)
		return print_page(wb, o, how, p, r, out, err);
	return wb_report_text(r, wb->config.margin, how, out, err);
}

static int write_out(struct wb *wb, const struct report *o,
		     const struct wb_report_options *how,
		     const struct wb_plan *p, const struct wb_result *r,
		     struct wb_buf *out, struct wb_error *err)
{
	const struct wb_config *c = &wb->config;
	char **command = bench_commands(c);
	char *cc = o->samples ? NULL : compiler(wb), *data = NULL;
	struct wb_table t;
	int ret = -1;

	if (wb_report_judge(r, c->margin, how, &t, err) < 0)
		goto out;
	if (o->samples || !name_data(wb, p, &data, err))
		ret = dispatch(o, &(struct wb_report_job){
			.t = &t, .format = how->format, .config = c,
			.git = wb->git, .stack = o->samples ? NULL : &p->stack,
			.facts = {
				.source = how->source, .compiler = cc,
				.data = data,
				.command = (const char *const *)command,
				.ncommands = o->samples ? 0 : c->nbenches,
			},
			.templates = {
				.top = wb->git ? wb_git_workdir(wb->git) : NULL,
				.dir = c->templates,
			},
		}, wb->json, out, err);
	wb_table_clear(&t);
out:
	free_commands(command, c->nbenches);
	free(cc);
	free(data);
	return ret;
}

static int cmd_report(struct wb *wb, void *v, int argc, char **argv,
		      struct wb_error *err)
{
	struct report *o = v;
	struct wb_report_options how = {
		.json = wb->json, .color = wb->color, .against = o->against,
		.source = argc > 1 ? argv[1] : NULL,
		.format = {
			.bench = o->bench, .metric = o->metric,
			.only_changed = o->only != NULL,
			.compat = o->compat, .widths2016 = o->widths != NULL,
			.no_compare = o->no_compare,
			.decimals = o->decimals < 0 ? DECIMALS : o->decimals,
		},
	};
	struct wb_plan plan = { .config = NULL };
	struct wb_buf out = WB_BUF_INIT;
	struct wb_result r;
	int ret = -1;

	wb_result_init(&r);
	if (o->test && !wb_test_parse(o->test, &how.test)) {
		wb_fail(err, WB_E_USAGE, "--test is welch or mann-whitney, "
			"not '%s'", o->test);
		goto out;
	}
	if (argc > (o->samples ? 1 : 2)) {
		wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[argc - 1]);
		goto out;
	}
	o->from.word = argv[1];
	if (check_writing(o, err) < 0 ||
	    choose_format(wb, o, &how.format, err) < 0 ||
	    (o->samples
	     ? wb_report_load_file(&wb->config, o->samples, &r, err)
	     : need_repo(wb, err) < 0 ||
	       wb_report_load_plan(wb->git, &wb->config, &o->from,
				   o->machine, &plan, &r, err)) ||
	    check_here(o, &plan, err) < 0 ||
	    wb_report_check_globs(&r, o->bench, o->metric, err) < 0 ||
	    (writes(o) ? write_out(wb, o, &how, &plan, &r, &out, err) :
			 print_table(wb, o, &how, &plan, &r, &out, err)) < 0)
		goto out;
	ret = wb_pager_print(&wb->config, !wb->no_pager, out.ptr, out.len, err);
out:
	wb_buf_clear(&out);
	wb_result_clear(&r);
	wb_plan_clear(&plan);
	return ret;
}

static const struct report defaults = { .decimals = -1 };

const struct wb_cmd wb_cmd_report = {
	.name = "report",
	.fn = cmd_report,
	.needs = WB_WANT_REPO,
	.usage = "wb report [--format=FORMAT] [--against=PREFIX] "
		 "[--bench=GLOB] [--metric=GLOB] [--only=changed] "
		 "[--test=TEST] [--machine=ID] [SERIES]\n"
		 "wb report --samples=FILE [--format=FORMAT] "
		 "[--against=PREFIX] [--bench=GLOB] [--metric=GLOB] "
		 "[--only=changed] [--test=TEST]\n"
		 "wb report --format=mmtests [--compat] [--widths=2016] "
		 "[--rows=ROWS] [--decimals=N] [--no-compare] ...\n"
		 "wb report --changelog=NAME ... [--below] [SERIES]\n"
		 "wb report --cover [--output=LETTER] [SERIES]\n"
		 "wb report --email [--each] [--tested-by] [--output=DIR] "
		 "[SERIES]\n"
		 "wb report --template=NAME [--render=FORMAT] [SERIES]",
	.summary = "tables from stored samples or a file of samples",
	.opts = opts,
	.size = sizeof(struct report),
	.defaults = &defaults,
};
