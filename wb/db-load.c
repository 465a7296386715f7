/*
 * The samples of a bench from the store, for a report.
 */
#include "calls.h"
#include "db-sql.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	const unsigned char *blob = sqlite3_column_blob(st, 1);
	uint32_t bits;
	float *offset;
	size_t i;

	p->n = (size_t)sqlite3_column_bytes(st, 1) / sizeof(bits);
	offset = wb_result_offsets(r, p->n);
	for (i = 0; i < p->n; i++) {
		memcpy(&bits, blob + i * sizeof(bits), sizeof(bits));
		bits = le32toh(bits);
		memcpy(&offset[i], &bits, sizeof(bits));
	}
	p->offset = offset;
	p->mean = sqlite3_column_double(st, 2);
}

/* A bench on a machine, being read. */
struct loading {
	struct wb_db *db;
	struct wb_result *r;
	struct index x;
	const char *name;	/* of the bench */
	/* of one run; the last two NULL where a store has none of them */
	sqlite3_stmt *samples, *passes, *counters;
	struct wb_calls calls;
	int64_t told;		/* the last round whose mishap is; -1 none */
	/* runs of one build in order, in whatever layout: by the first column,
	   which stands for all that share it */
	struct streak {
		int failed;
		bool good;
		char *reason;
	} *streak;
};

/* A value, for every column of its build; a control's for the first alone,
   whose twin it is. passes: NULL for none. */
static void add_value(struct loading *l, long first, bool control,
		      struct wb_point *p, struct wb_passes *passes)
{
	long column;

	p->column = (uint32_t)first;
	if (control)
		wb_result_add_control(l->r, p);
	for (column = first; column >= 0 && !control;
	     column = l->x.next[column]) {
		p->column = (uint32_t)column;
		wb_result_add_point(l->r, p);
	}
	if (!passes)
		return;
	passes->column = (uint32_t)first;
	if (control)
		wb_result_add_control_passes(l->r, passes);
	for (column = first; column >= 0 && !control;
	     column = l->x.next[column]) {
		passes->column = (uint32_t)column;
		wb_result_add_passes(l->r, passes);
	}
}

static int load_samples(struct loading *l, int64_t run, long first,
			bool control, struct wb_point *p, struct wb_error *err)
{
	struct wb_passes passes = { .round = p->round };
	int64_t at = -1;
	size_t metric;
	bool sliced;
	int rc;

	sqlite3_bind_int64(l->samples, 1, run);
	if (l->passes)
		sqlite3_bind_int64(l->passes, 1, run);
	while ((rc = sqlite3_step(l->samples)) == SQLITE_ROW) {
		metric = (size_t)sqlite3_column_int64(l->samples, 0);
		if (metric >= l->x.nmetrics || l->x.of_metric[metric] < 0)
			continue;
		p->metric = (uint32_t)l->x.of_metric[metric];
		p->value = sqlite3_column_double(l->samples, 1);
		sliced = p->value > 0 &&
			 wb_db_step_to(l->passes, (int64_t)metric, &at);
		if (sliced) {
			load_passes(l->passes, &passes, l->r);
			passes.metric = p->metric;
			passes.log = log(p->value);
		}
		add_value(l, first, control, p, sliced ? &passes : NULL);
	}
	if (rc != SQLITE_DONE || (l->passes &&
				  sqlite3_reset(l->passes) != SQLITE_OK))
		return wb_db_failed(l->db, err);
	sqlite3_reset(l->samples);
	return 0;
}

static void note_share(struct wb_metric *m, const struct wb_pmu_count *c)
{
	double share = (double)c->running / (double)c->enabled;

	if (!m->counted || share < m->counted)
		m->counted = share;
}

