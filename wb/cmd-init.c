#include "audition.h"
#include "cmd.h"
#include "draft.h"
#include "git.h"
#include "json.h"
#include "number.h"
#include "path.h"
#include "proc.h"
#include "project.h"
#include "text.h"
#include "trust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME ".wbconfig"
#define SHOWN_LINES 10		/* of an output that no reader is sure of */
#define JUDGED_MAX 8		/* as wb_result_judge() has it */

struct init {
	const char *build, *bench, *reader, *better, *unit, *series;
	bool interactive, force;
};

static const struct wb_opt opts[] = {
	WB_OPT_STR(0, "build", struct init, build, "CMD",
		   "builds a tree; - when there is nothing to build"),
	WB_OPT_STR(0, "bench", struct init, bench, "CMD",
		   "the command that prints numbers"),
	WB_OPT_STR(0, "reader", struct init, reader, "READER",
		   "how its output is read, instead of trying them all"),
	WB_OPT_STR(0, "better", struct init, better, "D",
		   "lower or higher, where the output does not say"),
	WB_OPT_STR(0, "unit", struct init, unit, "UNIT",
		   "unit of the numbers, where the output does not say"),
	WB_OPT_STR(0, "series", struct init, series, "SERIES",
		   "quilt folder or range A..B, not what is found; - for none"),
	WB_OPT_NOFLAG(0, "no-interactive", struct init, interactive,
		      "ask nothing; fail where an answer is needed"),
	WB_OPT_FLAG(0, "force", struct init, force,
		    "replace a .wbconfig that is there"),
	WB_OPT_END
};

static const struct init defaults = { .interactive = true };

/* ---- questions ----------------------------------------------------------- */

/* Nothing, or "-", is said for none: by an option as in an answer. */
static char *said(const char *word)
{
	return word && *word && strcmp(word, "-") ? wb_xstrdup(word) : NULL;
}

/* One line of the answer, the default for an empty one. NULL: no more input. */
static char *ask(const char *question, const char *fallback)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	wb_talk("%s%s%s%s:", question, fallback ? " [" : "",
		fallback ? fallback : "", fallback ? "]" : "");
	n = getline(&line, &cap, stdin);
	if (n < 0) {
		free(line);
		return NULL;
	}
	while (n && (line[n - 1] == '\n' || line[n - 1] == ' '))
		line[--n] = '\0';
	if (*line || !fallback)
		return line;
	free(line);
	return wb_xstrdup(fallback);
}

static int ask_into(char **field, const char *question, struct wb_error *err)
{
	char *answer = ask(question, *field);

	if (!answer)
		return wb_fail(err, WB_E_USAGE, "no more answers; nothing was "
			       "written");
	free(*field);
	*field = said(answer);
	free(answer);
	return 0;
}

static int ask_commands(struct wb_draft *d, struct wb_error *err)
{
	if (ask_into(&d->build, "build command, run in the tree of a prefix "
		     "(- for none)", err) < 0)
		return -1;
	do {
		if (ask_into(&d->bench, "bench command, run in the same tree",
			     err) < 0)
			return -1;
	} while (!d->bench);
	return 0;
}

static int ask_word(char **field, const char *question, const char *const *of,
		    struct wb_error *err)
{
	size_t i;

	for (;;) {
		if (ask_into(field, question, err) < 0)
			return -1;
		for (i = 0; *field && (!of || of[i]); i++)
			if (!of || !strcmp(of[i], *field))
				return 0;
		free(*field);
		*field = NULL;
	}
}

/* ---- what the readers made of it ----------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t count_metrics(const struct wb_reading *r)
{
	const char **v = wb_xcalloc(r->n + 1, sizeof(*v));
	size_t i, n = 0;

	for (i = 0; i < r->n; i++)
		v[i] = r->v[i].metric;
	qsort(v, r->n, sizeof(*v), by_name);
	for (i = 0; i < r->n; i++)
		n += !i || strcmp(v[i - 1], v[i]);
	free(v);
	return n;
}

/*
 * "38 metrics, such as BM_push/8 = 5.5 ns, lower is better". With the bytes
 * that the bench printed: whoever shows it makes them safe.
 */
