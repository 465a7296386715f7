#include "cmd.h"
#include "json.h"
#include "plan.h"
#include "progress.h"
#include "run.h"

#include <stdio.h>
#include <stdlib.h>

struct status {
	const char *bench;
	int rounds;
};

static const struct wb_opt opts[] = {
	WB_OPT_STR(0, "bench", struct status, bench, "GLOB",
		   "only benches whose name matches"),
	WB_OPT_INT('n', "rounds", struct status, rounds, "N",
		   "rounds wanted instead of wb.rounds"),
	WB_OPT_END
};

static const char *state_word(const struct wb_prefix *pre,
			      const struct wb_run_state *s)
{
	if (!pre->applies || s->broken)
		return "broken";
	return s->built ? "built" : "to build";
}

static void print_text(const struct wb_plan *p, const struct wb_run_state *s,
		       const struct wb_run_todo *todo, int rounds)
{
	char left[24];
	size_t k;

	for (k = 0; k < p->stack.n; k++) {
		printf("%3zu  %-8s  ", k,
		       state_word(&p->stack.prefix[k], &s[k]));
		if (s[k].broken || !p->stack.prefix[k].applies)
			printf("%9s", "-");
		else
			printf("%4zu/%-4d", s[k].rounds, rounds);
		printf("  %s\n", p->stack.prefix[k].name);
	}
	printf("\nto do: %zu builds, %zu runs, %zu counting runs", todo->builds,
	       todo->runs, todo->counts);
	if (todo->seconds >= 0)
		printf(", about %s\n",
		       wb_progress_duration(todo->seconds, left));
	else
		printf(", time not known before the first run\n");
}

static void print_json(const struct wb_plan *p, const struct wb_run_state *s,
		       const struct wb_run_todo *todo, int rounds)
{
	struct wb_json *doc = wb_json_object(), *list = wb_json_array(), *o;
	const struct wb_prefix *pre;
	bool known;
	size_t k;

	wb_json_set(doc, "schema", wb_json_int(1));
	wb_json_set(doc, "machine", wb_json_str(p->machine.id));
	wb_json_set(doc, "rounds", wb_json_int(rounds));
	for (k = 0; k < p->stack.n; k++) {
		pre = &p->stack.prefix[k];
		known = pre->applies && !s[k].broken;
		o = wb_json_object();
		wb_json_set(o, "index", wb_json_int((int64_t)k));
		wb_json_set(o, "prefix", wb_json_str(pre->name));
		wb_json_set(o, "tree", pre->applies ?
			    wb_json_str(pre->tree.hex) : NULL);
		wb_json_set(o, "build", pre->applies ?
			    wb_json_str(p->prefix[k].build) : NULL);
		wb_json_set(o, "applies", wb_json_bool(pre->applies));
		wb_json_set(o, "built", wb_json_bool(s[k].built));
		wb_json_set(o, "broken", wb_json_bool(!known));
		wb_json_set(o, "rounds", known ?
			    wb_json_int((int64_t)s[k].rounds) : NULL);
		wb_json_append(list, o);
	}
	wb_json_set(doc, "prefixes", list);
	o = wb_json_object();
	wb_json_set(o, "builds", wb_json_int((int64_t)todo->builds));
	wb_json_set(o, "runs", wb_json_int((int64_t)todo->runs));
	wb_json_set(o, "counts", wb_json_int((int64_t)todo->counts));
	wb_json_set(o, "seconds", todo->seconds >= 0 ?
		    wb_json_num(todo->seconds) : NULL);
	wb_json_set(doc, "todo", o);
	wb_json_put(doc);
}

static int cmd_status(struct wb *wb, void *o, int argc, char **argv,
		      struct wb_error *err)
{
	const struct status *opt = o;
	struct wb_run_options run = {
		.rounds = opt->rounds ? opt->rounds : wb->config.rounds,
		.interrupt_fd = -1,
	};
	struct wb_run_state *state = NULL;
	struct wb_run_todo todo;
	struct wb_plan p;
	int ret = -1;

	if (argc > 2)
		return wb_fail(err, WB_E_USAGE, "unexpected '%s'", argv[2]);
	if (wb_plan_make(&p, wb->git, &wb->config, argv[1], opt->bench,
			 err) < 0)
		goto out;
	state = wb_xcalloc(p.stack.n, sizeof(*state));
	if (wb_run_status(&p, wb->db, &run, state, &todo, err) < 0)
		goto out;
	if (wb->json)
		print_json(&p, state, &todo, run.rounds);
	else
		print_text(&p, state, &todo, run.rounds);
	ret = 0;
out:
	free(state);
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
};
