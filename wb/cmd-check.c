#include "cmd.h"
#include "git-config.h"
#include "git.h"
#include "json.h"
#include "number.h"
#include "plan.h"
#include "proc.h"
#include "reference.h"
#include "run.h"
#include "text.h"
#include "todo.h"
#include "trust.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	const char *good, *bad, *bench, *metric;
	int rounds;
	double budget;
	bool b4;
};

static const struct wb_opt opts[] = {
	WB_OPT_STR(0, "good", struct options, good, "REV",
		   "a revision known to be good (the parent of REV)"),
	WB_OPT_STR(0, "bad", struct options, bad, "REV",
		   "one known to be bad: which is REV like?"),
	WB_OPT_STR(0, "bench", struct options, bench, "GLOB",
		   "only benches whose name matches"),
	WB_OPT_STR(0, "metric", struct options, metric, "GLOB",
		   "judge these metrics, not those of wb-bench.NAME.judge"),
	WB_OPT_INT('n', "rounds", struct options, rounds, "N",
		   "N rounds for each comparison, whatever the verdicts"),
	WB_OPT_DURATION(0, "budget", struct options, budget, "TIME",
			"stop after this time, builds included"),
	WB_OPT_FLAG(0, "b4", struct options, b4,
		    "answer as a check command of b4 review"),
	WB_OPT_END
};

static const struct options defaults = { .rounds = -1 };

/* What is asked, once it is known which revisions that is. */
struct question {
	const struct options *o;
	const struct wb_config *config;
	struct wb_plan plan;
	struct wb_result result;
	struct wb_table table;
	size_t at;		/* the column that is judged */
	bool *only;		/* of a stack: measure what that needs */
	bool out_of_time;
	double began;
};

/* Measures by the rule and judges anew. */
static int measure(struct wb *wb, struct question *q,
		   const struct wb_stop_rule *rule, struct wb_error *err)
{
	struct wb_table_options how = { .margin = q->config->margin };
	struct wb_run_options o = {
		.rule = *rule, .quiet = wb->quiet, .only = q->only,
		.out_of_time = &q->out_of_time,
	};
	int lock = wb_run_lock(wb->git, err), ret = -1;

	if (lock < 0)
		return -1;
	if (q->o->budget > 0)
		o.budget = fmax(q->began + q->o->budget - wb_proc_now(),
				0.001);
	o.interrupt_fd = wb_proc_interrupt_fd(err);
	if (o.interrupt_fd >= 0)
		ret = wb_run(&q->plan, wb->git, wb->db, &o, err);
	wb_proc_interrupt_close(o.interrupt_fd);
	close(lock);
	if (ret < 0)
		return -1;
	if (q->table.r)
		wb_table_clear(&q->table);
	wb_result_clear(&q->result);
	if (wb_plan_result(&q->plan, wb->db, &q->result, err) < 0)
		return -1;
	wb_table_init(&q->table, &q->result, &how);
	return 0;
}

/* Why a column has no numbers, or NULL. */
static const char *broken(const struct question *q, size_t column)
{
	size_t i;

	for (i = 0; i < q->result.nholes; i++)
		if (q->result.hole[i].column == column &&
		    q->result.hole[i].kind == WB_HOLE_BROKEN)
			return q->result.hole[i].reason;
	return NULL;
}

static void add_change(struct wb_buf *b, double change, double low, double high,
		       bool exact)
{
	if (isnan(change)) {
		wb_buf_addstr(b, "-");
		return;
	}
	wb_buf_addf(b, "%+.2f%%", 100 * change);
	if (exact)
		wb_buf_addstr(b, " exact");
	else if (!isnan(low))
		wb_buf_addf(b, " [%+.2f,%+.2f]", 100 * low, 100 * high);
}

static char *describe(const struct question *q, size_t metric)
{
	const struct wb_metric *m = &q->result.metric[metric];
	const struct wb_row *row = wb_table_row(&q->table, metric, q->at);
	const struct wb_row *bad;
	struct wb_buf b = WB_BUF_INIT;

	wb_buf_addf(&b, "%s: %s: ", m->bench, m->name);
	add_change(&b, row->change, row->low, row->high, row->exact);
	wb_buf_addf(&b, " from %s (n %zu, %s)", row->against < 0 ? "-" :
		    q->result.column[row->against].name, row->n,
		    *wb_verdict_word(row->verdict) ?
		    wb_verdict_word(row->verdict) : "not judged");
	if (q->o->bad) {
		bad = wb_table_row(&q->table, metric, q->at + 1);
		wb_buf_addstr(&b, "; the bad one is ");
		add_change(&b, bad->base_change, bad->base_low, bad->base_high,
			   bad->base_exact);
		if (wb_reference_metric(&q->table, q->at, metric, true,
					q->config->gate) ==
		    WB_REFERENCE_UNKNOWN)
			wb_buf_addstr(&b, wb_reference_ends_differ(
				&q->table, q->at, metric, q->config->gate) ?
				": nearer to neither for certain" :
				": the ends do not differ for certain");
	} else if (row->reason) {
		wb_buf_addf(&b, ": %s", row->reason);
	}
	return wb_buf_detach(&b);
}