static void describe(const struct wb_hearing *h, struct wb_buf *out)
{
	const struct wb_reading_number *first = h->reading.v;
	size_t n;

	if (h->reason) {
		wb_buf_addstr(out, h->reason);
		return;
	}
	n = count_metrics(&h->reading);
	wb_buf_addf(out, "%zu metric%s", n, n == 1 ? ": " : "s, such as ");
	wb_buf_addstr(out, first->metric);
	wb_buf_addstr(out, " = ");
	wb_number_add_rough(out, first->number, 6);
	if (*first->unit) {
		wb_buf_addch(out, ' ');
		wb_buf_addstr(out, first->unit);
	}
	if (first->better)
		wb_buf_addf(out, ", %s is better",
			    wb_better_word(first->better));
	if (h->reading.remark) {
		wb_buf_addstr(out, "; ");
		wb_buf_addstr(out, h->reading.remark);
	}
}

static void show_hearings(const struct wb_audition *a)
{
	struct wb_buf line = WB_BUF_INIT, made = WB_BUF_INIT;
	const char *p = a->output.ptr;
	size_t i, n;

	for (i = 0; i < a->n; i++) {
		wb_buf_reset(&made);
		describe(&a->hearing[i], &made);
		wb_buf_reset(&line);
		wb_text_add(&line, made.ptr, WB_TEXT_EXACT);
		printf("%-17s %s  %s\n", wb_reader_word(a->hearing[i].reader),
		       a->hearing[i].reason ? "no " : "yes", line.ptr);
	}
	for (i = 0; !a->nsure && i < SHOWN_LINES && *p; i++) {
		n = strcspn(p, "\n");
		char *copy = wb_xstrndup(p, n < 76 ? n : 76);

		wb_buf_reset(&line);
		wb_text_add(&line, copy, WB_TEXT_EXACT);
		printf("%s%s\n", i ? "  | " : "it printed:\n  | ", line.ptr);
		free(copy);
		p += n + (p[n] == '\n');
	}
	wb_buf_clear(&made);
	wb_buf_clear(&line);
}

static struct wb_json *hearings_json(const struct wb_audition *a)
{
	struct wb_json *list = wb_json_array(), *o;
	struct wb_buf line = WB_BUF_INIT;
	const struct wb_hearing *h;
	size_t i;

	for (i = 0; i < a->n; i++) {
		h = &a->hearing[i];
		wb_buf_reset(&line);
		describe(h, &line);
		o = wb_json_object();
		wb_json_set(o, "reader",
			    wb_json_str(wb_reader_word(h->reader)));
		wb_json_set(o, "reads", wb_json_bool(!h->reason));
		wb_json_set(o, "metrics", wb_json_int(h->reason ? 0 :
				(int64_t)count_metrics(&h->reading)));
		wb_json_set(o, "says", wb_json_str(line.ptr));
		wb_json_append(list, o);
	}
	wb_buf_clear(&line);
	return list;
}

/* ---- decisions ----------------------------------------------------------- */

static int choose_reader(struct wb_draft *d, const struct wb_audition *a,
			 bool interactive, struct wb_error *err)
{
	const struct wb_hearing *h;
	enum wb_reader reader;
	bool told = d->reader != NULL;

	if (!told && !a->nsure && !interactive)
		return wb_fail(err, WB_E_USAGE, "its output is of no format "
			       "for certain: choose with --reader, for "
			       "instance %s",
			       wb_reader_word(a->hearing[0].reader));
	if (!told)
		d->reader = wb_xstrdup(wb_reader_word(a->hearing[0].reader));
	do {
		if (!told && interactive &&
		    ask_into(&d->reader, "reader", err) < 0)
			return -1;
		if (!d->reader || !wb_reader_parse(d->reader, &reader)) {
			if (told || !interactive)
				return wb_fail(err, WB_E_USAGE, "--reader: "
					       "'%s' is no reader; see "
					       "wbconfig(5)", d->reader);
			continue;
		}
		h = wb_audition_of(a, reader);
		if (!h || !h->reason)
			return 0;
		if (told || !interactive)
			return wb_fail(err, WB_E_JUDGE, "reader %s cannot read "
				       "what the bench prints: %s", d->reader,
				       h->reason);
		wb_talk("%s cannot read it: %s", d->reader, h->reason);
	} while (1);
}

