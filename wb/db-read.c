#include "db-sql.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int wb_db_broken(struct wb_db *db, const char *build, char **reason,
		 struct wb_error *err)
{
	sqlite3_stmt *st = wb_db_prepare(db, err, "SELECT broken FROM build"
				   " WHERE id = ? AND broken NOT NULL", "t",
				   build);
	int rc, ret = 0;

	*reason = NULL;
	if (!st)
		return -1;
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		*reason = wb_xstrdup((const char *)sqlite3_column_text(st, 0));
	else if (rc != SQLITE_DONE)
		ret = wb_db_failed(db, err);
	sqlite3_finalize(st);
	return ret;
}

/* sql with "%s" for whether a run is a control; free it. */
static char *with_control(const struct wb_db *db, const char *sql)
{
	static const char mark[] = "%s";
	const char *at = strstr(sql, mark);

	/* a store of before there were any */
	return wb_xasprintf("%.*s%s%s", (int)(at - sql), sql,
			    db->schema < 3 ? "0" : "run.control",
			    at + strlen(mark));
}

static long index_of(const char *const *ids, size_t n, const char *id)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (ids[i] && !strcmp(ids[i], id))
			return (long)i;
	return -1;
}

int wb_db_rounds(struct wb_db *db, const char *bench, const char *machine,
		 const char *const *builds, size_t n, wb_db_run_fn *fn,
		 void *arg, struct wb_error *err)
{
	static const char counters[] = "(SELECT group_concat(metric.name, ' ')"
		" FROM counter JOIN metric ON metric.row = counter.metric"
		" WHERE counter.run = run.row)";
	char *sql = wb_xasprintf(
		"SELECT run.round, build.id, run.level, run.wall,"
		" run.reason NOT NULL, %s, %s FROM bench"
		" JOIN round ON round.bench = bench.row"
		" JOIN machine ON machine.row = round.machine"
		" JOIN run ON run.round = round.row"
		" JOIN build ON build.row = run.build"
		" WHERE bench.id = ? AND machine.id = ?"
		" ORDER BY run.round", db->schema < 3 ? "0" : "run.control",
		db->schema < 2 ? "NULL" : counters);
	sqlite3_stmt *st = wb_db_prepare(db, err, sql, "tt", bench, machine);
	const char *names;
	long at;
	int rc;

	free(sql);
	if (!st)
		return -1;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		at = index_of(builds, n,
			      (const char *)sqlite3_column_text(st, 1));
		if (at < 0)
			continue;
		names = (const char *)sqlite3_column_text(st, 6);
		fn(arg, &(struct wb_db_past){
			.round = sqlite3_column_int64(st, 0),
			.build = (size_t)at,
			.level = (enum wb_level)sqlite3_column_int(st, 2),
			.wall = sqlite3_column_double(st, 3),
			.failed = sqlite3_column_int(st, 4),
			.control = sqlite3_column_int(st, 5),
			.counters = names ? names : "",
		});
	}
	rc = rc == SQLITE_DONE ? 0 : wb_db_failed(db, err);
	sqlite3_finalize(st);
	return rc;
}

/*
 * Columns by build: at most a few hundred, but a million rows ask for them,
 * so the store's row number is the index.
 */
struct index {
	long *of_build;		/* row of build -> first column, -1 none */
	uint32_t *layout;	/* row of build -> its layout */
	long *next;		/* column -> next column of the same build */
	long *of_metric;	/* row of metric -> index in the result */
	size_t nbuilds, nmetrics;
};

static void index_clear(struct index *x)
{
	free(x->of_build);
	free(x->layout);
	free(x->next);
	free(x->of_metric);
}

static long *fill(size_t n)
{
	long *v = wb_xmalloc(n * sizeof(*v));
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = -1;
	return v;
}

/*
 * One build of a column. Columns that share a build share those of all layouts,
 * so that one chain serves them all.
 */
static int index_build(struct wb_db *db, struct index *x, size_t column,
		       const char *id, size_t layout, struct wb_error *err)
{
	int64_t row = 0;
	int rc = wb_db_first_int(db, wb_db_prepare(db, err, "SELECT row"
						   " FROM build WHERE id = ?",
						   "t", id), &row, err);

	if (rc <= 0 || (size_t)row >= x->nbuilds)
		return rc < 0 ? -1 : 0;
	if (x->next[column] < 0)
		x->next[column] = x->of_build[row];
	x->of_build[row] = (long)column;
	x->layout[row] = (uint32_t)layout;
	return 0;
}