/* ---- answers ---- */

static struct wb_json *b4_line(const char *status, const char *summary,
			       const char *details)
{
	struct wb_json *o = wb_json_object();

	wb_json_set(o, "tool", wb_json_str("wb"));
	wb_json_set(o, "status", wb_json_str(status));
	wb_json_set(o, "summary", wb_json_str(summary));
	wb_json_set(o, "url", wb_json_str(""));
	wb_json_set(o, "details", wb_json_str(details));
	return o;
}

/* An array, an object a metric; what is broken fails. */
static void put_b4(const struct question *q)
{
	static const char *const status[] = { "pass", "fail", "warn" };
	struct wb_json *list = wb_json_array();
	const char *why = broken(q, q->at);
	enum wb_reference r;
	size_t m;
	char *text;

	if (why)
		wb_json_append(list, b4_line("fail", "does not build or run",
					     why));
	for (m = 0; !why && m < q->result.nmetrics; m++) {
		if (!q->result.metric[m].judged)
			continue;
		r = wb_reference_metric(&q->table, q->at, m,
					q->o->bad != NULL, q->config->gate);
		text = describe(q, m);
		wb_json_append(list, b4_line(status[r], text, ""));
		free(text);
	}
	wb_json_put(list);
}

static void put_json(const struct question *q, enum wb_reference r,
		     const char *why)
{
	struct wb_json *doc = wb_json_object();

	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "answer", wb_json_str(wb_reference_word(r)));
	wb_json_set(doc, "reason", wb_json_str(why));
	wb_json_set(doc, "gate", wb_json_num(q->config->gate));
	wb_json_put(doc);
}

static int answer(struct wb *wb, const struct question *q, struct wb_error *err)
{
	enum wb_reference r = WB_REFERENCE_UNKNOWN;
	const char *hole = NULL;
	size_t m = 0, k;
	char *why;
	int ret = 0;

	/* of a stack, what is not asked about may be broken */
	for (k = q->only ? q->at : 0; k < q->plan.stack.n && !hole &&
	     (!q->only || k == q->at); k++)
		hole = broken(q, k);
	if (!hole && q->result.nmetrics)
		r = wb_reference_judge(&q->table, q->at, q->o->bad != NULL,
				       q->config->gate, &m);
	why = hole ? wb_xstrdup(hole) : !q->result.nmetrics ?
	      wb_xstrdup("nothing was measured") : describe(q, m);
	if (q->o->b4)
		put_b4(q);
	else if (wb->json)
		put_json(q, r, why);
	else
		wb_text_print("%s: %s", wb_reference_word(r), why);
	/* with --b4 the document says it all */
	if (r == WB_REFERENCE_BAD && !q->o->b4)
		ret = wb_fail(err, WB_E_LOSS, "%s", why);
	else if (r == WB_REFERENCE_UNKNOWN && !q->o->b4)
		ret = wb_fail(err, WB_E_JUDGE, "cannot be judged: %s", why);
	free(why);
	return ret;
}

/* Whether the first rounds say it, or say that nothing can. */
static bool settled(const struct question *q)
{
	size_t m, k;

	for (k = 0; k < q->plan.stack.n; k++)
		if (broken(q, k))
			return true;
	return q->out_of_time ||
	       wb_reference_judge(&q->table, q->at, true, q->config->gate,
				  &m) != WB_REFERENCE_UNKNOWN;
}

/*
 * Between two references it is known which one is near long before it is known
 * that the revision is the same as that one.
 */
static int measure_enough(struct wb *wb, struct question *q,
			  struct wb_error *err)
{
	struct wb_stop_rule rule = wb_todo_rule(q->config, q->o->rounds);
	struct wb_stop_rule first = { rule.first, rule.first };