/* Direction, unit and judged metrics that the output leaves open. */
static int settle_metrics(struct wb_draft *d, const struct wb_audition *a,
			  bool interactive, struct wb_error *err)
{
	static const char *const words[] = { "lower", "higher", NULL };
	const struct wb_hearing *h;
	size_t directed = 0, united = 0, i;
	enum wb_reader reader;

	wb_reader_parse(d->reader, &reader);
	h = wb_audition_of(a, reader);
	for (i = 0; h && i < h->reading.n; i++) {
		directed += h->reading.v[i].better != WB_BETTER_UNKNOWN;
		united += *h->reading.v[i].unit != '\0';
	}
	if (!d->better && h && !directed) {
		if (!interactive)
			return wb_fail(err, WB_E_USAGE, "its output does not "
				       "say whether lower or higher is "
				       "better: say --better");
		if (ask_word(&d->better, "better (lower or higher)", words,
			     err) < 0)
			return -1;
	}
	if (!d->unit && h && !united) {
		if (!interactive)
			return wb_fail(err, WB_E_USAGE, "its output does not "
				       "say the unit: say --unit");
		if (ask_word(&d->unit, "unit (ns, MB/s, ...)", NULL, err) < 0)
			return -1;
	}
	if (!d->better && directed < (h ? h->reading.n : 0))
		wb_talk("some metrics do not say whether lower or higher is "
			"better; they get no verdict until wb-bench.%s.better "
			"says it", d->name);
	if (h && count_metrics(&h->reading) > JUDGED_MAX)
		d->judge = wb_xstrdup("*");
	return 0;
}

/* Tries what the draft says; asks for other commands while it fails. */
static int try_commands(struct wb *wb, struct wb_draft *d, bool interactive,
			struct wb_audition *a, struct wb_error *err)
{
	struct wb_config config;
	int fd, ret;

	for (;;) {
		free(d->overlay);
		free(d->name);
		d->name = wb_draft_name(d->bench);
		if (wb_project_own_files(wb->git, d->bench, &d->overlay,
					 err) < 0)
			return -1;
		ret = wb_draft_config(d, &config, err);
		fd = ret ? -1 : wb_proc_interrupt_fd(err);
		if (fd >= 0) {
			wb_talk("one try on HEAD: %s%sthe bench",
				d->build ? "the build, " : "",
				d->build ? "then " : "");
			ret = wb_audition(a, wb->git, &config, fd, err);
			wb_proc_interrupt_close(fd);
		}
		wb_config_clear(&config);
		if (ret || fd < 0)
			return -1;
		if (!a->broken)
			return 0;
		if (!interactive)
			return wb_fail(err, WB_E_JUDGE, "%s; nothing was "
				       "written", a->broken);
		wb_talk("%s", a->broken);
		wb_audition_clear(a);
		if (ask_commands(d, err) < 0)
			return -1;
	}
}

static int start_draft(const struct init *o, const struct wb_project *p,
		       bool interactive, struct wb_draft *d,
		       struct wb_error *err)
{
	wb_talk("found %s%s%s", p->system ? p->system : "no build system "
		"that is known here", p->series ? ", a stack in " : "",
		p->series ? p->series : "");
	d->series = said(o->series ? o->series : p->series);
	if (!o->series)
		d->profile = said(p->profile);
	d->build = said(o->build ? o->build : p->build);
	d->bench = said(o->bench ? o->bench : p->bench);
	d->reader = said(o->reader);
	d->better = said(o->better);
	d->unit = said(o->unit);
	if (interactive && !(o->build && o->bench))
		return ask_commands(d, err);
	if (!d->bench)
		return wb_fail(err, WB_E_USAGE, "no bench is known: say "
			       "--bench CMD");
	return 0;
}

/* ---- the file ------------------------------------------------------------ */

static int check_place(struct wb *wb, bool force, char **file,
		       struct wb_error *err)
{
	const char *top = wb_git_workdir(wb->git);

