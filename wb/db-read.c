#include "db-sql.h"

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
		" WHERE bench.id = ? AND machine.id = ? AND %s"
		" ORDER BY run.round", db->schema < 3 ? "0" : "run.control",
		db->schema < 2 ? "NULL" : counters, wb_db_counts(db));
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