static int index_builds(struct wb_db *db, struct index *x,
			const struct wb_result *r, struct wb_error *err)
{
	const struct wb_column *c;
	int64_t max = 0;
	size_t i, l;

	if (wb_db_first_int(db, wb_db_prepare(db, err, "SELECT max(row)"
					      " FROM build", ""),
			    &max, err) < 0)
		return -1;
	x->nbuilds = (size_t)max + 1;
	x->of_build = fill(x->nbuilds);
	x->layout = wb_xcalloc(x->nbuilds, sizeof(*x->layout));
	x->next = fill(r->ncolumns + 1);
	for (i = r->ncolumns; i-- > 0; ) {
		c = &r->column[i];
		if (c->build && index_build(db, x, i, c->build, 0, err) < 0)
			return -1;
		for (l = 0; l < c->nlayouts; l++)
			if (index_build(db, x, i, c->layout[l], l + 1,
					err) < 0)
				return -1;
	}
	return 0;
}

static int load_metrics(struct wb_db *db, int64_t bench, const char *name,
			struct index *x, struct wb_result *r,
			struct wb_error *err)
{
	sqlite3_stmt *st;
	struct wb_metric *m;
	int64_t max = 0;
	size_t row, at;
	int rc;

	if (wb_db_first_int(db, wb_db_prepare(db, err, "SELECT max(row)"
					      " FROM metric", ""),
			    &max, err) < 0)
		return -1;
	x->nmetrics = (size_t)max + 1;
	x->of_metric = fill(x->nmetrics);
	st = wb_db_prepare(db, err, "SELECT row, name, unit, better, level,"
			   " exact FROM metric WHERE bench = ? ORDER BY row",
			   "i", bench);
	if (!st)
		return -1;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		row = (size_t)sqlite3_column_int64(st, 0);
		if (row >= x->nmetrics)
			continue;
		at = wb_result_add_metric(r, name,
			(const char *)sqlite3_column_text(st, 1));
		x->of_metric[row] = (long)at;
		m = &r->metric[at];
		free(m->unit);
		m->unit = wb_xstrdup((const char *)sqlite3_column_text(st, 2));
		m->better = (enum wb_better)sqlite3_column_int(st, 3);
		m->level = (enum wb_level)sqlite3_column_int(st, 4);
		m->exact = sqlite3_column_int(st, 5);
	}
	rc = rc == SQLITE_DONE ? 0 : wb_db_failed(db, err);
	sqlite3_finalize(st);
	return rc;
}

/* The passes behind a sample, once for all columns that share them. */
static void load_passes(sqlite3_stmt *st, struct wb_passes *p,
			struct wb_result *r)
{
	const unsigned char *blob = sqlite3_column_blob(st, 2);
	uint32_t bits;
	float *offset;
	size_t i;

	p->n = (size_t)sqlite3_column_bytes(st, 2) / sizeof(bits);
	offset = wb_result_offsets(r, p->n);
	for (i = 0; i < p->n; i++) {
		memcpy(&bits, blob + i * sizeof(bits), sizeof(bits));
		bits = le32toh(bits);
		memcpy(&offset[i], &bits, sizeof(bits));
	}
	p->offset = offset;
	p->mean = sqlite3_column_double(st, 3);
}

/*
 * The samples of one run, for every column of its build; those of a control
 * for the first, whose twin it is.
 */
static int load_run(struct wb_db *db, sqlite3_stmt *samples, long first,
		    bool control, const struct index *x, struct wb_point *p,
		    struct wb_result *r, struct wb_error *err)
{
	struct wb_passes passes = { .round = p->round };
	size_t metric;
	long column;
	bool sliced;
	int rc;

	sqlite3_bind_int64(samples, 1, p->run);
	while ((rc = sqlite3_step(samples)) == SQLITE_ROW) {
		metric = (size_t)sqlite3_column_int64(samples, 0);
		if (metric >= x->nmetrics || x->of_metric[metric] < 0)
			continue;
		p->metric = (uint32_t)x->of_metric[metric];
		p->value = sqlite3_column_double(samples, 1);
		sliced = p->value > 0 &&
			 sqlite3_column_type(samples, 2) == SQLITE_BLOB;
		if (sliced) {
			load_passes(samples, &passes, r);
			passes.metric = p->metric;
			passes.log = log(p->value);
		}
		p->column = passes.column = (uint32_t)first;
		if (control) {
			wb_result_add_control(r, p);
			if (sliced)
				wb_result_add_control_passes(r, &passes);
			continue;
		}
		for (column = first; column >= 0; column = x->next[column]) {
			p->column = passes.column = (uint32_t)column;
			wb_result_add_point(r, p);
			if (sliced)
				wb_result_add_passes(r, &passes);
		}
	}
	if (rc != SQLITE_DONE)
		return wb_db_failed(db, err);
	sqlite3_reset(samples);
	return 0;
}

