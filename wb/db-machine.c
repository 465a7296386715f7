#include "db-sql.h"

#include <stdlib.h>
#include <string.h>

/* Whether one of the builds, of which a few hundred are asked for at most. */
static bool among(const char *const *builds, size_t n, const char *id)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (builds[i] && !strcmp(builds[i], id))
			return true;
	return false;
}

int wb_db_elsewhere(struct wb_db *db, const char *machine,
		    const char *const *builds, size_t n, wb_db_machine_fn *fn,
		    void *arg, struct wb_error *err)
{
	sqlite3_stmt *st;
	int64_t others = 0;
	int rc;

	/* the usual store has none, and is not to be searched for nothing */
	if (wb_db_first_int(db, wb_db_prepare(db, err, "SELECT count(*) FROM"
					      " machine WHERE id <> ?", "t",
					      machine), &others, err) < 0)
		return -1;
	if (!others)
		return 0;
	st = wb_db_prepare(db, err, "SELECT machine.facts, build.id, count(*)"
			   " FROM machine"
			   " JOIN round ON round.machine = machine.row"
			   " JOIN run ON run.round = round.row"
			   " JOIN build ON build.row = run.build"
			   " WHERE machine.id <> ? AND run.reason IS NULL"
			   " GROUP BY machine.row, build.row"
			   " ORDER BY machine.row", "t", machine);
	if (!st)
		return -1;
	while ((rc = sqlite3_step(st)) == SQLITE_ROW)
		if (among(builds, n, (const char *)sqlite3_column_text(st, 1)))
			fn(arg, (const char *)sqlite3_column_text(st, 0),
			   (size_t)sqlite3_column_int64(st, 2));
	rc = rc == SQLITE_DONE ? 0 : wb_db_failed(db, err);
	sqlite3_finalize(st);
	return rc;
}

/* Whether a machine has a good run of one of the builds. */
static int has_run(struct wb_db *db, int64_t machine, const bool *wanted,
		   size_t n, struct wb_error *err)
{
	sqlite3_stmt *st = wb_db_prepare(db, err, "SELECT build FROM round"
			" JOIN run ON run.round = round.row"
			" WHERE machine = ? AND reason IS NULL", "i", machine);
	int64_t build;
	int rc, found = 0;

	if (!st)
		return -1;
	while (!found && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		build = sqlite3_column_int64(st, 0);
		found = build < (int64_t)n && wanted[build];
	}
	if (!found && rc != SQLITE_DONE)
		found = wb_db_failed(db, err);
	wb_db_release(db, st);
	return found;
}

/* By row: whether a build is one of ids. *n is one more than the last row. */
static bool *find_builds(struct wb_db *db, const char *const *ids, size_t nids,
			 size_t *n, struct wb_error *err)
{
	int64_t max = 0, row;
	bool *wanted;
	size_t i;
	int rc;

	if (wb_db_first_int(db, wb_db_prepare(db, err, "SELECT max(row) FROM"
					      " build", ""), &max, err) < 0)
		return NULL;
	*n = (size_t)max + 1;
	wanted = wb_xcalloc(*n, sizeof(*wanted));
	for (i = 0; i < nids; i++) {
		rc = ids[i] ? wb_db_first_int(db, wb_db_prepare(db, err,
				"SELECT row FROM build WHERE id = ?", "t",
				ids[i]), &row, err) : 0;
		if (rc < 0) {
			free(wanted);
			return NULL;
		}
		if (rc)
			wanted[row] = true;
	}
	return wanted;
}

int wb_db_machines(struct wb_db *db, const char *prefix,
		   const char *const *builds, size_t n, wb_db_known_fn *fn,
		   void *arg, struct wb_error *err)
{
	size_t rows;
	bool *wanted = find_builds(db, builds, n, &rows, err);
	sqlite3_stmt *st;
	int rc, has = 0;

	if (!wanted)
		return -1;
	st = wb_db_prepare(db, err, "SELECT row, id, facts FROM machine"
			   " WHERE substr(id, 1, length(?1)) = ?1"
			   " ORDER BY row DESC", "t", prefix);
	while (st && has >= 0 && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		has = has_run(db, sqlite3_column_int64(st, 0), wanted, rows,
			      err);
		if (has > 0)
			fn(arg, (const char *)sqlite3_column_text(st, 1),
			   (const char *)sqlite3_column_text(st, 2));
	}
	if (st && has >= 0 && rc != SQLITE_DONE)
		has = wb_db_failed(db, err);
	sqlite3_finalize(st);
	free(wanted);
	return st && has >= 0 ? 0 : -1;
}

int wb_db_toolchains(struct wb_db *db, const char *prefix,
		     wb_db_toolchain_fn *fn, void *arg, struct wb_error *err)
{
	sqlite3_stmt *st;
	int rc, ret = 0;

	if (db->schema < 6)
		return 0;
	st = wb_db_prepare(db, err, "SELECT id, plain, layouts FROM toolchain"
			   " JOIN machine ON machine.row = toolchain.machine"
			   " WHERE substr(id, 1, length(?1)) = ?1"
			   " ORDER BY toolchain.row DESC", "t", prefix);
	if (!st)
		return -1;
	while (!ret && (rc = sqlite3_step(st)) == SQLITE_ROW)
		ret = fn(arg, (const char *)sqlite3_column_text(st, 0),
			 (const char *)sqlite3_column_text(st, 1),
			 (const char *)sqlite3_column_text(st, 2), err);
	if (!ret && rc != SQLITE_DONE)
		ret = wb_db_failed(db, err);
	sqlite3_finalize(st);
	return ret;
}
