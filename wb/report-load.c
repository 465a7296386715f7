#include "report-load.h"

#include "db.h"
#include "sample-html.h"
#include "sample.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

int wb_report_load_file(const struct wb_config *c, const char *path,
			struct wb_result *r, struct wb_error *err)
{
	const struct wb_bench_config *b;
	size_t i;

	if (wb_sample_is_html(path))
		return wb_sample_load_html(r, path, err);
	if (wb_sample_load(r, path, err) < 0)
		return -1;
	for (i = 0; i < r->nbenches; i++) {
		b = wb_config_bench(c, r->bench[i]);
		if (!wb_result_judge(r, r->bench[i], b ? b->judge : NULL))
			wb_result_judge(r, r->bench[i], NULL);
	}
	return 0;
}

/* Machines that measured a stack. */
struct machines {
	char *id, *facts;	/* of the first */
	size_t n;
	struct wb_buf list;	/* of ids, for people */
};

static void note_machine(void *arg, const char *id, const char *facts)
{
	struct machines *m = arg;

	if (!m->n++) {
		m->id = wb_xstrdup(id);
		m->facts = wb_xstrdup(facts);
	}
	wb_buf_addf(&m->list, "%s%.12s (", m->n > 1 ? ", " : "", id);
	wb_buf_addsafe(&m->list, facts);
	wb_buf_addch(&m->list, ')');
}

static void machines_clear(struct machines *m)
{
	free(m->id);
	free(m->facts);
	wb_buf_clear(&m->list);
}

static const char **all_builds(const struct wb_plan *p, size_t *n)
{
	const char **v = wb_xcalloc(p->stack.n * p->layouts + 1, sizeof(*v));
	size_t k, l;

	for (*n = k = 0; k < p->stack.n; k++)
		for (l = 0; p->prefix[k].applies && l < p->layouts; l++)
			v[(*n)++] = p->prefix[k].build[l];
	return v;
}

static void take(struct wb_plan *p, struct machines *m)
{
	p->elsewhere = strcmp(p->machine.id, m->id) != 0;
	memcpy(p->machine.id, m->id, sizeof(p->machine.id));
	free(p->machine.facts);
	p->machine.facts = m->facts;
	m->facts = NULL;
}

int wb_report_choose_machine(struct wb_plan *p, struct wb_db *db,
			     const char *word, struct wb_error *err)
{
	struct machines m = { .list = WB_BUF_INIT };
	const char **builds;
	size_t n;
	int ret = -1;

	if (!db)
		return word ? wb_fail(err, WB_E_JUDGE, "--machine %s: nothing "
				      "is stored yet", word) : 0;
	builds = all_builds(p, &n);
	if (wb_db_machines(db, word ? word : p->machine.id, builds, n,
			   note_machine, &m, err) < 0)
		goto out;
	if (!word && !m.n && wb_db_machines(db, "", builds, n, note_machine,
					    &m, err) < 0)
		goto out;
	if (m.n > 1) {
		wb_fail(err, word ? WB_E_USAGE : WB_E_JUDGE, word ?
			"several machines begin with that: %s" :
			"this machine measured none of it, others did: %s; "
			"choose with --machine", m.list.ptr);
		goto out;
	}
	if (word && !m.n) {
		wb_fail(err, WB_E_JUDGE, "--machine %s: no machine of that id "
			"measured this stack", word);
		goto out;
	}
	if (m.n)
		take(p, &m);
	ret = 0;
out:
	free(builds);
	machines_clear(&m);
	return ret;
}

int wb_report_open_store(struct wb_git *g, struct wb_db **db,
			 struct wb_error *err)
{
	struct wb_db *old = NULL;

	if (wb_db_open(wb_git_common_dir(g), false, &old, err) < 0)
		return -1;
	if (!old)
		return wb_fail(err, WB_E_JUDGE, "nothing measured yet; measure "
			       "with 'wb run'");
	wb_db_close(old);
	return wb_db_open(wb_git_common_dir(g), true, db, err);
}

int wb_report_load_plan(struct wb_git *g, const struct wb_config *c,
			const struct wb_source *from, const char *machine,
			struct wb_plan *p, struct wb_result *r,
			struct wb_error *err)
{
	struct wb_db *db = NULL;
	int ret = -1;

	/* opened here and not by the table: a file needs no store */
	if (!wb_plan_make(p, g, c, from, NULL, err) &&
	    !wb_db_open(wb_git_common_dir(g), false, &db, err) &&
	    !wb_report_choose_machine(p, db, machine, err))
		ret = wb_plan_result(p, db, r, err);
	wb_db_close(db);
	return ret;
}

int wb_report_load_store(struct wb_git *g, const struct wb_config *c,
			 const struct wb_source *from, const char *machine,
			 struct wb_result *r, struct wb_error *err)
{
	struct wb_plan p;
	int ret = wb_report_load_plan(g, c, from, machine, &p, r, err);

	wb_plan_clear(&p);
	return ret;
}

static bool matches(const char *glob, const char *s)
{
	return !glob || !fnmatch(glob, s, 0);
}

int wb_report_check_globs(const struct wb_result *r, const char *bench,
			  const char *metric, struct wb_error *err)
{
	bool there = !bench, known = false;
	const struct wb_metric *m;
	size_t i;

	for (i = 0; i < r->nbenches; i++)
		there |= matches(bench, r->bench[i]);
	if (!there)
		return wb_fail(err, WB_E_USAGE, "no bench matches --bench %s",
			       bench);
	for (i = 0; i < r->nmetrics; i++) {
		m = &r->metric[i];
		if (!matches(bench, m->bench))
			continue;
		known = true;
		if (matches(metric, m->name))
			return 0;
	}
	if (!known)
		return 0;
	return wb_fail(err, WB_E_USAGE, "no metric matches%s%s --metric %s",
		       bench ? " --bench " : "", bench ? bench : "",
		       metric);
}