static void note_share(struct wb_metric *m, const struct wb_pmu_count *c)
{
	double share = (double)c->running / (double)c->enabled;

	if (!m->counted || share < m->counted)
		m->counted = share;
}

/* The same for its events, which are kept as they were read. */
static int load_counters(struct wb_db *db, sqlite3_stmt *counters, long first,
			 bool control, const struct index *x,
			 struct wb_point *p, struct wb_result *r,
			 struct wb_error *err)
{
	struct wb_pmu_count c;
	size_t metric;
	long column;
	int rc;

	sqlite3_bind_int64(counters, 1, p->run);
	while ((rc = sqlite3_step(counters)) == SQLITE_ROW) {
		metric = (size_t)sqlite3_column_int64(counters, 0);
		c.value = (uint64_t)sqlite3_column_int64(counters, 1);
		c.enabled = (uint64_t)sqlite3_column_int64(counters, 2);
		c.running = (uint64_t)sqlite3_column_int64(counters, 3);
		if (metric >= x->nmetrics || x->of_metric[metric] < 0 ||
		    !wb_pmu_scale(&c, &p->value))
			continue;
		p->metric = (uint32_t)x->of_metric[metric];
		note_share(&r->metric[p->metric], &c);
		p->column = (uint32_t)first;
		if (control) {
			wb_result_add_control(r, p);
			continue;
		}
		for (column = first; column >= 0; column = x->next[column]) {
			p->column = (uint32_t)column;
			wb_result_add_point(r, p);
		}
	}
	if (rc != SQLITE_DONE)
		return wb_db_failed(db, err);
	sqlite3_reset(counters);
	return 0;
}

/*
 * The seed changes where another call of wb run begins; counting runs have one
 * of their own.
 */
struct calls {
	int64_t seed[2], round;
	bool known[2];
};

static void note_round(struct calls *c, int64_t round, int64_t seed,
		       bool counting, struct wb_result *r)
{
	if (c->round == round)
		return;
	c->round = round;
	if (!c->known[counting] || c->seed[counting] != seed)
		wb_result_add_start(r, (int32_t)round);
	c->known[counting] = true;
	c->seed[counting] = seed;
}

/*
 * Run by run, and only runs of builds that have a column: a store keeps the
 * samples of every build there ever was, a report wants a few.
 */
static int load_points(struct wb_db *db, int64_t bench, int64_t machine,
		       const struct index *x, struct wb_result *r,
		       struct wb_error *err)
{
	sqlite3_stmt *runs, *samples, *counters = NULL;
	struct calls calls = { .round = -1 };
	char *sql;
	struct wb_point p;
	size_t build;
	int rc = -1;

	sql = with_control(db, "SELECT run.row, run.build, run.round,"
			   " round.seed, run.level, run.nivcsw, %s"
			   " FROM round JOIN run ON run.round = round.row"
			   " WHERE round.bench = ? AND round.machine = ?"
			   " AND run.reason IS NULL ORDER BY run.row");
	runs = wb_db_prepare(db, err, sql, "ii", bench, machine);
	free(sql);
	samples = wb_db_prepare(db, err, db->schema < 3 ?
				"SELECT metric, value, NULL, NULL FROM sample"
				" WHERE run = ?" :
				"SELECT metric, value, log, mean FROM sample"
				" LEFT JOIN passes USING (run, metric)"
				" WHERE sample.run = ?", "");
	if (db->schema > 1)
		counters = wb_db_prepare(db, err, "SELECT metric, value,"
					 " enabled, running FROM counter"
					 " WHERE run = ?", "");
	if (!runs || !samples || (db->schema > 1 && !counters))
		goto out;
	while ((rc = sqlite3_step(runs)) == SQLITE_ROW) {
		build = (size_t)sqlite3_column_int64(runs, 1);
		if (build >= x->nbuilds || x->of_build[build] < 0)
			continue;
		p.run = (uint32_t)sqlite3_column_int64(runs, 0);
		p.round = (int32_t)sqlite3_column_int64(runs, 2);
		p.layout = x->layout[build];
		p.nivcsw = (int32_t)sqlite3_column_int64(runs, 5);
		note_round(&calls, p.round, sqlite3_column_int64(runs, 3),
			   sqlite3_column_int(runs, 4) == WB_LEVEL_I, r);
		rc = load_run(db, samples, x->of_build[build],
			      sqlite3_column_int(runs, 6), x, &p, r, err);
		if (rc >= 0 && counters)
			rc = load_counters(db, counters, x->of_build[build],
					   sqlite3_column_int(runs, 6), x, &p,
					   r, err);
		if (rc < 0)
			goto out;
	}
	rc = rc == SQLITE_DONE ? 0 : wb_db_failed(db, err);
out:
	sqlite3_finalize(runs);
	sqlite3_finalize(samples);
	sqlite3_finalize(counters);
	return rc;
}