	q->began = wb_proc_now();
	if (q->o->bad && rule.limit > rule.first) {
		if (measure(wb, q, &first, err) < 0)
			return -1;
		if (settled(q))
			return 0;
	}
	return measure(wb, q, &rule, err);
}

/* --metric instead of what the configuration judges. */
static void choose_metrics(struct wb_config *c, const char *glob)
{
	size_t i;

	for (i = 0; glob && i < c->nbenches; i++) {
		free(c->bench[i].judge);
		c->bench[i].judge = wb_xstrdup(glob);
	}
}

/* The patch of the default stack that is no revision. */
static int plan_prefix(struct wb *wb, struct question *q, const char *name,
		       struct wb_error *err)
{
	const struct wb_source stack = { .word = NULL };

	if (wb_plan_make(&q->plan, wb->git, q->config, &stack, q->o->bench,
			 err) < 0 ||
	    wb_stack_find(&q->plan.stack, wb->git, name, &q->at, err) < 0)
		return -1;
	if (!q->at)
		return wb_fail(err, WB_E_USAGE, "nothing lies below the base");
	q->only = wb_xcalloc(q->plan.stack.n, sizeof(*q->only));
	q->only[q->at] = true;
	return 0;
}

/* The good one, the revision, the bad one: a stack of three. */
static int plan_revisions(struct wb *wb, struct question *q, const char *rev,
			  struct wb_error *err)
{
	char *parent = wb_xasprintf("%s^", rev);
	const char *const revs[] = {
		q->o->good ? q->o->good : parent, rev, q->o->bad, NULL,
	};
	struct wb_source from = { .revs = revs, .overlay = q->o->bad };
	int ret;

	q->at = 1;
	ret = wb_plan_make(&q->plan, wb->git, q->config, &from, q->o->bench,
			   err);
	free(parent);
	return ret;
}

static int ask(struct wb *wb, struct question *q, const char *word,
	       struct wb_error *err)
{
	struct wb_error none = WB_ERROR_INIT;
	struct wb_oid commit;
	bool revision;

	revision = wb_git_commit_of(wb->git, word, &commit, &none) == 0;
	/* then it may be a patch, or the error comes again */
	wb_error_clear(&none);
	if (wb_trust_check(q->config, err) < 0 ||
	    (revision || q->o->good ? plan_revisions(wb, q, word, err) :
	     plan_prefix(wb, q, word, err)) < 0)
		return -1;
	if (!q->plan.nbenches)
		return wb_fail(err, WB_E_FATAL, "no bench is configured: see "
			       "wb init");
	if (measure_enough(wb, q, err) < 0)
		return -1;
	return answer(wb, q, err);
}

/*
 * git bisect moves the work tree about; rules and benches must not move along:
 * they are those of the bad revision, where one is named.
 */
static int read_rules(struct wb *wb, const struct options *o,
		      struct wb_config *rules, struct wb_error *err)
{
	if (o->bad && !o->good)
		return wb_fail(err, WB_E_USAGE, "--bad needs --good");
	if (wb_git_config_at(rules, &wb->config, wb->git, o->bad, err) < 0)
		return -1;
	choose_metrics(rules, o->metric);
	return 0;
}

static int cmd_check(struct wb *wb, void *opts_, int argc, char **argv,
		     struct wb_error *err)
{
	struct wb_config rules;
	struct question q = { .o = opts_, .config = &rules };
	int ret = -1;

	wb_config_init(&rules);
	wb_result_init(&q.result);
	if (argc > 2)
		wb_fail(err, WB_E_USAGE, "one revision at a time, not '%s'",
			argv[2]);
	else if (read_rules(wb, q.o, &rules, err) == 0)
		ret = ask(wb, &q, argc > 1 ? argv[1] : "HEAD", err);
	free(q.only);
	if (q.table.r)
		wb_table_clear(&q.table);
	wb_result_clear(&q.result);
	wb_plan_clear(&q.plan);
	wb_config_clear(&rules);
	return ret;
}

const struct wb_cmd wb_cmd_check = {
	.name = "check",
	.fn = cmd_check,
	.needs = WB_NEED_REPO | WB_NEED_DB | WB_RUNS,
	.usage = "wb check [--good=REV [--bad=REV]] [--bench=GLOB] "
		 "[--metric=GLOB]\n"
		 "         [--rounds=N] [--budget=TIME] [--b4] [REV]",
	.summary = "one revision against good and bad ones, for git bisect run",
	.opts = opts,
	.size = sizeof(struct options),
	.defaults = &defaults,
};
