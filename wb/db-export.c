/*
 * The store as a list of runs, each with all that is known of it.
 */
#include "db-sql.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

/* The metrics of a bench by their row, for runs name them by it. */
struct known {
	struct wb_db_sample *metric;	/* of each row: without a value */
	size_t n;
};

/* What one run has; memory is kept from one to the next. */
struct gathered {
	struct wb_db_sample *sample;
	size_t nsamples, capsamples;
	struct wb_db_counter *counter;
	size_t ncounters, capcounters;
	float **passes;
	size_t npasses, cappasses;
};

static void known_clear(struct known *k)
{
	size_t i;

	for (i = 0; i < k->n; i++) {
		free((char *)k->metric[i].metric);
		free((char *)k->metric[i].unit);
	}
	free(k->metric);
}

static int load_known(struct wb_db *db, const char *bench, struct known *k,
		      struct wb_error *err)
{
	sqlite3_stmt *st = wb_db_prepare(db, err, "SELECT metric.row,"
			" metric.name, unit, better, level, exact FROM metric"
			" JOIN bench ON bench.row = metric.bench"
			" WHERE bench.id = ? ORDER BY metric.row DESC", "t",
			bench);
	struct wb_db_sample *m;
	size_t row;
	int rc;

	if (!st)
		return -1;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		row = (size_t)sqlite3_column_int64(st, 0);
		if (!k->metric) {	/* the largest comes first */
			k->n = row + 1;
			k->metric = wb_xcalloc(k->n, sizeof(*k->metric));
		}
		m = &k->metric[row];
		m->metric = wb_xstrdup((const char *)
				       sqlite3_column_text(st, 1));
		m->unit = wb_xstrdup((const char *)sqlite3_column_text(st, 2));
		m->better = (enum wb_better)sqlite3_column_int(st, 3);
		m->level = (enum wb_level)sqlite3_column_int(st, 4);
		m->exact = sqlite3_column_int(st, 5);
	}
	rc = rc == SQLITE_DONE ? 0 : wb_db_failed(db, err);
	sqlite3_finalize(st);
	return rc;
}

static const float *unpack(struct gathered *g, sqlite3_stmt *st, int column,
			   size_t *n)
{
	const unsigned char *blob = sqlite3_column_blob(st, column);
	uint32_t bits;
	float *v;
	size_t i;

	*n = blob ? (size_t)sqlite3_column_bytes(st, column) / sizeof(bits) : 0;
	if (!*n)
		return NULL;
	v = wb_xcalloc(*n, sizeof(*v));
	for (i = 0; i < *n; i++) {
		memcpy(&bits, blob + i * sizeof(bits), sizeof(bits));
		bits = le32toh(bits);
		memcpy(&v[i], &bits, sizeof(bits));
	}
	g->passes = wb_grow(g->passes, g->npasses, &g->cappasses,
			    sizeof(*g->passes));
	return g->passes[g->npasses++] = v;
}

static void gathered_reset(struct gathered *g)
{
	while (g->npasses)
		free(g->passes[--g->npasses]);
	g->nsamples = g->ncounters = 0;
}

static void gathered_clear(struct gathered *g)
{
	gathered_reset(g);
	free(g->sample);
	free(g->counter);
	free(g->passes);
}

static bool is_known(const struct known *k, size_t row)
{
	return row < k->n && k->metric[row].metric;
}

static int gather_samples(struct wb_db *db, sqlite3_stmt *st,
			  sqlite3_stmt *passes, int64_t run,
			  const struct known *k, struct gathered *g,
			  struct wb_error *err)
{
	struct wb_db_sample *s;
	int64_t at = -1;
	size_t row;
	int rc;

	sqlite3_bind_int64(st, 1, run);
	sqlite3_bind_int64(passes, 1, run);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		row = (size_t)sqlite3_column_int64(st, 0);
		if (!is_known(k, row))
			continue;
		g->sample = wb_grow(g->sample, g->nsamples, &g->capsamples,
				    sizeof(*g->sample));
		s = &g->sample[g->nsamples++];
		*s = k->metric[row];
		s->value = sqlite3_column_double(st, 1);
		s->iter = sqlite3_column_int64(st, 2);
		if (!wb_db_step_to(passes, (int64_t)row, &at))
			continue;
		s->pass = unpack(g, passes, 1, &s->npasses);
		s->mean = sqlite3_column_double(passes, 2);
	}
	sqlite3_reset(st);
	if (sqlite3_reset(passes) != SQLITE_OK)
		return wb_db_failed(db, err);
	return rc == SQLITE_DONE ? 0 : wb_db_failed(db, err);
}

static int gather_counters(struct wb_db *db, sqlite3_stmt *st, int64_t run,
			   const struct known *k, struct gathered *g,
			   struct wb_error *err)
{
	size_t row;
	int rc;

	sqlite3_bind_int64(st, 1, run);
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		row = (size_t)sqlite3_column_int64(st, 0);
		if (!is_known(k, row))
			continue;
		g->counter = wb_grow(g->counter, g->ncounters, &g->capcounters,
				     sizeof(*g->counter));
		g->counter[g->ncounters++] = (struct wb_db_counter){
			.metric = k->metric[row].metric,
			.level = k->metric[row].level,
			.count = {
				(uint64_t)sqlite3_column_int64(st, 1),
				(uint64_t)sqlite3_column_int64(st, 2),
				(uint64_t)sqlite3_column_int64(st, 3),
			},
		};
	}
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? 0 : wb_db_failed(db, err);
}

