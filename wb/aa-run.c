#include "aa-run.h"
#include "proc.h"
#include "run.h"
#include "trust.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 10

/* A few rounds of the base with itself. */
static int run_aa(const struct wb_plan *p, struct wb_git *g, struct wb_db *db,
		  bool quiet, struct wb_error *err)
{
	bool *only = wb_xcalloc(p->stack.n, sizeof(*only));
	struct wb_run_options o = {
		.rule = { ROUNDS, ROUNDS },
		.only = only,
		.quiet = quiet,
	};
	int lock, ret = -1;

	only[0] = true;
	lock = wb_run_lock(g, err);
	if (lock < 0)
		goto out;
	o.interrupt_fd = wb_proc_interrupt_fd(err);
	if (o.interrupt_fd >= 0)
		ret = wb_run(p, g, db, &o, err);
	wb_proc_interrupt_close(o.interrupt_fd);
	close(lock);
out:
	free(only);
	return ret;
}

/* Whether each bench that is timed has a control. */
static bool all_have_control(const struct wb_plan *p, const struct wb_result *r)
{
	bool *have = wb_xcalloc(p->nbenches, sizeof(*have)), all = true;
	const char *name;
	size_t i, b;

	for (i = 0; i < r->ncontrols; i++) {
		name = r->metric[r->control[i].metric].bench;
		for (b = 0; b < p->nbenches; b++)
			have[b] |= !strcmp(p->bench[b].config->name, name);
	}
	for (b = 0; b < p->nbenches; b++)
		all &= have[b] || p->bench[b].config->level == WB_WISH_I;
	free(have);
	return all;
}

int wb_aa_result(const struct wb_plan *p, struct wb_git *g, struct wb_db *db,
		 bool run, bool quiet, struct wb_result *r,
		 struct wb_error *err)
{
	struct wb_db *made = NULL;
	int ret = -1;

	if (wb_plan_result(p, db, r, err) < 0)
		return -1;
	if (!run || all_have_control(p, r))
		return 0;
	if (wb_trust_check(p->config, err) < 0)
		return -1;
	if (!db && wb_db_open(wb_git_common_dir(g), true, &made, err) < 0)
		return -1;
	db = db ? db : made;
	if (run_aa(p, g, db, quiet, err) < 0)
		goto out;
	wb_result_clear(r);
	ret = wb_plan_result(p, db, r, err);
out:
	wb_db_close(made);
	return ret;
}
