#include "cmd.h"
#include "json.h"
#include "plan.h"
#include "progress.h"
#include "subjects.h"
#include "text.h"
#include "todo.h"

#include <stdio.h>

struct status {
	struct wb_source from;
	const char *bench;
	int rounds;
};

static const struct wb_opt opts[] = {
	WB_SOURCE_OPTS(struct status),
	WB_OPT_STR(0, "bench", struct status, bench, "GLOB",
		   "only benches whose name matches"),
	WB_OPT_INT('n', "rounds", struct status, rounds, "N",
		   "as if N rounds were wanted for each comparison"),
	WB_OPT_END
};

static const struct status defaults = { .rounds = -1 };

static const char *state_word(const struct wb_todo_prefix *t)
{
	return t->broken ? "broken" : t->built ? "built" : "to build";
}

/* "4/12", "-" where nothing is wanted. */
static void print_share(long have, long wanted)
{
	char text[48] = "-";

	if (have >= 0)
		snprintf(text, sizeof(text), "%ld/%ld", have, wanted);
	printf("  %7s", text);
}

static bool is_range(const struct wb_todo *t)
{
	return wb_stop_is_few(&t->stop) && !t->stop.blind;
}

static void print_text(const struct wb_plan *p, const struct wb_todo *t,
		       const struct wb_stop_rule *rule)
{
	const struct wb_todo_prefix *pre;
	char left[24], most[24];
	size_t k;

	printf("%3s  %-8s  %7s  %7s  %s\n", "k", "state", "rounds", "counts",
	       "patch");
	for (k = 0; k < t->n; k++) {
		pre = &t->prefix[k];
		printf("%3zu  %-8s", k, state_word(pre));
		print_share(pre->broken ? -1 : pre->rounds,
			    (long)rule->first);
		print_share(pre->broken ? -1 : pre->counts, WB_COUNT_RUNS);
		wb_text_print("  %s", p->stack.prefix[k].name);
		if (pre->broken)
			wb_text_print("%33s%s", "", pre->broken);
	}
	printf("\nto do: %zu builds, ", t->builds);
	if (is_range(t))
		printf("%zu to %zu runs", t->low.runs, t->high.runs);
	else
		printf("%s%zu runs", t->stop.blind && t->stop.open ?
		       "at least " : "", t->runs);
	printf(", %zu counting runs", t->counts);
	if (t->seconds >= 0 && is_range(t))
		printf(", %s to %s\n",
		       wb_progress_duration(t->low.seconds, left),
		       wb_progress_duration(t->high.seconds, most));
	else if (t->seconds >= 0)
		printf(", about %s\n",
		       wb_progress_duration(t->seconds, left));
	else
		printf(", time not known before the first run\n");
	printf("verdicts: %zu known, %zu open, %zu out of reach of %zu "
	       "rounds\n", t->stop.known, t->stop.open, t->stop.hopeless,
	       rule->limit);
}

static struct wb_json *count_or_null(long n)
{
	return n < 0 ? NULL : wb_json_int(n);
}

static struct wb_json *prefix_json(const struct wb_plan *p, size_t k,
				   const struct wb_todo_prefix *t)
{
	const struct wb_prefix *pre = &p->stack.prefix[k];
	struct wb_json *o = wb_json_object();
	bool applies = pre->applies;

	wb_json_set(o, "index", wb_json_int((int64_t)k));
	wb_json_set(o, "prefix", wb_json_str(pre->name));
	wb_json_set(o, "tree", wb_json_str(applies ? pre->tree.hex : NULL));
	wb_json_set(o, "build", wb_json_str(applies ? p->prefix[k].build[0] :
					    NULL));
	wb_json_set(o, "applies", wb_json_bool(applies));
	wb_json_set(o, "built", wb_json_bool(t->built));
	wb_json_set(o, "broken", wb_json_bool(t->broken));
	wb_json_set(o, "reason", wb_json_str(t->broken));
	wb_json_set(o, "rounds", count_or_null(t->broken ? -1 : t->rounds));
	wb_json_set(o, "counts", count_or_null(t->broken ? -1 : t->counts));
	return o;
}

static struct wb_json *seconds_json(double seconds)
{
	return seconds >= 0 ? wb_json_num(seconds) : NULL;
}

static struct wb_json *range_json(const struct wb_todo *t)
{
	struct wb_json *o;

	if (!is_range(t))
		return NULL;
	o = wb_json_object();
	wb_json_set(o, "runs_low", wb_json_int((int64_t)t->low.runs));
	wb_json_set(o, "runs_high", wb_json_int((int64_t)t->high.runs));
	wb_json_set(o, "seconds_low", seconds_json(t->low.seconds));
	wb_json_set(o, "seconds_high", seconds_json(t->high.seconds));
	return o;
}

static void print_json(const struct wb_plan *p, const struct wb_todo *t,
		       const struct wb_stop_rule *rule)
{
	struct wb_json *doc = wb_json_object(), *list = wb_json_array(), *o;
	size_t k;

	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "machine", wb_json_str(p->machine.id));
	wb_json_set(doc, "rounds", wb_json_int((int64_t)rule->first));
	wb_json_set(doc, "max_rounds", wb_json_int((int64_t)rule->limit));
	for (k = 0; k < t->n; k++)
		wb_json_append(list, prefix_json(p, k, &t->prefix[k]));
	wb_json_set(doc, "prefixes", list);
	o = wb_json_object();
	wb_json_set(o, "builds", wb_json_int((int64_t)t->builds));
	wb_json_set(o, "runs", wb_json_int((int64_t)t->runs));
	wb_json_set(o, "counts", wb_json_int((int64_t)t->counts));
	wb_json_set(o, "seconds", seconds_json(t->seconds));
	wb_json_set(o, "range", range_json(t));
	wb_json_set(doc, "todo", o);
	o = wb_json_object();
	wb_json_set(o, "known", wb_json_int((int64_t)t->stop.known));
	wb_json_set(o, "open", wb_json_int((int64_t)t->stop.open));
	wb_json_set(o, "hopeless", wb_json_int((int64_t)t->stop.hopeless));
	wb_json_set(doc, "verdicts", o);
	wb_json_put(doc);
}

static int cmd_status(struct wb *wb, void *o, int argc, char **argv,
		      struct wb_error *err)
{
	struct status *opt = o;
	struct wb_stop_rule rule = wb_todo_rule(&wb->config, opt->rounds);
	struct wb_todo t = { .n = 0 };
	struct wb_plan p;
	int ret = -1;

	if (argc > 2)
		return wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[2]);
	if (!opt->rounds)
		return wb_fail(err, WB_E_USAGE, "--rounds must be at least 1");
	opt->from.word = argv[1];
	if (wb_plan_make(&p, wb->git, &wb->config, &opt->from, opt->bench,
			 err) < 0 ||
	    wb_todo_make(&t, &p, wb->db, &rule, err) < 0)
		goto out;
	if (wb->json)
		print_json(&p, &t, &rule);
	else
		print_text(&p, &t, &rule);
	ret = 0;
out:
	wb_todo_clear(&t);
	wb_plan_clear(&p);
	return ret;
}

const struct wb_cmd wb_cmd_status = {
	.name = "status",
	.fn = cmd_status,
	.needs = WB_NEED_REPO | WB_WANT_DB,
	.usage = "wb status [--bench=GLOB] [--rounds=N] [SERIES]",
	.summary = "what is built and measured, what is still to do",
	.opts = opts,
	.size = sizeof(struct status),
	.defaults = &defaults,
};