/* The same for its events, which are kept as they were read. */
static int load_counters(struct loading *l, int64_t run, long first,
			 bool control, struct wb_point *p, struct wb_error *err)
{
	sqlite3_stmt *st = l->counters;
	struct wb_pmu_count c;
	size_t metric;
	int rc;

	sqlite3_bind_int64(st, 1, run);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		metric = (size_t)sqlite3_column_int64(st, 0);
		c.value = (uint64_t)sqlite3_column_int64(st, 1);
		c.enabled = (uint64_t)sqlite3_column_int64(st, 2);
		c.running = (uint64_t)sqlite3_column_int64(st, 3);
		if (metric >= l->x.nmetrics || l->x.of_metric[metric] < 0 ||
		    !wb_pmu_scale(&c, &p->value))
			continue;
		p->metric = (uint32_t)l->x.of_metric[metric];
		note_share(&l->r->metric[p->metric], &c);
		add_value(l, first, control, p, NULL);
	}
	if (rc != SQLITE_DONE)
		return wb_db_failed(l->db, err);
	sqlite3_reset(st);
	return 0;
}

static void note_end(struct streak *s, const char *reason)
{
	free(s->reason);
	s->reason = wb_xstrdup(reason);
	s->failed = reason ? s->failed + 1 : 0;
	s->good |= !reason;
}

/* What a row of the statement below has. */
enum {
	RUN, BUILD, ROUND, SEED, LEVEL, SWITCHES, REASON, CONTROL, OPEN,
	MISHAP, DISCARDED, LOCKED,
};

/*
 * By the ids of rounds, which sort as the rounds began; rows are in that order
 * too, but not in a store that was filled by wb import. Older stores know no
 * controls, no sandbox, no ids, no mishaps and nothing of locked memory.
 */
static sqlite3_stmt *all_runs(struct wb_db *db, int64_t bench, int64_t machine,
			      struct wb_error *err)
{
	char *sql = wb_xasprintf(
		"SELECT run.row, run.build, run.round, round.seed, run.level,"
		" run.nivcsw, run.reason, %s, %s, %s, %s"
		" FROM round JOIN run ON run.round = round.row"
		" WHERE round.bench = ? AND round.machine = ?"
		" ORDER BY %s, run.round, run.place, run.row",
		db->schema < 3 ? "0" : "run.control",
		db->schema < 4 ? "0" : "run.open",
		db->schema < 7 ? "NULL, 0" : "round.mishap, round.discarded",
		db->schema < 8 ? "NULL" : "run.locked",
		db->schema < 5 ? "round.row" : "round.id");
	sqlite3_stmt *st = wb_db_prepare(db, err, sql, "ii", bench, machine);

	free(sql);
	return st;
}

/* One run of a build that has a column. */
static int load_run(struct loading *l, sqlite3_stmt *st, struct wb_point *p,
		    struct wb_error *err)
{
	size_t build = (size_t)sqlite3_column_int64(st, BUILD);
	const char *reason = (const char *)sqlite3_column_text(st, REASON);
	long first = build < l->x.nbuilds ? l->x.of_build[build] : -1;
	bool counting = sqlite3_column_int(st, LEVEL) == WB_LEVEL_I;
	bool control = sqlite3_column_int(st, CONTROL);
	const char *mishap = (const char *)sqlite3_column_text(st, MISHAP);
	bool discarded = sqlite3_column_int(st, DISCARDED);
	int64_t run = sqlite3_column_int64(st, RUN);

	if (first < 0)
		return 0;
	if (mishap && l->told != p->round) {
		wb_result_add_mishap(l->r, l->name, mishap, discarded);
		l->told = p->round;
	}
	if (discarded)
		return 0;
	if (!control && !counting)
		note_end(&l->streak[first], reason);
	if (reason)
		return 0;
	p->run = l->r->nruns++;
	p->layout = l->x.layout[build];
	p->nivcsw = (int32_t)sqlite3_column_int64(st, SWITCHES);
	wb_calls_note(&l->calls, p->round,
		      (uint64_t)sqlite3_column_int64(st, SEED), counting,
		      l->r);
	if (load_samples(l, run, first, control, p, err) < 0)
		return -1;
	return l->counters ? load_counters(l, run, first, control, p, err) : 0;
}

/*
 * Run by run, and only runs of builds that have a column: a store keeps the
 * samples of every build there ever was, a report wants a few.
 */
