#include "report-load.h"

#include "db.h"
#include "sample-html.h"
#include "sample.h"
#include "text.h"

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
	wb_text_add(&m->list, facts, WB_TEXT_UTF8);
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

/* Looking for samples under the ids that other toolchains give. */
struct abroad {
	struct wb_plan *p;
	struct wb_git *g;
	struct wb_db *db;
	struct machines *m;
	struct wb_buf seen;	/* ids of machines, for the newest counts */
	char *plain, *layouts;	/* of the first */
};

static int try_toolchain(void *arg, const char *machine, const char *plain,
			 const char *layouts, struct wb_error *err)
{
	struct abroad *a = arg;
	size_t before = a->m->n, n;
	const char **builds;
	int ret;

	if (strstr(a->seen.ptr, machine))
		return 0;
	if (wb_plan_built_by(a->p, a->g, plain, layouts, err) < 0)
		return -1;
	builds = all_builds(a->p, &n);
	ret = wb_db_machines(a->db, machine, builds, n, note_machine, a->m,
			     err);
	free(builds);
	if (ret || a->m->n == before)
		return ret;
	wb_buf_addf(&a->seen, "%s ", machine);
	if (!before) {
		a->plain = wb_xstrdup(plain);
		a->layouts = wb_xstrdup(layouts);
	}
	return 0;
}

/* The plan is left with the builds of the only one that is found. */
static int look_abroad(struct wb_plan *p, struct wb_git *g, struct wb_db *db,
		       const char *prefix, struct machines *m,
		       struct wb_error *err)
{
	struct abroad a = {
		.p = p, .g = g, .db = db, .m = m, .seen = WB_BUF_INIT,
	};
	char *layouts = wb_xstrdup(p->layout_toolchain);
	int ret = 0;

	/* what is not built is the same everywhere */
	if (p->toolchain)
		ret = wb_db_toolchains(db, prefix, try_toolchain, &a, err);
	if (!ret && a.plain)
		ret = wb_plan_built_by(p, g, a.plain, a.layouts, err);
	else if (!ret && p->home_toolchain)
		ret = wb_plan_built_by(p, g, p->home_toolchain, layouts, err);
	free(layouts);
	free(a.plain);
	free(a.layouts);
	wb_buf_clear(&a.seen);
	return ret;
}

/* Machines whose id begins with prefix, by these builds or by others. */
static int find_machines(struct wb_plan *p, struct wb_git *g, struct wb_db *db,
			 const char *prefix, struct machines *m,
			 struct wb_error *err)
{
	const char **builds;
	size_t n;
	int ret;

	builds = all_builds(p, &n);
	ret = wb_db_machines(db, prefix, builds, n, note_machine, m, err);
	free(builds);
	return ret || m->n ? ret : look_abroad(p, g, db, prefix, m, err);
}

int wb_report_choose_machine(struct wb_plan *p, struct wb_git *g,
			     struct wb_db *db, const char *word,
			     struct wb_error *err)
{
	struct machines m = { .list = WB_BUF_INIT };
	int ret = -1;

	if (!db)
		return word ? wb_fail(err, WB_E_JUDGE, "--machine %s: nothing "
				      "is stored yet", word) : 0;
	if (find_machines(p, g, db, word ? word : p->machine.id, &m, err) < 0 ||
	    (!word && !m.n && find_machines(p, g, db, "", &m, err) < 0))
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
	    !wb_report_choose_machine(p, g, db, machine, err))
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