/* Runs of one build in order, in whatever layout. */
struct streak {
	int failed;
	char *reason;
};

static void add_failure(struct wb_result *r, const struct index *x,
			size_t first, const char *name, const struct streak *s)
{
	long column;

	for (column = (long)first; column >= 0; column = x->next[column])
		wb_result_add_hole(r, (size_t)column, name, WB_HOLE_BROKEN,
				   s->reason);
}

/*
 * A bench is broken for a build when its last two timing runs failed, or all
 * of them; what it gave before says nothing about what it does now.
 */
static int load_failures(struct wb_db *db, int64_t bench, int64_t machine,
			 const char *name, const struct index *x,
			 struct wb_result *r, struct wb_error *err)
{
	char *sql = with_control(db,
		"SELECT run.build, run.reason, run.level FROM round"
		" JOIN run ON run.round = round.row"
		" WHERE round.bench = ? AND round.machine = ? AND NOT %s"
		" ORDER BY run.row");
	sqlite3_stmt *st = wb_db_prepare(db, err, sql, "ii", bench, machine);
	/* by the first column of a build, which stands for all its layouts */
	struct streak *s = wb_xcalloc(r->ncolumns, sizeof(*s));
	bool *good = wb_xcalloc(r->ncolumns, sizeof(*good));
	const char *reason;
	size_t build, i;
	int rc = -1;

	free(sql);
	while (st && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		build = (size_t)sqlite3_column_int64(st, 0);
		if (build >= x->nbuilds || x->of_build[build] < 0 ||
		    sqlite3_column_int(st, 2) == WB_LEVEL_I)
			continue;
		i = (size_t)x->of_build[build];
		reason = (const char *)sqlite3_column_text(st, 1);
		free(s[i].reason);
		s[i].reason = wb_xstrdup(reason);
		s[i].failed = reason ? s[i].failed + 1 : 0;
		good[i] |= !reason;
	}
	for (i = 0; i < r->ncolumns; i++) {
		if (s[i].failed > 1 || (s[i].failed && !good[i]))
			add_failure(r, x, i, name, &s[i]);
		free(s[i].reason);
	}
	free(s);
	free(good);
	if (st)
		rc = rc == SQLITE_DONE ? 0 : wb_db_failed(db, err);
	sqlite3_finalize(st);
	return rc;
}

/* Runs that no sandbox held. Older stores do not know. */
static int load_open(struct wb_db *db, int64_t bench, int64_t machine,
		     struct wb_result *r, struct wb_error *err)
{
	int64_t n = 0;

	if (db->schema < 4)
		return 0;
	if (wb_db_first_int(db, wb_db_prepare(db, err, "SELECT count(*)"
			" FROM round JOIN run ON run.round = round.row"
			" WHERE round.bench = ? AND round.machine = ?"
			" AND run.open", "ii", bench, machine), &n, err) < 0)
		return -1;
	r->open_runs += (size_t)n;
	return 0;
}

int wb_db_load(struct wb_db *db, const char *bench, const char *name,
	       const char *machine, struct wb_result *r, struct wb_error *err)
{
	struct index x = { .of_build = NULL };
	int64_t b, m;
	int rc, ret = -1;

	rc = wb_db_first_int(db, wb_db_prepare(db, err, "SELECT row FROM bench"
					       " WHERE id = ?", "t", bench),
			     &b, err);
	if (rc > 0)
		rc = wb_db_first_int(db, wb_db_prepare(db, err, "SELECT row"
						       " FROM machine"
						       " WHERE id = ?", "t",
						       machine), &m, err);
	if (rc <= 0)
		return rc;	/* never measured here: nothing to add */
	if (index_builds(db, &x, r, err) < 0 ||
	    load_metrics(db, b, name, &x, r, err) < 0 ||
	    load_points(db, b, m, &x, r, err) < 0 ||
	    load_failures(db, b, m, name, &x, r, err) < 0 ||
	    load_open(db, b, m, r, err) < 0)
		goto out;
	ret = 0;
out:
	index_clear(&x);
	return ret;
}