static int64_t int_or(sqlite3_stmt *st, int column, int64_t none)
{
	return sqlite3_column_type(st, column) == SQLITE_NULL ? none :
	       sqlite3_column_int64(st, column);
}

static double double_or(sqlite3_stmt *st, int column, double none)
{
	return sqlite3_column_type(st, column) == SQLITE_NULL ? none :
	       sqlite3_column_double(st, column);
}

static const char *text(sqlite3_stmt *st, int column)
{
	return (const char *)sqlite3_column_text(st, column);
}

#define RUNS \
	"SELECT run.row, build.id, build.tree, coalesce(round.id," \
	" printf('%016x%016x', round.row, round.seed)), round.boot," \
	" round.seed, round.began, round.ended, bench.name, bench.command," \
	" machine.facts, run.place, run.level, run.time, run.wall, run.cpu," \
	" run.nivcsw, run.reason, run.control, run.open, run.user, run.sys," \
	" run.maxrss, run.nvcsw, run.faults, run.migrations," \
	" run.task_clock, run.locked" \
	" FROM bench JOIN round ON round.bench = bench.row" \
	" JOIN machine ON machine.row = round.machine" \
	" JOIN run ON run.round = round.row" \
	" JOIN build ON build.row = run.build" \
	" WHERE bench.id = ? AND machine.id = ? AND NOT round.discarded" \
	" ORDER BY round.id, run.place, run.control, build.id, run.row"

static struct wb_db_record record_of(sqlite3_stmt *st)
{
	return (struct wb_db_record){
		.build = text(st, 1), .tree = text(st, 2),
		.round = text(st, 3), .boot = text(st, 4),
		.seed = (uint64_t)sqlite3_column_int64(st, 5),
		.began = sqlite3_column_int64(st, 6),
		.ended = int_or(st, 7, -1),
		.name = text(st, 8), .command = text(st, 9),
		.facts = text(st, 10),
		.run = {
			.order = sqlite3_column_int(st, 11),
			.level = (enum wb_level)sqlite3_column_int(st, 12),
			.time = sqlite3_column_int64(st, 13),
			.wall = sqlite3_column_double(st, 14),
			.cpu = sqlite3_column_double(st, 15),
			.nivcsw = sqlite3_column_int64(st, 16),
			.reason = text(st, 17),
			.control = sqlite3_column_int(st, 18),
			.open = (int)int_or(st, 19, -1),
			.usage = {
				.user = double_or(st, 20, -1),
				.sys = double_or(st, 21, -1),
				.maxrss = int_or(st, 22, -1),
				.nvcsw = int_or(st, 23, -1),
				.faults = int_or(st, 24, -1),
				.migrations = int_or(st, 25, -1),
				.task_clock = int_or(st, 26, -1),
				.locked = int_or(st, 27, -1),
			},
		},
	};
}

static bool among(const char *const *builds, size_t n, const char *id)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (builds[i] && !strcmp(builds[i], id))
			return true;
	return false;
}

int wb_db_export(struct wb_db *db, const char *bench, const char *machine,
		 const char *const *builds, size_t n, wb_db_record_fn *fn,
		 void *arg, struct wb_error *err)
{
	sqlite3_stmt *runs = wb_db_prepare(db, err, RUNS, "tt", bench, machine);
	sqlite3_stmt *samples = wb_db_prepare(db, err, "SELECT metric, value,"
			" iter FROM sample WHERE run = ? ORDER BY metric", "");
	sqlite3_stmt *passes = wb_db_prepare(db, err, "SELECT metric, log, mean"
			" FROM passes WHERE run = ? ORDER BY metric", "");
	sqlite3_stmt *counters = wb_db_prepare(db, err, "SELECT metric, value,"
			" enabled, running FROM counter WHERE run = ?", "");
	struct gathered g = { .nsamples = 0 };
	struct known k = { .n = 0 };
	struct wb_db_record r;
	int rc, ret = -1;

	if (!runs || !samples || !passes || !counters ||
	    load_known(db, bench, &k, err) < 0)
		goto out;
	while ((rc = sqlite3_step(runs)) == SQLITE_ROW) {
		r = record_of(runs);
		if (!among(builds, n, r.build))
			continue;
		gathered_reset(&g);
		if (gather_samples(db, samples, passes,
				   sqlite3_column_int64(runs, 0), &k, &g,
				   err) < 0 ||
		    gather_counters(db, counters, sqlite3_column_int64(runs, 0),
				    &k, &g, err) < 0)
			goto out;
		r.bench = bench;
		r.machine = machine;
		r.run.sample = g.sample;
		r.run.nsamples = g.nsamples;
		r.run.counter = g.counter;
		r.run.ncounters = g.ncounters;
		fn(arg, &r);
	}
	ret = rc == SQLITE_DONE ? 0 : wb_db_failed(db, err);
out:
	gathered_clear(&g);
	known_clear(&k);
	sqlite3_finalize(runs);
	sqlite3_finalize(samples);
	sqlite3_finalize(passes);
	sqlite3_finalize(counters);
	return ret;
}