static int load_runs(struct loading *l, int64_t bench, int64_t machine,
		     struct wb_error *err)
{
	sqlite3_stmt *st = all_runs(l->db, bench, machine, err);
	int64_t row = -1;
	struct wb_point p;
	int rc = -1;

	p.round = l->r->nrounds;
	while (st && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		l->r->open_runs += sqlite3_column_int(st, OPEN) > 0;
		l->r->locked_runs += sqlite3_column_int64(st, LOCKED) > 0;
		l->r->unlocked_runs += !sqlite3_column_int64(st, LOCKED) &&
			sqlite3_column_type(st, LOCKED) != SQLITE_NULL;
		if (row != sqlite3_column_int64(st, ROUND)) {
			row = sqlite3_column_int64(st, ROUND);
			p.round = l->r->nrounds++;
		}
		if (load_run(l, st, &p, err) < 0)
			goto out;
	}
	rc = st && rc == SQLITE_DONE ? 0 : st ? wb_db_failed(l->db, err) : -1;
out:
	sqlite3_finalize(st);
	return rc == 0 ? 0 : -1;
}

/*
 * A bench is broken for a build when its last two timing runs failed, or all
 * of them; what it gave before says nothing about what it does now.
 */
static void add_failures(struct loading *l)
{
	const struct streak *s;
	long column;
	size_t i;

	for (i = 0; i < l->r->ncolumns; i++) {
		s = &l->streak[i];
		if (s->failed < 2 && (!s->failed || s->good))
			continue;
		for (column = (long)i; column >= 0; column = l->x.next[column])
			wb_result_add_hole(l->r, (size_t)column, l->name,
					   WB_HOLE_BROKEN, s->reason);
	}
}

/* A statement for each run, unless the table is empty, as for most benches. */
static int prepare_some(struct wb_db *db, int since, const char *table,
			const char *sql, sqlite3_stmt **out,
			struct wb_error *err)
{
	int64_t one;
	char *ask;
	int rc;

	*out = NULL;
	if (db->schema < since)
		return 0;
	ask = wb_xasprintf("SELECT 1 FROM %s LIMIT 1", table);
	rc = wb_db_first_int(db, wb_db_prepare(db, err, ask, ""), &one, err);
	free(ask);
	if (rc > 0)
		*out = wb_db_prepare(db, err, sql, "");
	return rc < 0 || (rc && !*out) ? -1 : 0;
}

static int prepare(struct loading *l, struct wb_error *err)
{
	l->samples = wb_db_prepare(l->db, err, "SELECT metric, value FROM"
				   " sample WHERE run = ? ORDER BY metric", "");
	if (!l->samples ||
	    prepare_some(l->db, 3, "passes", "SELECT metric, log, mean FROM"
			 " passes WHERE run = ? ORDER BY metric", &l->passes,
			 err) < 0)
		return -1;
	return prepare_some(l->db, 2, "counter", "SELECT metric, value,"
			    " enabled, running FROM counter WHERE run = ?",
			    &l->counters, err);
}

int wb_db_load(struct wb_db *db, const char *bench, const char *name,
	       const char *machine, struct wb_result *r, struct wb_error *err)
{
	struct loading l = {
		.db = db, .r = r, .name = name, .calls = WB_CALLS_INIT,
		.told = -1,
	};
	int64_t b, m;
	int rc, ret = -1;
	size_t i;

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
	l.streak = wb_xcalloc(r->ncolumns, sizeof(*l.streak));
	if (index_builds(db, &l.x, r, err) < 0 ||
	    load_metrics(db, b, name, &l.x, r, err) < 0 ||
	    prepare(&l, err) < 0 || load_runs(&l, b, m, err) < 0)
		goto out;
	add_failures(&l);
	ret = 0;
out:
	for (i = 0; i < r->ncolumns; i++)
		free(l.streak[i].reason);
	free(l.streak);
	index_clear(&l.x);
	sqlite3_finalize(l.samples);
	sqlite3_finalize(l.passes);
	sqlite3_finalize(l.counters);
	return ret;
}
