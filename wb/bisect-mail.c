#include "bisect-mail.h"

#include "bisect-search.h"
#include "ident.h"
#include "letter.h"
#include "path.h"
#include "plain.h"
#include "report-data.h"
#include "report-load.h"
#include "toolchain.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ODDS_MAX 1e300

/* One change, and what is known of it. */
struct finding {
	const struct wb_bisect_mail *m;
	const struct wb_bisect_session *s;
	const struct wb_bisect_outcome *c;
	const struct wb_bisect_suspect *p;
	const struct wb_bisect_name *name;
	const char *bench;
	char *user;		/* "Name <mail>" */
	char *author;		/* NULL: not known */
	struct wb_json *data;
};

static void set(struct finding *f, const char *key, const char *s)
{
	if (s && *s)
		wb_json_set(f->data, key, wb_report_string(s));
}

static void setf(struct finding *f, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void setf(struct finding *f, const char *key, const char *fmt, ...)
{
	struct wb_buf b = WB_BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	wb_buf_vaddf(&b, fmt, ap);
	va_end(ap);
	set(f, key, b.ptr);
	wb_buf_clear(&b);
}

static const char *verdict(const struct finding *f)
{
	bool more = f->p->effect > 0;

	if (f->c->better == WB_BETTER_UNKNOWN)
		return more ? "higher" : "lower";
	return more == (f->c->better == WB_BETTER_HIGHER) ? "faster" : "slower";
}

/* ---- the data ---- */

static void set_numbers(struct finding *f)
{
	const struct wb_bisect_suspect *p = f->p;
	struct wb_buf b = WB_BUF_INIT;
	size_t i;

	set(f, "verdict", verdict(f));
	setf(f, "effect", "%+.2f %%", 100 * expm1(p->effect));
	setf(f, "size", "%.2f %%", fabs(100 * expm1(p->effect)));
	if (!f->c->exact) {
		setf(f, "interval", "[%+.2f,%+.2f]", 100 * expm1(p->low),
		     100 * expm1(p->high));
		/* nothing is certain */
		setf(f, "belief", p->posterior > 0.9995 ? ">%.1f" : "%.1f",
		     p->posterior > 0.9995 ? 99.9 : 100 * p->posterior);
	}
	if (p->log_e > 0)
		setf(f, "odds", "%.3g", exp(fmin(p->log_e, log(ODDS_MAX))));
	if (isfinite(f->c->aa.floor))
		setf(f, "floor", "%.2f", 100 * f->c->aa.floor);
	for (i = 0; i < p->ncredible && p->ncredible > 1; i++)
		wb_buf_addf(&b, "%s%s", i ? ", " : "",
			    f->s->name[p->credible[i]].name);
	set(f, "credible", b.ptr);
	setf(f, "patches", "%d", f->s->n - 1);
	setf(f, "runs", "%zu", f->s->runs);
	setf(f, "builds", "%zu", f->s->builds);
	wb_buf_clear(&b);
}

static void set_words(struct finding *f)
{
	const char *subject = f->name->subject && *f->name->subject ?
			      f->name->subject : f->name->name;

	set(f, "bench", f->bench);
	set(f, "metric", f->c->metric);
	set(f, "unit", f->c->unit);
	set(f, "better", wb_better_word(f->c->better));
	set(f, "commit", f->name->commit);
	set(f, "name", f->name->name);
	set(f, "subject", subject);
	/* for code blocks, where nothing is escaped and nothing needs to be */
	set(f, "raw_name", f->name->name);
	set(f, "raw_subject", subject);
	set(f, "user", f->user);
	wb_json_set(f->data, "number", wb_json_int(f->name->index));
}

static void add_command(struct wb_json *list, const char *what,
			const char *range, const char *bench,
			const char *metric)
{
	struct wb_buf b = WB_BUF_INIT;

	wb_buf_addf(&b, "wb %s --bench=", what);
	wb_buf_addquoted(&b, bench);
	if (metric) {
		wb_buf_addstr(&b, " --metric=");
		wb_buf_addquoted(&b, metric);
	}
	if (range)
		wb_buf_addf(&b, " %s", range);
	wb_json_append(list, wb_report_string(b.ptr));
	wb_buf_clear(&b);
}

/* The commit alone, or the search of the stack. */
static char *range_of(const struct finding *f)
{
	return f->name->commit ? wb_xasprintf("%.12s^..%.12s", f->name->commit,
					      f->name->commit) : NULL;
}

static void set_commands(struct finding *f)
{
	struct wb_json *list = wb_json_array();
	char *range = range_of(f);

	if (range) {
		add_command(list, "run", range, f->bench, NULL);
		add_command(list, "report", range, f->bench, f->c->metric);
	} else {
		add_command(list, "bisect-perf --series", NULL, f->bench,
			    f->c->metric);
		add_command(list, "report", NULL, f->bench, f->c->metric);
	}
	wb_json_set(f->data, "commands", list);
	free(range);
}

/* As the terminal has it, whose indent makes it a code block. */
static void set_profile(struct finding *f)
{
	size_t i = (size_t)(f->p - f->c->result.change);
	struct wb_buf text = WB_BUF_INIT;

	if (f->c->profile && f->c->profile[i])
		wb_bisect_profile_print(f->c->profile[i], &text);
	if (text.len)
		wb_json_set(f->data, "profile", wb_json_str(text.ptr));
	wb_buf_clear(&text);
}

/* What the other kind of metric says, as the terminal has it. */
static void set_others(struct finding *f)
{
	size_t i = (size_t)(f->p - f->c->result.change);
	struct wb_buf text = WB_BUF_INIT;

	if (f->c->others)
		wb_bisect_others_print(f->c->others[i], &text);
	if (text.len)
		wb_json_set(f->data, "others", wb_json_str(text.ptr));
	wb_buf_clear(&text);
}

static void set_holes(struct finding *f)
{
	struct wb_json *list = wb_json_array(), *one;
	int at;

	for (at = 0; at < f->s->n; at++) {
		if (!f->s->why[at])
			continue;
		one = wb_json_object();
		wb_json_set(one, "name", wb_report_string(f->s->name[at].name));
		wb_json_set(one, "why", wb_report_string(f->s->why[at]));
		wb_json_append(list, one);
	}
	wb_json_set(f->data, "holes", list);
}

/* ---- what the repository knows ---- */

static void set_environment(struct finding *f)
{
	const struct wb_config *c = f->m->config;
	const struct wb_bench_config *b = wb_config_bench(c, f->bench);
	char *all, *line, *tree = wb_git_origin(f->m->git);
	char *branch = wb_git_branch(f->m->git);

	set(f, "tree", tree);
	set(f, "branch", branch);
	free(tree);
	free(branch);
	if (b)
		set(f, "command", b->command);
	if (!c->build.command)
		return;
	set(f, "build", c->build.command);
	all = wb_toolchain(false);
	line = wb_xstrndup(all, strcspn(all, "\n"));
	if (wb_str_starts(line, "cc: "))
		set(f, "compiler", line + 4);
	free(line);
	free(all);
}

static void set_table(struct finding *f, const struct wb_result *r,
		      size_t column)
{
	struct wb_table_options how = { .margin = f->m->config->margin };
	struct wb_format_options o = {
		.bench = f->bench, .metric = f->c->metric,
	};
	struct wb_report_facts none = { .source = NULL };
	struct wb_json *data;
	const char *text;
	struct wb_table t;

	wb_table_init(&t, r, &how);
	if (wb_report_measured(&t, column)) {
		data = wb_report_data_of(&t, &o, &none, column);
		if (wb_json_get_str(wb_json_get(data, "table"), &text))
			wb_json_set(f->data, "table", wb_json_str(text));
		wb_json_free(data);
	}
	wb_table_clear(&t);
}

/* The author, and the two prefixes side by side as the store has them. */
static int look_up(struct finding *f, struct wb_error *err)
{
	struct wb_source from = f->m->from;
	char *range = range_of(f);
	struct wb_plan plan;
	struct wb_result r;
	long column;
	int ret;

	if (range)
		from = (struct wb_source){ .word = range };
	wb_result_init(&r);
	ret = wb_report_load_plan(f->m->git, f->m->config, &from, NULL, &plan,
				  &r, err);
	column = ret ? -1 : wb_result_find_column(&r, f->name->name);
	if (column > 0) {
		f->author = wb_xstrdup(plan.stack.prefix[column].author);
		set(f, "machine", r.machine_facts);
		set_table(f, &r, (size_t)column);
	}
	wb_plan_clear(&plan);
	wb_result_clear(&r);
	free(range);
	return ret;
}

/* ---- the mail ---- */

static char *file_of(const struct finding *f)
{
	struct wb_buf b = WB_BUF_INIT;
	const char *p;

	wb_buf_addf(&b, "%s/", f->m->dir);
	for (p = f->name->name; *p; p++)
		wb_buf_addch(&b, isalnum((unsigned char)*p) || *p == '-' ?
			     *p : '-');
	wb_buf_addch(&b, '-');
	for (p = f->c->metric; *p; p++)
		wb_buf_addch(&b, isalnum((unsigned char)*p) || *p == '-' ?
			     *p : '-');
	wb_buf_addstr(&b, ".eml");
	return wb_buf_detach(&b);
}

/* "[TREE:BRANCH] [AREA] COMMIT: ..."; what is not known is left out. */
static char *subject_of(const struct finding *f)
{
	const char *subject = f->name->subject ? f->name->subject : "";
	const char *tree, *branch;
	size_t area = strcspn(subject, ":");
	struct wb_buf b = WB_BUF_INIT;

	if (wb_json_get_str(wb_json_get(f->data, "tree"), &tree) &&
	    wb_json_get_str(wb_json_get(f->data, "branch"), &branch)) {
		tree = strrchr(tree, '/') + 1;
		wb_buf_addf(&b, "[%.*s:%s] ", (int)(strlen(tree) -
			    (wb_str_ends(tree, ".git") ? 4 : 0)), tree, branch);
	}
	/* the rest of a sentence is no area */
	if (subject[area] && area && !memchr(subject, ' ', area))
		wb_buf_addf(&b, "[%.*s] ", (int)area, subject);
	wb_buf_addf(&b, "%.12s: %s %s %+.1f %% (%s)", f->name->commit ?
		    f->name->commit : f->name->name, f->bench, f->c->metric,
		    100 * expm1(f->p->effect), verdict(f));
	return wb_buf_detach(&b);
}

static int write_mail(struct finding *f, struct wb_buf *out,
		      struct wb_error *err)
{
	struct wb_buf markdown = WB_BUF_INIT, body = WB_BUF_INIT;
	struct wb_buf text = WB_BUF_INIT;
	char *file = file_of(f), *subject = subject_of(f);
	int ret = wb_template_set_fill(&f->m->templates, "regression", f->data,
				       &markdown, err);

	if (!ret) {
		wb_plain(markdown.ptr, markdown.len, WB_PLAIN_WIDTH, &body);
		wb_letter_print(&(struct wb_letter){
			.from = f->user, .to = f->author, .subject = subject,
			.body = body.ptr,
		}, &text);
		ret = wb_path_write(file, text.ptr, text.len, err);
	}
	if (!ret)
		wb_buf_addf(out, "%s\n", file);
	wb_buf_clear(&markdown);
	wb_buf_clear(&body);
	wb_buf_clear(&text);
	free(file);
	free(subject);
	return ret;
}

static int tell(struct finding *f, struct wb_buf *out, struct wb_error *err)
{
	int ret = 0;

	f->name = &f->s->name[f->p->patch];
	f->author = NULL;
	f->data = wb_json_object();
	set_words(f);
	set_numbers(f);
	set_commands(f);
	set_holes(f);
	set_profile(f);
	set_others(f);
	if (f->m->git) {
		set_environment(f);
		ret = look_up(f, err);
	}
	if (!ret)
		ret = write_mail(f, out, err);
	wb_json_free(f->data);
	free(f->author);
	return ret;
}

/* Of a merge, what was found in what it merged, where anything was. */
static int tell_changes(struct finding *f, const struct wb_bisect_session *s,
			const struct wb_bisect_outcome *c, struct wb_buf *out,
			struct wb_error *err)
{
	const struct wb_bisect_session *in;
	size_t k, n, found;
	int ret = 0;

	for (k = 0; k < c->result.nchanges && !ret; k++) {
		const struct wb_bisect_suspect *p = &c->result.change[k];
		for (n = found = 0; !ret && (in = wb_bisect_side(s, c, p, n));
		     n++) {
			ret = tell_changes(f, in, &in->outcome[0], out, err);
			found += in->outcome[0].result.nchanges;
		}
		f->s = s;
		f->c = c;
		f->p = p;
		if (!ret && !found)
			ret = tell(f, out, err);
	}
	return ret;
}

int wb_bisect_mail(const struct wb_bisect_mail *m,
		   const struct wb_bisect_session *s, struct wb_buf *out,
		   struct wb_error *err)
{
	struct finding f = { .m = m, .bench = "" };
	size_t i;
	int ret = -1;

	if (!m->dir)
		return 0;
	if (wb_ident(m->config, &f.user, err) < 0)
		return -1;
	strrchr(f.user, '>')[1] = '\0';
	wb_json_get_str(wb_json_get(s->log.header, "bench"), &f.bench);
	if (wb_path_make(m->dir, err) < 0)
		goto out;
	ret = 0;
	for (i = 0; i < s->noutcomes && !ret; i++)
		ret = tell_changes(&f, s, &s->outcome[i], out, err);
out:
	free(f.user);
	return ret;
}
