#include "report-load.h"

#include "db.h"
#include "sample-html.h"
#include "sample.h"

#include <fnmatch.h>

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

int wb_report_load_plan(struct wb_git *g, const struct wb_config *c,
			const struct wb_source *from, struct wb_plan *p,
			struct wb_result *r, struct wb_error *err)
{
	struct wb_db *db = NULL;
	int ret = -1;

	/* opened here and not by the table: a file needs no store */
	if (!wb_plan_make(p, g, c, from, NULL, err) &&
	    !wb_db_open(wb_git_common_dir(g), false, &db, err))
		ret = wb_plan_result(p, db, r, err);
	wb_db_close(db);
	return ret;
}

int wb_report_load_store(struct wb_git *g, const struct wb_config *c,
			 const struct wb_source *from, struct wb_result *r,
			 struct wb_error *err)
{
	struct wb_plan p;
	int ret = wb_report_load_plan(g, c, from, &p, r, err);

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