	if (!top)
		return wb_fail(err, WB_E_FATAL, "a bare repository has no "
			       "place for %s; make it in a work tree",
			       FILE_NAME);
	*file = wb_xasprintf("%s/%s", top, FILE_NAME);
	if (!access(*file, F_OK) && !force)
		return wb_fail(err, WB_E_FATAL, "%s is there: 'wb init "
			       "--force' replaces it", *file);
	return 0;
}

/* Written in one step, and trusted: the user has just typed it. */
static int keep(struct wb *wb, const struct wb_draft *d, const char *file,
		struct wb_error *err)
{
	bool replaced = !access(file, F_OK);
	struct wb_buf text = WB_BUF_INIT;
	int ret = -1;

	wb_draft_print(d, &text);
	if (wb_path_write(file, text.ptr, text.len, err) < 0)
		goto out;
	free(wb->config.project);
	wb->config.project_len = text.len;
	wb->config.project = wb_xstrdup(text.ptr);
	ret = wb_trust_add(&wb->config, err);
	if (!ret)
		wb_talk("%s %s, and its commands are trusted; commit it for "
			"others. Next: wb run%s", replaced ? "replaced" :
			"wrote", FILE_NAME, d->series ? "" : " A..B");
out:
	wb_buf_clear(&text);
	return ret;
}

static void put_json(const struct wb_draft *d, const struct wb_audition *a,
		     const char *file)
{
	struct wb_json *doc = wb_json_object();

	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "file", wb_json_str(file));
	wb_json_set(doc, "series", wb_json_str(d->series));
	wb_json_set(doc, "build", wb_json_str(d->build));
	wb_json_set(doc, "build_seconds", wb_json_num(a->build_seconds));
	wb_json_set(doc, "bench", wb_json_str(d->name));
	wb_json_set(doc, "command", wb_json_str(d->bench));
	wb_json_set(doc, "bench_seconds", wb_json_num(a->bench_seconds));
	wb_json_set(doc, "reader", wb_json_str(d->reader));
	wb_json_set(doc, "better", wb_json_str(d->better));
	wb_json_set(doc, "unit", wb_json_str(d->unit));
	wb_json_set(doc, "judge", wb_json_str(d->judge));
	wb_json_set(doc, "readers", hearings_json(a));
	wb_json_put(doc);
}

static int cmd_init(struct wb *wb, void *o, int argc, char **argv,
		    struct wb_error *err)
{
	const struct init *opt = o;
	bool interactive = opt->interactive && !wb->quiet &&
			   isatty(STDIN_FILENO);
	struct wb_project project = { .system = NULL };
	struct wb_audition a = { .n = 0 };
	struct wb_draft d = { .name = NULL };
	char *file = NULL;
	int ret = -1;

	if (argc > 1)
		return wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[1]);
	wb_buf_init(&a.output);
	if (check_place(wb, opt->force, &file, err) < 0 ||
	    wb_project_look(&project, wb->git, err) < 0 ||
	    start_draft(opt, &project, interactive, &d, err) < 0 ||
	    try_commands(wb, &d, interactive, &a, err) < 0)
		goto out;
	if (!wb->json)
		show_hearings(&a);
	fflush(stdout);
	if (choose_reader(&d, &a, interactive, err) < 0 ||
	    settle_metrics(&d, &a, interactive, err) < 0 ||
	    keep(wb, &d, file, err) < 0)
		goto out;
	if (wb->json)
		put_json(&d, &a, file);
	ret = 0;
out:
	wb_audition_clear(&a);
	wb_draft_clear(&d);
	wb_project_clear(&project);
	free(file);
	return ret;
}

const struct wb_cmd wb_cmd_init = {
	.name = "init",
	.fn = cmd_init,
	.needs = WB_NEED_REPO | WB_RUNS,
	.usage = "wb init [--build=CMD] [--bench=CMD] [--reader=READER] "
		 "[--better=D] [--unit=UNIT] [--series=SERIES] "
		 "[--no-interactive] [--force]",
	.summary = "set up a repository: try build and bench, write .wbconfig",
	.opts = opts,
	.size = sizeof(struct init),
	.defaults = &defaults,
};
