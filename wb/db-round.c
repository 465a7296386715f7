#include "db-sql.h"

#include <stdlib.h>
#include <string.h>

int wb_db_round_runs(struct wb_db *db, int64_t bench, int64_t machine,
		     uint64_t seed, wb_db_round_fn *fn, void *arg,
		     struct wb_error *err)
{
	char *sql = wb_xasprintf(
		"SELECT run.place, run.wall, run.reason, metric.name,"
		" metric.unit, metric.better, metric.level, metric.exact,"
		" sample.value, build.id FROM run"
		" JOIN build ON build.row = run.build"
		" LEFT JOIN sample ON sample.run = run.row"
		" LEFT JOIN metric ON metric.row = sample.metric"
		" WHERE run.round = (SELECT max(row) FROM round WHERE"
		" bench = ? AND machine = ? AND seed = ? AND ended NOT NULL"
		" AND %s) ORDER BY run.row, metric.row", wb_db_counts(db));
	sqlite3_stmt *st = wb_db_prepare(db, err, sql, "iii", bench, machine,
					 (int64_t)seed);
	int rc, found = 0;

	free(sql);
	if (!st)
		return -1;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW) {
		struct wb_db_sample s = {
			.metric = (const char *)sqlite3_column_text(st, 3),
			.unit = (const char *)sqlite3_column_text(st, 4),
			.better = (enum wb_better)sqlite3_column_int(st, 5),
			.level = (enum wb_level)sqlite3_column_int(st, 6),
			.exact = sqlite3_column_int(st, 7),
			.value = sqlite3_column_double(st, 8),
		};
		fn(arg, sqlite3_column_int(st, 0),
		   (const char *)sqlite3_column_text(st, 9),
		   sqlite3_column_double(st, 1),
		   (const char *)sqlite3_column_text(st, 2),
		   s.metric ? &s : NULL);
		found = 1;
	}
	if (rc != SQLITE_DONE)
		found = wb_db_failed(db, err);
	sqlite3_finalize(st);
	return found;
}
